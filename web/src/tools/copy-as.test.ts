import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { asCommand, asCurl, asMcpConfig, asTypeScript, type CopiedCall } from "./copy-as.ts";

const call = (input: Record<string, unknown>, tool = "hello"): CopiedCall => ({
  tool,
  input,
  command: "toolwright",
  commandOptions: "",
  origin: "http://127.0.0.1:4141",
  platform: "linux",
});

const HOSTILE = { a: 'it\'s $HOME `id` $(id) "x" \\ !\n\t; rm -rf / #', "k'ey": ["ü", null] };

describe("copied calls", () => {
  it("are short", () => {
    expect(asCommand(call({}))).toBe("toolwright run hello");
    expect(asCommand(call({ name: "World" }))).toBe('toolwright run hello --input \'{"name":"World"}\'');
    expect(asCommand({ ...call({}), commandOptions: "--cwd /p --tools-path tools" })).toBe(
      "toolwright run hello --cwd /p --tools-path tools",
    );
    expect(asCommand({ ...call({}, "-x"), commandOptions: "--cwd /p" })).toBe("toolwright run --cwd /p -- -x");
    expect(asCurl(call({ name: "World" }))).toBe(
      'curl -H "Authorization: Bearer $TOOLWRIGHT_TOKEN" --json \'{"input":{"name":"World"}}\' http://127.0.0.1:4141/api/tools/hello/run',
    );
    expect(asMcpConfig(call({}))).toContain('"url": "http://127.0.0.1:4141/mcp"');
  });

  it.each(["hello", "--help", "a b", "x'; id; '", "$(id)"])("quote the input and the name %j for a shell", (tool) => {
    const words = shellWords(asCommand(call(HOSTILE, tool)));
    expect(words).toContain(tool);
    if (tool.startsWith("-")) expect(words.at(-2)).toBe("--");
    expect(JSON.parse(words[words.indexOf("--input") + 1] ?? "")).toEqual(HOSTILE);
    const curl = shellWords(asCurl(call(HOSTILE, tool)));
    expect(JSON.parse(curl[curl.indexOf("--json") + 1] ?? "")).toEqual({ input: HOSTILE });
    expect(curl).toContain("Authorization: Bearer T");
  });

  it("are valid TypeScript", () => {
    expect(asTypeScript(call({ a: 'x"\u2028' }))).toContain(
      'await client.tools.run("hello", {\n  "a": "x\\"\u2028"\n});',
    );
  });
});

/** What a shell passes to the program. */
function shellWords(command: string): string[] {
  const [, ...words] = command.split(/^(\S+)/).slice(1);
  const script = `printf '%s\\0' ${words.join("")}`;
  return execFileSync("/bin/sh", ["-c", script], { env: { TOOLWRIGHT_TOKEN: "T" } })
    .toString()
    .split("\0")
    .slice(0, -1);
}
