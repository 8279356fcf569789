import { countText } from "../text/amount-text.ts";
import type { Form, FormField } from "./read-form.ts";

/** Dialogs resolve to undefined when the user closes them. */
export interface FormDialogs {
  select(title: string, options: readonly string[]): Promise<string | undefined>;
  confirm(title: string, message: string): Promise<boolean | undefined>;
  input(title: string, placeholder?: string): Promise<string | undefined>;
  /** Tells why a question is asked again. */
  notify(message: string, type: "warning"): void;
}

type Value = string | number | boolean | readonly string[];

/** The answer to `elicitation/create`. */
export type FormAnswer =
  | { readonly action: "accept"; readonly content: Readonly<Record<string, Value>> }
  | { readonly action: "decline" | "cancel" };

/** The last choice of a field that is not required. */
export const LEAVE_OUT = "Leave it out";

/** How often a field is asked for, because answers do not fit. Programs can answer too. */
const MAX_TRIES = 10;

/** Shows a form as dialogs, one per field; a form without fields as a question for a yes, which has this title. */
export async function askForm({ message, fields }: Form, dialogs: FormDialogs, title: string): Promise<FormAnswer> {
  if (fields.length === 0) {
    const isYes = await dialogs.confirm(title, message);
    return isYes ? { action: "accept", content: {} } : { action: "decline" };
  }
  const content: [string, Value][] = [];
  for (const field of fields) {
    const answer = await askField(field, message, dialogs);
    if (answer === undefined) return { action: "cancel" };
    if (answer !== LEFT_OUT) content.push([field.name, answer]);
  }
  return { action: "accept", content: Object.fromEntries(content) };
}

const LEFT_OUT = Symbol("left out");

/** Undefined if the dialog is closed, or never gets an answer that fits. */
async function askField(
  field: FormField,
  message: string,
  dialogs: FormDialogs,
): Promise<Value | typeof LEFT_OUT | undefined> {
  const { kind, label, isRequired } = field;
  if (kind === "boolean") return dialogs.confirm(label, message);
  const title = message === "" ? label : `${message}\n${label}`;
  if (kind === "one") return askOne(field, title, dialogs);
  const shown = titleOf(field, title);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const text = await (kind === "several" ? dialogs.input(shown) : dialogs.input(shown, field.preset));
    if (text === undefined) return undefined;
    const isEmpty = text.trim() === "";
    if (isEmpty && !isRequired) return LEFT_OUT;
    const read = READERS[kind](isEmpty ? (field.preset ?? text) : text, field);
    if ("value" in read) return read.value;
    dialogs.notify(read.problem, "warning");
  }
  return undefined;
}

async function askOne(
  { choices, isRequired }: FormField,
  title: string,
  dialogs: FormDialogs,
): Promise<string | typeof LEFT_OUT | undefined> {
  const texts = choices.map(({ shown }) => shown);
  const chosen = await dialogs.select(title, isRequired ? texts : [...texts, LEAVE_OUT]);
  const known = choices.find(({ shown }) => shown === chosen);
  if (known) return known.value;
  return chosen === LEAVE_OUT ? LEFT_OUT : undefined;
}

function titleOf({ kind, choices, isRequired }: FormField, title: string): string {
  const list = `\nSeparate them by commas: ${choices.map(({ shown }) => shown).join(", ")}`;
  return `${title}${kind === "several" ? list : ""}${isRequired ? "" : "\nLeave it empty to skip it."}`;
}

type Read = { readonly value: Value } | { readonly problem: string };
type Reader = (text: string, field: FormField) => Read;

const READERS: Readonly<Record<"text" | "number" | "integer" | "several", Reader>> = {
  text: (text, field) => checked(text, countText(text.length, "character"), text.length, field),
  number: readNumber,
  integer: readNumber,
  several: readSeveral,
};

function readNumber(text: string, field: FormField): Read {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  const isFitting = field.kind === "integer" ? Number.isInteger(value) : Number.isFinite(value);
  if (!isFitting) return { problem: `${text} is not ${field.kind === "integer" ? "an integer" : "a number"}.` };
  return checked(value, text.trim(), value, field);
}

function readSeveral(text: string, field: FormField): Read {
  const { choices } = field;
  const words = text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  const unknown = words.find((word) => !choices.some(({ shown, value }) => word === shown || word === value));
  if (unknown !== undefined) return { problem: `${unknown} is not one of the choices.` };
  const chosen = choices.filter(({ shown, value }) => words.includes(shown) || words.includes(value));
  return checked(
    chosen.map(({ value }) => value),
    countText(chosen.length, "choice"),
    chosen.length,
    field,
  );
}

function checked(value: Value, what: string, size: number, { least, most }: FormField): Read {
  if (least !== undefined && size < least) return { problem: `${what} is too little: at least ${least}.` };
  if (most !== undefined && size > most) return { problem: `${what} is too much: at most ${most}.` };
  return { value };
}
