/**
 * Characters that control a terminal (C0 but tabs and line feeds, DEL, C1), end a line (U+2028, U+2029) or reorder text
 * (bidirectional controls). Names, paths and messages must not hold them, also where a pipe leads to a terminal later.
 */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u2028-\u202e\u2066-\u2069]/g;
/** In JSON, which escapes C0 itself. Marks that are usual in Hebrew and Arabic texts read the same when they are escaped. */
const CONTROLS_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes control characters, so that untrusted text cannot control the terminal. */
export function printable(text: string): string {
  return text.replace(CONTROLS, (character) =>
    character > "\xff" ? `\\u${codeOf(character, 4)}` : `\\x${codeOf(character, 2)}`,
  );
}

/** The first non-empty line, with control characters escaped. */
export function firstLine(text: string): string {
  const line = text.split(/\r?\n/).find((each) => each.trim() !== "") ?? "";
  return printable(line.trim().replaceAll("\t", " "));
}

/**
 * JSON in which characters that control a terminal or end a line are escaped. It parses to the same value. It is one line,
 * unless it is indented.
 */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(CONTROLS_IN_JSON, (character) => `\\u${codeOf(character, 4)}`);
}

function codeOf(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, "0");
}
