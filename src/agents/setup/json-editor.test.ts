import { describe, expect, it } from "vitest";
import { changeEntry, removeEntry, setEntry } from "./editor.ts";
import { jsonEditor } from "./json-editor.ts";

const AT = { section: ["mcpServers"], name: "toolwright" };
const ENTRY = { command: "node", args: ["cli.mjs", "mcp"] };

const put = (text: string): string => setEntry(jsonEditor, text, AT, ENTRY);
const remove = (text: string): string => removeEntry(jsonEditor, text, AT);

describe("[M3] an entry in a JSON text", () => {
  it.each<[string, string, string]>([
    [
      "no text",
      "",
      '{\n  "mcpServers": {\n    "toolwright": {\n      "command": "node",\n      "args": [\n        "cli.mjs",\n        "mcp"\n      ]\n    }\n  }\n}\n',
    ],
    [
      "a comment alone",
      "// mine\r\n",
      '// mine\r\n{\r\n  "mcpServers": {\r\n    "toolwright": {\r\n      "command": "node",\r\n      "args": [\r\n        "cli.mjs",\r\n        "mcp"\r\n      ]\r\n    }\r\n  }\r\n}\r\n',
    ],
    [
      "everything on one line",
      '{"a":1,"mcpServers":{"b":{"url":"x"}}}',
      '{"a":1,"mcpServers":{"b":{"url":"x"}, "toolwright": { "command": "node", "args": [ "cli.mjs", "mcp" ] }}}',
    ],
    [
      "an empty section, four spaces",
      '{\n    "mcpServers": {}\n}',
      '{\n    "mcpServers": {\n        "toolwright": {\n            "command": "node",\n            "args": [\n                "cli.mjs",\n                "mcp"\n            ]\n        }\n    }\n}',
    ],
    [
      "tabs, a comment at the last server, a trailing comma after the section",
      '\uFEFF{\n\t"mcpServers": {\n\t\t"b": {} // last\n\t},\n}\n',
      '\uFEFF{\n\t"mcpServers": {\n\t\t"b": {}, // last\n\t\t"toolwright": {\n\t\t\t"command": "node",\n\t\t\t"args": [\n\t\t\t\t"cli.mjs",\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}\n\t},\n}\n',
    ],
    [
      "a section of comments",
      '{\n  "mcpServers": {\n    // none yet\n  }\n}\n',
      '{\n  "mcpServers": {\n    // none yet\n    "toolwright": {\n      "command": "node",\n      "args": [\n        "cli.mjs",\n        "mcp"\n      ]\n    }\n  }\n}\n',
    ],
  ])("is added to %s", (_, before, after) => {
    expect(put(before)).toBe(after);
  });

  it.each<[string, string, string]>([
    ["the only one", '{ "mcpServers": { "toolwright": {} } }', '{ "mcpServers": {} }'],
    [
      "the only one, beside a comment",
      '{ "mcpServers": {\n  // none\n  "toolwright": {}\n} }',
      '{ "mcpServers": {\n  // none\n} }',
    ],
    [
      "the first",
      '{\n  "mcpServers": {\n    "toolwright": {\n      "command": "x"\n    },\n    // b\n    "b": {}\n  }\n}\n',
      '{\n  "mcpServers": {\n    // b\n    "b": {}\n  }\n}\n',
    ],
    [
      "the last, after a comment with a comma",
      '{\n  "mcpServers": {\n    "b": {}, // a, b\n\n    "toolwright": {} // ours\n  }\n}\n',
      '{\n  "mcpServers": {\n    "b": {} // a, b\n // ours\n  }\n}\n',
    ],
    [
      "the last, with a comma after it",
      '{\n  "mcpServers": {\n    "b": {},\n    "toolwright": {},\n  }\n}\n',
      '{\n  "mcpServers": {\n    "b": {},\n  }\n}\n',
    ],
    [
      "one that shares its line",
      '{ "mcpServers": {\n  "b": {}, // note\n  "toolwright": {}, "c": {} } }',
      '{ "mcpServers": {\n  "b": {}, // note\n "c": {} } }',
    ],
  ])("is removed: %s", (_, before, after) => {
    expect(remove(before)).toBe(after);
  });

  it("gets a new command, and keeps the keys that a user added", () => {
    const before =
      '{ "mcpServers": { "toolwright": { "env": { "A": "1" }, "command": "old", /* c */ "disabled": true } } }';
    const after = changeEntry(jsonEditor, before, AT, ENTRY);
    expect(after).toBe(
      '{ "mcpServers": { "toolwright": { "env": { "A": "1" }, "command": "node", /* c */ "disabled": true, "args": [ "cli.mjs", "mcp" ] } } }',
    );
  });

  it.each([
    ['{ "mcpServers": [] }', 'cannot be changed: "mcpServers" in it is not an object'],
    ['{ "mcpServers": null }', 'cannot be changed: "mcpServers" in it is not an object'],
    ["[]", "cannot be changed: it is not an object"],
    ['{ "mcpServers": {}, "mcpServers": { "b": {} } }', "is written in a way that cannot be changed safely"],
    ['{\n  "a": 1\n  "b": 2\n}', "is not valid JSON (comma expected)"],
  ])("is not written into %s", (text, reason) => {
    expect(() => put(text)).toThrow(reason);
  });
});
