import type { Schema } from "../../../core/schema.ts";
import { readDeclaredInput } from "../build-tool.ts";
import { mapChecked } from "../frameworks/checked-input.ts";

/** The schema of `parameters` in the definition of a tool, with its own messages if it has `formatValidationError`. */
export async function definedInput(
  definition: { readonly parameters?: unknown; formatValidationError?(error: unknown): unknown },
  id: string,
): Promise<Schema> {
  const schema = await readDeclaredInput(definition, ["parameters"], id);
  const { parameters } = definition;
  if (!definition.formatValidationError || !canParse(parameters)) return schema;
  return mapChecked(schema, async (checked, input) => {
    if (checked.ok) return checked;
    const { error } = await parameters.safeParseAsync(input);
    return { ok: false, issues: [{ path: "", message: String(definition.formatValidationError?.(error)) }] };
  });
}

/** `formatValidationError` receives the error of Zod. */
function canParse(value: unknown): value is { safeParseAsync(input: unknown): Promise<{ error?: unknown }> } {
  return typeof value === "object" && value !== null && "safeParseAsync" in value;
}
