import type { DialogOptions, ExtensionUIContext } from "../../authoring/pi/extension-types.ts";
import { createTheme } from "../../authoring/pi/theme.ts";
import { untilAborted } from "../../core/until-aborted.ts";
import { noopProxy } from "./noop-proxy.ts";
import type { PiRuntime } from "./pi-runtime.ts";

/**
 * The user interface as files see it. Questions go to a person where there is one, and have pi's empty answers where
 * there is none. Components drawn by the file cannot leave this process, and are not shown. Nothing of it throws.
 */
export function createUi(runtime: PiRuntime, hasUI: () => boolean): ExtensionUIContext {
  const send = async (method: string, args: readonly unknown[]): Promise<unknown> => {
    if (!hasUI()) return undefined;
    return runtime.host.ui(method, args).catch((error: unknown) => runtime.failed(`ui.${method}()`, error));
  };
  const ask = (method: string, args: readonly unknown[], options: DialogOptions = {}): Promise<unknown> =>
    dismissable(() => send(method, args), options);
  const show =
    (method: string) =>
    (...args: unknown[]): void => {
      if (args.some((argument) => typeof argument === "function")) return runtime.ignored(`ui.${method}(component)`);
      void send(method, args);
    };
  const ui = {
    select: (title: string, options: unknown[], dialog?: DialogOptions) => ask("select", [title, options], dialog),
    confirm: async (title: string, message: string, dialog?: DialogOptions) =>
      (await ask("confirm", [title, message], dialog)) === true,
    input: (title: string, placeholder?: string, dialog?: DialogOptions) => ask("input", [title, placeholder], dialog),
    editor: (title: string, prefill?: string, dialog?: DialogOptions) => ask("editor", [title, prefill], dialog),
    custom: async () => runtime.ignored("ui.custom()"),
    get theme() {
      return createTheme(false);
    },
    getAllThemes: () => [],
    setTheme: () => ({ success: false, error: "There is one theme here, and it cannot be changed." }),
    getEditorText: () => "",
    getToolsExpanded: () => false,
    onTerminalInput: () => () => {},
    ...Object.fromEntries(SHOWN.map((method) => [method, show(method)])),
  };
  return noopProxy(ui, (member) => runtime.ignored(`ui.${member}()`)) as unknown as ExtensionUIContext;
}

/** What only shows something, and answers nothing. */
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

/** A question that is dropped, with no answer, when the file's signal fires or its time is over. */
async function dismissable(question: () => Promise<unknown>, { signal, timeout }: DialogOptions): Promise<unknown> {
  const ends = [signal, timeout && timeout > 0 ? AbortSignal.timeout(timeout) : undefined].filter((end) => !!end);
  if (ends.length === 0) return question();
  return untilAborted(AbortSignal.any(ends), question);
}
