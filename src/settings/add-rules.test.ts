import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../test/support/temporary.ts";
import { addRules, withRules } from "./add-rules.ts";
import type { Rule } from "./permissions/rule.ts";

const GIT: Rule = { tool: "bash", match: "git push", action: "allow" };
const READ: Rule = { tool: "read", match: "/etc/hosts", agent: "build", action: "allow" };

describe("[P3] a rule is added to a settings file without other changes", () => {
  it.each<[string, string, string]>([
    ["no text", "", '{\n  "permissions": [\n    { "tool": "bash", "match": "git push", "action": "allow" }\n  ]\n}\n'],
    [
      "an empty object",
      "{}",
      '{\n  "permissions": [\n    { "tool": "bash", "match": "git push", "action": "allow" }\n  ]\n}',
    ],
    [
      "only a comment",
      "// mine\n",
      '// mine\n{\n  "permissions": [\n    { "tool": "bash", "match": "git push", "action": "allow" }\n  ]\n}\n',
    ],
    [
      "other settings, on one line",
      '{ "mode": "plan" }\n',
      '{ "mode": "plan", "permissions": [\n    { "tool": "bash", "match": "git push", "action": "allow" }\n  ] }\n',
    ],
    [
      "other settings, with a comment at the last",
      '{\n\t"mode": "plan" // careful\n}\n',
      '{\n\t"mode": "plan", // careful\n\t"permissions": [\n\t\t{ "tool": "bash", "match": "git push", "action": "allow" }\n\t]\n}\n',
    ],
    [
      "an empty list",
      '{ "permissions": [] }',
      '{ "permissions": [\n    { "tool": "bash", "match": "git push", "action": "allow" }\n  ] }',
    ],
    [
      "rules on one line",
      '{ "permissions": [{ "tool": "*", "action": "ask" }] }',
      '{ "permissions": [{ "tool": "*", "action": "ask" }, { "tool": "bash", "match": "git push", "action": "allow" }] }',
    ],
    [
      "rules with comments, a trailing comma and Windows lines",
      '\uFEFF{\r\n    // first\r\n    "permissions": [\r\n        {"tool":"*","action":"ask"}, // all\r\n        /* end */\r\n    ],\r\n    "mode":   "plan",\r\n}\r\n',
      '\uFEFF{\r\n    // first\r\n    "permissions": [\r\n        {"tool":"*","action":"ask"}, // all\r\n        /* end */\r\n        { "tool": "bash", "match": "git push", "action": "allow" },\r\n    ],\r\n    "mode":   "plan",\r\n}\r\n',
    ],
    [
      "a comma in a comment",
      '{ "permissions": [\n  { "tool": "*", "action": "ask" } // a, b\n] }',
      '{ "permissions": [\n  { "tool": "*", "action": "ask" }, // a, b\n  { "tool": "bash", "match": "git push", "action": "allow" }\n] }',
    ],
  ])("[P3] %s", (_, before, after) => {
    expect(withRules(before, [GIT])).toBe(after);
  });

  it("[P3] several rules are added at once, without fields that they do not set", () => {
    expect(withRules("", [GIT, READ, { tool: "t", action: "allow" }])).toBe(`{
  "permissions": [
    { "tool": "bash", "match": "git push", "action": "allow" },
    { "tool": "read", "match": "/etc/hosts", "agent": "build", "action": "allow" },
    { "tool": "t", "action": "allow" }
  ]
}
`);
  });

  it("[P3] an existing rule is not added again, unless a later rule overrides it", () => {
    const once = withRules("", [GIT]);
    expect(withRules(once, [GIT])).toBe(once);
    const denied = withRules(once, [{ tool: "bash", action: "deny" }]);
    expect(withRules(denied, [GIT]).match(/git push/g)).toHaveLength(2);
  });

  it("[P3] a file that contains only a comment keeps it", () => {
    expect(withRules("// mine", [GIT])).toMatch(/^\/\/ mine\n\{\n {2}"permissions": \[\n/);
    expect(withRules("\uFEFF", [GIT])).toMatch(/^\uFEFF\{\n/);
  });

  it.each([
    ['{ "permissions": [', "It is not valid JSON."],
    ["[]", "It is not a JSON object."],
    ['{ "permissions": {} }', '"permissions" in it is not a list.'],
    ['{ "permissions": [], "permissions": [] }', 'It has the key "permissions" twice. Remove one of them.'],
  ])("[P3] %s is not touched", async (text, reason) => {
    const file = put(join(temporary(), "settings.json"), text);
    await expect(addRules(file, [GIT])).rejects.toThrow(reason);
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it("[X2] only the user can read a new file", async () => {
    const file = join(temporary(), "home", "settings.json");
    await addRules(file, [GIT]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700);
  });

  it("[P3] two processes that write at the same time lose no rule", async () => {
    const folder = temporary();
    const file = join(folder, "settings.json");
    const program = put(
      join(folder, "add.mjs"),
      `import { addRules } from ${JSON.stringify(new URL("add-rules.ts", import.meta.url).href)};
for (let at = 0; at < 20; at += 1) await addRules(process.argv[2], [{ tool: process.argv[3] + at, action: "allow" }]);`,
    );
    writeFileSync(file, '{ // mine\n  "mode": "plan"\n}\n');
    const ended = ["a", "b"].map((name) => once(spawn(process.execPath, [program, file, name]), "exit"));
    expect((await Promise.all(ended)).map(([code]) => code)).toEqual([0, 0]);
    const text = readFileSync(file, "utf8");
    expect(text.startsWith('{ // mine\n  "mode": "plan",\n')).toBe(true);
    expect(text.match(/"tool": "[ab]\d+"/g)).toHaveLength(40);
  });
});
