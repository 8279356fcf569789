import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { ROUNDS } from "../../../test/support/rounds.ts";
import type { JsonSchema } from "../../core/schema.ts";
import { CLIENT_LIMITS } from "./client-limits.ts";
import { fitSchema } from "./fit-schema.ts";
import type { SchemaRules } from "./schema-rules.ts";
import { asList, isSchema } from "./schema-values.ts";

const SEEDS = ROUNDS;
const FITTED = CLIENT_LIMITS.flatMap(({ id, schemas }) => (schemas === undefined ? [] : [[id, schemas] as const]));

describe("a fitted schema", () => {
  it.each(FITTED)("[M5] for %s accepts all that the author's schema accepts", (id, rules) => {
    let accepted = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = randomFrom(seed);
      const schema = randomRoot(random);
      const { schema: fitted } = fitSchema(schema, rules);
      const holdsBefore = checkerOf(schema);
      if (holdsBefore === undefined) continue;
      const holdsAfter = checker(withNull(fitted) as JsonSchema);
      for (let count = 0; count < 24; count++) {
        const sample = sampleOf(schema, schema, random);
        const value = count % 3 > 0 ? mutated(sample, random) : sample;
        if (!holds(holdsBefore, value) || !namesItsFields(value, schema)) continue;
        accepted++;
        if (!holdsAfter(value)) {
          expect.fail(`${id}, seed ${seed}: ${JSON.stringify({ value, schema, fitted, errors: holdsAfter.errors })}`);
        }
      }
    }
    expect(accepted).toBeGreaterThan(SEEDS * 3);
  });

  it.each(FITTED)("[M5] for %s accepts no less inside not, if, oneOf and contains", (id, rules) => {
    for (const guarded of GUARDED) {
      const schema = { type: "object", properties: { x: guarded }, $defs: { Z: { enum: [1, 2] } } };
      const holdsBefore = checker(schema);
      const holdsAfter = checker(withNull(fitSchema(schema, rules).schema) as JsonSchema);
      for (const x of guarded.examples) {
        expect([id, guarded, x, holdsBefore({ x })]).toEqual([id, guarded, x, true]);
        expect([id, guarded, x, holdsAfter({ x })]).toEqual([id, guarded, x, true]);
      }
    }
  });

  it.each(FITTED)("[M5] for %s contains nothing that the client refuses", (id, rules) => {
    for (let seed = 1; seed <= SEEDS * 2; seed++) {
      const schema = randomRoot(randomFrom(seed));
      const { schema: fitted, changes } = fitSchema(schema, rules);
      const refused = refusedIn(fitted, rules);
      if (refused.length > 0) expect.fail(`${id}, seed ${seed}: ${refused[0]}`);
      expect(changes.length > 0).toBe(fitted !== schema);
      // Fitting is idempotent.
      expect(fitSchema(fitted, rules).schema, `${id}, seed ${seed}`).toEqual(fitted);
    }
  });
});

/** The keywords in a schema that the rules forbid. */
function refusedIn(schema: JsonSchema, rules: SchemaRules): string[] {
  const found: string[] = [];
  const atRoot = ["$ref", "anyOf", "oneOf", "allOf", "not", "if", "enum", "const"];
  if (rules.plainRoot)
    found.push(...atRoot.filter((keyword) => keyword in schema).map((each) => `${each} at the root`));
  if (schema.type !== "object") found.push("the root is no object");
  if (/draft-0/.test(String(schema.$schema))) found.push("an old draft");
  for (const [node, keyword] of nodesIn(schema)) {
    found.push(...refusedAt(node, keyword, rules).map((what) => `${what} in ${JSON.stringify(node)}`));
  }
  return found;
}

