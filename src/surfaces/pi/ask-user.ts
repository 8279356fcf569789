import { isObject } from "../../platform/values/is-object.ts";
import type { PiDialogs } from "./pi-api.ts";

type Field = Readonly<Record<string, unknown>>;
/** The value of a field; undefined if the user closed the dialog. */
type Answer = string | number | boolean | readonly string[] | undefined;

/**
 * Shows a form of the server (`elicitation/create`) as dialogs of pi, one per field. Asks for optional fields only if no field is
 * required: each question is a dialog of its own.
 */
export async function askUser(params: Readonly<Record<string, unknown>>, ui: PiDialogs): Promise<object> {
  const { message, requestedSchema } = params;
  const schema = isObject(requestedSchema) ? requestedSchema : {};
  const fields = Object.entries(isObject(schema.properties) ? schema.properties : {});
  const required = Array.isArray(schema.required) ? schema.required : [];
  const asked = required.length > 0 ? fields.filter(([name]) => required.includes(name)) : fields;
  const text = String(message ?? "");
  if (asked.length === 0) return (await ui.confirm("Toolwright", text)) ? { action: "accept", content: {} } : DECLINED;
  const content: Record<string, Answer> = {};
  for (const [name, field] of asked) {
    const answer = await askField(name, isObject(field) ? field : {}, text, ui);
    if (answer === undefined) return { action: "cancel" };
    content[name] = answer;
  }
  return { action: "accept", content };
}

const DECLINED = { action: "decline" } as const;

async function askField(name: string, field: Field, message: string, ui: PiDialogs): Promise<Answer> {
  const label = String(field.title ?? field.description ?? name);
  const title = message === "" ? label : `${message}\n${label}`;
  if (field.type === "boolean") return ui.confirm(label, message);
  if (field.type === "array") return askSeveral(title, choicesOf(isObject(field.items) ? field.items : {}), ui);
  const choices = choicesOf(field);
  if (choices.length > 0) {
    const chosen = await ui.select(
      title,
      choices.map(({ shown }) => shown),
    );
    return choices.find(({ shown }) => shown === chosen)?.value;
  }
  return field.type === "number" || field.type === "integer"
    ? askNumber(title, field, ui)
    : ui.input(title, textOf(field.default));
}

/** Asks again until the text is a number. */
async function askNumber(title: string, field: Field, ui: PiDialogs): Promise<number | undefined> {
  for (;;) {
    const text = await ui.input(title, textOf(field.default));
    if (text === undefined) return undefined;
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (field.type === "integer" ? Number.isInteger(value) : Number.isFinite(value)) return value;
    ui.notify(`${text} is not ${field.type === "integer" ? "an integer" : "a number"}.`, "warning");
  }
}

async function askSeveral(title: string, choices: readonly Choice[], ui: PiDialogs): Promise<string[] | undefined> {
  const text = await ui.input(`${title}\nSeparate them by commas: ${choices.map(({ shown }) => shown).join(", ")}`);
  const words = text?.split(",").map((word) => word.trim());
  return (
    words &&
    choices.filter(({ shown, value }) => words.includes(shown) || words.includes(value)).map(({ value }) => value)
  );
}

interface Choice {
  readonly value: string;
  readonly shown: string;
}

/** `enum`, with `enumNames`, or alternatives with `const` and `title`. */
function choicesOf(field: Field): Choice[] {
  const names = Array.isArray(field.enumNames) ? field.enumNames : [];
  if (Array.isArray(field.enum)) {
    return field.enum.map((value, at) => ({ value: String(value), shown: String(names[at] ?? value) }));
  }
  const alternatives = [field.oneOf, field.anyOf].find(Array.isArray) ?? [];
  return alternatives
    .filter(isObject)
    .map(({ const: value, title }) => ({ value: String(value), shown: String(title ?? value) }));
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}
