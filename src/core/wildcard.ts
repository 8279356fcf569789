type Token = { readonly kind: "character"; readonly character: string } | { readonly kind: "any" | "star" };

/** Patterns without these stand for themselves: most do, and searches ask about thousands of paths. */
const WILDCARD = /[*?]/;
const ESCAPED = /\[([*?])\]/g;

/** Whether a wildcard may stand for this one of the characters. */
export type MayFill = (characters: readonly string[], at: number) => boolean;

const anything: MayFill = () => true;

/**
 * Whether the whole text fits the pattern: `*` is any text, `?` one character, `[*]` and `[?]` the characters themselves.
 * Where wildcards may not stand for every character, a text that could be read in several ways may not fit.
 */
export function matchText(pattern: string, text: string, mayFill: MayFill = anything): boolean {
  if (!WILDCARD.test(pattern)) return pattern === text;
  if (pattern === "*" && mayFill === anything) return true;
  const tokens = parse(pattern);
  const characters = Array.from(text);
  let at = 0;
  let token = 0;
  let star = -1;
  let starredTo = 0;
  // Only the last star is ever tried again, so the time is at most pattern × text.
  while (at < characters.length) {
    const current = tokens[token];
    if (current?.kind === "star") {
      star = token++;
      starredTo = at;
    } else if (current && fits(current, characters, at, mayFill)) {
      token++;
      at++;
    } else if (star >= 0 && mayFill(characters, starredTo)) {
      token = star + 1;
      at = ++starredTo;
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest.kind === "star");
}

/** Whether the segments fit: `**` is any number of them, none included; other segments are compared as texts. */
export function matchSegments(pattern: readonly string[], segments: readonly string[]): boolean {
  let at = 0;
  let part = 0;
  let star = -1;
  let starredTo = 0;
  while (at < segments.length) {
    const current = pattern[part];
    if (current === "**") {
      star = part++;
      starredTo = at;
    } else if (current !== undefined && matchText(current, segments[at] ?? "")) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++starredTo;
    } else return false;
  }
  return pattern.slice(part).every((rest) => rest === "**");
}

/** The text a pattern stands for, when there is only one. */
export function literalOf(pattern: string): string | undefined {
  return WILDCARD.test(pattern.replace(ESCAPED, "")) ? undefined : pattern.replace(ESCAPED, "$1");
}

/** A pattern that fits this text and no other, for rules made from an answer. */
export function escapePattern(text: string): string {
  return text.replace(/[*?]/g, "[$&]");
}

function parse(pattern: string): Token[] {
  return Array.from(pattern.matchAll(/\[([*?])\]|[\s\S]/gu), ([whole, escaped]): Token => {
    if (escaped !== undefined) return { kind: "character", character: escaped };
    if (whole === "*") return { kind: "star" };
    return whole === "?" ? { kind: "any" } : { kind: "character", character: whole };
  });
}

function fits(token: Token, characters: readonly string[], at: number, mayFill: MayFill): boolean {
  if (token.kind === "any") return mayFill(characters, at);
  return token.kind === "character" && token.character === characters[at];
}
