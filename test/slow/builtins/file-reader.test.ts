import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBuiltins } from "../../support/builtins.ts";

describe("the file reader", () => {
  it("[B11] returns a file unchanged, or some of its lines", async () => {
    const { say } = await openBuiltins({ "src/a.txt": "one\n\ttwo\nthree\n" });
    const read = (more: object): Promise<string> => say("file-reader", { path: "src/a.txt", ...more });
    expect(await read({})).toBe("one\n\ttwo\nthree\n");
    expect(await read({ startLine: 2 })).toBe("\ttwo\nthree\n");
    expect(await read({ startLine: 2, endLine: 2 })).toBe("\ttwo\n");
    expect(await read({ endLine: 2 })).toBe("one\n\ttwo\n");
    expect(await read({ startLine: 3, endLine: 900 })).toBe("three\n");
  });

  it.each(["", "one", "one\ntwo", "one\r\ntwo\r\n", "one\rtwo\r", "\n\n", "\r\n\n\r", "日本\n😀", " \t\n "])(
    "[B11] returns %j as it is",
    async (text) => {
      const { say } = await openBuiltins({ "a.txt": text });
      expect(await say("file-reader", { path: "a.txt" })).toBe(text);
    },
  );

  it("[B11] says where a limit has left something out", async () => {
    const long = `${"x".repeat(30)}\nshort`;
    const settings = { toolLimits: { "file-reader": { lineCharacters: 20, lines: 3 } } };
    const { say } = await openBuiltins({ "long.txt": long, "many.txt": "a\nb\nc\nd\n" }, { settings });
    expect(await say("file-reader", { path: "long.txt" })).toBe(
      `${"x".repeat(20)} … [line cut]\nshort\n(1 line was cut after 20 characters: use grep to search in long lines)\n(end of file: 2 lines)`,
    );
    expect(await say("file-reader", { path: "many.txt" })).toBe(
      "a\nb\nc\n(lines 1 to 3 of 4: call file-reader with startLine 4 for more)",
    );
    expect(await say("file-reader", { path: "many.txt", endLine: 4 })).toBe("a\nb\nc\nd\n");
  });

  it("[B11] explains what is wrong with a call", async () => {
    const { call, say } = await openBuiltins({ "a.txt": "one\n" });
    expect(await say("file-reader", { path: "a.txt", startLine: 5 })).toBe(
      '"a.txt" has only 1 line, so there is no line 5. Start at a line from 1 to 1.',
    );
    expect(await say("file-reader", { path: "a.txt", startLine: 5, endLine: 2 })).toBe(
      "endLine 2 is before startLine 5. Send an endLine from 5 on.",
    );
    expect(await say("file-reader", { path: "a.tx" })).toBe('There is no file "a.tx". Did you mean "a.txt"?');
    for (const input of [{}, { path: "" }, { path: "a.txt", startLine: 0 }, { path: "a.txt", endLine: "2" }]) {
      expect(await call("file-reader", input)).toMatchObject({ ok: false, error: { code: "invalid_input" } });
    }
  });

  it("[B11] [B13] reads only in the project, and no binary files", async () => {
    const { at, call, say } = await openBuiltins();
    writeFileSync(join(at.root, "secret"), "SECRET");
    expect(await call("file-reader", { path: "../secret" })).toMatchObject({ ok: false, error: { code: "denied" } });
    writeFileSync(join(at.project, "bin"), "a\0b");
    expect(await say("file-reader", { path: "bin" })).toBe(
      '"bin" is a binary file of 3 bytes, which cannot be shown as text. Look at it with a program made for it, through bash.',
    );
  });

  it("[B11] [P3] follows the rules, and its limits can be set", async () => {
    const settings = {
      permissions: [{ tool: "file-reader", match: "no.txt", action: "deny" }],
      toolLimits: { "file-reader": { lines: 1 } },
    };
    const { call, say } = await openBuiltins({ "no.txt": "SECRET", "a.txt": "one\ntwo\n" }, { settings });
    expect(await call("file-reader", { path: "no.txt" })).toMatchObject({ ok: false, error: { code: "denied" } });
    expect(await say("file-reader", { path: "a.txt" })).toBe(
      "one\n(line 1 of 2: call file-reader with startLine 2 for more)",
    );
  });
});
