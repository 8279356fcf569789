import { describe, expect, it } from "vitest";
import { planForm } from "./plan-form.ts";

const object = (properties: Record<string, unknown>, more: object = {}): object => ({
  type: "object",
  properties,
  ...more,
});

/** The drawn schema of one property. */
function drawn(property: unknown, more: object = {}): unknown {
  const plan = planForm(object({ a: property }, more));
  return plan.kind === "form" ? (plan.schema.properties as Record<string, unknown>).a : plan;
}

const JSON_PART = { $id: "JsonField" };

describe("the plan of a form", () => {
  it.each<[string, unknown, unknown]>([
    ["a text", { type: "string", pattern: "(a+)+$", minLength: 1 }, { type: "string", minLength: 1 }],
    ["a default", { type: "number", default: 5 }, { type: "number", $comment: "Default: 5" }],
    ["an unknown format", { type: "string", format: "constructor" }, { type: "string" }],
    ["an id that names a field", { type: "string", $id: "toString" }, { type: "string" }],
    ["words that are not text", { type: "string", title: {}, description: 7 }, { type: "string" }],
    ["an enum with doubles", { enum: ["a", "a", "b"] }, { enum: ["a", "b"], type: "string" }],
    ["an enum of everything", { enum: [1, null, { x: 1 }] }, { enum: [1, null, { x: 1 }] }],
    ["an empty enum", { enum: [] }, JSON_PART],
    [
      "a huge enum",
      { enum: Array.from({ length: 3000 }, (_, i) => `v${i}`) },
      expect.objectContaining({ $id: "LongEnumField" }),
    ],
    ["a constant or null", { anyOf: [{ const: "x", title: "X" }, { type: "null" }] }, { enum: ["x", null] }],
    ["constants of two types", { oneOf: [{ const: 1 }, { const: "x" }] }, { enum: [1, "x"] }],
    ["a constant that may be left out", { const: "x" }, { enum: ["x"], type: "string" }],
    ["true", true, JSON_PART],
    ["false", false, JSON_PART],
    ["no type", {}, JSON_PART],
    ["an unknown type", { type: "tuple" }, JSON_PART],
    ["a type that is not a text", { type: 5 }, JSON_PART],
    ["an object of anything", { type: "object" }, JSON_PART],
    ["an array of anything", { type: "array" }, JSON_PART],
    ["a tuple", { type: "array", prefixItems: [{ type: "string" }] }, JSON_PART],
    ["no reference", { $ref: "#/$defs/none" }, JSON_PART],
    ["a remote reference", { $ref: "https://example.com/s.json" }, JSON_PART],
    ["a guess", { minimum: 1 }, { type: "number", minimum: 1 }],
    [
      "nested arrays",
      { type: "array", items: { type: "array", items: { type: "string" } } },
      { type: "array", items: { type: "array", items: { type: "string" } } },
    ],
    [
      "several types",
      { type: ["string", "null"] },
      {
        anyOf: [
          { type: "string", title: "string" },
          { $id: "ConstField", const: null, title: "null" },
        ],
      },
    ],
    ["one option", { anyOf: [{ type: "string" }], description: "x" }, { type: "string", description: "x" }],
    [
      "a map",
      { type: "object", additionalProperties: { type: "number" } },
      { type: "object", properties: {}, additionalProperties: { type: "number" } },
    ],
    [
      "patterns of names",
      { patternProperties: { "^x": { type: "number" } } },
      { type: "object", properties: {}, additionalProperties: { type: "number" } },
    ],
    [
      "parts in one",
      { allOf: [object({ x: { type: "string" } }, { required: ["x"] }), { properties: { y: { type: "null" } } }] },
      { type: "object", properties: { x: { type: "string" }, y: { enum: [null] } }, required: ["x"] },
    ],
    [
      "fields that depend on others",
      object({ x: { type: "string" } }, { else: { properties: { y: { type: "number" } } } }),
      { type: "object", properties: { y: { type: "number" }, x: { type: "string" } } },
    ],
    ["a hostile name", JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'), JSON_PART],
    ["a name of Object.prototype", object({ hasOwnProperty: { type: "string" } }), JSON_PART],
  ])("draws %s", (_, property, expected) => expect(drawn(property)).toEqual(expected));

  it("names options by what tells them apart", () => {
    const option = (kind: string): object => object({ kind: { const: kind } }, { required: ["kind"] });
    const plan = drawn(
      { oneOf: [option("cat"), { title: "A dog" }, { $ref: "#/$defs/Bird" }] },
      { $defs: { Bird: object({ x: { type: "string" } }) } },
    );
    expect((plan as { oneOf: { title: string }[] }).oneOf.map(({ title }) => title)).toEqual(["cat", "A dog", "Bird"]);
  });

  it("ends at recursion, with a JSON field for the rest", () => {
    const node = object({ next: { $ref: "#/$defs/Node" } });
    expect(drawn({ $ref: "#/$defs/Node" }, { $defs: { Node: node } })).toEqual(
      object({ next: object({ next: JSON_PART }) }),
    );
    expect(planForm({ ...object({ a: { $ref: "#" } }) }).kind).toBe("form");
    expect(drawn({ $ref: "#/$defs/A" }, { $defs: { A: { $ref: "#/$defs/A" } } })).toEqual(JSON_PART);
    expect(drawn({ allOf: [{ $ref: "#/properties/a" }] })).toEqual(JSON_PART);
  });

  it.each<[string, unknown]>([
    ["a schema that is not an object", { type: "string" }],
    ["a boolean", true],
    ["nothing", undefined],
    ["a hostile name", JSON.parse('{"type":"object","properties":{"__proto__":{}}}')],
  ])("leaves %s to JSON", (_, schema) => {
    expect(planForm(schema)).toEqual({
      kind: "json",
      reason: "The schema of this tool cannot be drawn as a form. Write the input as JSON.",
    });
  });

  it("leaves a schema that grows without limit to JSON", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [
        `n${i}`,
        object({ a: { $ref: `#/$defs/n${i + 1}` }, b: { $ref: `#/$defs/n${i + 1}` } }),
      ]),
    );
    expect(planForm(object({ a: { $ref: "#/$defs/n0" } }, { $defs }))).toEqual({
      kind: "json",
      reason: "The schema of this tool is too large for a form. Write the input as JSON.",
    });
  });

  it("draws a choice of inputs", () => {
    const options = [object({ a: { type: "string" } }), object({ b: { type: "string" } })];
    expect(planForm({ type: "object", oneOf: options })).toMatchObject({
      kind: "form",
      schema: { type: "object", oneOf: options },
    });
  });

  it("draws a tool without input", () => {
    expect(planForm({ type: "object" })).toEqual({ kind: "form", schema: { type: "object", properties: {} } });
  });
});
