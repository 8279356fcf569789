import { READS_CODE } from "../core/shell-commands.ts";
import { type Placeholder, TemplateProblem } from "./template-problem.ts";

/** A text that an author wrote, in pieces: what is fixed, and the names of what is filled in. */
export type TemplatePart = string | Placeholder;

/** A place for a value. */
export interface Slot {
  readonly name: string;
  readonly quote: "bare" | "single" | "double";
  readonly word: Word;
}

/** What the shell puts into a word: the text of a variable or of the output of a command, possibly empty. */
export interface Expansion {
  /** As the author wrote it, such as `$HOME`. */
  readonly expansion: string;
  readonly quoted: boolean;
}

/** One word of a command, as its author wrote it. */
export interface Word {
  /** Its part of the pieces of the script. */
  readonly from: number;
  to: number;
  /** What it comes to once quotes are taken off. */
  readonly unquoted: (string | Slot | Expansion)[];
  role: "command" | "argument" | "target";
  /** Whether the command takes it for no option, since "--" stands before it. */
  afterDashes: boolean;
  /** The command of the shell that would evaluate a name in an option here. */
  evaluatedBy?: string;
}

export function isSlot(piece: string | Slot | Expansion | undefined): piece is Slot {
  return typeof piece === "object" && "word" in piece;
}

/** The text of a word that nothing is filled into; undefined for others. */
export function literalOf(word: Word | undefined): string | undefined {
  if (!word || word.unquoted.some((piece) => typeof piece !== "string")) return undefined;
  return word.unquoted.join("");
}

/** What is filled into the word itself, and not into a command inside it. */
export function slotsOf(word: Word): Slot[] {
  return word.unquoted.filter(isSlot);
}

export function expansionsOf(word: Word): Expansion[] {
  return word.unquoted.filter((piece): piece is Expansion => typeof piece === "object" && !isSlot(piece));
}

/** The literal text with which a word begins. */
export function beginningOf(word: Word): string {
  const end = word.unquoted.findIndex((piece) => typeof piece !== "string");
  return word.unquoted.slice(0, end < 0 ? undefined : end).join("");
}

/** Whether a word sets a variable for the command that follows it. */
export function isAssignment(word: Word): boolean {
  return /^[A-Za-z_]\w*\+?=/.test(beginningOf(word));
}

/** The words of a simple command but for the targets of redirections, and which of them is the command. */
export interface Command {
  readonly words: readonly Word[];
  /** -1 where there is none. */
  readonly at: number;
  readonly name: string | undefined;
}

export function commandOf(all: readonly Word[]): Command {
  const words = all.filter(({ role }) => role !== "target");
  const at = words.findIndex((word) => !isAssignment(word) && !isPrefix(literalOf(word) ?? ""));
  return { words, at, name: literalOf(words[at]) };
}

/**
 * Finds out what the words of one simple command are there for; throws when a value would be read as shell syntax. `slotsIn`
 * also gives the slots of commands inside a word.
 */
export function checkCommand(command: Command, slotsIn: (word: Word) => readonly Slot[]): void {
  const { words, at } = command;
  const program = words[at];
  if (program) program.role = "command";
  markAfterDashes(command);
  markEvaluated(command);
  refuseSubscript(words[0]);
  refuseReread(command, slotsIn);
  for (const script of innerScripts(words)) refuseInnerScript(script, slotsIn);
}

/**
 * A "--" ends the options of the command itself. Of a program that runs another one it must stand right before the value, and
 * after the script of a shell it is an argument. `find -- -delete` deletes.
 */
