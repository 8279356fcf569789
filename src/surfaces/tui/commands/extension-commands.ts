import { printable } from "../../../platform/text/printable.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import type { ChatCommand } from "../chat-actions.ts";

/** The commands of tool files as commands of the chat, without those whose names are taken. */
export function extensionCommands(toolbox: Toolbox, taken: ReadonlySet<string>): ChatCommand[] {
  return toolbox
    .commands()
    .filter(({ name }) => !taken.has(name) && COMMAND_WORD.test(name))
    .map(({ name, description }) => ({
      name,
      about: printable(description?.trim() || "A command of an extension."),
      argument: "[TEXT]",
      async run(args, chat) {
        const { sessionID } = chat.state;
        const result = await chat.runStoppable((signal) => toolbox.runCommand({ name, args, sessionID, signal }));
        if (!result.ok && result.error.code !== "aborted") throw new Error(`/${name} failed: ${result.error.message}`);
      },
    }));
}

/** A command is one word without a slash: text with another slash is a path. */
export const COMMAND_WORD: RegExp = /^[\p{L}\p{N}_:.-]+$/u;
