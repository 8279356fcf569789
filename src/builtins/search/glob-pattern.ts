import { ToolError } from "../../index.ts";
import { characterSet } from "./character-set.ts";
import { PatternError, type PatternSyntax, parsePattern } from "./parse-pattern.ts";
import { type PathPart, textPart } from "./path-part.ts";
import { pathMatcher } from "./path-pattern.ts";

/** A compiled glob pattern for paths below a folder. */
export interface GlobPattern {
  /** Takes a path relative to the folder, with `/` separators. */
  matches(path: string): boolean;
  /** A glob for the last path segment that matches at least all results, for ripgrep; undefined when unknown. */
  readonly name: string | undefined;
}

/**
 * Compiles a glob: `*`, `?`, `**`, `[a-z]`, `[!a]`, `{a,b}`, and `\` to escape. A pattern without a `/` matches names
 * at any depth; a leading `/` or `./` is the folder. Matches hidden files. Case-sensitive. Messages call the pattern
 * `field`.
 */
export function compileGlob(pattern: string, field: string): GlobPattern {
  if (pattern.trim() === "") throw refused(field, "is empty", 'Send a pattern such as "**/*.ts".');
  if (pattern.includes("\0")) throw refused(field, "contains a NUL byte", "Send it without.");
  if (pattern.length > MAX_CHARACTERS) {
    throw refused(field, `has more than ${MAX_CHARACTERS} characters`, "Send a shorter one.");
  }
  if (segmentsOf(pattern).includes("..")) {
    throw refused(field, 'contains ".."', 'Send the folder to search as "path" instead.');
  }
  const anchored = pattern.replace(/^(?:\.?\/)+/, "");
  const whole = anchored === pattern && !pattern.includes("/") ? `**/${pattern}` : anchored;
  const matches = compile(whole, field);
  return { matches, name: lastName(whole) };
}

const MAX_CHARACTERS = 1_000;

function compile(pattern: string, field: string): (path: string) => boolean {
  if (/^\*\*(?:\/\*\*?)?$/.test(pattern)) return () => true;
  try {
    return pathMatcher(parsePattern(withPlainSlashes(pattern), SYNTAX));
  } catch (error) {
    if (error instanceof PatternError) throw refused(field, error.message, error.next);
    throw error;
  }
}

function withPlainSlashes(pattern: string): string {
  return pattern.replace(/\\[\s\S]/g, (escaped) => (escaped === "\\/" ? "/" : escaped));
}

const SYNTAX: PatternSyntax = {
  set: /\[[!^]?\]?(?:\[:\w+:\]|\\[\s\S]|[^\]\\])*\]/uy,
  toSet,
  allowsClosingBrace: true,
  toChoice(options, text) {
    const [only = [], ...others] = options;
    if (others.length > 0) return [{ kind: "choice", options }];
    if (/^[a-z0-9]\.\.[a-z0-9]$/i.test(text)) return toSet(`[${[text.at(0), text.at(-1)].sort().join("-")}]`);
    if (/^\w+\.\.\w+$/.test(text)) {
      throw new PatternError(`contains a range in braces, "{${text}}"`, "List the alternatives: {1,2,3}.");
    }
    return [textPart("{"), ...only, textPart("}")];
  },
};

/** Without a range or another special character, it also stands for itself: folders are called `[id]`. */
function toSet(set: string): PathPart[] {
  if (set.includes("/")) {
    throw new PatternError('contains a "/" between "[" and "]"', 'Write \\[ for the character "[".');
  }
  const one: PathPart = { kind: "one", set: characterSet(set, false) };
  const inside = set.slice(1, -1);
  if (/[-*+?.^${}()|[\]]|^!/.test(inside)) return [one];
  return [{ kind: "choice", options: [[one], [textPart(`[${inside.replace(/\\([\s\S])/g, "$1")}]`)]] }];
}

/** Only globs that ripgrep reads in the same way: its `?` is a byte. */
const PLAIN_NAME = /^[\w.*-]+$/;
const PLAIN_CHOICE = /^[\w.*-]*\{[\w*-]+(?:\.[\w*-]+)*(?:,[\w*-]+(?:\.[\w*-]+)*)+\}[\w.*-]*$/;

function lastName(pattern: string): string | undefined {
  if (/[{[][^}\]]*\//.test(pattern)) return undefined;
  const last = pattern.slice(pattern.lastIndexOf("/") + 1);
  if (last.includes("**") || /^[*]+$/.test(last)) return undefined;
  return PLAIN_NAME.test(last) || PLAIN_CHOICE.test(last) ? last : undefined;
}

function segmentsOf(pattern: string): string[] {
  return pattern.split(/[\\/{},]/);
}

function refused(field: string, what: string, next: string): ToolError {
  return new ToolError("failed", `"${field}" ${what}. ${next}`);
}
