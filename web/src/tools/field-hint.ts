import type { Fields } from "./signature.ts";

/** What a field takes, in a few words: `number · 1 to 100`. */
export function fieldHint(schema: Fields): string {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems } =
    schema;
  const kind = typeof type === "string" && !("enum" in schema) && type !== "object" ? type : "";
  const least = minimum ?? exclusiveMinimum ?? minLength ?? minItems;
  const most = maximum ?? exclusiveMaximum ?? maxLength ?? maxItems;
  const unit = "minLength" in schema || "maxLength" in schema ? " characters" : type === "array" ? " items" : "";
  // Fields for text show their default as long as they are empty.
  const isText = ["string", "number", "integer"].includes(String(type)) && !("enum" in schema) && !("oneOf" in schema);
  const byDefault =
    typeof schema.$comment === "string" && !isText ? schema.$comment.replace("Default: ", "default ") : "";
  return [kind, rangeText(least, most, unit), byDefault].filter(Boolean).join(" · ");
}

/** Numbers near the largest that JavaScript can write exactly mean "no limit". */
function rangeText(least: unknown, most: unknown, unit: string): string {
  const from = isLimit(least) ? least : undefined;
  const to = isLimit(most) ? most : undefined;
  if (from !== undefined && to !== undefined) return `${from} to ${to}${unit}`;
  if (from !== undefined) return `at least ${from}${from === 1 ? unit.replace(/s$/, "") : unit}`;
  return to === undefined ? "" : `at most ${to}${to === 1 ? unit.replace(/s$/, "") : unit}`;
}

function isLimit(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

/** The id of the element with the name of a field. The field of an option is labelled by it, since it has no name itself. */
export const nameId = (fieldId: string): string => `${fieldId}-name`;
