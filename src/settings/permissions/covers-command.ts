import { literalOf, matchText } from "../../platform/text/wildcard.ts";
import { gitWordToName } from "./git-words.ts";
import { type PlainLine, readCommand } from "./plain-command.ts";
import type { RuleAction } from "./rule.ts";

/**
 * Whether a rule covers a command line. A rule without wildcards covers exactly its text. In a rule that allows, a wildcard
 * matches only text that is proven to be plain: `git *` does not allow `git status; rm -rf ~`. It does not match the options and
 * commands of git that run programs or write to files of the caller's choice. A rule that denies or asks covers
 * a line if it covers any part of it.
 */
export function coversCommand(
  match: string,
  command: string,
  action: RuleAction,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (action === "allow") return literalOf(match) === command || allows(match, command, platform);
  return matchText(match, command) || partsOf(command).some((part) => matchText(match, part));
}

/** A rule of several commands covers a line of as many commands, part by part. */
function allows(match: string, command: string, platform: NodeJS.Platform): boolean {
  if (literalOf(match) !== undefined || command.length > MAX_LENGTH || !matchText(match, command)) return false;
  if (platform === "win32" && !PLAIN_ON_WINDOWS.test(command)) return false;
  const line = readCommand(command);
  if (line === undefined) return false;
  const { parts } = line;
  const pattern = readPattern(match);
  const isSameLine =
    pattern?.parts.length === parts.length &&
    pattern.parts.every((each, at) => (at % 2 === 0 ? matchText(each, parts[at] ?? "") : each === parts[at]));
  return (isSameLine || parts.length === 1) && uncoveredWord(line, pattern) === undefined;
}

/** The word of git in a plain command line that no wildcard of the rule covers, although its text matches. */
export function uncoveredGitWord(match: string, command: string): string | undefined {
  const line = command.length > MAX_LENGTH ? undefined : readCommand(command);
  return line && uncoveredWord(line, readPattern(match));
}

function readPattern(match: string): PlainLine | undefined {
  return readCommand(match.replaceAll(/[*?]/g, "x"), match);
}

/** The first word that only a wildcard could cover, and that no wildcard covers. A rule that is no plain line names no word. */
function uncoveredWord({ commands }: PlainLine, pattern: PlainLine | undefined): string | undefined {
  const named = pattern?.commands.length === commands.length ? pattern.commands : [];
  return commands
    .map((words, at) => gitWordToName(words, namedWords(words, named[at] ?? [])))
    .find((word) => word !== undefined);
}

/** The positions of the words that a rule has as literal text: those before its first wildcard and after its last one. */
function namedWords(words: readonly string[], pattern: readonly string[]): (at: number) => boolean {
  const isSame = (part: string | undefined, word: string | undefined): boolean =>
    part !== undefined && literalOf(part) === word;
  const first = words.findIndex((word, at) => !isSame(pattern[at], word));
  const last = words.findLastIndex((word, at) => !isSame(pattern[at - words.length + pattern.length], word));
  return (at) => first < 0 || at < first || (at > last && at - words.length + pattern.length > first);
}

/** Longer commands would overflow the stack of the regular expressions. Linux and macOS accept no argument of this length. */
const MAX_LENGTH = 1_000_000;

/** PowerShell, the shell without bash on Windows, has other quotes and escapes. */
const PLAIN_ON_WINDOWS = /^[\w ./\\:=,+-]*$/;

function partsOf(command: string): string[] {
  return command.split(/[;&|<>`\r\n(){}]+/).map((part) => part.trim());
}
