import { expect, it } from "vitest";
import { slowPartsOf } from "./slow-parts.ts";

const FAST = [
  "^abc",
  "^[a-z0-9-]{1,64}$",
  "^[a-zA-Z_]\\w*$",
  "^\\d{4}-\\d{2}-\\d{2}$",
  "^https://[^/]+/x$",
  "^[^@]+@example\\.com$",
  "^[\\]a]+$",
  "^.*$",
];

const SLOW = [
  "^(a+)+$",
  "^(a|a)*$",
  "^(?:a|b)$",
  "a+$",
  "^a*a*$",
  "^a{1,9}a{1,9}$",
  "^\\d+\\.\\d+$",
  "^(?=a)b",
  "^(a)\\1",
  "^\\k<x>",
  `^${"a".repeat(300)}`,
];

it.each(FAST)("[X1] the pattern %s takes linear time", (pattern) => {
  expect(slowPartsOf({ type: "object", properties: { x: { type: "string", pattern } } })).toEqual([]);
});

it.each(SLOW)("[X1] the pattern %s may take longer", (pattern) => {
  expect(slowPartsOf({ type: "object", properties: { x: { type: "string", pattern } } })).toEqual([
    "#/properties/x/pattern",
  ]);
});

it("[X1] names each slow part, wherever it stands", () => {
  const json = {
    type: "object",
    properties: {
      list: { type: "array", uniqueItems: true, items: { format: "url" } },
      tree: { anyOf: [{ $ref: "#/$defs/tree" }, { type: "string" }] },
    },
    patternProperties: { "^(x+)+$": {} },
    $defs: { tree: { properties: { next: { $ref: "#/$defs/tree" } } } },
  };
  expect(slowPartsOf(json)).toEqual([
    "#/patternProperties/^(x+)+$",
    "#/properties/list/uniqueItems",
    "#/properties/list/items/format",
    "#/properties/tree/anyOf/0/$ref",
  ]);
  expect(
    slowPartsOf({ type: "object", properties: { pattern: { type: "string", default: { pattern: "(a+)+" } } } }),
  ).toEqual([]);
});
