import {
  type AutocompleteItem,
  type AutocompleteProvider,
  type AutocompleteSuggestions,
  fuzzyFilter,
} from "@earendil-works/pi-tui";
import { firstLine } from "../../../platform/text/printable.ts";
import type { ChatActions, ChatCommand } from "../chat-actions.ts";
import { allCommands } from "../commands/all-commands.ts";
import { completeMention } from "./file-completion.ts";
import { ProjectFiles } from "./project-files.ts";
import { completeToolLine } from "./tool-completion.ts";

/** The completion of a chat. `close` ends the program that lists files, if one runs. */
export interface ChatCompletion extends AutocompleteProvider {
  close(): void;
}

/**
 * Completes commands and their arguments, `@path`, and calls of tools (`!name field=value`). Lists open while a command, a path or
 * the name of a tool is typed; for fields and values, the user presses Tab. No method throws or rejects.
 */
export function chatCompletion(chat: ChatActions): ChatCompletion {
  const { directory, root } = chat.toolbox.project;
  const files = new ProjectFiles({ directory, root, env: chat.env });
  return {
    triggerCharacters: ["!"],
    async getSuggestions(lines, cursorLine, cursorCol, { signal, force = false }) {
      const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
      const source = { files, signal, isForced: force };
      try {
        if (cursorLine === 0 && /^!(?!!)/.test(before)) return await completeToolLine(before, chat.toolbox, source);
        const mention = await completeMention(before, files, signal);
        return mention ?? (cursorLine === 0 ? await completeCommand(before, chat) : null);
      } catch {
        // A completion that fails, such as one of sessions on a full disk, must not disturb typing.
        return null;
      }
    },
    applyCompletion: (lines, cursorLine, cursorCol, item, prefix) =>
      completedText({ lines, cursorLine, cursorCol }, item, prefix),
    close: () => files.close(),
  };
}

interface CursorText {
  readonly lines: string[];
  readonly cursorLine: number;
  readonly cursorCol: number;
}

/**
 * Replaces the text before the cursor that an item completes. A space follows, unless more can be typed: after a folder, and
 * after the name of a field. In the quotes of a folder, the cursor stays in them.
 */
function completedText(
  { lines, cursorLine, cursorCol }: CursorText,
  { value }: AutocompleteItem,
  prefix: string,
): CursorText {
  const line = lines[cursorLine] ?? "";
  const before = line.slice(0, cursorCol - prefix.length);
  const isQuoted = value.endsWith('"');
  const rest = line.slice(cursorCol);
  // The quote that an earlier completion of a folder left behind the cursor.
  const after = isQuoted && prefix.includes('"') && rest.startsWith('"') ? rest.slice(1) : rest;
  const isOpen = /[/=.]"?$/.test(value);
  const suffix = isOpen || after.startsWith(" ") ? "" : " ";
  const column = before.length + value.length + (isOpen ? (isQuoted ? -1 : 0) : 1);
  return { lines: lines.with(cursorLine, `${before}${value}${suffix}${after}`), cursorLine, cursorCol: column };
}

/** Completes `/name` and the argument of a command. Null if the text is no command, or if nothing matches. */
async function completeCommand(before: string, chat: ChatActions): Promise<AutocompleteSuggestions | null> {
  const [, name, argument] = /^\/([^\s/]*)(?:\s+(.*))?$/.exec(before) ?? [];
  if (name === undefined) return null;
  const commands = allCommands(chat);
  if (argument === undefined && !/\s$/.test(before)) return suggestions(nameItems(name, commands), before);
  const command = commands.find((each) => each.name === name);
  const values = (await command?.complete?.(chat)) ?? [];
  const typed = argument ?? "";
  // While a list is open, Enter chooses from it: an argument that is typed in full would need a second Enter.
  if (values.some(({ value }) => value === typed)) return null;
  return suggestions(
    fuzzyFilter([...values], typed, ({ value, label }) => `${value} ${label}`),
    typed,
  );
}

function nameItems(typed: string, commands: readonly ChatCommand[]): AutocompleteItem[] {
  return fuzzyFilter([...commands], typed, ({ name }) => name).map(({ name, argument, about }) => ({
    value: `/${name}`,
    label: `/${name}`,
    description: firstLine(argument === undefined ? about : `${argument} ${about}`),
  }));
}

function suggestions(items: AutocompleteItem[], prefix: string): AutocompleteSuggestions | null {
  return items.length === 0 ? null : { items, prefix };
}
