import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { fitOutput } from "./fit-output.ts";

const PERSON = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

describe("fitOutput", () => {
  it("[M2] keeps a schema that all clients treat alike", () => {
    const schema = {
      type: "object",
      description: "Somebody.",
      properties: {
        name: { type: "string", description: "Who", enum: ["a", "b"] },
        age: { type: "integer", minimum: 0 },
        more: { anyOf: [{ type: "array", items: { type: "number" } }, { type: "null" }] },
      },
      required: ["name"],
      additionalProperties: false,
    };
    expect(fitOutput(schema)).toEqual({ schema, changes: [] });
    expect(fitOutput(schema).schema).toBe(schema);
  });

  it("[M2] [M5] inlines references, and drops those without a target or to themselves", () => {
    const { schema, changes } = fitOutput({
      type: "object",
      properties: {
        first: { $ref: "#/$defs/person", description: "The first." },
        gone: { $ref: "#/$defs/nobody" },
        tree: { $ref: "#/$defs/tree" },
      },
      $defs: { person: PERSON, tree: { type: "object", properties: { below: { $ref: "#/$defs/tree" } } } },
    });
    expect(schema).toEqual({
      type: "object",
      properties: {
        first: { ...PERSON, description: "The first." },
        gone: {},
        tree: { type: "object", properties: { below: {} } },
      },
    });
    expect(changes).toEqual(["the output: references are inlined"]);
  });

  it("[M2] [M5] keeps an object at the root that is a reference", () => {
    const { schema } = fitOutput({ type: "object", $ref: "#/$defs/person", $defs: { person: PERSON } });
    expect(schema).toEqual(PERSON);
  });

  it("[M2] [M5] drops keywords that validators treat differently, and reports it", () => {
    const { schema, changes } = fitOutput({
      $schema: "http://json-schema.org/draft-07/schema#",
      $id: "https://example.com/x",
      type: "object",
      properties: {
        mail: { type: "string", format: "email", pattern: "[\\w\\-]", minLength: 1 },
        price: { type: "number", multipleOf: 0.01, maximum: 10 },
      },
      patternProperties: { "^x-": {} },
      additionalProperties: false,
    });
    expect(schema).toEqual({
      type: "object",
      properties: { mail: { type: "string" }, price: { type: "number", maximum: 10 } },
    });
    expect(changes).toEqual([
      'the output: sent without "format", "pattern", "minLength", "multipleOf", "patternProperties", "additionalProperties", which clients treat differently; it is checked here',
    ]);
  });

  it("[X1] ends for a schema that would grow exponentially", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, level) => {
        const next = { $ref: `#/$defs/d${level + 1}` };
        return [`d${level}`, { type: "object", properties: { a: next, b: next } }];
      }),
    );
    const { schema } = fitOutput({ type: "object", properties: { top: { $ref: "#/$defs/d0" } }, $defs });
    expect(JSON.stringify(schema).length).toBeLessThan(1_000_000);
  });
});

/** Schemas that break the list or the result in some clients, each with a valid value. */
const TROUBLE: readonly (readonly [string, object, unknown])[] = [
  ["a reference without a target", { properties: { a: { $ref: "#/$defs/gone" } } }, { a: 1 }],
  ["a reference to a URL", { properties: { a: { $ref: "https://example.com/a" } } }, { a: 1 }],
  [
    "a pattern that is invalid with the Unicode flag",
    { properties: { a: { type: "string", pattern: "[\\w\\-]" } } },
    { a: "x" },
  ],
  ["a custom format", { properties: { a: { type: "string", format: "our-id" } } }, { a: "x" }],
  ["a time without a zone", { properties: { a: { type: "string", format: "date-time" } } }, { a: "2026-01-01T10:00" }],
  ["fractions", { properties: { a: { type: "number", multipleOf: 0.1 } } }, { a: 0.3 }],
  ["a tuple", { properties: { a: { prefixItems: [{ type: "string" }], items: false } } }, { a: ["x"] }],
  ["a tuple of draft-07", { properties: { a: { items: [{ type: "string" }], additionalItems: false } } }, { a: ["x"] }],
  ["an empty enum", { properties: { a: { enum: [] } } }, {}],
  ["a boolean bound of draft-04", { properties: { a: { minimum: 0, exclusiveMinimum: true } } }, { a: 1 }],
  ["boolean schemas", { properties: { a: true, b: false } }, { a: 1 }],
  ["nullable of OpenAPI", { properties: { a: { type: "string", nullable: true, enum: ["x"] } } }, { a: null }],
  ["a custom keyword", { properties: { a: { "x-note": 1 } }, "x-order": ["a"] }, { a: 1 }],
  [
    "alternatives that exclude each other only by a pattern",
    { oneOf: [{ properties: { a: { pattern: "^x" } } }, { properties: { a: { pattern: "^y" } } }] },
    { a: "x" },
  ],
  ["the keyword not", { properties: { a: { not: { type: "string", pattern: "^x" } } } }, { a: "y" }],
  ["the keyword if", { if: { properties: { a: { minLength: 3 } } }, else: { required: ["b"] } }, { a: "xyz" }],
  ["a subschema with an $id", { properties: { a: { $id: "urn:a", $ref: "#/$defs/b" } } }, { a: 1 }],
  ["an unknown type", { properties: { a: { type: "date" } } }, { a: "x" }],
];

describe.each(TROUBLE)("an output with %s", (_, more, value) => {
  const { schema } = fitOutput({ type: "object", ...more });

  it.each([
    ["draft-07, strictly", () => new Ajv({ strict: true, strictTypes: false, allErrors: true })],
    ["draft-07, like the first SDKs", () => new Ajv({ strict: false, validateSchema: false })],
    ["2020-12", () => new Ajv2020({ strict: false })],
  ])("[M2] [M5] compiles with %s and accepts a valid value", (_name, create) => {
    expect(create().compile(schema)(value)).toBe(true);
  });

  it("[M2] [M5] has an object at its root", () => {
    expect(schema.type).toBe("object");
    expect(Object.values((schema.properties ?? {}) as object).every((each) => typeof each === "object")).toBe(true);
  });
});
