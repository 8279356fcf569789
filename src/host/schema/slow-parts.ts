import type { JsonSchema } from "../../core/schema.ts";
import { escapeStep, type MutableSchema, walkSchema } from "./walk-schema.ts";

/** Formats whose check takes quadratic time for some values. */
const SLOW_FORMATS: ReadonlySet<unknown> = new Set(["url", "uri-template"]);
/** Ajv compares a value with each entry of a longer `enum`, in a loop. */
const MAX_ENUM = 200;
/** Keywords that check the same value, or a part that other keywords check too. */
const REPEATING = "anyOf oneOf allOf if not dependentSchemas dependencies contains patternProperties".split(" ");
const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"];
/** Keywords that check parts of a value. */
const DESCENDING = "properties additionalProperties items prefixItems additionalItems".split(" ");

/**
 * The parts of a schema whose check may take more than linear time, as text for a message: some value makes them slow.
 * None: the check takes linear time for every value.
 */
export function slowPartsOf(json: JsonSchema): string[] {
  const parts: string[] = [];
  const visited = new Set<string>();
  const references: Reference[] = [];
  let repeats = false;
  walkSchema(json, (node, pointer) => {
    visited.add(pointer);
    parts.push(...slowKeywords(node).map((keyword) => `${pointer}/${keyword}`));
    for (const keyword of REFERENCES)
      if (keyword in node) references.push({ at: `${pointer}/${keyword}`, to: node[keyword] });
    repeats ||= repeatsChecks(node);
  });
  // A part that is reached in two ways is checked twice, and the parts of that part four times.
  const [first] = references;
  if (first && repeats) return [...parts, first.at];
  return [...parts, ...references.filter(({ to }) => !visited.has(String(to))).map(({ at }) => at)];
}

interface Reference {
  readonly at: string;
  /** What is at another place than schemas are is not looked at, and counts as slow. */
  readonly to: unknown;
}

function repeatsChecks(node: MutableSchema): boolean {
  const has = (keyword: string): boolean => keyword in node;
  return REPEATING.some(has) || REFERENCES.filter(has).length + Number(DESCENDING.some(has)) > 1;
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
