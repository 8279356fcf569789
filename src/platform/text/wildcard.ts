type Token = { readonly kind: "character"; readonly character: string } | { readonly kind: "any" | "star" };

/** Most patterns contain neither. They are compared directly, since searches match thousands of paths. */
const WILDCARD = /[*?]/;
const ESCAPED = /\[([*?])\]/g;

/** Whether a wildcard may match `characters[at]`. */
type MayMatch = (characters: readonly string[], at: number) => boolean;

const anything: MayMatch = () => true;

/**
 * Whether the whole text matches the pattern: `*` is any text, `?` one character, `[*]` and `[?]` the literal characters.
 * If `mayMatch` excludes characters, a text that matches in several ways may be reported as not matching.
 */
export function matchText(pattern: string, text: string, mayMatch: MayMatch = anything): boolean {
  if (!WILDCARD.test(pattern)) return pattern === text;
  if (pattern === "*" && mayMatch === anything) return true;
  const tokens = parse(pattern);
  const characters = Array.from(text);
  let at = 0;
  let token = 0;
  let star = -1;
  let starEnd = 0;
  // Backtracks to the last star only, so the time is at most pattern × text.
  while (at < characters.length) {
    const current = tokens[token];
    if (current?.kind === "star") {
      star = token++;
      starEnd = at;
    } else if (current && matchesToken(current, characters, at, mayMatch)) {
      token++;
      at++;
    } else if (star >= 0 && mayMatch(characters, starEnd)) {
      token = star + 1;
      at = ++starEnd;
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest.kind === "star");
}

/** Whether the segments match: `**` is any number of segments, including none. Other segments are matched as texts. */
export function matchSegments(pattern: readonly string[], segments: readonly string[]): boolean {
  let at = 0;
  let part = 0;
  let star = -1;
  let starEnd = 0;
  while (at < segments.length) {
    const current = pattern[part];
    if (current === "**") {
      star = part++;
      starEnd = at;
    } else if (current !== undefined && matchText(current, segments[at] ?? "")) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++starEnd;
    } else return false;
  }
  return pattern.slice(part).every((rest) => rest === "**");
}

/** The only text that a pattern matches; undefined if it has wildcards. */
export function literalOf(pattern: string): string | undefined {
  return WILDCARD.test(pattern.replace(ESCAPED, "")) ? undefined : pattern.replace(ESCAPED, "$1");
}

/** A pattern that matches only this text. */
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

function matchesToken(token: Token, characters: readonly string[], at: number, mayMatch: MayMatch): boolean {
  if (token.kind === "any") return mayMatch(characters, at);
  return token.kind === "character" && token.character === characters[at];
}
