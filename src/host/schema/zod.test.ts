import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { toSchema } from "./to-schema.ts";

async function check(schema: unknown, input: unknown): Promise<unknown> {
  const checked = await (await toSchema(schema)).check(input);
  return checked.ok ? checked.value : Object.fromEntries(checked.issues.map(({ path, message }) => [path, message]));
}

describe("Zod 4", () => {
  it("[A1] describes every common feature", async () => {
    const Node = z.object({
      name: z.string(),
      get kids() {
        return z.array(Node);
      },
    });
    const { json } = await toSchema({
      mode: z.enum(["fast", "slow"]).describe("How to run"),
      maybe: z.string().optional(),
      either: z.union([z.string(), z.number()]),
      map: z.record(z.string(), z.number()),
      when: z.date(),
      since: z.coerce.date(),
      length: z.string().transform((text) => text.length),
      tree: Node,
    });
    expect(json).toEqual({
      type: "object",
      properties: {
        mode: { type: "string", enum: ["fast", "slow"], description: "How to run" },
        maybe: { type: "string" },
        either: { type: ["string", "number"] },
        map: { type: "object", propertyNames: { type: "string" }, additionalProperties: { type: "number" } },
        when: {},
        since: { type: "string", format: "date-time" },
        length: { type: "string" },
        tree: { $ref: "#/$defs/__schema0" },
      },
      required: ["mode", "either", "map", "when", "since", "length", "tree"],
      $defs: {
        __schema0: {
          type: "object",
          properties: { name: { type: "string" }, kids: { type: "array", items: { $ref: "#/$defs/__schema0" } } },
          required: ["name", "kids"],
        },
      },
    });
  });

  it("[P2] coerces, transforms and strips", async () => {
    const shape = { n: z.coerce.number(), t: z.string().transform((text) => text.length), d: z.coerce.date() };
    expect(await check(shape, { n: "5", t: "abc", d: "2020-01-01", x: 1 })).toEqual({
      n: 5,
      t: 3,
      d: new Date("2020-01-01"),
    });
    expect(await check(z.looseObject({ a: z.string() }), { a: "x", b: 1 })).toEqual({ a: "x", b: 1 });
  });

  it("[P2] runs asynchronous refinements, once", async () => {
    let runs = 0;
    const refined = z.string().refine(async () => {
      runs += 1;
      return false;
    }, "is taken");
    expect(await check({ name: refined }, { name: "x" })).toEqual({ "/name": "is taken" });
    expect(runs).toBe(1);
  });

  it("[P2] a schema that throws an error refuses the value", async () => {
    const json = z.string().transform((text) => JSON.parse(text) as unknown);
    expect(await check({ json }, { json: "{" })).toEqual({
      "": expect.stringMatching(/^was refused by the tool's schema: Expected property name/),
    });
    const rejecting = z.string().refine(async () => Promise.reject(new Error("no database")));
    expect(await check({ rejecting }, { rejecting: "x" })).toEqual({
      "": "was refused by the tool's schema: no database",
    });
  });

  it("[P2] explains each issue in plain English", async () => {
    const schema = z.strictObject({
      missing: z.string(),
      missingMode: z.enum(["a", "b"]),
      missingEither: z.union([z.string(), z.number()]),
      told: z.string({ error: "Give a name" }),
      mode: z.enum(["a", "b"]),
      either: z.union([z.string(), z.number()]),
      literal: z.union([z.literal("x"), z.literal(1)]),
      mixed: z.union([z.number(), z.object({ q: z.string() })]),
      forms: z.union([z.object({ q: z.string() }), z.object({ r: z.string(), s: z.number() })]),
      kind: z.discriminatedUnion("k", [z.object({ k: z.literal("a") }), z.object({ k: z.literal("b") })]),
      keys: z.record(z.string().regex(/^x/), z.number()),
      list: z.array(z.object({ "a/b~c": z.string() })).min(3),
    });
    const input = {
      mode: "c",
      either: true,
      literal: "y",
      mixed: { q: 1 },
      forms: {},
      kind: { k: "z" },
      keys: { a: 1 },
      list: [{ "a/b~c": 1 }],
      surplus: 1,
    };
    expect(await check(schema, input)).toEqual({
      "": 'Unrecognized key: "surplus"',
      "/missing": "is required, expected string",
      "/missingMode": 'is required, expected one of "a"|"b"',
      "/missingEither": "is required, expected string or number",
      "/told": "Give a name",
      "/mode": 'Invalid option: expected one of "a"|"b", received "c"',
      "/either": "expected string or number, received boolean",
      "/literal": 'expected "x" or 1, received "y"',
      "/mixed/q": "Invalid input: expected string, received number",
      "/forms":
        "matches none of the allowed forms: (1) /q is required, expected string; (2) /r is required, expected string, /s is required, expected number",
      "/kind/k": "Invalid discriminator value. Expected 'a' | 'b'",
      "/keys/a": "Invalid key in record: Invalid string: must match pattern /^x/",
      "/list/0/a~1b~0c": "Invalid input: expected string, received number",
      "/list": "Too small: expected array to have >=3 items",
    });
  });

  it("[X1] drops __proto__ at any depth, and survives deep and circular inputs", async () => {
    const any = { any: z.any() };
    const value = await check(any, JSON.parse('{"any":[{"__proto__":{"bad":1},"constructor":1}]}'));
    const inner = (value as { any: { bad?: unknown }[] }).any[0];
    expect(Object.getOwnPropertyNames(inner)).toEqual(["constructor"]);
    expect(inner?.bad).toBeUndefined();
    const circular: Record<string, unknown> = {};
    circular.any = circular;
    const tooDeep = { "": "is nested too deeply, or refers to itself: send a flatter value" };
    expect(await check(any, circular)).toEqual(tooDeep);
    expect(await check(any, { any: JSON.parse("[".repeat(50_000) + "]".repeat(50_000)) })).toEqual(tooDeep);
  });
});

describe("Zod 3", () => {
  it("[A1] is converted to JSON Schema 2020-12, as its input", async () => {
    const { json } = await toSchema({
      pair: z3.tuple([z3.string(), z3.number()]).describe("Two"),
      many: z3.tuple([z3.string()]).rest(z3.boolean()),
      when: z3.date(),
      since: z3.coerce.date(),
      piped: z3.string().transform(Number).pipe(z3.number()),
      inner: z3.object({ a: z3.string() }),
      strict: z3.object({}).strict(),
    });
    expect(json).toEqual({
      type: "object",
      properties: {
        pair: {
          type: "array",
          prefixItems: [{ type: "string" }, { type: "number" }],
          minItems: 2,
          maxItems: 2,
          description: "Two",
        },
        many: { type: "array", prefixItems: [{ type: "string" }], minItems: 1, items: { type: "boolean" } },
        when: {},
        since: { type: "string", format: "date-time" },
        piped: { type: "string" },
        inner: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
        strict: { type: "object", properties: {}, additionalProperties: false },
      },
      required: ["pair", "many", "when", "since", "piped", "inner", "strict"],
    });
  });

  it("[P2] explains each issue in plain English", async () => {
    const schema = z3.object({
      missing: z3.string(),
      missingMode: z3.enum(["a", "b"]),
      mode: z3.enum(["a", "b"]),
      either: z3.union([z3.string(), z3.number()]),
      mixed: z3.union([z3.number(), z3.object({ q: z3.string() })]),
    });
    expect(await check(schema, { mode: "c", either: true, mixed: { q: 1 } })).toEqual({
      "/missing": "is required, expected string",
      "/missingMode": "is required, expected 'a' | 'b'",
      "/mode": "Invalid enum value. Expected 'a' | 'b', received 'c'",
      "/either": "expected string or number, received boolean",
      "/mixed/q": "Expected string, received number",
    });
  });
});
