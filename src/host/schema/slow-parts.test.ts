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

const NODE = { $ref: "#/$defs/node" };

it.each<[string, object, string]>([
  ["not", { not: { not: NODE } }, "#/$defs/node/not/not/$ref"],
  ["dependentSchemas", { dependentSchemas: { a: NODE, b: NODE } }, "#/$defs/node/dependentSchemas/a/$ref"],
  ["dependencies", { dependencies: { a: NODE, b: ["c"] } }, "#/$defs/node/dependencies/a/$ref"],
  ["contains", { items: NODE, contains: NODE }, "#/$defs/node/items/$ref"],
  [
    "patternProperties",
    { properties: { a: NODE }, patternProperties: { "^a": NODE } },
    "#/$defs/node/properties/a/$ref",
  ],
  ["a reference beside properties", { ...NODE, properties: { a: {} } }, "#/$defs/node/$ref"],
  ["items", { items: NODE, required: ["next"] }, "#/$defs/node/items/$ref"],
  ["two references", { ...NODE, $dynamicRef: "#/$defs/node" }, "#/$defs/node/$ref"],
])("[X1] a recursive schema with %s may take longer", (_, node, part) => {
  expect(slowPartsOf({ type: "object", $defs: { node } })).toEqual([part]);
});

it("[X1] finds slow parts in `dependencies`", () => {
  const slow = { properties: { a: { pattern: "(a+)+" } } };
  expect(slowPartsOf({ type: "object", dependencies: { b: slow } })).toEqual(["#/dependencies/b/properties/a/pattern"]);
});

it.each(["#/examples/0", "#name", "https://example.com/x.json"])(
  "[X1] a reference to a place that is not looked at may take longer: %s",
  ($ref) => {
    const examples = [{ pattern: "(a+)+" }];
    expect(slowPartsOf({ type: "object", examples, properties: { x: { $ref } } })).toEqual(["#/properties/x/$ref"]);
  },
);

it("[X1] a long enum may take longer", () => {
  const values = Array.from({ length: 300 }, (_, index) => index);
  expect(slowPartsOf({ type: "object", properties: { x: { enum: values } } })).toEqual(["#/properties/x/enum"]);
  expect(slowPartsOf({ type: "object", properties: { x: { enum: values.slice(200) } } })).toEqual([]);
});
