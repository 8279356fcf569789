import picomatch from "picomatch";
import { ToolError } from "../../index.ts";

/** A pattern for paths below a folder, made ready. */
export interface GlobPattern {
  /** Whether it matches a path from that folder, with `/` between the names. */
  matches(path: string): boolean;
  /** A pattern for the last name alone that lets through at least all that matches; undefined when none is known. */
  readonly name: string | undefined;
}

/**
 * Reads a pattern: `*`, `?`, `**`, `[a-z]`, `[!a]`, `{a,b}`, and `\` before a character that stands for itself. One without
 * a `/` is about names at any depth; a `/` or `./` at its beginning is the folder. Hidden files match like any other.
 * Upper and lower case are different. `field` is what messages call it.
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
/** Each more lets a name be tried in many more ways. */
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
    throw refused(field, "cannot be understood", 'Send a pattern such as "src/**/*.{ts,tsx}".');
  }
}

/** Characters that only some shells give a meaning stand for themselves: folders are called `(group)` and `@scope`. */
function withPlainParentheses(pattern: string): string {
  return pattern.replace(/\\.|[()|+@!$^]/gs, (found, at: number) => {
    if (found.length > 1 || pattern[at - 1] === "[") return found;
    return `\\${found}`;
  });
}

/** Only what means the same to ripgrep, for which a `?` is a byte. */
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
