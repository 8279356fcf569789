import type { AutocompleteItem, AutocompleteSuggestions } from "@earendil-works/pi-tui";
import { printable } from "../../../platform/text/printable.ts";
import type { ProjectFiles } from "./project-files.ts";

const MAX_FILES = 50;

/** `@` and what follows it, at the beginning of a word. In quotes, spaces belong to it. */
const MENTION = /(?:^|[\s([{"'=,;:])@("[^"]*|[^\s"]*)$/;

/** Completes `@path` before the cursor. Null if there is none, if nothing matches, or if it is complete. */
export async function completeMention(
  before: string,
  files: ProjectFiles,
  signal: AbortSignal,
): Promise<AutocompleteSuggestions | null> {
  const [, typed] = MENTION.exec(before) ?? [];
  if (typed === undefined) return null;
  const items = await fileItems(typed, files, signal, (path) => `@${path}`);
  // While a list is open, Enter chooses from it: a path that is typed in full would need a second Enter.
  const isComplete = items.some(({ value }) => value === `@${typed}`);
  return isComplete || items.length === 0 ? null : { items, prefix: `@${typed}` };
}

/** Files and folders that match a typed path, which may begin with a quote. */
export async function fileItems(
  typed: string,
  files: ProjectFiles,
  signal: AbortSignal,
  toValue: (path: string) => string,
): Promise<AutocompleteItem[]> {
  const query = typed.replace(/^"/, "").replace(/^\.\//, "");
  const found = await files.search(query, MAX_FILES, signal);
  return found.map((path) => {
    const shown = shownName(path);
    return { value: toValue(quoted(shown, typed.startsWith('"'))), label: shown };
  });
}

/**
 * Control characters are escaped, in the list and in the text: a path that holds them could otherwise change the screen. Such a
 * path does not lead to the file, but agents and people see which file is meant.
 */
function shownName(path: string): string {
  return printable(path).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

/** Everything that would end a mention, or that the input treats as the end of a word. */
const NEEDS_QUOTES = /[\s"'\u3000-\u303f\uff00-\uff65]/;

function quoted(path: string, isQuoted: boolean): string {
  return isQuoted || NEEDS_QUOTES.test(path) ? `"${path.replaceAll('"', '\\"')}"` : path;
}
