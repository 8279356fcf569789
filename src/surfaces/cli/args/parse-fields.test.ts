import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../core/schema.ts";
import { applyFields, type Field } from "./parse-fields.ts";

const schema: JsonSchema = {
  type: "object",
  properties: {
    text: { type: "string" },
    count: { type: "number" },
    whole: { type: "integer" },
    fix: { type: "boolean" },
    "no-color": { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    numbers: { type: "array", items: { type: "number" } },
    options: { type: "object", properties: { depth: { type: "number" }, "a.b": { type: "string" } } },
    env: { type: "object", additionalProperties: { type: "string" } },
    either: { anyOf: [{ type: "number" }, { type: "string" }] },
    level: { enum: ["low", "high"] },
    mixed: { enum: [1, "one"] },
    maybe: { type: ["number", "null"] },
    many: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    anything: {},
    linked: { $ref: "#/$defs/size" },
  },
  required: ["text"],
  $defs: { size: { type: "integer" } },
};

function given(...fields: Field[]): unknown {
  return applyFields({}, fields, schema);
}

describe("fields of a tool's input on the command line", () => {
  it.each<[string, Field[], unknown]>([
    ["a string verbatim", [{ name: "text", value: "12" }], { text: "12" }],
    ["an empty string", [{ name: "text", value: "" }], { text: "" }],
    ["a number", [{ name: "count", value: "-1.5e3" }], { count: -1500 }],
    ["an integer", [{ name: "whole", value: "7" }], { whole: 7 }],
    ["a switch", [{ name: "fix" }], { fix: true }],
    ["a switch with a value", [{ name: "fix", value: "false" }], { fix: false }],
    ["a switch turned off", [{ name: "no-fix" }], { fix: false }],
    ["a field that is itself called no-…", [{ name: "no-color" }], { "no-color": true }],
    [
      "a list by repetition",
      [
        { name: "tags", value: "a" },
        { name: "tags", value: "1" },
      ],
      { tags: ["a", "1"] },
    ],
    ["a list of one", [{ name: "tags", value: "a" }], { tags: ["a"] }],
    ["a list as JSON", [{ name: "numbers", value: "[1,2]" }], { numbers: [1, 2] }],
    [
      "a list of numbers",
      [
        { name: "numbers", value: "1" },
        { name: "numbers", value: "2" },
      ],
      { numbers: [1, 2] },
    ],
    ["an object as JSON", [{ name: "options", value: '{"depth":2}' }], { options: { depth: 2 } }],
    ["a path", [{ name: "options.depth", value: "2" }], { options: { depth: 2 } }],
    ["a name with a dot in it", [{ name: "options.a.b", value: "x" }], { options: { "a.b": "x" } }],
    ["a field of a record", [{ name: "env.HOME", value: "1" }], { env: { HOME: "1" } }],
    ["a union as JSON where that fits", [{ name: "either", value: "5" }], { either: 5 }],
    ["a union as text otherwise", [{ name: "either", value: "true" }], { either: "true" }],
    ["a value of an enum", [{ name: "level", value: "low" }], { level: "low" }],
    ["one of several values", [{ name: "mixed", value: "1" }], { mixed: 1 }],
    ["null where it is allowed", [{ name: "maybe", value: "null" }], { maybe: null }],
    ["one text or several: one", [{ name: "many", value: "a" }], { many: "a" }],
    [
      "one text or several: several",
      [
        { name: "many", value: "a" },
        { name: "many", value: "b" },
      ],
      { many: ["a", "b"] },
    ],
    ["anything", [{ name: "anything", value: "{}" }], { anything: {} }],
    ["a referenced schema", [{ name: "linked", value: "3" }], { linked: 3 }],
  ])("[U1] reads %s", (_, fields, expected) => {
    expect(given(...fields)).toEqual(expected);
  });

  it("[U1] merges fields into the input, also inside its objects, without changing the original", () => {
    const input = { text: "a", options: { depth: 1, other: true } };
    expect(applyFields(input, [{ name: "options.depth", value: "2" }], schema)).toEqual({
      text: "a",
      options: { depth: 2, other: true },
    });
    expect(input.options.depth).toBe(1);
  });

  it.each<[Field[], string]>([
    [[{ name: "txet", value: "x" }], 'There is no field --txet. Did you mean "--text"?'],
    [[{ name: "count", value: "many" }], '--count takes number, not "many".'],
    [[{ name: "count" }], "--count needs a value (number)."],
    [
      [
        { name: "text", value: "a" },
        { name: "text", value: "b" },
      ],
      "--text was given 2 times; it takes one value.",
    ],
    [[{ name: "numbers", value: "x" }], '--numbers takes number, not "x".'],
    [[{ name: "fix", value: "a.ts" }], '--fix takes boolean, not "a.ts".'],
  ])("[U1] refuses %j", (fields, message) => {
    expect(() => given(...fields)).toThrow(message);
  });

  it("[U1] reports that the tool takes no arguments", () => {
    const none = { type: "object", properties: {} };
    expect(() => applyFields({}, [{ name: "x", value: "1" }], none)).toThrow(
      "There is no field --x: this tool takes no arguments.",
    );
  });

  it("[X1] changes no prototype", () => {
    const open = { type: "object", properties: {}, additionalProperties: true };
    const input = applyFields({}, [{ name: "__proto__.polluted", value: "yes" }], open);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
  });
});
