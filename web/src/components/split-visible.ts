/** Characters that change how the text around them is shown, or that are not shown at all. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e01ef}]/gu;

/** Plain text, and between it the names of hidden characters. */
export function splitVisible(text: string): readonly { readonly text: string; readonly hidden: boolean }[] {
  const parts: { text: string; hidden: boolean }[] = [];
  let end = 0;
  for (const { index, 0: character } of text.matchAll(HIDDEN)) {
    if (index > end) parts.push({ text: text.slice(end, index), hidden: false });
    parts.push({ text: codePointName(character), hidden: true });
    end = index + character.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), hidden: false });
  return parts;
}

function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
