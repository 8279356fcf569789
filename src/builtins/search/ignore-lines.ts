import { characterSet } from "./character-set.ts";
import { PatternError, type PatternSyntax, parsePattern } from "./parse-pattern.ts";
import type { PathPart } from "./path-part.ts";
import { pathMatcher } from "./path-pattern.ts";

/** "unignored" is the result of a line that begins with `!`. */
export type IgnoreVerdict = "ignored" | "unignored" | "no-rule";

/** The lines of an ignore file. A path is relative to its folder, with one character per byte. */
export type IgnoreLines = (path: string, isFolder: boolean) => IgnoreVerdict;

/**
 * Reads the lines of an ignore file like ripgrep: names are bytes, braces are alternatives, there are no classes such as
 * `[:alpha:]`, and a single `!` unignores everything. The last line that matches a path decides.
 */
export function readIgnoreLines(text: string): IgnoreLines {
  const rules: Rule[] = [];
  let characters = 0;
  for (const { 0: line } of text.replace(/^\uFEFF/, "").matchAll(LINE)) {
    const rule = line.length <= MAX_LINE ? toRule(line) : undefined;
    if (rule) rules.push(rule);
    characters += line.length;
    if (characters > MAX_CHARACTERS || rules.length >= MAX_RULES) break;
  }
  rules.reverse();
  return (path, isFolder) => {
    const decisive = rules.find((rule) => (isFolder || !rule.isForFolders) && rule.matches(path));
    return decisive?.verdict ?? "no-rule";
  };
}

const LINE = /[^\n]+/g;
/** A longer line has no effect. */
const MAX_LINE = 1_000;
/** Further lines have no effect: each path is matched with each of them. */
const MAX_RULES = 10_000;
const MAX_CHARACTERS = 500_000;

interface Rule {
  readonly verdict: "ignored" | "unignored";
  readonly isForFolders: boolean;
  matches(path: string): boolean;
}

/** Undefined for a line without a pattern, and for one that ripgrep cannot read. */
function toRule(line: string): Rule | undefined {
  if (line.startsWith("#") || line.trim() === "") return undefined;
  const [, not, start = "", rest = ""] = /^(!?)(\/?)(.*)$/s.exec(withoutSpaces(line)) ?? [];
  const isForFolders = rest.endsWith("/");
  const pattern = asBytes(isForFolders ? rest.replace(/\\?\/$/, "") : rest);
  try {
    const matches = pathMatcher(parsePattern(fromFolder(pattern, start === "/"), SYNTAX));
    return { verdict: not ? "unignored" : "ignored", isForFolders, matches };
  } catch (error) {
    if (error instanceof PatternError) return undefined;
    throw error;
  }
}

/** The pattern for paths from the folder of the file. Without a slash, it matches in every folder. */
function fromFolder(pattern: string, isAnchored: boolean): string {
  if (isAnchored || pattern.includes("/")) return pattern.replace(/(^|\/)\*\*$/, "$1**/*");
  return pattern === "" || pattern === "**" ? "**/*" : `**/${pattern}`;
}

function withoutSpaces(line: string): string {
  return line.endsWith("\\ ") ? line : line.trimEnd();
}

const SYNTAX: PatternSyntax = {
  set: /\[[!^]?\]?[^\]]*\]/uy,
  allowsClosingBrace: false,
  toSet: (set) => [{ kind: "one", set: characterSet(set, true) }],
  toChoice(options): readonly PathPart[] {
    const filled = options.filter(({ length }) => length > 0);
    return filled.length === 0 ? [] : [{ kind: "choice", options: filled }];
  },
};

/** A text with one character per byte. */
export function asBytes(text: string): string {
  return /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text).toString("latin1");
}
