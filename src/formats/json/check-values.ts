import { joined, listOf, type ShellTemplate, type Values } from "../../process/shell-template.ts";
import { isSlot, type Slot, slotsOf, type Word } from "../../process/shell-words.ts";

const LONGEST_VALUE = 10_000;
const NUMBER = /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** What the author allows beyond the usual. */
export interface ValueOptions {
  readonly allowDash: boolean;
  /** Whether the value of this name is the author's own. */
  isDefault(name: string): boolean;
}

/** Throws for values that must not be filled into a command, with words for a model. */
export function checkValues({ slots, plain }: ShellTemplate, get: Values, options: ValueOptions): void {
  for (const { name } of slots) for (const value of [get(name) ?? []].flat()) refuseBadValue(value, name);
  for (const word of new Set(slots.map((slot) => slot.word))) {
    const evaluatedBy = plain ? undefined : word.evaluatedBy;
    if (evaluatedBy === undefined && (options.allowDash || word.afterDashes)) continue;
    refuseOption(word, get, evaluatedBy, options);
  }
}

function refuseBadValue(value: string, name: string): void {
  if (value.includes("\0")) throw new Error(`"${name}" contains a NUL byte, which no command can take. Leave it out.`);
  if (value.length <= LONGEST_VALUE) return;
  throw new Error(`"${name}" has ${value.length} characters. A command takes at most ${LONGEST_VALUE}: send less.`);
}

/** Refuses a word that begins with "-" because of a value. What the shell puts in before the value may be empty. */
function refuseOption(word: Word, get: Values, evaluatedBy: string | undefined, { isDefault }: ValueOptions): void {
  const textOf = ({ name }: Slot): string => joined(get(name));
  const slots = slotsOf(word);
  const first = word.cooked.find((piece) => typeof piece === "string" || (isSlot(piece) && textOf(piece) !== ""));
  for (const slot of slots.filter((each) => each === first || mayBeginWord(each))) {
    const texts = listOf(word, get) ?? [textOf(slot)];
    const isNumber = slots.every((other) => other === slot || textOf(other) === "" || NUMBER.test(textOf(other)));
    if (isDefault(slot.name) || texts.every((text) => !text.startsWith("-") || (isNumber && NUMBER.test(text))))
      continue;
    throw new Error(evaluatedBy === undefined ? startsWithDash(slot) : isEvaluated(slot, evaluatedBy));
  }
  const [empty] = slots;
  const isFollowed = slots.some((slot) => textOf(slot) !== "");
  if (first !== "-" || !empty || !isFollowed || word.cooked.indexOf(empty) > word.cooked.indexOf(first)) return;
  throw new Error(
    `"${empty.name}" is empty, so the command could take what follows for an option. Send a value for it. ${letPass(empty)}`,
  );
}

/** Bash makes two words of `{a,{{x}}}` and of `{,a}{{x}}`, and every shell of `a$B{{x}}` where `$B` ends with a blank. */
function mayBeginWord(slot: Slot): boolean {
  const before = slot.word.cooked.slice(0, slot.word.cooked.indexOf(slot));
  const last = before.at(-1);
  if (typeof last === "object") return !isSlot(last) && !last.quoted;
  return before.includes("{") && ["{", ",", "}"].includes(String(last));
}

function startsWithDash(slot: Slot): string {
  return `"${slot.name}" starts with "-", so the command could take it for an option. Send a value that does not; for a file, put ./ before it. ${letPass(slot)}`;
}

function letPass({ name }: Slot): string {
  return `The author of the tool can let it pass: write -- before {{${name}}} in "command", or set "allowDash": true.`;
}

function isEvaluated({ name }: Slot, command: string): string {
  return `"${name}" starts with "-", and some shells run code in options of "${command}". Send a value that does not start with "-".`;
}