function refusedAt(node: unknown, under: string, rules: SchemaRules): string[] {
  if (!isSchema(node)) {
    const isSwitch = ["items", "additionalProperties", "unevaluatedProperties", "unevaluatedItems"].includes(under);
    return (rules.booleans || rules.everyType) && !isSwitch ? [`${node} under ${under}`] : [];
  }
  const types = [node.type ?? []].flat() as string[];
  const says = (what: string, ...keywords: string[]) => (keywords.some((each) => each in node) ? [what] : []);
  return [
    ...(rules.refs ? says("a reference", "$ref", "$defs", "definitions") : []),
    ...(rules.oneOf ? says("oneOf", "oneOf") : []),
    ...(rules.allOf ? says("allOf", "allOf") : []),
    ...(rules.typeLists && Array.isArray(node.type) ? ["a list of types"] : []),
    ...(rules.typeLists === "nullable" && rules.everyType && types.includes("null") && under === "anyOf"
      ? ["null"]
      : []),
    ...(rules.everyType && types.length === 0
      ? says("", "anyOf", "oneOf", "allOf").length === 0
        ? ["no type"]
        : []
      : []),
    ...(rules.enums && asList(node.enum).some((each) => typeof each !== "string" || each === "") ? ["values"] : []),
    ...(rules.tuples ? says("a tuple", "prefixItems") : []),
    ...(Array.isArray(node.items) ? ["a list of items"] : []),
    ...(rules.arrays && types.includes("array") && !isSchema(node.items) ? ["no items"] : []),
    ...(rules.objects && types.includes("object") && !isSchema(node.properties) ? ["no properties"] : []),
    ...Object.keys(node).filter((keyword) => rules.keywords && keyword !== "nullable" && !rules.keywords.has(keyword)),
    ...Object.keys(node).filter((keyword) => rules.refused?.has(keyword)),
    ...(rules.formats && node.format !== undefined && !rules.formats.has(String(node.format)) ? ["a format"] : []),
    ...(rules.alternatives
      ? asList(node.anyOf).filter((each) => !isSchema(each) || typeof each.type !== "string" || each.type === "integer")
      : []
    ).map(() => "an alternative without a type"),
  ];
}

function* nodesIn(node: unknown, under = "root"): Generator<readonly [unknown, string]> {
  yield [node, under];
  if (!isSchema(node)) return;
  for (const [keyword, value] of Object.entries(node)) {
    if (["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"].includes(keyword)) {
      for (const each of Object.values(value as JsonSchema)) yield* nodesIn(each, keyword);
    } else if (["anyOf", "oneOf", "allOf", "prefixItems"].includes(keyword)) {
      for (const each of asList(value)) yield* nodesIn(each, keyword);
    } else if (
      ["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"].includes(keyword)
    ) {
      yield* nodesIn(value, keyword);
    }
  }
}

/** A validator like that of the pipeline. */
function checker(schema: JsonSchema): ReturnType<Ajv["compile"]> {
  const options = { strict: false, ownProperties: true, validateSchema: false, logger: false } as const;
  const ajv = String(schema.$schema).includes("draft-07") ? new Ajv(options) : new Ajv2020(options);
  formats.default(ajv);
  return ajv.compile(schema);
}

/** Undefined for a schema that is only a reference to itself. */
function checkerOf(schema: JsonSchema): ReturnType<Ajv["compile"]> | undefined {
  try {
    return checker(schema);
  } catch {
    return undefined;
  }
}

/** False if the validation recurses without end. */
function holds(check: ReturnType<Ajv["compile"]>, value: unknown): boolean {
  try {
    return check(value) === true;
  } catch {
    return false;
  }
}

/**
 * Whether an alternative at the root that accepts a value describes all of its fields that any alternative describes.
 * Otherwise the fitted schema may refuse the value, because a field must match the description in another alternative.
 */
function namesItsFields(value: unknown, root: JsonSchema): boolean {
  const choices = alternativesIn(root, root);
  const known = new Set(choices.flatMap((choice) => choice.flatMap(namesIn)));
  const definitions = { $schema: root.$schema, $defs: root.$defs, definitions: root.definitions };
  return choices.some((choice) => {
    const own = choice.flatMap(namesIn);
    const strangers = Object.keys(value as object).filter((name) => known.has(name) && !own.includes(name));
    if (strangers.length > 0) return false;
    const check = checkerOf({ ...JSON.parse(JSON.stringify(definitions)), allOf: choice });
    return check !== undefined && holds(check, value);
  });
}

/** The schemas that apply together, for each alternative of a schema. */
function alternativesIn(schema: unknown, root: JsonSchema, depth = 0): JsonSchema[][] {
  if (!isSchema(schema) || depth > 6) return schema === false ? [] : [[{}]];
  const { $ref, anyOf, oneOf, allOf, ...own } = schema;
  const definitions = (root.$defs ?? root.definitions) as JsonSchema;
  const target = $ref === "#" ? root : definitions[String($ref).split("/").at(-1) ?? ""];
  const childLocation = (part: unknown): JsonSchema[][] => alternativesIn(part, root, depth + 1);
  const groups = [
    ...($ref === undefined ? [] : [childLocation(target)]),
    ...asList(allOf).map(childLocation),
    ...[anyOf, oneOf].filter((union) => union !== undefined).map((union) => asList(union).flatMap(childLocation)),
  ];
  return groups.reduce<JsonSchema[][]>(
    (sofar, group) => sofar.flatMap((one) => group.map((other) => [...one, ...other])).slice(0, 300),
    [[own]],
  );
}

