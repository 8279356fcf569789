import { Type as Type0 } from "@sinclair/typebox";
import Type from "typebox";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import type { Issue } from "../../core/schema.ts";
import { verifySchema } from "./lazy-schema.ts";
import { SchemaProblem } from "./schema-problem.ts";
import { toSchema } from "./to-schema.ts";

async function parsed(schema: unknown, input: unknown): Promise<unknown> {
  const checked = await (await toSchema(schema)).check(input);
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues));
  return checked.value;
}

async function issuesOf(schema: unknown, input: unknown): Promise<readonly Issue[]> {
  const checked = await (await toSchema(schema)).check(input);
  if (checked.ok) throw new Error(`accepted as ${JSON.stringify(checked.value)}`);
  return checked.issues;
}

async function jsonOf(schema: unknown): Promise<unknown> {
  const { json } = await toSchema(schema);
  expect(structuredClone(json)).toEqual(json);
  expect(JSON.parse(JSON.stringify(json))).toEqual(json);
  return json;
}

/** The same three fields in every dialect, as a whole and as a raw shape. */
const FIELDS = {
  zod4: { path: z.string(), count: z.number().default(3), deep: z.boolean().optional() },
  zod3: { path: z3.string(), count: z3.number().default(3), deep: z3.boolean().optional() },
  typebox1: { path: Type.String(), count: Type.Number({ default: 3 }), deep: Type.Optional(Type.Boolean()) },
  typebox0: { path: Type0.String(), count: Type0.Number({ default: 3 }), deep: Type0.Optional(Type0.Boolean()) },
};
const WHOLE = {
  zod4: z.object(FIELDS.zod4),
  zod3: z3.object(FIELDS.zod3),
  typebox1: Type.Object(FIELDS.typebox1),
  typebox0: Type0.Object(FIELDS.typebox0),
  json: {
    type: "object",
    properties: { path: { type: "string" }, count: { type: "number", default: 3 }, deep: { type: "boolean" } },
    required: ["path"],
  },
};
const JSON_OF_FIELDS = {
  type: "object",
  properties: { path: { type: "string" }, count: { type: "number", default: 3 }, deep: { type: "boolean" } },
  required: ["path"],
};

/** The schema objects of a library such as ModelFusion. */
class Described {
  readonly #json: object | Promise<object>;

  constructor(json: object | Promise<object>) {
    this.#json = json;
  }

  getJsonSchema(): object | Promise<object> {
    return this.#json;
  }
}

describe("objects that return their JSON Schema", () => {
  it.each([
    ["getJsonSchema()", new Described(WHOLE.json)],
    ["an asynchronous getJsonSchema()", new Described(Promise.resolve(WHOLE.json))],
    ["toJSONSchema()", { toJSONSchema: () => WHOLE.json }],
    ["toJsonSchema()", { toJsonSchema: async () => WHOLE.json }],
  ])("[A1] %s", async (_, schema) => {
    expect(await jsonOf(schema)).toEqual(WHOLE.json);
    expect(await parsed(schema, { path: "a" })).toEqual({ path: "a", count: 3 });
    expect(await issuesOf(schema, {})).toMatchObject([{ path: "/path" }]);
  });

  it("[P2] validate by themselves if they can", async () => {
    const schema = {
      getJsonSchema: () => WHOLE.json,
      validate: (value: { path?: string }) =>
        value.path
          ? { success: true, value: { path: `/${value.path}` } }
          : { success: false, error: new Error("no path") },
    };
    expect(await parsed(schema, { path: "a" })).toEqual({ path: "/a" });
    expect(await issuesOf(schema, {})).toEqual([{ path: "", message: "no path" }]);
  });

  it.each([
    [
      { getJsonSchema: () => "text" },
      "The schema object returned no JSON Schema. Write a z.object(…), or a JSON Schema of an object.",
    ],
    [
      {
        getJsonSchema: (): never => {
          throw new Error("not compiled");
        },
      },
      "The schema object cannot return its JSON Schema: not compiled",
    ],
  ])("[D5] %o is a problem", async (schema, message) => {
    await expect(toSchema(schema)).rejects.toThrow(new SchemaProblem(message));
  });
});

const CASES: [string, unknown][] = [
  ...Object.entries(WHOLE).map(([name, schema]): [string, unknown] => [`whole ${name}`, schema]),
  ...Object.entries(FIELDS).map(([name, schema]): [string, unknown] => [`shape ${name}`, schema]),
];

