import { isObject } from "../values/is-object.ts";

/** The largest form, as JSON. A person reads it. */
const MAX_SIZE = 100_000;
/** A person answers one question per field. */
const MAX_FIELDS = 50;
const MAX_CHOICES = 200;

/** Names that would change an object instead of its content, in programs that are not careful. */
const RESERVED: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
/** A name or a short title that ends with these words. Answers are stored in the log of the session, and a model reads them. */
const SECRET =
  /\b(password|passwd|passphrase|passcode|secret|credentials?|(api|private|access|secret) ?key|(access|auth|api|bearer|refresh|session) ?token|credit ?card|card ?number|cvv|cvc)\W*$/i;
/** A longer title is a sentence that may name a secret without asking for it. */
const MAX_TITLE_WORDS = 5;

/** A form that is not shown. The message is for the model. */
export class UnreadableForm extends Error {
  override readonly name = "UnreadableForm";

  constructor(reason: string) {
    super(`The form was not shown: ${reason}`);
  }
}

export interface Form {
  readonly message: string;
  readonly fields: readonly FormField[];
}

export interface Choice {
  readonly value: string;
  readonly shown: string;
}

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly kind: "text" | "number" | "integer" | "boolean" | "one" | "several";
  readonly isRequired: boolean;
  /** For "one" and "several". Each is shown with another text. */
  readonly choices: readonly Choice[];
  /** The value of a text or a number that the form proposes. */
  readonly preset: string | undefined;
  /** The bounds of a number, of the length of a text, or of the number of choices. */
  readonly least: number | undefined;
  readonly most: number | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** The form in the parameters of `elicitation/create` of MCP or ACP. Throws an `UnreadableForm` if it cannot be shown as it is. */
export function readForm({ message, requestedSchema }: Fields): Form {
  if (sizeOf([message, requestedSchema]) > MAX_SIZE) {
    throw new UnreadableForm(`it has more than ${MAX_SIZE} characters. Ask for less.`);
  }
  if (!isObject(requestedSchema)) throw new UnreadableForm('it has no "requestedSchema".');
  const properties = requestedSchema.properties ?? {};
  if (!isObject(properties)) throw new UnreadableForm('"properties" must be an object.');
  const names = Object.keys(properties);
  if (names.length > MAX_FIELDS) {
    throw new UnreadableForm(`it has ${names.length} fields. At most ${MAX_FIELDS} are possible: ask for less.`);
  }
  const required = Array.isArray(requestedSchema.required) ? requestedSchema.required : [];
  const missing = required.find((name) => !names.includes(name));
  if (missing !== undefined) throw new UnreadableForm(`it requires ${quoted(missing)}, which is not among its fields.`);
  const fields = names.map((name) => readField(name, properties[name], required.includes(name)));
  return { message: textOf(message) ?? "", fields };
}

function readField(name: string, field: unknown, isRequired: boolean): FormField {
  if (RESERVED.has(name)) throw new UnreadableForm(`a field cannot have the name ${quoted(name)}.`);
  if (!isObject(field)) throw new UnreadableForm(`the field ${quoted(name)} must be an object.`);
  const several = field.type === "array";
  const choices = choicesOf(name, several ? field.items : field);
  const kind = several ? "several" : kindOf(field.type, choices);
  if (kind === undefined || (several && !choices)) {
    throw new UnreadableForm(
      `the field ${quoted(name)} must be a string, number, integer, boolean, or an array with choices. Nested fields are not possible.`,
    );
  }
  if (kind === "text" && isSecret(name, field)) {
    throw new UnreadableForm(
      `the field ${quoted(name)} asks for a secret, and answers are stored. Say in your answer where the user can set it.`,
    );
  }
  const label = textOf(field.title) ?? textOf(field.description) ?? name.toWellFormed();
  return { name, label, kind, isRequired, choices: choices ?? [], ...limitsOf(kind, field) };
}

function kindOf(type: unknown, choices: readonly Choice[] | undefined): FormField["kind"] | undefined {
  if (choices) return type === "string" || type === undefined ? "one" : undefined;
  if (type === "string") return "text";
  return type === "number" || type === "integer" || type === "boolean" ? type : undefined;
}

/** `enum`, with `enumNames`, or alternatives with `const` and `title`; undefined if the field has none of them. */
function choicesOf(name: string, field: unknown): Choice[] | undefined {
  if (!isObject(field)) return undefined;
  const names = Array.isArray(field.enumNames) ? field.enumNames : [];
  const alternatives = field.oneOf ?? field.anyOf;
  const given = field.enum ?? alternatives ?? undefined;
  if (given === undefined) return undefined;
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_CHOICES) {
    throw new UnreadableForm(`the field ${quoted(name)} must have a list of 1 to ${MAX_CHOICES} choices.`);
  }
  const choices = given.map((each, at) =>
    field.enum ? choiceOf(each, names[at]) : isObject(each) ? choiceOf(each.const, each.title, each.description) : {},
  );
  if (!choices.every(isChoice)) throw new UnreadableForm(`the choices of the field ${quoted(name)} must be strings.`);
  const texts = new Set(choices.map(({ shown }) => shown));
  const distinct = texts.size === choices.length ? choices : choices.map(({ value }) => ({ value, shown: value }));
  if (new Set(distinct.map(({ value }) => value)).size < choices.length) {
    throw new UnreadableForm(`the field ${quoted(name)} has the same choice twice.`);
  }
  return distinct;
}

function choiceOf(value: unknown, title: unknown, description?: unknown): Partial<Choice> {
  if (typeof value !== "string") return {};
  const shown = textOf(title) ?? value.toWellFormed();
  const more = textOf(description);
  return { value, shown: more === undefined ? shown : `${shown}: ${more}` };
}

function isChoice(choice: Partial<Choice>): choice is Choice {
  return choice.value !== undefined;
}

function isSecret(name: string, field: Fields): boolean {
  const codex = isObject(field._meta) && isObject(field._meta.codex) ? field._meta.codex : {};
  if (field.format === "password" || field.writeOnly === true || codex.isSecret === true) return true;
  // "apiKey" and "API_KEY" are words too.
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1 $2").replace(/[_-]+/g, " ");
  const title = textOf(field.title) ?? "";
  return SECRET.test(words) || (SECRET.test(title) && title.trim().split(/\s+/).length <= MAX_TITLE_WORDS);
}

/** A pattern is not applied: it could run for hours. The program that asks checks it. */
function limitsOf(kind: FormField["kind"], field: Fields): Pick<FormField, "preset" | "least" | "most"> {
  const [least, most] =
    kind === "text"
      ? [field.minLength, field.maxLength]
      : kind === "several"
        ? [field.minItems, field.maxItems]
        : [field.minimum, field.maximum];
  const preset = typeof field.default === "number" ? String(field.default) : textOf(field.default);
  return { preset, least: numberOf(least), most: numberOf(most) };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.toWellFormed() : undefined;
}

/** The start of a name that may be long. */
function quoted(name: unknown): string {
  return JSON.stringify(String(name).slice(0, 100).toWellFormed());
}

/** Infinite for values that are nested too deeply to be written. */
function sizeOf(value: unknown): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
