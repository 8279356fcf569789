import { messageOf } from "../../../core/error.ts";
import { nearest, suggestion } from "../../../platform/text/nearest.ts";
import type { ChatActions } from "../chat-actions.ts";
import { readToolLine } from "../tool-line.ts";
import { allCommands } from "./all-commands.ts";
import { awaitTools } from "./await-tools.ts";
import { COMMAND_WORD } from "./extension-commands.ts";

/**
 * Does what the user has typed: `/name argument` is a command, `!name field=value` a call of a tool, everything else a prompt. A
 * second slash or exclamation mark at the beginning makes a prompt of it, without the first one. A path at the beginning, such
 * as `/etc/hosts`, is no command. `@path` stays in the prompt as it was typed: agents read files themselves. Resolves to "sent"
 * if it was a prompt. Never rejects: errors are shown to the user.
 */
export async function runLine(text: string, chat: ChatActions): Promise<"sent" | "handled"> {
  if (text.trim() === "") return "handled";
  const prompt = promptIn(text);
  if (prompt !== undefined) {
    chat.send(prompt);
    return "sent";
  }
  try {
    await (text.startsWith("!") ? runTool(text, chat) : runCommand(text, chat));
  } catch (error) {
    chat.notice(messageOf(error), "error");
  }
  return "handled";
}

/** The prompt; undefined for a command and a call. */
function promptIn(text: string): string | undefined {
  if (text.startsWith("//") || text.startsWith("!!")) return text.slice(1);
  if (text.startsWith("!")) return undefined;
  const [, name] = /^\/(\S*)/.exec(text) ?? [];
  return name === undefined || (name !== "" && !COMMAND_WORD.test(name)) ? text : undefined;
}

async function runTool(text: string, chat: ChatActions): Promise<void> {
  const line = await awaitTools(chat, readToolLine(text, chat.toolbox));
  if (line.kind === "call") chat.callTool(line.name, line.input);
  else chat.notice(line.message, "error");
}

async function runCommand(text: string, chat: ChatActions): Promise<void> {
  const [, name = "", argument = ""] = /^\/(\S*)\s*(.*)$/s.exec(text) ?? [];
  const commands = allCommands(chat);
  const command = commands.find((each) => each.name === name);
  if (!command) throw new Error(unknownCommand(name, commands));
  await command.run(argument.trim(), chat);
}

function unknownCommand(name: string, commands: readonly { readonly name: string }[]): string {
  if (name === "") return "Name a command, as in: /help";
  const near = nearest(
    name,
    commands.map((command) => command.name),
  );
  const hint = suggestion(near.map((each) => `/${each}`)) || "/help lists the commands.";
  return `There is no command /${name}. ${hint} To send it as a prompt, type a second slash: //${name}`;
}
