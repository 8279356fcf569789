import { READS_CODE, READS_NAMES } from "../../platform/text/shell-commands.ts";

/** A command line of plain commands. */
export interface PlainLine {
  /** Texts of plain commands at even positions; operators, redirections and assignments at odd ones. */
  readonly parts: readonly string[];
  /** The words of each command, without its redirections and assignments. */
  readonly commands: readonly (readonly string[])[];
}

/**
 * Parses a command line of plain commands; returns undefined for any other syntax. A plain command is one program with
 * arguments in every POSIX shell. Its words are literal or quoted text, globs, tildes, braces and `$NAME`; the program is a
 * literal word. Operators, redirections to literal paths and assignments separate plain commands. `shown` is the text of which
 * the parts and words are slices, and as long as `text`.
 */
export function readCommand(text: string, shown: string = text): PlainLine | undefined {
  if (CONTROL.test(text)) return undefined;
  const parts: string[] = [];
  const commands: string[][] = [[]];
  let from = 0;
  let command: Word[] = [];
  for (let at = 0; at < text.length; ) {
    const end = (pattern: RegExp): number => {
      pattern.lastIndex = at;
      return pattern.test(text) ? pattern.lastIndex : 0;
    };
    const operator = end(OPERATOR);
    const word = end(WORD);
    const isAssignment = command.length === 0 && end(ASSIGNMENT) > 0;
    const fixed = operator || end(REDIRECTION) || (isAssignment ? word : 0);
    if (operator) {
      if (!isPlain(command)) return undefined;
      command = [];
      commands.push([]);
    } else if (word > 0 && !fixed) {
      command.push(readWord(text.slice(at, word)));
      commands.at(-1)?.push(shown.slice(at, word));
    }
    if (fixed) {
      parts.push(shown.slice(from, at), shown.slice(at, fixed));
      from = fixed;
    }
    at = fixed || word || end(BLANKS);
    if (at === 0) return undefined;
  }
  parts.push(shown.slice(from));
  return isPlain(command) ? { parts, commands } : undefined;
}

/** Refused even in quotes: bash uses some of these characters internally. */
const CONTROL = /(?![\n\t])[\p{Cc}\p{Cs}]/u;
const BLANKS = /[ \t]+/y;
const OPERATOR = /&&|\|\||[;&|\n]/y;
/** Bash assigns the file descriptor of `{NAME}>` to a variable and evaluates a subscript in that name. */
const REDIRECTION = /(?<!\})\d*(?:>>?|<)(?:&\d|[ \t]*[\w./-]+)(?![^ \t\n;&|])/y;
const ASSIGNMENT = /[A-Za-z_]\w*=/y;

/** In some encodings (Shift JIS, GBK) a backslash after another character's byte belongs to that character. */
const ESCAPED = String.raw`(?<![^\0-\x7f])\\[ -~]`;
/** `$NAME[` would be a subscript in some shells. */
const VARIABLE = String.raw`\$[A-Za-z_]\w*(?![\w[])`;
/** `!` is history expansion only in an interactive shell. */
const LITERAL = String.raw`[\w./:,@%+=^\]#*?[~{}!\-]|[^\0-\x7f\p{C}\p{Z}]`;
const DOUBLE_QUOTED = String.raw`"(?:[^"\\$\x60]|\$(?=")|${ESCAPED}|${VARIABLE})*"`;
/** A `#` at the beginning would be a comment. */
const WORD = new RegExp(`(?!#)(?:${LITERAL}|${ESCAPED}|'[^']*'|${DOUBLE_QUOTED}|${VARIABLE})+`, "uy");

/** A word of a command line. */
interface Word {
  readonly raw: string;
  /** The text outside quotes. A variable inside double quotes counts as outside. */
  readonly bare: string;
}

export function readWord(raw: string): Word {
  const bare = raw.replace(/\\.|'[^']*'|"(?:\\.|[^"\\])*"/gs, (quoted) => (/^".*\$/s.test(quoted) ? "$" : ""));
  return { raw, bare };
}

function isPlain(words: readonly Word[]): boolean {
  // Braces are expanded first: {$,a}[b] becomes $[b], which is arithmetic.
  if (words.some(({ bare }) => bare.includes("{") && bare.includes("$"))) return false;
  const at = programAt(words);
  const program = words[at];
  if (program === undefined) return true;
  if (words.slice(0, at + 1).some(({ raw, bare }) => raw !== "[" && !PROGRAM.test(bare))) return false;
  const name = unquoted(program);
  if (RESERVED.has(name) || READS_CODE.has(name)) return false;
  return (
    !READS_NAMES.has(name) || words.slice(at + 1).every(({ raw, bare }) => !/[$*?{~]/.test(bare) && !raw.includes("["))
  );
}

/** The characters allowed outside quotes in the name of a program. */
const PROGRAM = /^[\w./:@+\-\u0080-\u{10ffff}]*$/u;
const RESERVED = new Set(
  "if then else elif fi do done while until for in case esac function select time coproc".split(" "),
);

/** The index of the program: after `command`, `builtin`, `exec` and their options, if the line begins with one of them. */
function programAt(words: readonly Word[]): number {
  const names = words.map(unquoted);
  if (!WRAPPERS.has(names[0] ?? "")) return 0;
  const at = names.findIndex((name) => !WRAPPERS.has(name) && !name.startsWith("-"));
  return at < 0 ? words.length - 1 : at;
}

const WRAPPERS = new Set(["command", "builtin", "exec"]);

/** The word without quotes, for comparison with names that have none. */
export function unquoted({ raw }: Word): string {
  return raw.replace(/['"\\]/g, "");
}
