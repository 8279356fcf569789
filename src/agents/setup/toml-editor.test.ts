import { describe, expect, it } from "vitest";
import { changeEntry, removeEntry, setEntry } from "./editor.ts";
import { tomlEditor } from "./toml-editor.ts";

const AT = { section: ["mcp_servers"], name: "toolwright" };
const ENTRY = { command: "node", args: ["cli.mjs", "mcp"] };
const TABLE = '[mcp_servers.toolwright]\ncommand = "node"\nargs = ["cli.mjs", "mcp"]\n';

const put = (text: string): string => setEntry(tomlEditor, text, AT, ENTRY);
const remove = (text: string): string => removeEntry(tomlEditor, text, AT);
const change = (text: string): string => changeEntry(tomlEditor, text, AT, ENTRY);

/** Syntax that a simple parser misreads: brackets, quotes and line breaks in strings, keys with dots, large numbers. */
const HARD = `# [mcp_servers.toolwright]
model = "o\\"[x]"   # [comment]
big = 9223372036854775807
when = 1979-05-27T07:32:00Z
list = [
  "a", # ]
  '[mcp_servers.toolwright]',
]
text = """
[mcp_servers.toolwright]
command = "no" \\"""
"""""
raw = '''
it's [here]'''

[mcp_servers."a.b"]
command = 'C:\\x'
env = { A = "1" }
`;

describe("[M3] an entry in a TOML text", () => {
  it.each<[string, string, string]>([
    ["no text", "", TABLE],
    ["a text", HARD, `${HARD}\n${TABLE}`],
    ["a text without a last line end", "a = 1", `a = 1\n\n${TABLE.trimEnd()}`],
    ["Windows lines and a mark", "\uFEFFa = 1\r\n", `\uFEFFa = 1\r\n\r\n${TABLE.replaceAll("\n", "\r\n")}`],
    ["another of its name", `${TABLE.replace("node", "x")}\n[other]\nb = 2\n`, `\n[other]\nb = 2\n\n${TABLE}`],
  ])("is added to %s", (_, before, after) => {
    expect(put(before)).toBe(after);
  });

  it.each<[string, string, string]>([
    ["the only one", TABLE, ""],
    ["the last", `${HARD}\n${TABLE}`, HARD],
    ["one in the middle", `a = 1\n\n${TABLE}\n# about b\n[b]\nc = 1\n`, "a = 1\n\n# about b\n[b]\nc = 1\n"],
    [
      "one with tables below it, apart",
      `${TABLE}\n[b]\nc = 1\n\n[mcp_servers.toolwright.env]\nA = "1"\n# end\n`,
      "\n[b]\nc = 1\n# end\n",
    ],
  ])("is removed: %s", (_, before, after) => {
    expect(remove(before)).toBe(after);
  });

  it("gets a new command, and keeps the keys that a user added", () => {
    const before = `a = 1\r\n[ mcp_servers . "toolwright" ] # ours\r\nargs = [\r\n  "old",\r\n]\r\nenabled = false\r\n[b]\r\n`;
    expect(change(before)).toBe(
      `a = 1\r\n[ mcp_servers . "toolwright" ] # ours\r\nargs = ["cli.mjs", "mcp"]\r\nenabled = false\r\ncommand = "node"\r\n[b]\r\n`,
    );
    expect(change("[mcp_servers.toolwright]")).toBe(
      '[mcp_servers.toolwright]\ncommand = "node"\nargs = ["cli.mjs", "mcp"]',
    );
  });

  it("gets and loses single fields", () => {
    const at = { section: ["mcp_servers"], name: "toolwright" };
    const edit = (text: string, fields: Record<string, unknown>): string => changeEntry(tomlEditor, text, at, fields);
    const before = `${TABLE}\n# about b\n[b]\nc = 1\n`;
    const after = `${TABLE}trust = true\n\n# about b\n[b]\nc = 1\n`;
    expect(edit(before, { trust: true })).toBe(after);
    expect(edit(after, { trust: undefined })).toBe(before);
    expect(edit(before, { trust: undefined })).toBe(before);
  });

  it.each<[string, (text: string) => string, string]>([
    [
      'mcp_servers = { b = { command = "x" } }\n',
      put,
      'has "mcp_servers" as an inline table: write each server as a table, [mcp_servers.NAME]',
    ],
    [
      'mcp_servers.toolwright = { command = "x" }\n',
      put,
      'has "toolwright" in another form than a table: write it as [mcp_servers.toolwright]',
    ],
    ["mcp_servers = 1\n", put, 'cannot be changed: "mcp_servers" in it is not an object'],
    [
      '[mcp_servers]\ntoolwright = { command = "x" }\n',
      remove,
      'has "toolwright" in another form than a table: write it as [mcp_servers.toolwright]',
    ],
    ['mcp_servers.toolwright.command = "x"\n', change, "in another form"],
    ["a = 1\nb = [\n", put, "is not valid TOML"],
  ])("is not added, changed or removed in %j", (text, edit, reason) => {
    expect(() => edit(text)).toThrow(reason);
  });

  it("is written with any character in a path or a name", () => {
    const at = { section: ["mcp_servers"], name: "a b" };
    const text = tomlEditor.set("", at, { command: 'C:\\Program Files\\n"ode".exe\u007f', args: [] });
    expect(text).toBe('[mcp_servers."a b"]\ncommand = "C:\\\\Program Files\\\\n\\"ode\\".exe\\u007f"\nargs = []\n');
    expect(tomlEditor.parse(text)).toEqual({
      mcp_servers: { "a b": { command: 'C:\\Program Files\\n"ode".exe\u007f', args: [] } },
    });
  });
});
