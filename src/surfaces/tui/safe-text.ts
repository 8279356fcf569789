/**
 * Text of tools, models, files and errors is untrusted: it may hold sequences that move the cursor, set the title, write to the
 * clipboard or hide text. These functions remove escape sequences, and show other control characters as text. All take linear
 * time. A sequence ends with its line at the latest, so each line of a text can be made safe on its own.
 */

/** Text for any number of lines. Tabs become four spaces, carriage returns newlines: no text can hide another. */
export function safeText(text: string): string {
  return clean(text, () => "");
}

/** Text for one line. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll("\n", " ");
}

/** Like `safeLine`, but keeps colours and other styles that leave the text readable, unless `color` is false. They end with the line. */
export function safeStyled(line: string, color: boolean): string {
  if (!color) return safeLine(line);
  const styled = clean(line, toStyle).replaceAll("\n", " ");
  const last = styled.lastIndexOf("\x1b");
  return last === -1 || styled.startsWith("\x1b[0m", last) ? styled : `${styled}\x1b[0m`;
}

/**
 * The part of a line that a terminal would show after carriage returns: the end of a progress bar. For output of programs only,
 * because it hides the other parts. The result is not safe.
 */
export function lastWritten(line: string): string {
  if (!line.includes("\r")) return line;
  const parts = line.split("\r");
  return parts.findLast((part) => safeText(part).trim() !== "") ?? "";
}

const UNUSUAL = /[^\n\x20-\x7e]/;

const SEQUENCE = new RegExp(
  [
    // CSI: parameters, intermediate bytes, final byte.
    /(?:\x1b\[|\x9b)[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]?/,
    // OSC, DCS, SOS, PM and APC, up to their end. Another escape sequence and the end of the line end them too.
    /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x18\x1a\x1b\x9c\n\r]*(?:\x07|\x1b\\|[\x18\x1a\x9c])?/,
    // Escape sequences of two characters, and those that select a character set.
    /\x1b[\x20-\x2f]*[\x30-\x7e]/,
    // The ends of lines, which take part in no other alternative.
    /\r\n/,
    /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u2028-\u202e\u2066-\u2069]/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

const LINE_ENDS: ReadonlySet<string> = new Set(["\r\n", "\r", "\u2028", "\u2029"]);

/** `keep` returns what is left of an escape sequence. */
function clean(text: string, keep: (sequence: string) => string): string {
  if (!UNUSUAL.test(text)) return text;
  const visible = text.toWellFormed().replace(SEQUENCE, (found) => {
    if (LINE_ENDS.has(found)) return "\n";
    if (found === "\t") return "    ";
    const isSequence = found.length > 1 || /[\x90\x98\x9b\x9d-\x9f]/.test(found);
    return isSequence ? keep(found) : named(found);
  });
  return bounded(visible);
}

function named(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u${code.padStart(4, "0")}`;
}

/** Marks that are drawn on the letter before them, and invisible characters that join it to the next or modify it. */
const MANY_MARKS = /(?<=[\p{M}\u200c-\u200d\u{e0020}-\u{e007f}]{8})[\p{M}\u200c-\u200d\u{e0020}-\u{e007f}]/gu;
/** No emoji has more than four joined parts. */
const MANY_JOINED = /(?:\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*\u200d){4}/gu;
/** Characters of two columns that a line breaker counts as a part of the character before: initial jamo, skin tones. */
const WIDE_PARTS =
  /(?<=[\u1100-\u115f\ua960-\ua97c])[\u1100-\u115f\ua960-\ua97c]|(?<!\u200b|\p{Emoji_Modifier_Base}\ufe0f?)[\u{1f3fb}-\u{1f3ff}]/gu;

/** Prevents characters of unlimited height, and of a width that line breakers and terminals measure differently. */
function bounded(text: string): string {
  if (!/[\u0300-\u{10ffff}]/u.test(text)) return text;
  // In this order: the stack of a regular expression overflows for long repetitions, which the first two remove.
  return text
    .replace(MANY_MARKS, "")
    .replace(WIDE_PARTS, "\u200b$&")
    .replace(MANY_JOINED, (joined) => joined.slice(0, -1));
}

const MAX_STYLE = 60;

/** A style with only the attributes below: blinking and hidden text are left out. */
function toStyle(sequence: string): string {
  const [, parameters] = /^(?:\x1b\[|\x9b)([\d;]*)m$/.exec(sequence) ?? [];
  if (parameters === undefined || parameters.length > MAX_STYLE) return "";
  const codes = parameters.split(";").map(Number);
  const kept: number[] = [];
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    const size = code === 38 || code === 48 ? colorSize(codes[at + 1]) : 1;
    if (size > 1) kept.push(...codes.slice(at, at + size).map((part) => Math.min(part, 255)));
    else if (isHarmless(code)) kept.push(code);
    at += size - 1;
  }
  return kept.length === 0 ? "" : `\x1b[${kept.join(";")}m`;
}

/** How many parameters a colour of the palette, or of red, green and blue, has. */
function colorSize(kind: number | undefined): number {
  if (kind === 5) return 3;
  return kind === 2 ? 5 : 1;
}

function isHarmless(code: number): boolean {
  return (
    code <= 4 || code === 7 || code === 9 || (code >= 21 && code <= 49 && code !== 38 && code !== 48) || isBright(code)
  );
}

function isBright(code: number): boolean {
  return (code >= 90 && code <= 97) || (code >= 100 && code <= 107);
}