function namesIn({ properties }: JsonSchema): string[] {
  return isSchema(properties) ? Object.keys(properties) : [];
}

/** Replaces `nullable` by the type "null". */
function withNull(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNull);
  if (!isSchema(node)) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withNull(value)]));
  if (inner.nullable !== true) return inner;
  const { nullable: _, ...rest } = inner;
  return {
    ...rest,
    type: [rest.type, "null"].flat(),
    ...(Array.isArray(rest.enum) ? { enum: [...rest.enum, null] } : {}),
  };
}

// Random schemas and values, reproducible by their seed.

interface Random {
  /** An integer from 0 to `below` - 1. */
  below(below: number): number;
  one<T>(choices: readonly T[]): T;
  maybe(percent: number): boolean;
}

function randomFrom(seed: number): Random {
  let state = seed * 0x9e3779b1;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    one: <T>(choices: readonly T[]): T => choices[below(choices.length)] as T,
    maybe: (percent) => below(100) < percent,
  };
}

const NAMES = ["a", "b", "c", "d e", "p1"];
const DEFINITIONS = ["X", "Y"];
const CONDITION = JSON.parse('{ "if": { "required": ["a"] }, "then": { "required": ["b"] } }') as JsonSchema;

function randomRoot(random: Random): JsonSchema {
  const isOld = random.maybe(25);
  const base = { ...objectSchema(random, 3, isOld), type: "object" };
  const combiner = random.maybe(50) ? random.one(["anyOf", "oneOf", "allOf"]) : undefined;
  const parts = () => Array.from({ length: 1 + random.below(3) }, () => rootPart(random, isOld));
  const definitions = {
    ...Object.fromEntries(DEFINITIONS.map((name) => [name, randomSchema(random, 2, isOld)])),
    Z: { enum: [1, 2] },
  };
  return {
    ...(isOld ? { $schema: "http://json-schema.org/draft-07/schema#" } : {}),
    ...base,
    ...(combiner ? { [combiner]: parts() } : {}),
    ...(random.maybe(10) ? { not: { required: ["zz"] } } : {}),
    ...(random.maybe(10) ? CONDITION : {}),
    [isOld ? "definitions" : "$defs"]: definitions,
  } as JsonSchema;
}

function rootPart(random: Random, isOld: boolean): unknown {
  if (random.maybe(10)) return { required: [random.one(NAMES)] };
  if (random.maybe(10)) return { $ref: `#/${isOld ? "definitions" : "$defs"}/${random.one(DEFINITIONS)}` };
  return objectSchema(random, 2, isOld);
}

function randomSchema(random: Random, depth: number, isOld: boolean): unknown {
  const leaf = [scalarSchema, scalarSchema, valuesSchema, anySchema];
  const inner = [
    objectSchema,
    objectSchema,
    arraySchema,
    unionSchema,
    unionSchema,
    refSchema,
    typesSchema,
    guardedSchema,
  ];
  const schema = random.one(depth > 0 ? [...leaf, ...inner] : leaf)(random, depth, isOld);
  if (!isSchema(schema)) return schema;
  return {
    ...schema,
    ...(random.maybe(20) ? { description: "Some words" } : {}),
    ...(random.maybe(10) ? { title: "T" } : {}),
    ...(random.maybe(10) && !("$ref" in schema)
      ? { not: random.one([{ const: "never" }, { type: "null" }, { $ref: `#/${isOld ? "definitions" : "$defs"}/X` }]) }
      : {}),
  };
}

function scalarSchema(random: Random): JsonSchema {
  return random.one([
    () => ({ type: "string", ...(random.maybe(30) ? { minLength: random.below(3) } : {}) }),
    () => ({ type: "string", pattern: "^[a-c]+$", maxLength: 4 }),
    () => ({ type: "string", format: random.one(["date", "date-time", "email"]) }),
    () => ({ type: "number", minimum: -5, exclusiveMaximum: 10 }),
    () => ({ type: "integer", multipleOf: 2 }),
    () => ({ type: "boolean", default: true }),
    () => ({ type: "null" }),
  ])();
}

function valuesSchema(random: Random): JsonSchema {
  return random.one<JsonSchema>([
    { enum: ["x", "y"] },
    { type: "string", enum: ["x", ""] },
    { enum: [1, 2, 3] },
    { enum: ["x", null, 5, true] },
    { type: ["string", "null"], enum: ["x", null] },
    { const: "x" },
    { const: 7 },
    { const: { a: 1 } },
  ]);
}

