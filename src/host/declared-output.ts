import { type Content, textOf } from "../core/result.ts";
import type { Checked, Issue, Schema } from "../core/schema.ts";
import { asSent, type Shaped, shapeDeclared } from "../output/shape-result.ts";
import { verifySchema } from "../schema/lazy-schema.ts";

/** What came of checking a result against the output that its tool declares. */
export type CheckedOutput =
  | { readonly kind: "fits"; readonly shaped: Shaped }
  /** `content` is what the tool said all the same. */
  | { readonly kind: "misfit"; readonly issues: readonly Issue[]; readonly content: readonly Content[] };

/** Rejects where a declared output cannot be checked at all: then the tool had better not run. */
export async function assertUsable(output: Schema): Promise<void> {
  const reason = await verifySchema(output);
  if (reason === undefined) return;
  throw new Error(`The tool was not run, since the output that it declares cannot be checked. ${reason}`);
}

/**
 * Checks what a tool returned against its declared output. The data becomes what the schema makes of it, and where the tool
 * shows nothing else, it is shown. A result that says itself that it failed is not checked. Rejects with a `ToolError` of
 * the code `invalid_output` for what has no JSON form.
 */
export async function checkOutput(output: Schema, returned: unknown): Promise<CheckedOutput> {
  const { value, shaped } = shapeDeclared(returned);
  if (shaped.isError) return { kind: "fits", shaped: { ...shaped, ...withData(asSent(value ?? undefined).data) } };
  const checked = await check(output, value);
  if (!checked.ok) {
    const issues = checked.issues.map(({ path, message }) => ({ path, message: message.replace(ABOUT_INPUT, "") }));
    return { kind: "misfit", issues, content: shown(shaped.content, asSent(value).text) };
  }
  const { data, text } = asSent(checked.value);
  return { kind: "fits", shaped: { ...shaped, content: shown(shaped.content, text), ...withData(data) } };
}

/** Zod takes whatever it checks for an input, and says so. */
const ABOUT_INPUT = /^Invalid input: /;

/** As the tool gave it, for schemas that know dates and the like; else as the JSON that it becomes. */
async function check(output: Schema, value: unknown): Promise<Checked> {
  const checked = await output.check(value);
  return checked.ok || typeof value !== "object" ? checked : output.check(asSent(value).data);
}

function shown(content: readonly Content[], text: string): Content[] {
  return textOf(content) === "" && text !== "" ? [{ type: "text", text }, ...content] : [...content];
}

function withData(data: unknown): { data?: unknown } {
  return data === undefined ? {} : { data };
}
