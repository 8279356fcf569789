/** Escapes control characters, so that untrusted text cannot control the terminal. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
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
  return JSON.stringify(value, null, indent).replace(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
