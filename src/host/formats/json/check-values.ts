import { joined, listValue, type ShellTemplate, type Values } from "../../../platform/processes/shell-template.ts";
import { isSlot, type Slot, slotsOf, type Word } from "../../../platform/processes/shell-words.ts";

const MAX_VALUE_LENGTH = 10_000;
const NUMBER = /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

export interface ValueOptions {
  readonly allowDash: boolean;
  /** Whether the value equals the default in the schema, and so comes from the author. */
  isDefault(name: string): boolean;
}

/** Throws for values that must not be inserted into a command. A model reads the message. */
export function checkValues({ slots, plain }: ShellTemplate, get: Values, options: ValueOptions): void {
  for (const { name } of slots) for (const value of [get(name) ?? []].flat()) refuseBadValue(value, name);
  for (const word of new Set(slots.map((slot) => slot.word))) {
    const evaluatedBy = plain ? undefined : word.evaluatedBy;
    if (evaluatedBy === undefined && (options.allowDash || word.afterDashes)) continue;
    refuseOption(word, get, evaluatedBy, options);
  }
}

function refuseBadValue(value: string, name: string): void {
  if (value.includes("\0")) throw new Error(`"${name}" contains a NUL byte, which commands do not accept. Remove it.`);
  if (value.length <= MAX_VALUE_LENGTH) return;
  throw new Error(`"${name}" has ${value.length} characters. At most ${MAX_VALUE_LENGTH} are allowed. Send fewer.`);
}

/** Refuses a value that makes a word start with "-". Shell expansions before the value may be empty. */
function refuseOption(word: Word, get: Values, evaluatedBy: string | undefined, { isDefault }: ValueOptions): void {
  const textOf = ({ name }: Slot): string => joined(get(name));
  const slots = slotsOf(word);
  const first = word.unquoted.find((piece) => typeof piece === "string" || (isSlot(piece) && textOf(piece) !== ""));
  for (const slot of slots.filter((each) => each === first || mayBeginWord(each))) {
    const texts = listValue(word, get) ?? [textOf(slot)];
    const isNumber = slots.every((other) => other === slot || textOf(other) === "" || NUMBER.test(textOf(other)));
    if (isDefault(slot.name) || texts.every((text) => !text.startsWith("-") || (isNumber && NUMBER.test(text))))
      continue;
    throw new Error(evaluatedBy === undefined ? startsWithDash(slot) : isEvaluated(slot, evaluatedBy));
  }
  const [empty] = slots;
  const isFollowed = slots.some((slot) => textOf(slot) !== "");
  if (first !== "-" || !empty || !isFollowed || word.unquoted.indexOf(empty) > word.unquoted.indexOf(first)) return;
  throw new Error(
    `"${empty.name}" is empty, so the command could read the following text as an option. Send a value for it. ${howToAllow(empty)}`,
  );
}

/** Bash splits `{a,{{x}}}` and `{,a}{{x}}` into two words, and every shell splits `a$B{{x}}` if `$B` ends with a space. */
function mayBeginWord(slot: Slot): boolean {
  const before = slot.word.unquoted.slice(0, slot.word.unquoted.indexOf(slot));
  const last = before.at(-1);
  if (typeof last === "object") return !isSlot(last) && !last.quoted;
  return before.includes("{") && ["{", ",", "}"].includes(String(last));
}

function startsWithDash(slot: Slot): string {
  return `"${slot.name}" starts with "-", so the command could read it as an option. Send a value that does not. For a file, put ./ before it. ${howToAllow(slot)}`;
}

function howToAllow({ name }: Slot): string {
  return `The author of the tool can allow it: write -- before {{${name}}} in "command", or set "allowDash": true.`;
}

function isEvaluated({ name }: Slot, command: string): string {
  return `"${name}" starts with "-", and some shells run code in options of "${command}". Send a value that does not start with "-".`;
}
