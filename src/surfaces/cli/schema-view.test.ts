import { describe, expect, it } from "vitest";
import { exampleCommand } from "./args/example-command.ts";
import { fieldsOf, typeText } from "./args/schema-view.ts";

describe("a JSON Schema for people", () => {
  it.each([
    [{ type: "string" }, "string"],
    [{ type: "array", items: { enum: ["a", "b"] } }, '("a" | "b")[]'],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string | null"],
    [{ type: ["integer", "null"] }, "integer | null"],
    [{ const: 3 }, "3"],
    [{}, "any"],
    [{ $ref: "#/nowhere" }, "any"],
    [{ $ref: "https://example.com/x" }, "any"],
  ])("[U1] writes the type of %j as %s", (schema, text) => {
    expect(typeText(schema, schema)).toBe(text);
  });

  it("[U1] ends for a schema that refers to itself", () => {
    const schema = { type: "object", properties: { next: { $ref: "#" } }, anyOf: [{ $ref: "#" }] };
    expect(fieldsOf(schema).map(({ name }) => name)).toEqual(["next"]);
    expect(typeText({ $ref: "#/a" }, { a: { $ref: "#/a" } })).toBe("any");
  });

  it("[U1] shows the fields of alternatives as optional", () => {
    const schema = {
      type: "object",
      properties: { kind: { type: "string" } },
      required: ["kind"],
      oneOf: [{ properties: { a: { type: "string" } }, required: ["a"] }],
    };
    expect(fieldsOf(schema).map(({ name, required }) => [name, required])).toEqual([
      ["kind", true],
      ["a", false],
    ]);
  });

  it("[U1] makes an example command line, with fields that are named like options after --", () => {
    const inputSchema = {
      type: "object",
      properties: {
        text: { type: "string", examples: ["it's"] },
        fix: { type: "boolean" },
        list: { type: "array", items: { type: "number", minimum: 3 } },
        where: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
        cwd: { type: "string", default: "--x" },
        optional: { type: "string" },
      },
      required: ["text", "fix", "list", "where", "cwd"],
    };
    expect(exampleCommand({ name: "do", inputSchema })).toBe(
      `toolwright run do --text 'it'\\''s' --fix --list '[3]' --where '{"path":"README.md"}' -- --cwd=--x`,
    );
  });

  it.each([
    ["name", { type: "string", description: "Who to greet, for example World" }, "World"],
    ["pattern", { type: "string", description: 'A glob, such as "src/**/*.ts"' }, "'src/**/*.ts'"],
    ["when", { type: "string", format: "date" }, "2026-01-31"],
    ["filePath", { type: "string" }, "README.md"],
    ["query", { type: "string" }, "TODO"],
    ["code", { type: "string", minLength: 6 }, "textxx"],
    ["count", { type: "integer", exclusiveMinimum: 0 }, "1"],
    ["ratio", { type: "number", maximum: 0.5 }, "0.5"],
    ["step", { type: "integer", multipleOf: 5 }, "5"],
    ["quiet", { type: "string" }, ""],
  ])("[U7] fills in %s: %j", (name, schema, value) => {
    const inputSchema = { type: "object", properties: { [name]: schema }, required: [name] };
    const call = value === "" ? `-- --${name} text` : `--${name} ${value}`;
    expect(exampleCommand({ name: "do", inputSchema })).toBe(`toolwright run do ${call}`);
  });
});
