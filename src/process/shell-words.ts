/** A text that an author wrote, in pieces: what is fixed, and the names of what is filled in. */
export type TemplatePart = string | { readonly value: string };

/** A command template that cannot be filled in safely, or makes no sense. Speaks to its author. */
export class TemplateProblem extends Error {
  override readonly name: string = "TemplateProblem";
}

/** A place for a value. */
export interface Slot {
  readonly name: string;
  readonly quote: "bare" | "single" | "double";
  /** Whether the value's first character is the first of its word. */
  readonly opensWord: boolean;
  readonly word: Word;
}

/** One word of a command, as its author wrote it. */
export interface Word {
  /** Its part of the pieces of the script. */
  readonly from: number;
  to: number;
  /** What it comes to once quotes are taken off. */
  readonly cooked: (string | Slot)[];
  /** Whether the shell puts in something of its own, so that `cooked` does not say it all. */
  opaque: boolean;
  role: "command" | "argument" | "target";
  /** Whether "--" stands before it in its command. */
  afterDashes: boolean;
}

/** The text of a word that nothing is filled into; undefined for others. */
export function literalOf(word: Word | undefined): string | undefined {
  if (!word || word.opaque || word.cooked.some((piece) => typeof piece !== "string")) return undefined;
  return word.cooked.join("");
}

/** What is filled into the word itself, and not into a command inside it. */
export function slotsOf(word: Word): Slot[] {
  return word.cooked.filter((piece) => typeof piece !== "string");
}

/** Whether a word sets a variable for the command that follows it. */
export function isAssignment(word: Word): boolean {
  const end = word.cooked.findIndex((piece) => typeof piece !== "string");
  return /^[A-Za-z_]\w*=/.test(word.cooked.slice(0, end < 0 ? undefined : end).join(""));
}

/** Finds out what the words of one simple command are there for; throws when a value would be read as shell syntax. */
export function judgeCommand(words: readonly Word[]): void {
  const own = words.filter(({ role }) => role !== "target");
  const first = own.find((word) => !isAssignment(word) && !isPrefix(literalOf(word) ?? ""));
  if (first) first.role = "command";
  const dashes = own.findIndex((word) => literalOf(word) === "--");
  for (const word of dashes < 0 ? [] : own.slice(dashes + 1)) word.afterDashes = true;
  refuseSubscript(own[0]);
  refuseReread(own, literalOf(first));
  refuseInnerScripts(own);
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

/** Commands of the shell that read their words once more, as commands, as arithmetic or as names with subscripts. */
const REREAD = new Set("eval let trap alias read unset declare typeset [[ fc compgen".split(" "));

function refuseReread(words: readonly Word[], command: string | undefined): void {
  if (command === undefined) return;
  const [slot] = words
    .filter((word, at) => REREAD.has(command) || isName(command, word, words[at - 1]))
    .flatMap(slotsOf);
  if (!slot) return;
  throw new TemplateProblem(
    `{{${slot.name}}} cannot be given to "${command}", which would read it as shell code. Use another command.`,
  );
}

/** Whether this command takes the word for the name of a variable, which may have a subscript. */
function isName(command: string, word: Word, before: Word | undefined): boolean {
  if (command === "local") return !isAssignment(word);
  return ["test", "[", "printf"].includes(command) && literalOf(before) === "-v";
}

/** `list[{{x}}]=1`: where there are lists, their subscripts are calculated, and a calculation can run commands. */
function refuseSubscript(word: Word | undefined): void {
  const text = word?.cooked.map((piece) => (typeof piece === "string" ? piece : "\0")).join("") ?? "";
  if (!word || !/^(?:[A-Za-z_]\w*)?\[[^\]]*\0[^\]]*\]\+?=/.test(text)) return;
  throw new TemplateProblem(
    `{{${slotsOf(word)[0]?.name}}} stands in a subscript, which some shells would read as code. Put the command into a script file.`,
  );
}

const SHELLS = new Set("sh bash dash ash zsh ksh mksh fish busybox".split(" "));

function isShell(word: Word): boolean {
  return word.opaque ? word.cooked.join("") === "SHELL" : SHELLS.has(literalOf(word)?.replace(/^.*\//, "") ?? "");
}

/** `sh -c 'grep {{x}}'`: inside a longer text the value would be code of that shell. Alone it is what the author hands over. */
function refuseInnerScripts(words: readonly Word[]): void {
  for (const [at, word] of words.entries()) if (isShell(word)) refuseInnerScript(scriptOf(words.slice(at + 1)));
}

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

function refuseInnerScript(script: Word | undefined): void {
  if (!script) return;
  const [slot] = slotsOf(script);
  if (!slot || (script.cooked.length === 1 && !script.opaque)) return;
  throw new TemplateProblem(
    `{{${slot.name}}} stands in a script for another shell, which would read it as code. Give it to that script as an argument: sh -c 'grep "$1" file' sh {{${slot.name}}}.`,
  );
}