function anySchema(random: Random): unknown {
  return random.one<unknown>([{}, { description: "Whatever" }, true]);
}

function objectSchema(random: Random, depth: number, isOld: boolean): JsonSchema {
  const names = NAMES.filter(() => random.maybe(45));
  const properties = Object.fromEntries(names.map((name) => [name, randomSchema(random, depth - 1, isOld)]));
  const required = [...names, "undescribed"].filter((name) => random.maybe(name === "undescribed" ? 3 : 40));
  const others = random.below(10);
  return {
    type: "object",
    ...(random.maybe(90) ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(others < 3 ? { additionalProperties: false } : {}),
    ...(others === 3 ? { additionalProperties: randomSchema(random, 0, isOld) } : {}),
    ...(others === 4 ? { patternProperties: { "^p": { type: "string" } }, additionalProperties: false } : {}),
    ...(others === 5 && !isOld ? { unevaluatedProperties: false } : {}),
    ...(others === 6 ? { minProperties: 1, propertyNames: { maxLength: 12 } } : {}),
    ...(others === 7 ? (isOld ? { dependencies: { a: ["b"] } } : { dependentRequired: { a: ["b"] } }) : {}),
  };
}

function arraySchema(random: Random, depth: number, isOld: boolean): JsonSchema {
  const item = (): unknown => randomSchema(random, depth - 1, isOld);
  const pair = [item(), item()];
  const rest = random.one<unknown>([undefined, false, item()]);
  const tuple = isOld
    ? { items: pair, ...(rest === undefined ? {} : { additionalItems: rest }) }
    : { prefixItems: pair, ...(rest === undefined ? {} : { items: rest }) };
  return random.one<JsonSchema>([
    { type: "array", items: item() },
    { type: "array", items: item(), minItems: 1, uniqueItems: true },
    { type: "array" },
    { type: "array", ...tuple },
    { type: "array", contains: item(), ...(isOld ? {} : { minContains: random.below(2) }) },
  ]);
}

function unionSchema(random: Random, depth: number, isOld: boolean): JsonSchema {
  const parts = Array.from({ length: 2 + random.below(2) }, () => randomSchema(random, depth - 1, isOld));
  return {
    [random.one(["anyOf", "anyOf", "oneOf", "allOf"])]: random.maybe(25) ? [parts[0], { type: "null" }] : parts,
  };
}

function refSchema(random: Random, _depth: number, isOld: boolean): JsonSchema {
  return { $ref: random.maybe(10) ? "#" : `#/${isOld ? "definitions" : "$defs"}/${random.one(DEFINITIONS)}` };
}

function typesSchema(random: Random): JsonSchema {
  return random.one<JsonSchema>([
    { type: ["string", "null"], maxLength: 5 },
    { type: ["number", "string"], minimum: 1, minLength: 1 },
    { type: ["array", "null", "boolean"] },
    { type: ["object", "null"], properties: { a: { type: "string" } } },
  ]);
}

/** Keywords that accept less when their children accept more. */
const GUARDED: readonly (JsonSchema & { readonly examples: readonly unknown[] })[] = [
  { oneOf: [{ enum: [1, 2, 3] }, { type: "integer", minimum: 4 }], examples: [2, 5] },
  {
    oneOf: [
      { type: "string", format: "date" },
      { type: "string", minLength: 12 },
    ],
    examples: ["2024-05-06", "twelve letters"],
  },
  { oneOf: [{ $ref: "#/$defs/Z" }, { type: "number", minimum: 4 }], examples: [1, 5] },
  { not: { enum: [1, 2] }, examples: [3, "abc"] },
  { not: { type: "array", prefixItems: [{ const: 1 }] }, examples: [[2]] },
  { type: "array", contains: { enum: [1] }, maxContains: 1, examples: [[1, 2], [1]] },
  {
    type: "array",
    contains: { type: "string", format: "date" },
    minContains: 0,
    maxContains: 1,
    examples: [["a", "b"], []],
  },
  {
    type: "object",
    ...JSON.parse('{ "if": { "properties": { "a": { "enum": [1] } } }, "then": { "required": ["b"] } }'),
    examples: [{ a: 2 }],
  },
  {
    type: "object",
    anyOf: [
      { properties: { a: { enum: [1] } }, required: ["a"] },
      { properties: { b: {} }, required: ["b"] },
    ],
    unevaluatedProperties: false,
    examples: [{ a: 1 }, { b: "x" }],
  },
  {
    type: "object",
    allOf: [{ properties: { a: { type: ["string", "null"] } } }],
    properties: { b: true },
    unevaluatedProperties: false,
    examples: [{ a: null }, { b: "x", a: "y" }],
  },
  {
    type: "object",
    patternProperties: { "^p": { type: ["string", "null"] } },
    additionalProperties: false,
    examples: [{ p1: "x" }, { p2: null }],
  },
  { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false, examples: [["x", 1], ["x"]] },
  { type: "array", prefixItems: [{ type: "string" }, { enum: [1] }], examples: [["x", 1, true], ["x"]] },
  { type: "array", prefixItems: [{ type: "string" }], unevaluatedItems: { type: "number" }, examples: [["x", 1, 2]] },
  { type: "string", nullable: true, examples: ["x", null] },
];

function guardedSchema(random: Random, _depth: number, isOld: boolean): unknown {
  return isOld ? scalarSchema(random) : random.one(GUARDED);
}

/** A value that the schema probably accepts. */
function sampleOf(schema: unknown, root: JsonSchema, random: Random, depth = 0): unknown {
  if (!isSchema(schema) || depth > 12) return randomValue(random, 1);
  if (typeof schema.$ref === "string") {
    const name = schema.$ref.split("/").at(-1) ?? "";
    const definitions = (root.$defs ?? root.definitions) as JsonSchema;
    return sampleOf(schema.$ref === "#" ? root : definitions[name], root, random, depth + 1);
  }
  if (Array.isArray(schema.examples)) return random.one(schema.examples);
  const choices = [...asList(schema.anyOf), ...asList(schema.oneOf)];
  const parts = [...(choices.length > 0 ? [random.one(choices)] : []), ...asList(schema.allOf)];
  const samples = parts.map((part) => sampleOf(part, root, random, depth + 1));
  if (!("type" in schema) && !("enum" in schema) && !("const" in schema)) {
    return samples.length > 0 ? samples[0] : randomValue(random, 1);
  }
  const own = ownSample(schema, root, random, depth);
  return isSchema(own) ? Object.assign({}, own, ...samples.filter(isSchema)) : own;
}

function ownSample(schema: JsonSchema, root: JsonSchema, random: Random, depth: number): unknown {
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return random.one(schema.enum);
  const within = (part: unknown): unknown => sampleOf(part, root, random, depth + 1);
  const type = random.one([schema.type].flat());
  if (type === "object") {
    const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
    const needed = asList(schema.required);
    const entries = properties.filter(([name]) => needed.includes(name) || (random.maybe(50) && depth < 5));
    const others = "additionalProperties" in schema || random.maybe(70) ? [] : [["extra", 1] as const];
    return Object.fromEntries([...entries.map(([name, part]) => [name, within(part)] as const), ...others]);
  }
  if (type === "array") {
    const prefix = [...asList(schema.prefixItems), ...asList(schema.items)].map(within);
    const rest = isSchema(schema.items) && depth < 5 ? [within(schema.items)] : [];
    const found = schema.contains !== undefined ? [within(schema.contains)] : [];
    return random.maybe(80) ? [...prefix, ...rest, ...found] : [];
  }
  if (type === "string") return random.one(["abc", "x", "", "2024-05-06", "2024-05-06T07:08:09Z", "a@b.de"]);
  if (type === "number" || type === "integer") return random.one([0, 2, 4, 1.5, -3, 7]);
  return type === "boolean" ? random.maybe(50) : null;
}

function randomValue(random: Random, depth: number): unknown {
  const leaf: unknown[] = ["abc", "", 3, 2.5, true, null];
  if (depth === 0 || random.maybe(60)) return random.one(leaf);
  if (random.maybe(50)) return [randomValue(random, depth - 1), random.one(leaf)];
  return { a: randomValue(random, depth - 1) };
}

/** A value with one random change. */
function mutated(value: unknown, random: Random): unknown {
  if (Array.isArray(value) && value.length > 0 && random.maybe(80)) {
    return value.with(random.below(value.length), mutated(random.one(value), random));
  }
  const entries = isSchema(value) ? Object.entries(value) : [];
  if (entries.length === 0)
    return isSchema(value) ? { [random.one(NAMES)]: randomValue(random, 1) } : randomValue(random, 1);
  const [chosen] = random.one(entries);
  return Object.fromEntries(entries.map(([name, each]) => [name, name === chosen ? mutated(each, random) : each]));
}
