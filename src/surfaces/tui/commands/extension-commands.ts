import { printable } from "../../../core/printable.ts";
import type { ChatCommand } from "../chat-actions.ts";

/** A command that a tool file registers. */
interface ExtensionCommand {
  readonly name: string;
  readonly description?: string;
  /** The file that registers it. */
  readonly file: string;
}

/** The part of a toolbox that runs the commands of tool files. A toolbox without it has none. */
interface CommandSource {
  commands?(): readonly ExtensionCommand[];
  runCommand?(request: {
    readonly name: string;
    readonly args: string;
    readonly sessionID: string;
    readonly signal?: AbortSignal;
  }): Promise<{ readonly ok: true } | { readonly ok: false; readonly error: { readonly message: string } }>;
}

/** The commands of tool files as commands of the chat, without those whose names are taken. */
export function extensionCommands(toolbox: object, taken: ReadonlySet<string>): ChatCommand[] {
  const source: CommandSource = toolbox;
  const found = new Map<string, ChatCommand>();
  for (const { name, description } of source.commands?.() ?? []) {
    if (taken.has(name) || found.has(name) || !COMMAND_NAME.test(name)) continue;
    found.set(name, {
      name,
      about: printable(description?.trim() || "A command of an extension."),
      argument: "[TEXT]",
      async run(args, { state: { sessionID } }) {
        const result = await source.runCommand?.({ name, args, sessionID });
        if (result && !result.ok) throw new Error(`/${name} failed: ${result.error.message}`);
      },
    });
  }
  return [...found.values()];
}

/** A command is one word without a slash: text with another slash is a path. */
export const COMMAND_NAME: RegExp = /^[\w:.-]+$/;
