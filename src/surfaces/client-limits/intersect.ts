import type { JsonSchema } from "../../core/schema.ts";
import { ANNOTATIONS, asList, distinct, isEqual, isSchema, omit, stringsIn, typeNamesOf } from "./schema-values.ts";

/** Called with a keyword that could not be merged. */
type Lose = (keyword: string, value: unknown) => void;

/**
 * A schema that accepts every value that both schemas accept. If two keywords cannot be merged, the second is dropped, so that
 * the result may accept more.
 */
export function intersect(first: JsonSchema, second: JsonSchema, lose: Lose = () => {}): JsonSchema {
  if (Object.keys(first).length === 0) return second;
  if (Object.keys(second).length === 0) return first;
  const one = omit(first, UNEVALUATED);
  const other = withoutTaken(one, omit(second, UNEVALUATED), lose);
  const entries = Object.entries(other).map(([keyword, value]) => {
    const mine = Object.hasOwn(one, keyword) ? one[keyword] : undefined;
    return [keyword, mine === undefined ? value : both(keyword, mine, value, lose)] as const;
  });
  return { ...one, ...Object.fromEntries(entries) };
}

/** The meaning of these keywords depends on all other keywords. */
const UNEVALUATED = ["unevaluatedProperties", "unevaluatedItems"];

/** Keywords that have a meaning only together. */
const GROUPS = [
  ["items", "prefixItems", "additionalItems"],
  ["contains", "minContains", "maxContains"],
  ["if", "then", "else"],
];

/** If both schemas have keywords of a group, those of the first are kept. */
function withoutTaken(one: JsonSchema, other: JsonSchema, lose: Lose): JsonSchema {
  const taken = GROUPS.filter((group) => group.some((keyword) => keyword in one))
    .flat()
    .filter((keyword) => Object.hasOwn(other, keyword) && !isEqual(one[keyword], other[keyword]));
  for (const keyword of taken) lose(keyword, other[keyword]);
  return omit(other, taken);
}

function both(keyword: string, one: unknown, other: unknown, lose: Lose): unknown {
  if (ANNOTATIONS.includes(keyword) || isEqual(one, other)) return one;
  const combine = Object.hasOwn(COMBINED, keyword) ? COMBINED[keyword] : undefined;
  const combined = combine?.(one, other);
  if (combined !== undefined) return combined;
  lose(keyword, other);
  return one;
}

type Combine = (one: unknown, other: unknown) => unknown;

const smaller: Combine = (one, other) => numbers(one, other, Math.min);
const larger: Combine = (one, other) => numbers(one, other, Math.max);

/** Merges two values of a keyword; undefined if that is not possible. */
const COMBINED: Readonly<Record<string, Combine>> = {
  type: (one, other) => commonTypes(typeNamesOf({ type: one }), typeNamesOf({ type: other })),
  properties: unitedFields,
  patternProperties: unitedFields,
  $defs: (one, other) => ({ ...(other as object), ...(one as object) }),
  definitions: (one, other) => ({ ...(other as object), ...(one as object) }),
  additionalProperties: (one, other) => (one === false || other === false ? false : one === true ? other : one),
  required: (one, other) => [...new Set([...stringsIn(one), ...stringsIn(other)])],
  enum: commonValues,
  allOf: (one, other) => distinct([...asList(one), ...asList(other)]),
  uniqueItems: (one, other) => one === true || other === true,
  nullable: (one, other) => one === true || other === true,
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
};

function unitedFields(one: unknown, other: unknown): unknown {
  if (!isSchema(one) || !isSchema(other)) return undefined;
  const entries = Object.entries(other).map(
    ([name, value]) => [name, Object.hasOwn(one, name) ? bothSchemas(one[name], value) : value] as const,
  );
  return { ...one, ...Object.fromEntries(entries) };
}

function bothSchemas(one: unknown, other: unknown): unknown {
  if (one === false || other === false) return false;
  if (!isSchema(one)) return other;
  return isSchema(other) ? withRef(one, other) : one;
}

/** A schema can have only one `$ref`. */
function withRef(one: JsonSchema, other: JsonSchema): JsonSchema {
  const refers = "$ref" in one || "$ref" in other;
  return refers && !isEqual(one, other) ? { allOf: [one, other] } : intersect(one, other);
}

function commonTypes(one: readonly string[], other: readonly string[]): unknown {
  const common = one.filter((type) => other.includes(type) || (type === "integer" && other.includes("number")));
  const whole = other.includes("integer") && one.includes("number") && !common.includes("integer") ? ["integer"] : [];
  const types = [...common, ...whole];
  return types.length === 0 ? undefined : types.length === 1 ? types[0] : types;
}

function commonValues(one: unknown, other: unknown): unknown {
  const common = asList(one).filter((value) => asList(other).some((each) => isEqual(value, each)));
  return common.length === 0 ? undefined : common;
}

function numbers(one: unknown, other: unknown, pick: (a: number, b: number) => number): unknown {
  return typeof one === "number" && typeof other === "number" ? pick(one, other) : undefined;
}
