import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { assertJson } from "./plain-json.ts";

describe("[X1] values that can be sent as JSON", () => {
  it.each([
    ["plain data", { a: [1, "b", null, true, { c: {} }], d: undefined }],
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 })],
    ["an object of another realm", runInNewContext("({ a: [1] })")],
  ])("%s may", (_, value) => {
    expect(() => assertJson(value)).not.toThrow();
  });

  it.each([
    ["a function", { a: () => 1 }],
    ["a symbol", [Symbol("a")]],
    ["a BigInt", { a: 1n }],
    ["NaN", { a: Number.NaN }],
    ["undefined in a list", [undefined]],
    ["a list with a gap", new Array(1)],
    ["a map", { a: new Map() }],
    ["bytes", { a: new Uint8Array(1) }],
    ["a date", { a: new Date(0) }],
  ])("%s may not", (_, value) => {
    expect(() => assertJson(value)).toThrow("is not plain data.");
  });

  it("a circular value may not", () => {
    const circle: Record<string, unknown> = {};
    circle.again = circle;
    expect(() => assertJson(circle)).toThrow();
  });
});
