import type { FormatHost } from "../contributions.ts";

/** What Amp throws if no person can answer a dialog. Plugins recognize it by `isPluginUINotAvailableError`. */
export class PluginUINotAvailableError extends Error {
  override readonly name: string = "PluginUINotAvailableError";
}

interface Dialog {
  readonly title?: string;
  readonly message?: string;
  readonly helpText?: string;
  readonly initialValue?: string;
  readonly options?: readonly string[];
}

/** `ctx.ui` of a plugin. Without a user interface, dialogs reject and notifications go to the log. */
export function ampUi(host: FormatHost): object {
  const ask = async (method: string, args: readonly unknown[]): Promise<unknown> => {
    if (host.hasUI) return host.ui(method, args);
    throw new PluginUINotAvailableError(
      `ui.${method}() needs a user interface, and this program has none. Run the tool in toolwright chat.`,
    );
  };
  return {
    notify: async (message: unknown) =>
      host.hasUI ? void (await host.ui("notify", [String(message)])) : host.log("info", String(message)),
    confirm: async ({ title = "", message = "" }: Dialog) => (await ask("confirm", [title, message])) === true,
    select: ({ title = "", options = [] }: Dialog) => ask("select", [title, options]),
    input: ({ title, helpText, initialValue }: Dialog) => ask("input", [title ?? helpText ?? "", initialValue]),
  };
}
