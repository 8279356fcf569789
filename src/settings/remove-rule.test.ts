import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../test/support/temporary.ts";
import type { Rule } from "./permissions/rule.ts";
import { removeRule, withoutRule } from "./remove-rule.ts";

const A: Rule = { tool: "a", action: "allow" };
const B: Rule = { tool: "b", match: "x", agent: "build", action: "deny" };
const TEXT_A = '{ "tool": "a", "action": "allow" }';
const TEXT_B = '{ "action": "deny", "agent": "build", "match": "x", "tool": "b" }';

describe("[P3] a rule is removed from a settings file without other changes", () => {
  it.each<[title: string, before: string, position: number, rule: Rule, after: string]>([
    ["the only one", `{ "permissions": [${TEXT_A}] }`, 1, A, '{ "permissions": [] }'],
    ["the first", `{ "permissions": [${TEXT_A}, ${TEXT_B}] }`, 1, A, `{ "permissions": [ ${TEXT_B}] }`],
    ["the last", `{ "permissions": [${TEXT_A}, ${TEXT_B}] }`, 2, B, `{ "permissions": [${TEXT_A}] }`],
    [
      "one of two that are equal",
      `{ "permissions": [\n  ${TEXT_A},\n  ${TEXT_B},\n  ${TEXT_A}\n] }`,
      3,
      A,
      `{ "permissions": [\n  ${TEXT_A},\n  ${TEXT_B}\n] }`,
    ],
    [
      "between comments, which stay",
      `// top\n{\n  // rules\n  "permissions": [\n    // one\n    ${TEXT_A}, // after one\n    // two\n    ${TEXT_B} // after two\n  ],\n  "mode": "plan" // last\n}\n`,
      1,
      A,
      `// top\n{\n  // rules\n  "permissions": [\n    // one // after one\n    // two\n    ${TEXT_B} // after two\n  ],\n  "mode": "plan" // last\n}\n`,
    ],
    [
      "after rules that are not valid, which do not count",
      `{ "permissions": [7, { "tool": "x" }, ${TEXT_A}, { "tool": "y", "action": "maybe" }, ${TEXT_B}] }`,
      2,
      B,
      `{ "permissions": [7, { "tool": "x" }, ${TEXT_A}, { "tool": "y", "action": "maybe" }] }`,
    ],
    ["with a trailing comma", `{ "permissions": [\n  ${TEXT_A},\n] }`, 1, A, '{ "permissions": [] }'],
    ["with a byte order mark", `\uFEFF{ "permissions": [${TEXT_A}] }`, 1, A, '\uFEFF{ "permissions": [] }'],
    [
      "with line breaks of Windows",
      `{\r\n  "permissions": [\r\n    ${TEXT_A},\r\n    ${TEXT_B}\r\n  ]\r\n}\r\n`,
      2,
      B,
      `{\r\n  "permissions": [\r\n    ${TEXT_A}\r\n  ]\r\n}\r\n`,
    ],
  ])("%s", (_, before, position, rule, after) => {
    expect(withoutRule(before, position, rule)).toBe(after);
  });
});

describe("[P3] nothing is removed", () => {
  const text = `{ "permissions": [${TEXT_A}, ${TEXT_B}] }`;
  it.each<[title: string, text: string, position: number, rule: Rule, message: string]>([
    [
      "another rule is there",
      text,
      2,
      A,
      `The settings have changed: rule 2 is no longer the one to remove; it is {"tool":"b","match":"x","agent":"build","action":"deny"}.`,
    ],
    [
      "the action differs",
      text,
      1,
      { tool: "a", action: "deny" },
      'The settings have changed: rule 1 is no longer the one to remove; it is {"tool":"a","action":"allow"}.',
    ],
    [
      "a field is missing",
      text,
      2,
      { tool: "b", match: "x", action: "deny" },
      `The settings have changed: rule 2 is no longer the one to remove; it is {"tool":"b","match":"x","agent":"build","action":"deny"}.`,
    ],
    [
      "no such position",
      text,
      3,
      A,
      "The settings have changed: rule 3 is no longer the one to remove; there is no such rule.",
    ],
    [
      "position 0",
      text,
      0,
      A,
      "The settings have changed: rule 0 is no longer the one to remove; there is no such rule.",
    ],
    [
      "no rules",
      "{}",
      1,
      A,
      "The settings have changed: rule 1 is no longer the one to remove; there is no such rule.",
    ],
    [
      "an empty file",
      "",
      1,
      A,
      "The settings have changed: rule 1 is no longer the one to remove; there is no such rule.",
    ],
    ["not JSON", "{", 1, A, "It is not valid JSON."],
    ["not an object", "[]", 1, A, "It is not a JSON object."],
    ["not a list", '{ "permissions": {} }', 1, A, '"permissions" in it is not a list.'],
    [
      "the key twice",
      `{ "permissions": [${TEXT_B}], "permissions": [${TEXT_A}] }`,
      1,
      A,
      'It has the key "permissions" twice. Remove one of them.',
    ],
  ])("%s", (_, before, position, rule, message) => {
    expect(() => withoutRule(before, position, rule)).toThrow(message);
  });

  it("[X2] the file stays private, and a missing one is not created", async () => {
    const folder = temporary();
    const file = put(join(folder, "settings.json"), text);
    await removeRule(file, 1, A);
    expect(readFileSync(file, "utf8")).toBe(`{ "permissions": [ ${TEXT_B}] }`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const none = join(folder, "none.json");
    await expect(removeRule(none, 1, A)).rejects.toThrow("ENOENT");
    expect(existsSync(none)).toBe(false);
  });

  it("[X2] of many removals of one rule at the same time, one succeeds", async () => {
    const file = put(join(temporary(), "settings.json"), text);
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => removeRule(file, 1, A)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ permissions: [B] });
  });
});
