import { type Content, type ShapedResult, textOf } from "../../core/result.ts";
import type { Checked, Issue, Schema } from "../../core/schema.ts";
import { asSent, shapeDeclared } from "../output/shape-result.ts";
import { verifySchema } from "../schema/lazy-schema.ts";
import { SlowCheck } from "../schema/slow-check.ts";

/** The result of checking what a tool returned against its declared output. */
export type CheckedOutput =
  | { readonly kind: "fits"; readonly shaped: ShapedResult }
  /** `content` is what the tool returned. */
  | { readonly kind: "misfit"; readonly issues: readonly Issue[]; readonly content: readonly Content[] }
  /** The check took too long and was stopped. */
  | { readonly kind: "slow"; readonly parts: readonly string[]; readonly content: readonly Content[] };

/** Rejects if the declared output cannot be compiled, before the tool runs. */
export async function assertUsable(output: Schema): Promise<void> {
  const reason = await verifySchema(output);
  if (reason === undefined) return;
  throw new Error(`The tool was not run, since the output that it declares cannot be checked. ${reason}`);
}

/**
 * Checks what a tool returned against its declared output. The data is what the schema parses, and becomes the content if
 * the tool returned none. A result with `isError` is not checked. Rejects with a `ToolError` of the code `invalid_output` if
 * the data cannot be written as JSON.
 */
export async function checkOutput(output: Schema, returned: unknown): Promise<CheckedOutput> {
  const { value, shaped } = shapeDeclared(returned);
  if (shaped.isError) return { kind: "fits", shaped: { ...shaped, ...withData(asSent(value ?? undefined).data) } };
  const checked = await check(output, value).catch(slowPartsOf);
  if ("parts" in checked) return { kind: "slow", ...checked, content: shown(shaped.content, asSent(value).text) };
  if (!checked.ok) {
    const issues = checked.issues.map(({ path, message }) => ({ path, message: message.replace(ABOUT_INPUT, "") }));
    return { kind: "misfit", issues, content: shown(shaped.content, asSent(value).text) };
  }
  const { data, text } = asSent(checked.value);
  return { kind: "fits", shaped: { ...shaped, content: shown(shaped.content, text), ...withData(data) } };
}

/** Zod's prefix, which would be wrong for an output. */
const ABOUT_INPUT = /^Invalid input: /;

/** Rethrows other errors. */
function slowPartsOf(error: unknown): Pick<SlowCheck, "parts"> {
  if (SlowCheck.is(error)) return { parts: error.parts };
  throw error;
}

/** Checks the value itself, for schemas that accept dates and the like, then its JSON. */
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
