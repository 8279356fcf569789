import type { JsonSchema } from "../core/schema.ts";
import { resolveRef } from "./resolve-ref.ts";
import { ANNOTATIONS, isSchema, listed, mapped, same, textsIn, without } from "./schema-parts.ts";

/** The schema of an output as it is sent, and what was changed, a sentence each. */
export interface FittedOutput {
  readonly schema: JsonSchema;
  readonly changes: readonly string[];
}

const MOST_SCHEMAS = 5000;
const DEEPEST = 64;

/**
 * The schema of an output that every client can take. Clients check results against it, each with a validator of its own, and
 * several lose the whole list of tools over one that they cannot compile. So it says of what fields and types an output is
 * made, with references written out, and leaves to our own check what validators read differently. It holds for all that the
 * author's holds for. The same object comes back where nothing is changed.
 */
export function fitOutput(schema: JsonSchema): FittedOutput {
  const walk: Walk = { root: schema, lost: new Set(), left: { schemas: MOST_SCHEMAS }, wroteOut: false };
  const fitted = fitNode(schema, walk, { depth: 0, refs: [] });
  if (same(fitted, schema)) return { schema, changes: [] };
  const lost = [...walk.lost].map((keyword) => `"${keyword}"`).join(", ");
  return {
    schema: fitted,
    changes: [
      ...(walk.wroteOut ? ["the output: references are written out"] : []),
      ...(lost === "" ? [] : [`the output: sent without ${lost}, which clients read differently; it is checked here`]),
    ],
  };
}

interface Walk {
  readonly root: JsonSchema;
  readonly lost: Set<string>;
  /** How many more schemas may be made: written out, references to references grow without bound. */
  readonly left: { schemas: number };
  wroteOut: boolean;
}

interface Place {
  readonly depth: number;
  /** The references that were followed on the way. */
  readonly refs: readonly string[];
}

function fitNode(value: unknown, walk: Walk, place: Place): JsonSchema {
  if (value === false) return { not: {} };
  if (!isSchema(value)) return {};
  // Inside a schema with an address of its own, references mean something else.
  const isElsewhere = place.depth > 0 && typeof value.$id === "string";
  if (isElsewhere || place.depth > DEEPEST || walk.left.schemas-- <= 0) return {};
  if (typeof value.$ref !== "string") return fitKeywords(value, walk, place);
  walk.wroteOut = true;
  return joined(fitKeywords(without(value, ["$ref"]), walk, place), fitTarget(value.$ref, walk, place));
}

/** What leads nowhere, or back to itself, may be anything. */
function fitTarget(ref: string, walk: Walk, { depth, refs }: Place): JsonSchema {
  const target = refs.includes(ref) ? undefined : resolveRef(ref, walk.root);
  return target === undefined ? {} : fitNode(target, walk, { depth: depth + 1, refs: [...refs, ref] });
}

/** Both hold. What stands beside a reference tells more of it than what it leads to. */
function joined(own: JsonSchema, target: JsonSchema): JsonSchema {
  const isTold = (key: string): boolean => ANNOTATIONS.includes(key) || !(key in target) || same(own[key], target[key]);
  if (Object.keys(own).every(isTold)) return { ...target, ...own };
  return { ...own, allOf: [...listed(own.allOf), target] };
}

function fitKeywords(schema: JsonSchema, walk: Walk, { depth, refs }: Place): JsonSchema {
  const inner = (value: unknown): JsonSchema => fitNode(value, walk, { depth: depth + 1, refs });
  const fitted: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const kept = KEPT.get(keyword)?.(value, inner, schema);
    if (kept !== undefined) fitted[keyword] = kept;
    else if (!SILENT.has(keyword)) walk.lost.add(keyword);
  }
  return orNull(oneAsAny(fitted), schema);
}

/** What becomes of a keyword's value; undefined where it is left out. */
type Keep = (value: unknown, inner: (value: unknown) => JsonSchema, beside: JsonSchema) => unknown;

const asIs: Keep = (value) => value;
const aNumber: Keep = (value) => (typeof value === "number" ? value : undefined);
const someValues: Keep = (value) => (listed(value).length > 0 ? value : undefined);
const someSchemas: Keep = (value, inner) => (listed(value).length > 0 ? listed(value).map(inner) : undefined);
const TYPES = new Set<unknown>(["string", "number", "integer", "boolean", "object", "array", "null"]);

/**
 * What all validators read alike, of any draft. A text's length, form and pattern, and multiples of fractions, they do not;
 * nor what holds for fewer values when its parts hold for more.
 */
const KEPT: ReadonlyMap<string, Keep> = new Map<string, Keep>([
  ...ANNOTATIONS.filter((keyword) => keyword !== "example").map((keyword) => [keyword, asIs] as const),
  ["type", (value) => ([value].flat().every((name) => TYPES.has(name)) ? value : undefined)],
  ["enum", someValues],
  ["const", asIs],
  ["required", (value) => (Array.isArray(value) ? textsIn(value) : undefined)],
  ["properties", (value, inner) => (isSchema(value) ? mapped(value, inner) : undefined)],
  // What other names may be is no longer known.
  [
    "additionalProperties",
    (value, inner, { patternProperties }) => {
      if (patternProperties !== undefined) return undefined;
      return typeof value === "boolean" ? value : inner(value);
    },
  ],
  // Before 2020-12, this was about all items.
  [
    "items",
    (value, inner, { prefixItems }) => (prefixItems === undefined && isSchema(value) ? inner(value) : undefined),
  ],
  ...["anyOf", "oneOf", "allOf"].map((keyword) => [keyword, someSchemas] as const),
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map((keyword) => [keyword, aNumber] as const),
  ...["minItems", "maxItems", "minProperties", "maxProperties"].map((keyword) => [keyword, aNumber] as const),
]);

/** What says nothing of a value itself. */
const SILENT = new Set(["$schema", "$id", "$defs", "definitions", "$anchor", "$comment", "$vocabulary", "nullable"]);

/** Of alternatives that hold for more than they did, several may hold at once. */
function oneAsAny(schema: JsonSchema): JsonSchema {
  const { oneOf, ...rest } = schema;
  if (oneOf === undefined) return schema;
  if (rest.anyOf === undefined) return { ...rest, anyOf: oneOf };
  return { ...rest, allOf: [...listed(rest.allOf), { anyOf: oneOf }] };
}

/** What is left of OpenAPI's schemas in many. */
function orNull(fitted: JsonSchema, { nullable }: JsonSchema): JsonSchema {
  if (nullable !== true) return fitted;
  const { type, ...rest } = without(fitted, ["enum", "const"]);
  return type === undefined ? rest : { ...rest, type: [...new Set([type, "null"].flat())] };
}
