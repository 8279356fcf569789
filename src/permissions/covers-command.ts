import { literalOf, matchText } from "../core/wildcard.ts";
import { readCommand } from "./plain-command.ts";
import type { RuleAction } from "./rule.ts";

/**
 * Whether a rule covers a command line. A rule without wildcards covers exactly its text. In a rule that allows, a wildcard
 * matches only text that is proven to be plain: `git *` does not allow `git status; rm -rf ~`. A rule that denies or asks covers
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
  const parts = readCommand(command);
  if (parts === undefined) return false;
  if (parts.length === 1) return true;
  const pattern = readCommand(match.replaceAll(/[*?]/g, "x"), match);
  return (
    pattern?.length === parts.length &&
    pattern.every((each, at) => (at % 2 === 0 ? matchText(each, parts[at] ?? "") : each === parts[at]))
  );
}

/** Longer commands would overflow the stack of the regular expressions. Linux and macOS accept no argument of this length. */
const MAX_LENGTH = 1_000_000;

/** PowerShell, the shell without bash on Windows, has other quotes and escapes. */
const PLAIN_ON_WINDOWS = /^[\w ./\\:=,+-]*$/;

function partsOf(command: string): string[] {
  return command.split(/[;&|<>`\r\n(){}]+/).map((part) => part.trim());
}
