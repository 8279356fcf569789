import type { ChatActions, ChatCommand } from "../chat-actions.ts";
import { inlineCode, inlineText } from "./inline-markdown.ts";

/** What the user can type, and the keys of the chat. */
const INPUT: readonly (readonly [typed: string, about: string])[] = [
  ["@path", "names a file: Tab completes it. The agent gets the path and reads the file itself"],
  ["!tool field=value", "calls a tool yourself, without the model. Tab completes names, fields and values"],
  ["//text", "sends a prompt that begins with a slash; !!text one that begins with an exclamation mark"],
];

const KEYS: readonly (readonly [key: string, about: string])[] = [
  ["Enter", "sends the prompt"],
  ["Shift-Enter, or \\ Enter", "begins a new line"],
  ["Tab", "completes"],
  ["Up, Down", "earlier prompts. A prompt that begins with a space is not kept for later runs"],
  ["Esc", "stops the turn; closes a list"],
  ["Ctrl-C", "clears the input; pressed twice, leaves"],
  ["Ctrl-D", "leaves, if the input is empty"],
  ["Ctrl-O", "shows tool cards in full, or collapsed"],
  ["Ctrl-T", "shows or hides the thoughts of the model"],
  ["Shift-Tab", "chooses the next permission mode"],
  ["Ctrl-L", "draws the screen again"],
  ["Ctrl-Z", "suspends the program"],
];

/** `/help`. */
export function helpCommand(commands: (chat: ChatActions) => readonly ChatCommand[]): ChatCommand {
  return {
    name: "help",
    about: "Lists the commands and the keys.",
    run: (_, chat) => chat.show(helpText(commands(chat))),
  };
}

function helpText(commands: readonly ChatCommand[]): string {
  const typed = ({ name, argument }: ChatCommand): string => `/${name}${argument === undefined ? "" : ` ${argument}`}`;
  return [
    "**Commands**",
    "",
    ...commands.map((command) => `- ${inlineCode(typed(command))} ${inlineText(command.about)}`),
    "",
    "**Input**",
    "",
    ...INPUT.map(([text, about]) => `- ${inlineCode(text)} ${about}.`),
    "",
    "**Keys**",
    "",
    ...KEYS.map(([key, about]) => `- **${key.replaceAll("\\", "\\\\")}** ${about}.`),
  ].join("\n");
}
