import { READS_CODE } from "../text/shell-commands.ts";
import {
  beginningOf,
  type Command,
  type Expansion,
  expansionsOf,
  innerScripts,
  isAssignment,
  isName,
  isSlot,
  isTyped,
  literalText,
  optionsOf,
  type Slot,
  type Word,
} from "./shell-words.ts";
import { TemplateProblem } from "./template-problem.ts";

/** A part of a template in which some shells evaluate the values of variables as code. */
export interface Evaluated {
  /** How the author would name this part. */
  readonly where: string;
  /** As written. Each name in it may be the name of a variable. */
  readonly text: string;
}

export const CALCULATION = "$((…))";

/** The parts of `${…}` that shells evaluate: indirect names, subscripts, offsets, prompts. */
export function evaluatedIn(braces: string): Evaluated[] {
  const where = `\${${braces}}`;
  if (/^!|@[A-Za-z]$/.test(braces)) return [{ where, text: where }];
  const inside = /\[.*|:(?![-=?+]).*/s.exec(braces);
  return inside ? [{ where, text: inside[0] }] : [];
}

/** The parts of its words that a command evaluates. `textOf` returns a word as written. */
export function evaluatedBy(command: Command, textOf: (word: Word) => string): Evaluated[] {
  const { words, at, name = "" } = command;
  const evaluated: Evaluated[] = innerScripts(words).map((script) => ({ where: "a script", text: expanded([script]) }));
  const all = words.map(textOf).join(" ");
  const program = words[at];
  if (program && /^[A-Za-z_]\w*\[/.test(beginningOf(program))) {
    const subscripts =
      words
        .slice(at)
        .map(textOf)
        .join(" ")
        .match(/\w\[.*?\]\+?=/gs) ?? [];
    evaluated.push({ where: "a subscript", text: subscripts.join(" ") });
  }
  // The elements of a list: a=(b [1]=c).
  const elements = words.map(textOf).filter((text) => /^\[.*\]\+?=/s.test(text));
  evaluated.push({ where: "a subscript", text: elements.map((text) => text.replace(/\]\+?=.*/s, "]")).join(" ") });
  for (const word of words.filter(isAssignment)) {
    const variable = assignedBy(word);
    if (EVALUATED_VARIABLES.has(variable)) evaluated.push({ where: variable, text: textOf(word) });
  }
  return [...evaluated, { where: `"${name}"`, text: evaluatedArguments(name, words.slice(at + 1), all) }];
}

/** Bash reads the values of these as arithmetic, as a prompt, or as the name of a start-up file. */
const EVALUATED_VARIABLES = new Set(["OPTIND", "RANDOM", "PS4", "BASH_ENV"]);

function assignedBy(word: Word): string {
  return beginningOf(word).split(/\+?=/)[0] ?? "";
}

const CALCULATES = new Set(["let", "declare", "typeset"]);
const COMPARES_NUMBERS = /(?<!\S)-(?:eq|ne|lt|le|gt|ge|v)(?!\S)/;

function evaluatedArguments(name: string, words: readonly Word[], all: string): string {
  if (CALCULATES.has(name) || isTyped(name, words)) return all;
  if (name === "[[") return COMPARES_NUMBERS.test(all) ? all : "";
  if (READS_CODE.has(name)) return expanded(words);
  if (["read", "unset", "getopts"].includes(name)) return expanded(words.filter((word) => !isAssignment(word)));
  const named = words.filter((word, at) => isName(name, word, words[at - 1]));
  if (name === "printf") return expanded([...named, ...optionsOf(words)]);
  // Outside of quotes the value of a variable becomes several words, operators such as -v among them.
  const split = ["test", "["].includes(name) ? words.flatMap(expansionsOf).filter(({ quoted }) => !quoted) : [];
  return expanded(named) + split.map(({ expansion }) => expansion).join(" ");
}

function expanded(words: readonly Word[]): string {
  return words
    .flatMap(expansionsOf)
    .map(({ expansion }) => `${expansion} `)
    .join("");
}

interface Variables {
  readonly commands: readonly Command[];
  readonly pieces: readonly (string | Slot)[];
  readonly evaluated: readonly Evaluated[];
}

/**
 * Refuses `n={{n}}; echo $((n + 1))`. Bash and some other shells evaluate the value of a variable in an expression as
 * an expression, and a subscript in it can run commands.
 */
export function refuseEvaluated({ commands, pieces, evaluated }: Variables): void {
  const any = slotIn(pieces);
  if (any === undefined || evaluated.every(({ text }) => text === "")) return;
  const filled = filledVariables(commands, pieces, any);
  const slots = pieces.filter(isSlot);
  for (const { where, text } of evaluated) {
    for (const slot of slots) if (text.includes(`{{${slot.name}}}`)) throw problem(slot, where);
    if (POSITIONAL.test(text)) throw problem(any, where);
    for (const [name, slot] of filled) if (mentions(text, name)) throw problem(slot, where);
  }
}

/** Positional parameters, and `_`, the last argument of the previous command. */
const POSITIONAL = /\$\{?!?[\d@*]|(?<!\w)_(?!\w)/;

function mentions(text: string, name: string): boolean {
  return new RegExp(`(?<!\\w)${name}(?!\\w)`).test(text);
}

/** The variables whose values come from a placeholder, directly or through other variables. */
function filledVariables(
  commands: readonly Command[],
  pieces: readonly (string | Slot)[],
  any: Slot,
): ReadonlyMap<string, Slot> {
  const filled = new Map<string, Slot>();
  const sources = commands.flatMap((command) => sourcesIn(command, pieces, any));
  for (let before = -1; before < filled.size; ) {
    before = filled.size;
    for (const { name, slot, text } of sources) {
      const from = slot ?? [...filled].find(([other]) => mentions(text, other))?.[1];
      if (from) filled.set(name, from);
    }
  }
  return filled;
}

/** A variable and the origin of its value. */
interface Source {
  readonly name: string;
  readonly slot: Slot | undefined;
  readonly text: string;
}

function sourcesIn({ words, name }: Command, pieces: readonly (string | Slot)[], any: Slot): Source[] {
  const texts = words.map((word) => literalText(word) ?? "");
  const source = (variable: string, [first, ...others]: readonly Word[]): Source => {
    const range = pieces.slice(first?.from, others.at(-1)?.to ?? first?.to);
    const isPositional = [first, ...others].some((word) => word && expansionsOf(word).some(isPositionalParameter));
    const text = range.map((piece) => (typeof piece === "string" ? piece : "")).join("");
    return { name: variable, slot: slotIn(range) ?? (isPositional ? any : undefined), text };
  };
  const loop = texts.findIndex((text) => text === "for" || text === "select");
  const stored = name === "printf" ? texts.indexOf("-v") : -1;
  const read = texts.includes("read") ? [...texts, "REPLY"] : [];
  return [
    ...words.filter(isAssignment).map((word) => source(assignedBy(word), [word])),
    ...(loop < 0 ? [] : [source(texts[loop + 1] ?? "", words.slice(loop))]),
    ...(stored < 0 ? [] : [source(texts[stored + 1] ?? "", words)]),
    ...read.map((variable) => ({ name: variable, slot: any, text: "" })),
  ].filter((each) => /^[A-Za-z_]\w*$/.test(each.name));
}

/** Positional parameters may contain the value of a placeholder. */
function isPositionalParameter({ expansion }: Expansion): boolean {
  return /^\$\{?!?(?:[\d@*]|_(?!\w))/.test(expansion);
}

function slotIn(pieces: readonly (string | Slot)[]): Slot | undefined {
  return pieces.find((piece) => typeof piece !== "string");
}

function problem({ name }: Slot, where: string): TemplateProblem {
  const advice = where === CALCULATION ? "Calculate with expr, or put" : "Put";
  return new TemplateProblem(
    `{{${name}}} gets into ${where}, where some shells would read it as code. ${advice} the command into a script file.`,
  );
}
