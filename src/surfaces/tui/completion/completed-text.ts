import type { AutocompleteItem } from "@earendil-works/pi-tui";

/** The text of the input, and the place of the cursor. */
interface CursorText {
  readonly lines: string[];
  readonly cursorLine: number;
  readonly cursorCol: number;
}

/**
 * Replaces the text before the cursor that an item completes. A space follows, unless more can be typed: after a folder, and
 * after the name of a field. In the quotes of a folder, the cursor stays in them.
 */
export function completedText(
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
