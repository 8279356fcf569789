import { matchText } from "../core/wildcard.ts";
import type { RuleAction } from "./rule.ts";

/** What ends a command and begins another, or sends its output elsewhere. Within quotes too: quotes are not understood here. */
const BETWEEN = /[;&|<>`\r\n]/;

/**
 * Whether a rule is about a command, as a shell would read it. A yes to `git *` is none to `git status; rm -rf ~`: no wildcard of it
 * goes beyond one command. A no to `rm *` is one to every command in a line.
 */
export function coversCommand(match: string, command: string, action: RuleAction): boolean {
  if (action === "allow") return matchText(match, command, isWithin);
  return matchText(match, command) || partsOf(command).some((part) => matchText(match, part));
}

function isWithin(characters: readonly string[], at: number): boolean {
  const character = characters[at] ?? "";
  return !BETWEEN.test(character) && !(character === "(" && characters[at - 1] === "$");
}

function partsOf(command: string): string[] {
  return command.split(/[;&|<>`\r\n(){}]+/).map((part) => part.trim());
}
