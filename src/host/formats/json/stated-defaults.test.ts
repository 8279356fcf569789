import { expect, it } from "vitest";
import { statedDefaults } from "./stated-defaults.ts";

it.each([
  ["spaces", `(default${" ".repeat(400_000)}`],
  ["spaces after its value", `(default: x${" ".repeat(400_000)}`],
  ["starts", "(default: ".repeat(40_000)],
  ["quotes", '(default: "'.repeat(40_000)],
])("[A6] a description with many %s takes no time that matters", (_, description) => {
  expect(statedDefaults({ properties: { text: { type: "string", description } } })).toEqual(new Map());
});
