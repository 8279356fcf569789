import { shellWord } from "../text/shell-word.ts";
import { type ParsedTemplate, parseTemplate } from "./shell-parser.ts";
import { isSlot, type Slot, slotsOf, type TemplatePart, type Word } from "./shell-words.ts";
import { TemplateProblem } from "./template-problem.ts";

/** A value: one text, or a list. A list becomes several words where the placeholder is a whole word. */
export type TemplateValue = string | readonly string[];

/** Returns the value of a name; undefined when it was not sent. */
export type Values = (name: string) => TemplateValue | undefined;

interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** A parsed command of an author. Values never become shell syntax. */
export interface ShellTemplate {
  /** Whether it is one program with plain words, which needs no shell. */
  readonly plain: boolean;
  readonly slots: readonly Slot[];
  /**
   * The command to start. A missing value is the empty text inside quotes; elsewhere its whole word is left out. Throws
   * `MissingValue` where that word is the command itself or the target of a redirection.
   */
  bind(get: Values): Command;
  /** The command line as text, for people and for permission rules. */
  readable(get: Values): string;
}

class MissingValue extends Error {
  override readonly name: string = "MissingValue";

  constructor(name: string) {
    super(`The command cannot be run without "${name}". Send a value for it.`);
  }
}

/** Throws a `TemplateProblem` when values cannot be filled in safely. */
export function compileTemplate(parts: readonly TemplatePart[]): ShellTemplate {
  const parsed = parsedOf(parts);
  const slots = parsed.pieces.filter((piece) => typeof piece !== "string");
  if (parsed.pieces.join("").trim() === "") throw new TemplateProblem("The command is empty. Write what is to be run.");
  return {
    plain: parsed.plain,
    slots,
    bind: (get) => (parsed.plain ? toArgv(parsed, get) : toScript(parsed, get)),
    readable: (get) =>
      keptPieces(parsed, get)
        .map((piece) => shown(piece, get))
        .join("")
        .trim(),
  };
}

/** A template without placeholders may contain syntax that the parser refuses: the shell runs it as written. */
function parsedOf(parts: readonly TemplatePart[]): ParsedTemplate {
  try {
    return parseTemplate(parts);
  } catch (error) {
    if (parts.some((part) => typeof part !== "string")) throw error;
    return { pieces: [parts.join("")], words: [], plain: false };
  }
}

function toArgv({ words }: ParsedTemplate, get: Values): Command {
  const [command = "", ...args] = words.filter((word) => !isDropped(word, get)).flatMap((word) => filled(word, get));
  return { command, args };
}

function filled(word: Word, get: Values): readonly string[] {
  const list = listValue(word, get);
  if (list) return list;
  return [word.unquoted.map((piece) => (isSlot(piece) ? joined(get(piece.name)) : piece)).join("")];
}

/** The values of a word that consists of one unquoted placeholder for a list. */
export function listValue(word: Word, get: Values): readonly string[] | undefined {
  const [slot] = word.unquoted;
  if (!isSlot(slot) || word.unquoted.length !== 1 || slot.quote !== "bare") return undefined;
  const value = get(slot.name);
  return typeof value === "object" ? value : undefined;
}

export function joined(value: TemplateValue | undefined): string {
  return typeof value === "object" ? value.join(" ") : (value ?? "");
}

/** Throws when a word without a value cannot be left out. */
function isDropped(word: Word, get: Values): boolean {
  const missing = slotsOf(word).find(({ quote, name }) => quote === "bare" && isMissing(get(name)));
  if (missing && word.role !== "argument") throw new MissingValue(missing.name);
  return missing !== undefined;
}

function isMissing(value: TemplateValue | undefined): boolean {
  return value === undefined || (typeof value === "object" && value.length === 0);
}

function keptPieces({ pieces, words }: ParsedTemplate, get: Values): (string | Slot)[] {
  const dropped = words.filter((word) => isDropped(word, get));
  return pieces.filter((_, index) => !dropped.some(({ from, to }) => index >= from && index < to));
}

/**
 * Values are passed as positional parameters and copied to variables, since the author's functions, `shift` and `set
 * --` change the positional parameters.
 */
function toScript(parsed: ParsedTemplate, get: Values): Command {
  if (process.platform === "win32") {
    throw new Error(
      "This command uses shell syntax, and there is no sh on Windows. Write it as one program with plain words.",
    );
  }
  const values: string[] = [];
  const reference = (value: string): string => `\${${VARIABLE}${values.push(value)}}`;
  const script = keptPieces(parsed, get)
    .map((piece) => (typeof piece === "string" ? piece : quoted(piece, get, reference)))
    .join("");
  return { command: "/bin/sh", args: ["-c", `${prologue(values.length)}${script}`, "sh", ...values] };
}

const VARIABLE = "__toolwright_";

function prologue(count: number): string {
  if (count === 0) return "";
  const names = Array.from({ length: count }, (_, index) => `${VARIABLE}${index + 1}=\${${index + 1}}`);
  return `${names.join(" ")}; shift ${count}; `;
}

function quoted(slot: Slot, get: Values, reference: (value: string) => string): string {
  const list = listValue(slot.word, get);
  if (list) return list.map((value) => `"${reference(value)}"`).join(" ");
  const value = reference(joined(get(slot.name)));
  if (slot.quote === "double") return value;
  return slot.quote === "single" ? `'"${value}"'` : `"${value}"`;
}

function shown(piece: string | Slot, get: Values): string {
  if (typeof piece === "string") return piece;
  const list = listValue(piece.word, get);
  if (list) return list.map((each) => shellWord(each, "posix")).join(" ");
  const value = joined(get(piece.name));
  if (piece.quote === "single") return value.replaceAll("'", "'\\''");
  return piece.quote === "double" ? value.replace(/[$`"\\]/g, "\\$&") : shellWord(value, "posix");
}
