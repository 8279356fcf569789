import { describe, expect, it } from "vitest";
import { signatureOf } from "./signature.ts";

describe("the signature of a schema", () => {
  it.each<[string, unknown, string]>([
    [
      "an object",
      { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } }, required: ["a"] },
      "{ a: string; b?: number }",
    ],
    ["nothing", { type: "object" }, "{}"],
    ["true", true, "unknown"],
    ["false", false, "never"],
    ["no type", {}, "unknown"],
    ["an enum", { enum: ["a", 1, null] }, '"a" | 1 | null'],
    ["a long enum", { enum: [1, 2, 3, 4, 5, 6, 7] }, "1 | 2 | 3 | 4 | 5 | 6 | …"],
    ["a constant", { const: "x" }, '"x"'],
    ["several types", { type: ["string", "null"] }, "string | null"],
    ["an array", { type: "array", items: { type: "string" } }, "string[]"],
    ["an array of choices", { type: "array", items: { enum: ["a", "b"] } }, '("a" | "b")[]'],
    ["an array of anything", { type: "array" }, "unknown[]"],
    ["a union", { anyOf: [{ type: "string" }, { type: "number" }] }, "string | number"],
    [
      "an intersection",
      { allOf: [{ properties: { a: { type: "string" } } }, { properties: { b: {} } }] },
      "{ a?: string } & { b?: unknown }",
    ],
    ["a map", { type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
    ["a reference", { $ref: "#/$defs/a", $defs: { a: { type: "string" } } }, "string"],
    ["a missing reference", { $ref: "#/$defs/b" }, "unknown"],
    ["a remote reference", { $ref: "https://example.com/x" }, "unknown"],
    ["a reference into a prototype", { $ref: "#/constructor/name" }, "unknown"],
    ["a recursive type", { properties: { next: { $ref: "#" } } }, "{ next?: { next?: … } }"],
    [
      "unusual names",
      JSON.parse('{"properties":{"a-b":{},"__proto__":{"type":"string"}}}'),
      '{ "a-b"?: unknown; __proto__?: string }',
    ],
  ])("%s", (_, schema, text) => expect(signatureOf(schema)).toBe(text));
});