describe.each(CASES)("%s", (_, schema) => {
  it("[A1] becomes the same JSON Schema, in which fields with a default are not required", async () => {
    expect(await jsonOf(schema)).toEqual(JSON_OF_FIELDS);
  });

  it("[P2] passes defaults to the tool, and does not change the caller's input", async () => {
    const input = Object.freeze({ path: "a" });
    expect(await parsed(schema, input)).toEqual({ path: "a", count: 3 });
    expect(input).toEqual({ path: "a" });
  });

  it("[P2] reports path and reason of every issue", async () => {
    const issues = await issuesOf(schema, { count: { no: 1 } });
    expect(issues.map(({ path }) => path).sort()).toEqual(["/count", "/path"]);
    expect(issues.find(({ path }) => path === "/path")?.message).toBe("is required, expected string");
    expect(issues.find(({ path }) => path === "/count")?.message).toMatch(/expected number, received object$/i);
  });

  it("[P2] refuses values that are not objects", async () => {
    for (const input of [undefined, null, 5, "x"]) {
      const [issue] = await issuesOf(schema, input);
      expect(issue?.path).toBe("");
      expect(issue?.message).toMatch(/expected object, received (undefined|null|number|string)$|Required/i);
    }
  });

  it("[X1] is not polluted by input keys", async () => {
    const input: unknown = JSON.parse(
      '{"path":"a","__proto__":{"bad":1},"constructor":{"prototype":{"bad":1}},"toString":1}',
    );
    const value = await parsed(schema, input);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.hasOwn(value as object, "__proto__")).toBe(false);
    expect(({} as { bad?: unknown }).bad).toBeUndefined();
  });

  it("[P2] can be verified without an input", async () => {
    expect(await verifySchema(await toSchema(schema))).toBeUndefined();
  });
});

describe("no schema", () => {
  it("[A1] is an object without fields", async () => {
    expect(await jsonOf(undefined)).toEqual({ type: "object", properties: {} });
    expect(await jsonOf({})).toEqual({ type: "object", properties: {} });
    expect(await parsed(undefined, { surplus: 1 })).toEqual({});
  });
});

