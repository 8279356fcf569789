import { COMMAND_NAME, MAX_COMMAND_DESCRIPTION } from "../../../core/file-command.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import type { CommandRun, ExportProblem, FileCommand } from "../contributions.ts";
import { identityOf, type PluginState } from "./plugin-state.ts";

/** The commands that a plugin registers. */
export class PluginCommands {
  readonly #state: PluginState;
  readonly #commands = new Map<string, FileCommand>();
  readonly problems: ExportProblem[] = [];

  constructor(state: PluginState) {
    this.#state = state;
  }

  get commands(): FileCommand[] {
    return [...this.#commands.values()];
  }

  add(given: unknown): void {
    const { name: raw, description, handler } = isObject(given) ? given : {};
    const name = typeof raw === "string" ? raw.replace(/^\//, "") : "";
    if (!COMMAND_NAME.test(name) || typeof handler !== "function") {
      this.problems.push(this.#problem(name, typeof handler === "function"));
      return;
    }
    this.#commands.set(name, {
      name,
      ...(typeof description === "string" ? { description: description.slice(0, MAX_COMMAND_DESCRIPTION) } : {}),
      run: async (args, at) => this.#show(await handler.call(given, commandContext(name, { args, at }, this.#state))),
    });
    this.#state.changed();
  }

  /** A command of OpenClaw answers with a message. */
  async #show(answer: unknown): Promise<void> {
    const text = isObject(answer) ? answer.text : answer;
    if (typeof text === "string" && text !== "") await this.#state.at.host.ui("notify", [text, "info"]);
  }

  #problem(name: string, hasHandler: boolean): ExportProblem {
    const { file, exportName } = this.#state.at;
    const shown = JSON.stringify(name.slice(0, 100));
    const message = hasHandler
      ? `${shown} is not a name for a command. Use up to 64 letters, digits, "_", "-", "." and ":".`
      : `The command ${shown} has no handler. Add async handler(ctx) { … }.`;
    return { file: file.path, exportName, code: "bad_definition", message };
  }
}

function commandContext(
  name: string,
  { args, at }: { args: string; at: CommandRun },
  { settings }: PluginState,
): object {
  const text = args.trim();
  return {
    ...identityOf(at),
    args: text === "" ? undefined : text,
    commandBody: text === "" ? `/${name}` : `/${name} ${text}`,
    channel: "toolwright",
    isAuthorizedSender: true,
    senderIsOwner: true,
    config: settings.config,
    workspaceDir: at.directory,
    signal: at.signal,
  };
}
