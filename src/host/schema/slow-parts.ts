import type { JsonSchema } from "../../core/schema.ts";
import { escapeStep, type MutableSchema, walkSchema } from "./walk-schema.ts";

/** Formats whose check takes quadratic time for some values. */
const SLOW_FORMATS: ReadonlySet<unknown> = new Set(["url", "uri-template"]);
const CHOICES = ["anyOf", "oneOf", "allOf", "if"];

/**
 * The parts of a schema whose check may take more than linear time, as text for a message: some value makes them slow.
 * None: the check takes linear time for every value.
 */
export function slowPartsOf(json: JsonSchema): string[] {
  const parts: string[] = [];
  let refersAt: string | undefined;
  let hasChoices = false;
  walkSchema(json, (node, pointer) => {
    parts.push(...slowKeywords(node).map((keyword) => `${pointer}/${keyword}`));
    if ("$ref" in node || "$dynamicRef" in node || "$recursiveRef" in node) refersAt ??= pointer;
    hasChoices ||= CHOICES.some((keyword) => keyword in node);
  });
  // Alternatives that refer to themselves are checked again at each level of a value.
  return refersAt !== undefined && hasChoices ? [...parts, `${refersAt}/$ref`] : parts;
}

function slowKeywords({ pattern, patternProperties, uniqueItems, format }: MutableSchema): string[] {
  const names = typeof patternProperties === "object" ? Object.keys(patternProperties ?? {}) : [];
  return [
    ...(typeof pattern === "string" && mayBacktrack(pattern) ? ["pattern"] : []),
    ...names.filter(mayBacktrack).map((name) => `patternProperties/${escapeStep(name)}`),
    ...(uniqueItems === true ? ["uniqueItems"] : []),
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
