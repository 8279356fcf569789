import { READS_CODE } from "../text/shell-commands.ts";
import { type Placeholder, TemplateProblem } from "./template-problem.ts";

/** A part of an author's template: literal text, or a placeholder. */
export type TemplatePart = string | Placeholder;

/** A placeholder of a parsed template. */
export interface Slot {
  readonly name: string;
  readonly quote: "bare" | "single" | "double";
  readonly word: Word;
}

/** A part of a word that the shell replaces: a variable or the output of a command. */
export interface Expansion {
  /** As the author wrote it, such as `$HOME`. */
  readonly expansion: string;
  readonly quoted: boolean;
}

/** A word of a command as written. */
export interface Word {
  /** Its range in the pieces of the script. */
  readonly from: number;
  to: number;
  /** Its content without quotes. */
  readonly unquoted: (string | Slot | Expansion)[];
  role: "command" | "argument" | "target";
  /** Whether it follows a "--", so that the command does not read it as an option. */
  afterDashes: boolean;
  /** The shell built-in that would evaluate a name in an option here. */
  evaluatedBy?: string;
}

export function isSlot(piece: string | Slot | Expansion | undefined): piece is Slot {
  return typeof piece === "object" && "word" in piece;
}

/** The text of a word without slots and expansions; undefined for others. */
export function literalText(word: Word | undefined): string | undefined {
  if (!word || word.unquoted.some((piece) => typeof piece !== "string")) return undefined;
  return word.unquoted.join("");
}

/** The slots of the word itself, without those of commands inside it. */
export function slotsOf(word: Word): Slot[] {
  return word.unquoted.filter(isSlot);
}

export function expansionsOf(word: Word): Expansion[] {
  return word.unquoted.filter((piece): piece is Expansion => typeof piece === "object" && !isSlot(piece));
}

/** The literal text at the beginning of a word. */
export function beginningOf(word: Word): string {
  const end = word.unquoted.findIndex((piece) => typeof piece !== "string");
  return word.unquoted.slice(0, end < 0 ? undefined : end).join("");
}

/** Whether a word is an assignment before a command. */
export function isAssignment(word: Word): boolean {
  return /^[A-Za-z_]\w*\+?=/.test(beginningOf(word));
}

/** A simple command: its words without the targets of redirections, and the index of the program. */
export interface Command {
  readonly words: readonly Word[];
  /** -1 without a program. */
  readonly at: number;
  readonly name: string | undefined;
}

export function commandOf(all: readonly Word[]): Command {
  const words = all.filter(({ role }) => role !== "target");
  const at = words.findIndex((word) => !isAssignment(word) && !isPrefix(literalText(word) ?? ""));
  return { words, at, name: literalText(words[at]) };
}

/**
 * Sets the role of each word of a simple command. Throws when a value would be read as shell syntax. `slotsIn` also
 * returns the slots of commands inside a word.
 */
export function checkCommand(command: Command, slotsIn: (word: Word) => readonly Slot[]): void {
  const { words, at } = command;
  const program = words[at];
  if (program) program.role = "command";
  markAfterDashes(command);
  markEvaluated(command);
  refuseSubscript(words[0]);
  refuseCodeArguments(command, slotsIn);
  for (const script of innerScripts(words)) refuseInnerScript(script, slotsIn);
}

/**
 * A "--" ends the options of a command. For a program that runs another program, only a "--" right before the value counts.
 * After the script of a shell, "--" is an argument. `find -- -delete` deletes files.
 */
