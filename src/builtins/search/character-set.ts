import { PatternError } from "./parse-pattern.ts";

/**
 * Compiles a set such as `[a-z]`, `[!a]` or `[^a]`. Unless it is plain, `\` escapes a character, `[:alpha:]` names some, and
 * a slash is not in it. Throws a PatternError.
 */
export function characterSet(set: string, isPlain: boolean): RegExp {
  const [, not, inside = ""] = /^\[([!^]?)([\s\S]+)\]$/.exec(set) ?? [];
  const items = Array.from(inside.matchAll(isPlain ? PLAIN_ITEM : ITEM), ({ 0: item, groups = {} }) => {
    const { name = "", first = "", last } = groups;
    if (name !== "") return CLASSES[name] ?? Array.from(item, escaped).join("");
    const [from, to] = [unescaped(first), unescaped(last ?? first)];
    if (codeOf(from) > codeOf(to))
      throw new PatternError(`contains the range "${from}-${to}"`, `Write "${to}-${from}".`);
    return `${escaped(from)}-${escaped(to)}`;
  });
  return new RegExp(`${isPlain ? "" : "(?!/)"}[${not ? "^" : ""}${items.join("")}]`, "u");
}

const ITEM = /\[:(?<name>\w+):\]|(?<first>\\?[\s\S])(?:-(?<last>\\?[\s\S]))?/gu;

const PLAIN_ITEM = /(?<first>[\s\S])(?:-(?<last>[\s\S]))?/gu;

const CLASSES: Record<string, string> = {
  alnum: "a-zA-Z0-9",
  alpha: "a-zA-Z",
  digit: "0-9",
  lower: "a-z",
  upper: "A-Z",
  space: "\\s",
  word: "\\w",
  xdigit: "A-Fa-f0-9",
};

function unescaped(character: string): string {
  return character.length > 1 && character.startsWith("\\") ? character.slice(1) : character;
}

function escaped(character: string): string {
  return `\\u{${codeOf(character).toString(16)}}`;
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