function markAfterDashes({ words, at, name = "" }: Command): void {
  const program = name.replace(/^.*\//, "");
  if (at < 0 || TESTS.has(name) || program === "find" || innerScripts(words).length > 0) return;
  const runsAnother = RUNS_ANOTHER.has(program);
  let seen = false;
  for (const word of words.slice(at + 1)) {
    word.afterDashes = seen;
    if (literalOf(word) === "--") seen = true;
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

/** `printf -v 'a[$(date)]'` runs `date` in bash. Only before its format has `printf` options. */
function markEvaluated({ words, at, name = "" }: Command): void {
  const options = name === "printf" ? optionsOf(words.slice(at + 1)) : TESTS.has(name) ? words.slice(at + 1) : [];
  for (const word of options) word.evaluatedBy = name;
}

/** The words up to the first that is surely no option. */
export function optionsOf(words: readonly Word[]): readonly Word[] {
  const end = words.findIndex((word) => !/^(?:-[^-]|$)/.test(beginningOf(word)));
  return end < 0 ? words : words.slice(0, end);
}

/** Words that stand before a command, and their options. */
function isPrefix(word: string): boolean {
  return PREFIXES.has(word) || word.startsWith("-");
}

const PREFIXES = new Set("if then else elif do while until ! { time command builtin exec coproc".split(" "));

/** What exists only inside a shell: reserved words, and built-in commands that are no programs. */
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

function refuseReread({ words, name }: Command, slotsIn: (word: Word) => readonly Slot[]): void {
  if (name === undefined) return;
  const isReread = READS_CODE.has(name) || ["read", "unset", "getopts"].includes(name) || isTyped(name, words);
  const [slot] = words.filter((word, index) => isReread || isName(name, word, words[index - 1])).flatMap(slotsIn);
  if (!slot) return;
  throw new TemplateProblem(
    `{{${slot.name}}} cannot be given to "${name}", which would read it as shell code. Use another command.`,
  );
}

/** Whether this command takes the word for the name of a variable, which may have a subscript. */
export function isName(command: string, word: Word, before: Word | undefined): boolean {
  if (command === "local") return !isAssignment(word);
  if (command === "wait") return literalOf(before) === "-p";
  if (command === "printf" && beginningOf(word).startsWith("-v")) return true;
  return ["test", "[", "printf"].includes(command) && literalOf(before) === "-v";
}

/** Whether this is `local -i`, which makes an integer of a value, or `local -n`, which makes a name of it. */
export function isTyped(command: string, words: readonly Word[]): boolean {
  return command === "local" && words.some((word) => /^-[a-zA-Z]*[in]/.test(literalOf(word) ?? ""));
}

/** `list[{{x}}]=1`: where there are lists, their subscripts are calculated, and a calculation can run commands. */
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
  return SHELLS.has(literalOf(word)?.replace(/^.*\//, "") ?? "");
}

/** The scripts for other shells among the words of a command: `sh -c 'grep …'`, `flock a -c 'grep …'`. */
export function innerScripts(words: readonly Word[]): Word[] {
  return words.flatMap((word, at) => {
    const after = words.slice(at + 1);
    if (isShell(word)) return scriptOf(after) ?? [];
    if (!STARTS_SHELL.has(literalOf(word)?.replace(/^.*\//, "") ?? "")) return [];
    const option = after.findIndex((each) => /^(?:-[a-zA-Z]*c|--(?:session-)?command)$/.test(literalOf(each) ?? ""));
    return option < 0 ? [] : after.slice(option + 1, option + 2);
  });
}

/** Programs that give the text after their `-c` to a shell. */
const STARTS_SHELL = new Set("su runuser script flock sg".split(" "));

/** What stands after the `-c` of a shell and the options around it: `sh -ec`, `bash -o pipefail -c --`. */
function scriptOf(words: readonly Word[]): Word | undefined {
  let isCommand = false;
  for (const [at, word] of words.entries()) {
    const text = literalOf(word) ?? "";
    if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(text)) isCommand = true;
    const isValue = /^(?:[-+][a-zA-Z]*[oO]|--rcfile|--init-file)$/.test(literalOf(words[at - 1]) ?? "");
    if (!isValue && !/^[-+]/.test(text)) return isCommand ? word : undefined;
  }
  return undefined;
}

/** Inside a longer text the value would be code of that shell. Alone it is what the author hands over. */
function refuseInnerScript(script: Word, slotsIn: (word: Word) => readonly Slot[]): void {
  const [slot] = slotsIn(script);
  if (!slot || (script.unquoted.length === 1 && isSlot(script.unquoted[0]))) return;
  throw new TemplateProblem(
    `{{${slot.name}}} is in a script for another shell, which would read it as code. Give it to that script as an argument: sh -c 'grep "$1" file' sh {{${slot.name}}}.`,
  );
}
