import { type AutocompleteItem, type AutocompleteSuggestions, fuzzyFilter } from "@earendil-works/pi-tui";
import { firstLine } from "../../../platform/text/printable.ts";
import type { ChatActions, ChatCommand } from "../chat-actions.ts";
import { allCommands } from "../commands/all-commands.ts";

/** Completes `/name` and the argument of a command. Null if the text is no command, or if nothing matches. */
export async function completeCommand(before: string, chat: ChatActions): Promise<AutocompleteSuggestions | null> {
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
