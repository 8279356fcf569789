/** The number of terminal columns that a text takes: two for a wide character or an emoji, none for a colour code. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes(text.replace(COLOUR, ""))) width += graphemeWidth(segment);
  return width;
}

/** Pads a text with spaces to a number of columns. */
export function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - textWidth(text)));
}

/** Cuts a text without colours to a number of columns, with an ellipsis. */
export function cut(text: string, columns: number | undefined): string {
  if (columns === undefined || textWidth(text) <= columns) return text;
  let room = columns - 1;
  let kept = "";
  for (const { segment } of graphemes(text)) {
    room -= graphemeWidth(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** The parts of a word that may stand on separate lines: each wide character, since such text has no spaces. */
export function breakableParts(word: string): string[] {
  if (PLAIN.test(word) || !isWide(word)) return [word];
  const parts: string[] = [];
  let isOpen = false;
  for (const { segment } of graphemes(word)) {
    const isNarrow = graphemeWidth(segment) < 2;
    if (isNarrow && isOpen) parts[parts.length - 1] += segment;
    else parts.push(segment);
    isOpen = isNarrow;
  }
  return parts;
}

const PLAIN = /^[\x20-\x7e]*$/;
const COLOUR = /\x1b\[[\d;:]*m/g;
const HALF_WIDTH = /^[\uff61-\uffdc\uffe8-\uffee]/;

function graphemeWidth(grapheme: string): number {
  if (isInvisible(grapheme)) return 0;
  return isWide(grapheme) && !HALF_WIDTH.test(grapheme) ? 2 : 1;
}

// These patterns are inside functions, since creating them takes a millisecond, and most texts are plain.

function isInvisible(grapheme: string): boolean {
  return /^[\p{Mark}\p{Cf}\p{Cc}]*$/u.test(grapheme);
}

function isWide(text: string): boolean {
  return /[\p{Emoji_Presentation}\p{RI}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Yi}\u3001-\u303e\u3000\uff01-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}\ufe0f|\u20e3/u.test(
    text,
  );
}

let segmenter: Intl.Segmenter | undefined;

/** Created on first use: most texts are plain. */
function graphemes(text: string): Iterable<{ readonly segment: string }> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}
