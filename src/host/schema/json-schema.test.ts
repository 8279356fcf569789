import { expect, it } from "vitest";
import { verifySchema } from "./lazy-schema.ts";
import { toSchema } from "./to-schema.ts";

async function check(schema: unknown, input: unknown): Promise<unknown> {
  const checked = await (await toSchema(schema)).check(input);
  return checked.ok ? checked.value : Object.fromEntries(checked.issues.map(({ path, message }) => [path, message]));
}

it("[P2] explains each issue in plain English", async () => {
  const schema = {
    type: "object",
    additionalProperties: false,
    required: ["missing", "missingMode", "constructor"],
    properties: {
      missing: { type: "string" },
      missingMode: { enum: ["a", "b"] },
      constructor: {},
      mode: { type: "string", enum: ["a", "b"] },
      fixed: { const: 4 },
      either: { anyOf: [{ type: "string" }, { type: "number" }] },
      nullable: { type: ["string", "null"] },
      mixed: { oneOf: [{ type: "number" }, { $ref: "#/$defs/q" }] },
      forms: { anyOf: [{ $ref: "#/$defs/q" }, { type: "object", required: ["r"] }] },
      both: { oneOf: [{ minimum: 1 }, { minimum: 2 }] },
      mail: { type: "string", format: "email" },
      size: { type: "integer", minimum: 5 },
      list: { type: "array", items: { type: "object", properties: { "a/b": { type: "string" } } } },
    },
    $defs: { q: { type: "object", properties: { q: { type: "string" } }, required: ["q"] } },
  };
  const input = {
    mode: "c",
    fixed: 5,
    either: true,
    nullable: 1,
    mixed: { q: 1 },
    forms: {},
    both: 3,
    mail: "x",
    size: 3,
    list: [{ "a/b": 1 }],
    surplus: 1,
  };
  expect(await check(schema, input)).toEqual({
    "/missing": "is required, expected string",
    "/missingMode": 'is required, expected one of "a"|"b"',
    "/constructor": "is required",
    "/surplus":
      "is not a known field; the fields are missing, missingMode, constructor, mode, fixed, either, nullable, mixed, forms, both, mail, size, list",
    "/mode": 'expected one of "a"|"b", received "c"',
    "/fixed": "expected 4, received 5",
    "/either": "expected string or number, received boolean",
    "/nullable": "expected string or null, received number",
    "/mixed/q": "expected string, received number",
    "/forms": "matches none of the allowed forms: (1) /q is required, expected string; (2) /r is required",
    "/both": "matches more than one of the allowed forms: send a value that matches only one",
    "/mail": 'must match format "email"',
    "/size": "must be >= 5",
    "/list/0/a~1b": "expected string, received number",
  });
});

it("[P2] does not coerce", async () => {
  expect(await check({ n: { type: "number" } }, { n: "5" })).toEqual({ "/n": "expected number, received string" });
});

it("[P2] two schemas with one $id are compiled separately", async () => {
  const a = await toSchema({ $id: "same", type: "object", properties: { v: { type: "string" } } });
  const b = await toSchema({ $id: "same", type: "object", properties: { v: { type: "number" } } });
  expect((await a.check({ v: "x" })).ok).toBe(true);
  expect((await b.check({ v: 1 })).ok).toBe(true);
  expect((await b.check({ v: "x" })).ok).toBe(false);
});

it.each([
  ["http://json-schema.org/draft-07/schema#", { items: [{ type: "string" }] }],
  ["http://json-schema.org/draft-06/schema#", { items: [{ type: "string" }] }],
  ["https://json-schema.org/draft/2019-09/schema", { items: [{ type: "string" }] }],
  ["https://json-schema.org/draft/2020-12/schema", { prefixItems: [{ type: "string" }] }],
])("[P2] validates %s by its own rules and passes it on unchanged", async ($schema, tuple) => {
  const schema = { $schema, type: "object", properties: { pair: { type: "array", ...tuple } } };
  expect((await toSchema(schema)).json).toEqual(schema);
  expect(await check(schema, { pair: [1] })).toEqual({ "/pair/0": "expected string, received number" });
});

it("[P2] accepts patterns that are only valid without the Unicode flag", async () => {
  expect(await check({ v: { type: "string", pattern: "^[\\w\\-\\.]+$" } }, { v: "a-b" })).toEqual({ v: "a-b" });
});

it("[P2] a schema that does not compile is loaded, and its error differs from that of an invalid input", async () => {
  const schema = await toSchema({ type: "object", properties: { a: { $ref: "#/$defs/none" } } });
  const reason = "The JSON Schema is not valid: can't resolve reference #/$defs/none from id #";
  expect(await verifySchema(schema)).toBe(reason);
  await expect(schema.check({})).rejects.toThrow(reason);
  const remote = await toSchema({ type: "object", properties: { a: { $ref: "https://example.com/x.json" } } });
  expect(await verifySchema(remote)).toMatch(/^The JSON Schema is not valid: can't resolve reference https:/);
  for (const broken of [{ minimum: "5" }, { pattern: "(" }, { required: "a" }, { properties: [] }, { enum: "a" }]) {
    const found = await verifySchema(await toSchema({ type: "object", properties: { a: broken } }));
    expect(found, JSON.stringify(broken)).toMatch(/^The JSON Schema is not valid: /);
  }
});

it("[P2] may refer to the meta-schema", async () => {
  const schema = { type: "object", properties: { s: { $ref: "https://json-schema.org/draft/2020-12/schema" } } };
  expect(await check(schema, { s: { type: "string" } })).toMatchObject({ s: { type: "string" } });
  expect(await check(schema, { s: { type: "strng" } })).toHaveProperty("/s/type");
});

/** One value that is invalid a hundred thousand times. The time to explain it must not grow with the square of that. */
const MANY = 100_000;
const NAMES = Array.from({ length: 200 }, (_, index) => `name-${index}`);

it.each<[string, object, unknown]>([
  ["items of another type", { items: { type: "string" } }, 1],
  ["items outside a long enum", { items: { enum: NAMES } }, "other"],
  ["items that match no alternative", { items: { anyOf: [{ type: "string" }, { type: "boolean" }] } }, 1],
  ["items none of which is contained", { contains: { type: "string" } }, 1],
])("[P2] explains many %s", async (_, list, item) => {
  const schema = await toSchema({ type: "object", properties: { list } });
  const checked = await schema.check({ list: Array(MANY).fill(item) });
  if (checked.ok) throw new Error("The value is invalid.");
  expect(checked.issues.length).toBeGreaterThanOrEqual(MANY);
  expect(checked.issues[0]?.message).toMatch(/^expected (?:string|one of "name-0")/);
});

it("[P2] explains many fields that are not known", async () => {
  const schema = await toSchema({ type: "object", properties: {}, additionalProperties: false });
  const checked = await schema.check(Object.fromEntries(Array.from({ length: MANY }, (_, index) => [`k${index}`, 1])));
  expect(checked).toMatchObject({ ok: false, issues: { length: MANY } });
});
