import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import { isObject } from "../../../platform/values/is-object.ts";
import type { FormatHost } from "../contributions.ts";

type Content = NonNullable<ElicitResult["content"]>;

/**
 * Asks the user for the fields of a form, one after another, in the session of the running call. Without a user interface, or
 * if the user closes the question about a required field, the request is cancelled.
 */
export async function elicit({ params }: ElicitRequest, host: FormatHost, signal: AbortSignal): Promise<ElicitResult> {
  if (!host.hasUI || params.mode === "url" || !("requestedSchema" in params)) return { action: "cancel" };
  const { properties, required = [] } = params.requestedSchema;
  const fields = Object.entries(properties);
  if (fields.length === 0) return confirmed(params.message, host, signal);
  const content: Content = {};
  for (const [name, schema] of fields) {
    const answer = await askField(`${params.message}\n${labelOf(name, schema)}`, schema, host, signal);
    if (answer !== undefined) content[name] = answer;
    else if (required.includes(name)) return { action: "cancel" };
  }
  return { action: "accept", content };
}

async function confirmed(message: string, host: FormatHost, signal: AbortSignal): Promise<ElicitResult> {
  const isYes = await host.ui("confirm", [message, ""], signal);
  if (typeof isYes !== "boolean") return { action: "cancel" };
  return isYes ? { action: "accept", content: {} } : { action: "decline" };
}

function labelOf(name: string, schema: unknown): string {
  const { title, description } = isObject(schema) ? schema : {};
  return [title ?? name, description].filter((each) => typeof each === "string").join(": ");
}

/** Undefined if the user gives no answer, or one that does not fit the schema. */
async function askField(
  question: string,
  schema: unknown,
  host: FormatHost,
  signal: AbortSignal,
): Promise<Content[string] | undefined> {
  const choices = choicesOf(schema);
  if (choices.length > 0) {
    const picked = await host.ui("select", [question, choices.map(({ label }) => label)], signal);
    return choices.find(({ label }) => label === picked)?.value;
  }
  const { type } = isObject(schema) ? schema : {};
  if (type === "boolean") {
    const isYes = await host.ui("confirm", [question, ""], signal);
    return typeof isYes === "boolean" ? isYes : undefined;
  }
  const text = await host.ui("input", [question], signal);
  if (typeof text !== "string" || text === "") return undefined;
  if (type !== "number" && type !== "integer") return text;
  return Number.isFinite(Number(text)) ? Number(text) : undefined;
}

/** The values of a field with a closed set of values, in each of the forms of the protocol. */
function choicesOf(schema: unknown): { label: string; value: string }[] {
  if (!isObject(schema)) return [];
  const { enum: values, enumNames, oneOf } = schema;
  if (Array.isArray(oneOf)) {
    return oneOf
      .filter(isObject)
      .map((each) => ({ label: String(each.title ?? each.const), value: String(each.const) }));
  }
  const names = Array.isArray(enumNames) ? enumNames : [];
  return Array.isArray(values)
    ? values.map((value, at) => ({ label: String(names[at] ?? value), value: String(value) }))
    : [];
}
