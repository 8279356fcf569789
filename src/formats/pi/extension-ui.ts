import type { DialogOptions, ExtensionUIContext } from "../../authoring/pi/extension-types.ts";
import { createTheme } from "../../authoring/pi/theme.ts";
import { noopProxy } from "./noop-proxy.ts";
import type { PiRuntime } from "./pi-runtime.ts";

/**
 * `ctx.ui` of a file. Without a user interface, questions resolve to the empty answers of pi. Components of the file are
 * not shown: they cannot leave this process. No member throws.
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
  const ui = {
    select: (title: string, options: unknown[], dialog?: DialogOptions) => ask("select", [title, options], dialog),
    confirm: async (title: string, message: string, dialog?: DialogOptions) =>
      (await ask("confirm", [title, message], dialog)) === true,
    input: (title: string, placeholder?: string, dialog?: DialogOptions) => ask("input", [title, placeholder], dialog),
    editor: (title: string, prefill?: string, dialog?: DialogOptions) => ask("editor", [title, prefill], dialog),
    custom: async () => runtime.logIgnored("ui.custom()"),
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

/** Methods that show something and return nothing. */
const SHOWN = [
  "notify",
  "setStatus",
  "setWidget",
  "setTitle",
  "setFooter",
  "setHeader",
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
  const ends = [signal, timeout && timeout > 0 ? AbortSignal.timeout(timeout) : undefined].filter((end) => !!end);
  return ends.length > 0 ? AbortSignal.any(ends) : undefined;
}
