import picomatch from "picomatch";
import { ToolError } from "../../index.ts";

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
  if (segmentsOf(pattern).some((segment) => segment.split("*").length - 1 > MAX_STARS)) {
    throw refused(field, `has more than ${MAX_STARS} stars in one name`, "Send a simpler one.");
  }
  const anchored = pattern.replace(/^(?:\.?\/)+/, "");
  const whole = anchored === pattern && !pattern.includes("/") ? `**/${pattern}` : anchored;
  const matches = compile(whole, field);
  return { matches, name: lastName(whole) };
}

const MAX_CHARACTERS = 1_000;
/** Each star multiplies the ways to match a name. */
const MAX_STARS = 6;
const OPTIONS = {
  dot: true,
  nonegate: true,
  noextglob: true,
  strictSlashes: true,
  windows: false,
  posix: true,
} as const;

function compile(pattern: string, field: string): (path: string) => boolean {
  if (pattern === "**/*" || pattern === "**" || pattern === "**/**") return () => true;
  try {
    return picomatch(withPlainParentheses(pattern), { ...OPTIONS, strictBrackets: false });
  } catch {
    throw refused(field, "is not a valid glob", 'Send a pattern such as "src/**/*.{ts,tsx}".');
  }
}

/** Escapes characters that only some shells give a meaning: folders are called `(group)` and `@scope`. */
function withPlainParentheses(pattern: string): string {
  return pattern.replace(/\\.|[()|+@!$^]/gs, (found, at: number) => {
    if (found.length > 1 || pattern[at - 1] === "[") return found;
    return `\\${found}`;
  });
}

/** Only globs that ripgrep reads in the same way: its `?` is a byte. */
const PLAIN_NAME = /^[\w.*-]+$/;
const PLAIN_CHOICE = /^[\w.*-]*\{[\w*-]+(?:\.?[\w*-]+)*(?:,[\w*-]+(?:\.?[\w*-]+)*)*\}[\w.*-]*$/;

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
