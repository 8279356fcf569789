import type { DialogOptions, ExtensionUIContext } from "../../../authoring/pi/extension-types.ts";
import { createTheme } from "../../../authoring/pi/theme.ts";
import { timerDelay } from "../../../platform/waiting/max-delay.ts";
import { type ComponentFactory, showCustom } from "./custom-component.ts";
import { noopProxy } from "./noop-proxy.ts";
import type { PiRuntime } from "./pi-runtime.ts";
import { WidgetComponents } from "./widget-components.ts";

/**
 * `ctx.ui` of a file. Without a user interface, questions resolve to the empty answers of pi. Components of the file stay in
 * this process: the user interface gets their lines. No member throws.
 */
export function createUi(runtime: PiRuntime, hasUI: () => boolean): ExtensionUIContext {
  const send = async (method: string, args: readonly unknown[], signal?: AbortSignal): Promise<unknown> => {
    if (!hasUI()) return undefined;
    return runtime.host.ui(method, args, signal).catch((error: unknown) => runtime.logFailure(`ui.${method}()`, error));
  };
  const ask = (method: string, args: readonly unknown[], options: DialogOptions = {}): Promise<unknown> =>
    send(method, args, endOf(options));
  const show =
    (method: string) =>
    (...args: unknown[]): void => {
      if (args.some((argument) => typeof argument === "function")) return runtime.logIgnored(`ui.${method}(component)`);
      void send(method, args);
    };
  /** The content is a component, lines or undefined. `key` are the arguments before it. */
  const showContent = (method: string, key: readonly unknown[], content: unknown, ...options: unknown[]): void => {
    if (!hasUI()) return;
    const id = JSON.stringify([method, ...key]);
    const showLines = (lines: unknown): void => void send(method, [...key, lines, ...options]);
    if (typeof content === "function") return widgetsOf(runtime).set(id, content as ComponentFactory, showLines);
    widgetsOf(runtime).remove(id);
    showLines(content);
  };
  const ui = {
    select: (title: string, options: unknown[], dialog?: DialogOptions) => ask("select", [title, options], dialog),
    confirm: async (title: string, message: string, dialog?: DialogOptions) =>
      (await ask("confirm", [title, message], dialog)) === true,
    input: (title: string, placeholder?: string, dialog?: DialogOptions) => ask("input", [title, placeholder], dialog),
    editor: (title: string, prefill?: string, dialog?: DialogOptions) => ask("editor", [title, prefill], dialog),
    custom: async (factory: unknown, options?: unknown) =>
      hasUI() ? showCustom(runtime, factory, options) : runtime.logIgnored("ui.custom()"),
    setWidget: (key: string, content: unknown, ...options: unknown[]) =>
      showContent("setWidget", [key], content, ...options),
    setFooter: (content: unknown) => showContent("setFooter", [], content),
    setHeader: (content: unknown) => showContent("setHeader", [], content),
    get theme() {
      return createTheme(false);
    },
    getAllThemes: () => [],
    setTheme: () => ({ success: false, error: "Toolwright has one theme, which cannot be changed." }),
    getEditorText: () => "",
    getToolsExpanded: () => false,
    onTerminalInput: () => () => {},
    ...Object.fromEntries(SHOWN.map((method) => [method, show(method)])),
  };
  return noopProxy(ui, (member) => runtime.logIgnored(`ui.${member}()`)) as unknown as ExtensionUIContext;
}

/** The widgets of a file outlive the call that sets them. */
const widgets = new WeakMap<PiRuntime, WidgetComponents>();

function widgetsOf(runtime: PiRuntime): WidgetComponents {
  const known = widgets.get(runtime) ?? new WidgetComponents(runtime);
  widgets.set(runtime, known);
  return known;
}

/** Methods that show something and return nothing. */
const SHOWN = [
  "notify",
  "setStatus",
  "setTitle",
  "setWorkingMessage",
  "setWorkingVisible",
  "setWorkingIndicator",
  "setHiddenThinkingLabel",
  "setEditorText",
  "pasteToEditor",
  "setToolsExpanded",
];

/** A signal that fires when the file no longer waits for an answer; undefined if it waits for as long as it takes. */
function endOf({ signal, timeout }: DialogOptions): AbortSignal | undefined {
  const ends = [signal, timeout && timeout > 0 ? AbortSignal.timeout(timerDelay(timeout)) : undefined].filter(
    (end) => !!end,
  );
  return ends.length > 0 ? AbortSignal.any(ends) : undefined;
}