describe("raw shapes", () => {
  it("[A1] may mix dialects, and keep the order of the fields", async () => {
    const shape = {
      a: { type: "string", enum: ["x", "y"] },
      b: z.coerce.number(),
      c: Type.Optional(Type.Number()),
      d: z3.string().default("dd"),
      e: { type: "integer", default: 7 },
      f: Type0.Number(),
    };
    expect(await jsonOf(shape)).toEqual({
      type: "object",
      properties: {
        a: { type: "string", enum: ["x", "y"] },
        b: { type: "number" },
        c: { type: "number" },
        d: { type: "string", default: "dd" },
        e: { type: "integer", default: 7 },
        f: { type: "number" },
      },
      required: ["a", "b", "f"],
    });
    expect(await parsed(shape, { a: "x", b: "4", c: "5", f: "6", surplus: 1 })).toEqual({
      a: "x",
      b: 4,
      c: 5,
      d: "dd",
      e: 7,
      f: 6,
    });
    expect(await issuesOf(shape, { a: "z", b: 1, f: 1 })).toEqual([
      { path: "/a", message: 'expected one of "x"|"y", received "z"' },
    ]);
  });

  it('[A1] may have a field called "type", "properties" or "required"', async () => {
    expect(await jsonOf({ type: { type: "string" } })).toMatchObject({
      properties: { type: { type: "string" } },
      required: ["type"],
    });
    expect(await jsonOf({ type: z.string() })).toMatchObject({ properties: { type: { type: "string" } } });
    expect(await jsonOf({ properties: { type: "object" } })).toMatchObject({
      properties: { properties: { type: "object" } },
    });
    expect(await jsonOf({ required: { type: "boolean" } })).toMatchObject({
      properties: { required: { type: "boolean" } },
    });
    expect(await jsonOf({ properties: { a: { type: "string" } } })).toEqual({
      type: "object",
      properties: { a: { type: "string" } },
    });
  });

  it("[A1] hoists the definitions of JSON Schema fields and keeps references valid", async () => {
    const tree = {
      $ref: "#/$defs/node",
      $defs: { node: { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/node" } } } } },
    };
    const other = { $ref: "#/definitions/node", definitions: { node: { type: "string" } } };
    const self = { type: "object", properties: { next: { $ref: "#" } } };
    expect(await jsonOf({ tree, other, self })).toEqual({
      type: "object",
      properties: {
        tree: { $ref: "#/$defs/node" },
        other: { $ref: "#/$defs/other_node" },
        self: { type: "object", properties: { next: { $ref: "#/properties/self" } } },
      },
      required: ["tree", "other", "self"],
      $defs: {
        node: { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/node" } } } },
        other_node: { type: "string" },
      },
    });
    expect(await parsed({ tree, other, self }, { tree: { kids: [{}] }, other: "x", self: { next: {} } })).toBeTruthy();
    expect(await issuesOf({ tree, other, self }, { tree: { kids: [1] }, other: 5, self: { next: 1 } })).toEqual([
      { path: "/tree/kids/0", message: "expected object, received number" },
      { path: "/other", message: "expected string, received number" },
      { path: "/self/next", message: "expected object, received number" },
    ]);
  });

  it("[A1] keeps definitions of two dialects separate", async () => {
    const Named = z.string().meta({ id: "Thing" });
    const json = { $ref: "#/$defs/Thing", $defs: { Thing: { type: "number" } } };
    expect(await jsonOf({ a: Named, b: json })).toMatchObject({
      properties: { a: { $ref: "#/$defs/Thing" }, b: { $ref: "#/$defs/Thing_2" } },
      $defs: { Thing: { type: "string" }, Thing_2: { type: "number" } },
    });
  });

  it.each([
    [
      { a: "string" },
      'Field "a" is not a schema but a value of type string. Write a Zod schema such as z.string(), or a JSON Schema such as { type: "string" }.',
    ],
    [
      { a: undefined },
      'Field "a" is not a schema but undefined. Write a Zod schema such as z.string(), or a JSON Schema such as { type: "string" }.',
    ],
    [{ a: z.string }, 'Field "a" is a function, not a schema. Call it: z.string(), not z.string.'],
    [
      { a: { b: { type: "string" } } },
      'Field "a" is a plain object that is not a schema. For nested fields write z.object({ … }) or { type: "object", properties: { … } }.',
    ],
    [
      { a: { constructor: z.string() } },
      'Field "a" is a plain object that is not a schema. For nested fields write z.object({ … }) or { type: "object", properties: { … } }.',
    ],
    [JSON.parse('{"__proto__": {"type":"string"}}'), 'A field cannot be called "__proto__". Rename it.'],
    [
      z.string(),
      'The schema describes a value of type "string", but the arguments of a tool are an object with named fields. Put it in a field: { value: … }.',
    ],
    [
      { type: "string" },
      'The schema describes a value of type "string", but the arguments of a tool are an object with named fields. Put it in a field: { value: … }.',
    ],
    [
      { type: "object", properties: { a: { type: "strng" } } },
      'At #/properties/a, "strng" is not a JSON Schema type. Use one of string, number, integer, boolean, object, array, null.',
    ],
    [
      null,
      "The arguments are described by a value of type null. Write an object of fields such as { path: z.string() }, a z.object(…), or a JSON Schema of an object.",
    ],
    [
      ["a"],
      "The arguments are described by a value of type array. Write an object of fields such as { path: z.string() }, a z.object(…), or a JSON Schema of an object.",
    ],
  ])("[A1] explains what to write instead: %#", async (schema, message) => {
    await expect(toSchema(schema)).rejects.toThrow(SchemaProblem);
    await expect(toSchema(schema)).rejects.toThrow(message);
  });
});

describe("roots", () => {
  it.each([
    z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
    z.object({ a: z.string() }).transform(({ a }) => a),
    z.preprocess((value) => value, z.object({ a: z.string() })),
    z.lazy(() => z.object({ a: z.string() })),
    z.record(z.string(), z.number()),
    { anyOf: [{ type: "object" }, { type: "string" }] },
    { $ref: "#/$defs/a", $defs: { a: { type: "object" } } },
  ])("[A1] are objects: %#", async (schema) => {
    expect(await jsonOf(schema)).toMatchObject({ type: "object" });
  });

  it("[A1] follow a Standard Schema that can be converted to JSON Schema", async () => {
    const schema = {
      "~standard": {
        version: 1,
        vendor: "acme",
        validate: async (value: { n?: unknown }) =>
          typeof value.n === "number"
            ? { value: { n: value.n + 1 } }
            : { issues: [{ message: "no number", path: ["n", { key: 0 }] }] },
        jsonSchema: {
          input: ({ target }: { target: string }) => ({
            $schema: target,
            type: "object",
            properties: { n: { type: "number" } },
          }),
        },
      },
    };
    expect(await jsonOf(schema)).toEqual({ type: "object", properties: { n: { type: "number" } } });
    expect(await parsed(schema, { n: 1 })).toEqual({ n: 2 });
    expect(await issuesOf(schema, {})).toEqual([{ path: "/n/0", message: "no number" }]);
    await expect(toSchema({ "~standard": { vendor: "acme", validate() {} } })).rejects.toThrow(
      "acme does not export JSON Schema (~standard.jsonSchema), which models need. Use a version that does, Zod, or a JSON Schema.",
    );
  });
});
