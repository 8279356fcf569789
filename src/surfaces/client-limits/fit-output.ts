import type { JsonSchema } from "../../core/schema.ts";
import { resolveRef } from "./resolve-ref.ts";
import { ANNOTATIONS, asList, isEqual, isSchema, mapValues, omit, stringsIn } from "./schema-values.ts";

interface FittedOutput {
  readonly schema: JsonSchema;
  readonly changes: readonly string[];
}

const MAX_SCHEMAS = 5000;
const MAX_DEPTH = 64;

/**
 * Reduces an output schema to what every client supports. Clients validate results with different validators, and some drop
 * all tools because of one schema that they cannot compile. The fitted schema has fields and types with references inlined;
 * keywords that validators treat differently are checked only by this process. It accepts all that the author's schema
 * accepts. Returns the same object if nothing is changed.
 */
export function fitOutput(schema: JsonSchema): FittedOutput {
  const walk: Walk = { root: schema, dropped: new Set(), left: { schemas: MAX_SCHEMAS }, inlinedRefs: false };
  const fitted = fitNode(schema, walk, { depth: 0, refs: [] });
  if (isEqual(fitted, schema)) return { schema, changes: [] };
  const dropped = [...walk.dropped].map((keyword) => `"${keyword}"`).join(", ");
  return {
    schema: fitted,
    changes: [
      ...(walk.inlinedRefs ? ["the output: references are inlined"] : []),
      ...(dropped === ""
        ? []
        : [`the output: sent without ${dropped}, which clients treat differently; it is checked here`]),
    ],
  };
}

interface Walk {
  readonly root: JsonSchema;
  readonly dropped: Set<string>;
  /** The remaining number of nodes: inlined references to references can grow exponentially. */
  readonly left: { schemas: number };
  inlinedRefs: boolean;
}

interface Location {
  readonly depth: number;
  /** The references that were inlined on the way to this node. */
  readonly refs: readonly string[];
}

function fitNode(value: unknown, walk: Walk, location: Location): JsonSchema {
  if (value === false) return { not: {} };
  if (!isSchema(value)) return {};
  // References inside a schema with its own `$id` are relative to that schema.
  const hasOwnBase = location.depth > 0 && typeof value.$id === "string";
  if (hasOwnBase || location.depth > MAX_DEPTH || walk.left.schemas-- <= 0) return {};
  if (typeof value.$ref !== "string") return fitKeywords(value, walk, location);
  walk.inlinedRefs = true;
  return joined(fitKeywords(omit(value, ["$ref"]), walk, location), fitTarget(value.$ref, walk, location));
}

/** A reference without a target, or to itself, accepts any value. */
function fitTarget(ref: string, walk: Walk, { depth, refs }: Location): JsonSchema {
  const target = refs.includes(ref) ? undefined : resolveRef(ref, walk.root);
  return target === undefined ? {} : fitNode(target, walk, { depth: depth + 1, refs: [...refs, ref] });
}

/** Merges the keywords beside a reference with its target. Annotations beside the reference win. */
function joined(own: JsonSchema, target: JsonSchema): JsonSchema {
  const isMergeable = (key: string): boolean =>
    ANNOTATIONS.includes(key) || !(key in target) || isEqual(own[key], target[key]);
  if (Object.keys(own).every(isMergeable)) return { ...target, ...own };
  return { ...own, allOf: [...asList(own.allOf), target] };
}

function fitKeywords(schema: JsonSchema, walk: Walk, { depth, refs }: Location): JsonSchema {
  const inner = (value: unknown): JsonSchema => fitNode(value, walk, { depth: depth + 1, refs });
  const fitted: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const fittedValue = SUPPORTED.get(keyword)?.(value, inner, schema);
    if (fittedValue !== undefined) fitted[keyword] = fittedValue;
    else if (!IGNORED.has(keyword)) walk.dropped.add(keyword);
  }
  return orNull(oneOfToAnyOf(fitted), schema);
}

/** The fitted value of a keyword; undefined if the keyword is dropped. */
type FitValue = (value: unknown, inner: (value: unknown) => JsonSchema, beside: JsonSchema) => unknown;

const asIs: FitValue = (value) => value;
const aNumber: FitValue = (value) => (typeof value === "number" ? value : undefined);
const someValues: FitValue = (value) => (asList(value).length > 0 ? value : undefined);
const someSchemas: FitValue = (value, inner) => (asList(value).length > 0 ? asList(value).map(inner) : undefined);
const TYPES = new Set<unknown>(["string", "number", "integer", "boolean", "object", "array", "null"]);

/**
 * The keywords that all validators treat alike, in all drafts. They differ in lengths, formats and patterns of strings, and in
 * multiples of fractions. Keywords that accept less when their children accept more are dropped too.
 */
const SUPPORTED: ReadonlyMap<string, FitValue> = new Map<string, FitValue>([
  ...ANNOTATIONS.filter((keyword) => keyword !== "example").map((keyword) => [keyword, asIs] as const),
  ["type", (value) => ([value].flat().every((name) => TYPES.has(name)) ? value : undefined)],
  ["enum", someValues],
  ["const", asIs],
  ["required", (value) => (Array.isArray(value) ? stringsIn(value) : undefined)],
  ["properties", (value, inner) => (isSchema(value) ? mapValues(value, inner) : undefined)],
  // Without the patterns it would apply to more fields.
  [
    "additionalProperties",
    (value, inner, { patternProperties }) => {
      if (patternProperties !== undefined) return undefined;
      return typeof value === "boolean" ? value : inner(value);
    },
  ],
  // Before 2020-12 it applied to all items.
  [
    "items",
    (value, inner, { prefixItems }) => (prefixItems === undefined && isSchema(value) ? inner(value) : undefined),
  ],
  ...["anyOf", "oneOf", "allOf"].map((keyword) => [keyword, someSchemas] as const),
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map((keyword) => [keyword, aNumber] as const),
  ...["minItems", "maxItems", "minProperties", "maxProperties"].map((keyword) => [keyword, aNumber] as const),
]);

/** Keywords that can be dropped without a change of meaning. */
const IGNORED = new Set(["$schema", "$id", "$defs", "definitions", "$anchor", "$comment", "$vocabulary", "nullable"]);

/** Several fitted alternatives may accept the same value, so "oneOf" becomes "anyOf". */
function oneOfToAnyOf(schema: JsonSchema): JsonSchema {
  const { oneOf, ...rest } = schema;
  if (oneOf === undefined) return schema;
  if (rest.anyOf === undefined) return { ...rest, anyOf: oneOf };
  return { ...rest, allOf: [...asList(rest.allOf), { anyOf: oneOf }] };
}

/** `nullable` is from OpenAPI 3.0. */
function orNull(fitted: JsonSchema, { nullable }: JsonSchema): JsonSchema {
  if (nullable !== true) return fitted;
  const { type, ...rest } = omit(fitted, ["enum", "const"]);
  return type === undefined ? rest : { ...rest, type: [...new Set([type, "null"].flat())] };
}
