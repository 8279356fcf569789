import type { JsonSchema } from "../../core/schema.ts";
import { escapeStep, type MutableSchema, walkSchema } from "./walk-schema.ts";

/** Formats whose check takes quadratic time for some values. */
const SLOW_FORMATS: ReadonlySet<unknown> = new Set(["url", "uri-template"]);
/** Ajv compares a value with each entry of a longer `enum`, in a loop. */
const MAX_ENUM = 200;
const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"];

/**
 * The parts of a schema whose check may take more than linear time, as text for a message: some value makes them slow.
 * None: the check takes linear time for every value.
 */
export function slowPartsOf(json: JsonSchema): string[] {
  const parts: string[] = [];
  let reference: string | undefined;
  walkSchema(json, (node, pointer) => {
    parts.push(...slowKeywords(node).map((keyword) => `${pointer}/${keyword}`));
    const keyword = REFERENCES.find((each) => each in node);
    if (keyword !== undefined) reference ??= `${pointer}/${keyword}`;
  });
  // A part that is reached in two ways is checked twice, and its parts four times. Ajv copies all errors after each reference.
  return reference === undefined ? parts : [...parts, reference];
}

function slowKeywords({ pattern, patternProperties, uniqueItems, format, enum: values }: MutableSchema): string[] {
  const names = typeof patternProperties === "object" ? Object.keys(patternProperties ?? {}) : [];
  return [
    ...(typeof pattern === "string" && mayBacktrack(pattern) ? ["pattern"] : []),
    ...names.filter(mayBacktrack).map((name) => `patternProperties/${escapeStep(name)}`),
    ...(uniqueItems === true ? ["uniqueItems"] : []),
    ...(Array.isArray(values) && values.length > MAX_ENUM ? ["enum"] : []),
    ...(SLOW_FORMATS.has(format) ? ["format"] : []),
  ];
}

/** One character: a class, an escape without a reference to a group, or a plain character. */
const CHARACTER = /(?:\[(?:\\.|[^\]\\])*\]|\\[^\dk]|[^\\()[\]|*+?{}^$])/.source;
const FIXED = /(?:\{\d{1,3}\})?/.source;
const REPEATED = /(?:[*+?]|\{\d+(?:,\d*)?\})?\??/.source;
/** Characters from the start of the text, of which one at most is repeated. */
const SIMPLE = new RegExp(
  `^\\^(?:${CHARACTER}${FIXED})*(?:${CHARACTER}${REPEATED})?(?:${CHARACTER}${FIXED})*\\$?$`,
  "s",
);
/** A longer pattern counts as slow: no simple one is that long. */
const MAX_SIMPLE = 200;

function mayBacktrack(pattern: string): boolean {
  return pattern.length > MAX_SIMPLE || !SIMPLE.test(pattern);
}