function markAfterDashes({ words, at, name = "" }: Command): void {
  const program = name.replace(/^.*\//, "");
  if (at < 0 || TESTS.has(name) || program === "find" || innerScripts(words).length > 0) return;
  const runsAnother = RUNS_ANOTHER.has(program);
  let seen = false;
  for (const word of words.slice(at + 1)) {
    word.afterDashes = seen;
    if (literalText(word) === "--") seen = true;
    else if (runsAnother && slotsOf(word).length === 0) seen = false;
  }
}

const TESTS = new Set(["test", "["]);
const RUNS_ANOTHER = new Set(
  (
    "env xargs sudo doas nice nohup timeout stdbuf setsid chroot ionice taskset watch parallel strace flock unshare su " +
    "runuser ssh npm npx pnpm yarn bunx docker podman kubectl"
  ).split(" "),
);

/** `printf -v 'a[$(date)]'` runs `date` in bash. `printf` takes options only before its format. */
function markEvaluated({ words, at, name = "" }: Command): void {
  const options = name === "printf" ? optionsOf(words.slice(at + 1)) : TESTS.has(name) ? words.slice(at + 1) : [];
  for (const word of options) word.evaluatedBy = name;
}

/** The words before the first one that is certainly not an option. */
export function optionsOf(words: readonly Word[]): readonly Word[] {
  const end = words.findIndex((word) => !/^(?:-[^-]|$)/.test(beginningOf(word)));
  return end < 0 ? words : words.slice(0, end);
}

/** Prefix words of a command, and their options. */
function isPrefix(word: string): boolean {
  return PREFIXES.has(word) || word.startsWith("-");
}

const PREFIXES = new Set("if then else elif do while until ! { time command builtin exec coproc".split(" "));

/** Words that only a shell knows: reserved words, and built-in commands without a program. */
const SHELL_ONLY = new Set(
  (
    "if then else elif fi do done while until for in case esac ! { } [[ " +
    ". : alias bg break builtin cd command continue eval exec exit export fc fg getopts hash jobs let local read " +
    "readonly return set shift source times trap type typeset declare ulimit umask unalias unset wait"
  ).split(" "),
);

export function isShellOnly(name: string): boolean {
  return SHELL_ONLY.has(name);
}

function refuseCodeArguments({ words, name }: Command, slotsIn: (word: Word) => readonly Slot[]): void {
  if (name === undefined) return;
  const evaluatesAll = READS_CODE.has(name) || ["read", "unset", "getopts"].includes(name) || isTyped(name, words);
  const [slot] = words.filter((word, index) => evaluatesAll || isName(name, word, words[index - 1])).flatMap(slotsIn);
  if (!slot) return;
  throw new TemplateProblem(
    `{{${slot.name}}} cannot be an argument of "${name}", which would read it as shell code. Use another command.`,
  );
}

/** Whether the command reads this word as the name of a variable, which may have a subscript. */
export function isName(command: string, word: Word, before: Word | undefined): boolean {
  if (command === "local") return !isAssignment(word);
  if (command === "wait") return literalText(before) === "-p";
  if (command === "printf" && beginningOf(word).startsWith("-v")) return true;
  return ["test", "[", "printf"].includes(command) && literalText(before) === "-v";
}

/** Whether this is `local -i`, which evaluates a value as an integer, or `local -n`, which evaluates it as a name. */
export function isTyped(command: string, words: readonly Word[]): boolean {
  return command === "local" && words.some((word) => /^-[a-zA-Z]*[in]/.test(literalText(word) ?? ""));
}

/** `list[{{x}}]=1`: shells with arrays evaluate subscripts as arithmetic, which can run commands. */
export function refuseSubscript(word: Word | undefined): void {
  const text =
    word?.unquoted.map((piece) => (isSlot(piece) ? "\0" : typeof piece === "string" ? piece : "$")).join("") ?? "";
  if (!word || !/^(?:[A-Za-z_]\w*)?\[[^\]]*\0[^\]]*\]\+?=/.test(text)) return;
  throw new TemplateProblem(
    `{{${slotsOf(word)[0]?.name}}} is in a subscript, which some shells would read as code. Put the command into a script file.`,
  );
}

const SHELLS = new Set("sh bash dash ash zsh ksh mksh fish busybox".split(" "));

function isShell(word: Word): boolean {
  const [expansion] = word.unquoted.length === 1 ? expansionsOf(word) : [];
  if (expansion) return /^\$\{?SHELL\}?$/.test(expansion.expansion);
  return SHELLS.has(literalText(word)?.replace(/^.*\//, "") ?? "");
}

/** The arguments that are scripts for other shells: `sh -c 'grep …'`, `flock a -c 'grep …'`. */
export function innerScripts(words: readonly Word[]): Word[] {
  return words.flatMap((word, at) => {
    const after = words.slice(at + 1);
    if (isShell(word)) return scriptOf(after) ?? [];
    if (!STARTS_SHELL.has(literalText(word)?.replace(/^.*\//, "") ?? "")) return [];
    const option = after.findIndex((each) => /^(?:-[a-zA-Z]*c|--(?:session-)?command)$/.test(literalText(each) ?? ""));
    return option < 0 ? [] : after.slice(option + 1, option + 2);
  });
}

/** Programs that pass the text after their `-c` to a shell. */
const STARTS_SHELL = new Set("su runuser script flock sg".split(" "));

/** The script after the `-c` of a shell and the options around it: `sh -ec`, `bash -o pipefail -c --`. */
function scriptOf(words: readonly Word[]): Word | undefined {
  let isCommand = false;
  for (const [at, word] of words.entries()) {
    const text = literalText(word) ?? "";
    if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(text)) isCommand = true;
    const isValue = /^(?:[-+][a-zA-Z]*[oO]|--rcfile|--init-file)$/.test(literalText(words[at - 1]) ?? "");
    if (!isValue && !/^[-+]/.test(text)) return isCommand ? word : undefined;
  }
  return undefined;
}

/**
 * A value inside a longer script would be code of that shell. A script that is only a value is the choice of the
 * author.
 */
function refuseInnerScript(script: Word, slotsIn: (word: Word) => readonly Slot[]): void {
  const [slot] = slotsIn(script);
  if (!slot || (script.unquoted.length === 1 && isSlot(script.unquoted[0]))) return;
  throw new TemplateProblem(
    `{{${slot.name}}} is in a script for another shell, which would read it as code. Pass it to that script as an argument: sh -c 'grep "$1" file' sh {{${slot.name}}}.`,
  );
}
