import { chmodSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type BuiltinOptions, openBuiltins } from "../../support/builtins.ts";

type Opened = Awaited<ReturnType<typeof openBuiltins>>;

const open = (files: Record<string, string> = {}, options: BuiltinOptions = {}): Promise<Opened> =>
  openBuiltins(files, { callerIsAsked: true, ...options });

/** Edits a file `a`, a new one for each edit; returns the messages, and the text of the file afterwards. */
async function editor(): Promise<(before: string | Buffer, input: object) => Promise<{ said: string; after: Buffer }>> {
  const { at, say } = await open();
  const path = join(at.project, "a");
  let session = 0;
  return async (before, input) => {
    writeFileSync(path, before);
    session += 1;
    const said = await say("edit", { filePath: "a", ...input }, { sessionID: String(session) });
    return { said, after: readFileSync(path) };
  };
}

const SOURCE = `function add(a, b) {
  return a + b;
}

function subtract(a, b) {
  return a - b;
}
`;

const LINE_ENDINGS = [
  ["a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\r\n"],
  ["a\nb\nc\n", "a\r\nb", "x\r\ny", "x\ny\nc\n"],
  ["a\r\nb\r\n", "b", "b\nc", "a\r\nb\r\nc\r\n"],
  ["a\nb\r\nc\r\nd\ne", "b\nc", "x\ny", "a\nx\r\ny\r\nd\ne"],
  ["a\nb\nc\r\nd\r\n", "a\nb", "x\ny", "x\ny\nc\r\nd\r\n"],
  ["a\rb\rc", "a\nb", "x\ny", "x\ry\rc"],
  ["a\nb", "b", "c", "a\nc"],
  ["a\nb\n", "b\n", "c", "a\nc"],
] as const;

const ENCODINGS = [
  (text: string) => Buffer.from(`\uFEFF${text}`),
  (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le"),
  (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
  (text: string) => Buffer.from(text, "utf16le"),
  (text: string) => Buffer.from(text, "latin1"),
] as const;

const NEAREST = [
  [
    "function subtract(a, b) {\n    return a - b;\n}",
    "These lines differ only in spaces, tabs or indentation:\n     5\tfunction subtract(a, b) {\n     6\t  return a - b;\n     7\t}\n",
  ],
  [
    "return a − b;",
    "These lines differ only in quotes, dashes or characters that look alike:\n     6\t  return a - b;\n",
  ],
  ["Return A + B;", "These lines differ only in upper and lower case:\n     2\t  return a + b;\n"],
  [
    "function subtract(a, c) {\n  return a - c;\n}",
    "The nearest lines are:\n     5\tfunction subtract(a, b) {\n     6\t  return a - b;\n     7\t}\n",
  ],
] as const;

describe("editing a file", () => {
  it("[B4] replaces an exact text, and shows the diff", async () => {
    const { at, call } = await open({ "src/math.js": SOURCE });
    chmodSync(join(at.project, "src/math.js"), 0o751);
    const input = { filePath: "src/math.js", oldString: "return a - b;", newString: "return b - a;" };
    const diff = [
      `--- ${join("src", "math.js")}`,
      `+++ ${join("src", "math.js")}`,
      "@@ -3,5 +3,5 @@",
      " }",
      " ",
      " function subtract(a, b) {",
      "-  return a - b;",
      "+  return b - a;",
      " }",
      "",
    ].join("\n");
    expect(await call("edit", input)).toMatchObject({
      ok: true,
      content: [{ text: `Edited src/math.js at line 6 (+1 -1 lines).\n\n${diff}` }],
      data: { filePath: join(at.project, "src/math.js"), replacements: 1, additions: 1, deletions: 1, diff },
      notes: { title: join("src", "math.js") },
    });
    expect(readFileSync(join(at.project, "src/math.js"), "utf8")).toBe(SOURCE.replace("a - b", "b - a"));
    expect(statSync(join(at.project, "src/math.js")).mode & 0o777).toBe(0o751);
    expect(readdirSync(join(at.project, "src"))).toEqual(["math.js"]);
  });

  it("[B4] replaces all on request", async () => {
    const edit = await editor();
    const { said, after } = await edit("x1 x2\nx3\n", { oldString: "x", newString: "yy", replaceAll: true });
    expect(said).toBe(
      "Edited a in 3 places (+2 -2 lines).\n\n--- a\n+++ a\n@@ -1,2 +1,2 @@\n-x1 x2\n-x3\n+yy1 yy2\n+yy3\n",
    );
    expect(after.toString()).toBe("yy1 yy2\nyy3\n");
    const one = await edit("x\n", { oldString: "x", newString: "", replaceAll: true });
    expect(one.after.toString()).toBe("\n");
  });

  it("[B4] inserts the new text literally", async () => {
    const edit = await editor();
    for (const newString of ["$&$1$`$'$$", "\\n\\1", "%s{}"]) {
      expect((await edit("a OLD b", { oldString: "OLD", newString })).after.toString()).toBe(`a ${newString} b`);
    }
  });

  it("[B4] keeps line endings, also in a file with several kinds", async () => {
    const edit = await editor();
    for (const [before, oldString, newString, after] of LINE_ENDINGS) {
      expect((await edit(before, { oldString, newString })).after.toString()).toBe(after);
    }
  });

  it("[B4] keeps the encoding", async () => {
    const edit = await editor();
    for (const written of ENCODINGS) {
      const { after } = await edit(written("caf\xe9 au lait\r\nplain\r\n"), {
        oldString: "café",
        newString: "thé\nvert",
      });
      expect(after).toEqual(written("th\xe9\r\nvert au lait\r\nplain\r\n"));
    }
  });

  it("[B4] edits through a link, and the link stays", async () => {
    const { at, say } = await open({ "real.txt": "old\n" });
    symlinkSync("real.txt", join(at.project, "link.txt"));
    expect(await say("edit", { filePath: "link.txt", oldString: "old", newString: "new" })).toContain(
      "Edited link.txt at line 1",
    );
    expect(readFileSync(join(at.project, "real.txt"), "utf8")).toBe("new\n");
    expect(readlinkSync(join(at.project, "link.txt"))).toBe("real.txt");
  });

  it("[B4] omits a diff that is too long", async () => {
    const { say } = await open({ a: "x\n".repeat(5_000) }, { settings: { toolLimits: { edit: { diffBytes: 100 } } } });
    expect(await say("edit", { filePath: "a", oldString: "x", newString: "y", replaceAll: true })).toBe(
      "Edited a in 5000 places (+5000 -5000 lines). The diff is too long to be shown.",
    );
  });
});

describe("an edit that does not fit", () => {
  it("[B4] is refused when the text occurs several times", async () => {
    const edit = await editor();
    const twice = await edit("x\ny\nx\n", { oldString: "x", newString: "z" });
    expect(twice.said).toBe(
      'oldString occurs 2 times in "a", at lines 1 and 3. Nothing was changed. Send more of the text around the one you mean, so that it occurs once, or set replaceAll to replace them all.',
    );
    expect(twice.after.toString()).toBe("x\ny\nx\n");
    const often = await edit("x x\n".repeat(15), { oldString: "x", newString: "z" });
    expect(often.said).toContain(
      'oldString occurs 30 times in "a", at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 5 more. Nothing',
    );
    expect((await edit("x x\n", { oldString: "x", newString: "z" })).said).toContain(
      '2 times in "a", at line 1. Nothing',
    );
  });

  it("[B4] shows the nearest lines when the text does not occur", async () => {
    const edit = await editor();
    for (const [oldString, shown] of NEAREST) {
      const { said, after } = await edit(SOURCE, { oldString, newString: "x" });
      expect(said).toBe(
        `oldString does not occur in "a". Nothing was changed. ${shown}Copy the text exactly as shown, without the line numbers.`,
      );
      expect(after.toString()).toBe(SOURCE);
    }
  });

  it("[B4] explains common mistakes of models", async () => {
    const edit = await editor();
    const numbers = await edit(SOURCE, {
      oldString: "     1\tfunction add(a, b) {\n     2\t  return a + b;",
      newString: "x",
    });
    expect(numbers.said).toBe(
      'oldString does not occur in "a". Nothing was changed. Its lines begin with the line numbers that read shows, which are not in the file: leave them out.',
    );
    const escaped = await edit(SOURCE, { oldString: "function add(a, b) {\\n  return a + b;", newString: "x" });
    expect(escaped.said).toBe(
      'oldString does not occur in "a". Nothing was changed. It is escaped once too often: send line breaks, tabs and quotes themselves, not \\n, \\t and \\".',
    );
    const nothing = await edit(SOURCE, { oldString: "zzz qqq", newString: "x" });
    expect(nothing.said).toBe(
      'oldString does not occur in "a". Nothing was changed. No similar text is in the file. Read the file, and copy the text from there.',
    );
    expect((await edit("", { oldString: "x", newString: "y" })).said).toContain("No similar text is in the file.");
  });

  it("[B4] is refused if it would change nothing", async () => {
    const edit = await editor();
    const empty = await edit("x", { oldString: "", newString: "y" });
    expect(empty.said).toBe(
      "oldString is empty. Send the text to replace, or use write to make a new file or to rewrite one.",
    );
    expect((await edit("x", { oldString: "x", newString: "x" })).said).toBe(
      "oldString and newString are the same, so there is nothing to change.",
    );
    expect((await edit("x\r\n", { oldString: "x\r\n", newString: "x\n" })).said).toBe(
      "oldString and newString differ only in their line endings or a byte order mark, which edit keeps as they are in the file. Convert them with bash.",
    );
    const mark = await edit("x", { oldString: "\uFEFF", newString: "y" });
    expect(mark.said).toBe(empty.said);
    expect((await edit("x", { oldString: "\uFEFFx", newString: "x" })).said).toContain("or a byte order mark");
  });

  it("[B4] [X1] reports quickly that a text occurs too often, or not at all, in any file", async () => {
    const edit = await editor();
    const often = await edit("x".repeat(5_000_000), { oldString: "x", newString: "y", replaceAll: true });
    expect(often.said).toBe(
      'oldString occurs more than 100000 times in "a". Nothing was changed. Send more of the text around the one you mean, or replace them all with a program, through bash.',
    );
    const once = await edit("var a;".repeat(100_000), { oldString: "var", newString: "let", replaceAll: true });
    expect(once.said).toContain("Edited a in 100000 places (+1 -1 lines).");
    const lines = (count: number, name: string): string =>
      Array.from({ length: count }, (_, at) => `  const value = ${name}(${at});`).join("\n");
    const near = await edit(lines(30_000, "compute"), { oldString: lines(3_000, "other"), newString: "" });
    expect(near.said).toContain("The nearest lines are:\n     1\t  const value = compute(0);\n");
    expect((await edit("line\n".repeat(300_000), { oldString: "none", newString: "" })).said).toBe(
      'oldString does not occur in "a". Nothing was changed. Find the place with grep, and copy the text from there.',
    );
  });

  it("[B4] is refused if it would lose bytes that are not valid in the file's encoding", async () => {
    const { at, say } = await open({});
    const torn: [string, string, Buffer][] = [
      ["marked.txt", "UTF-8", Buffer.concat([Buffer.from("\uFEFFone two "), Buffer.from([0xff, 0x80])])],
      ["wide.txt", "UTF-16LE", Buffer.concat([Buffer.from("\uFEFFone two ", "utf16le"), Buffer.from([0x00, 0xd8])])],
    ];
    for (const [name, encoding, bytes] of torn) {
      writeFileSync(join(at.project, name), bytes);
      expect(await say("edit", { filePath: name, oldString: "one", newString: "1" })).toBe(
        `"${name}" is ${encoding} but contains bytes that are not valid in it, which edit would lose. Nothing was changed. Change it with a program, through bash.`,
      );
      expect(readFileSync(join(at.project, name)).equals(bytes)).toBe(true);
    }
  });

  it("[B4] is refused for files that are not text", async () => {
    const { at, say } = await open(
      { "dir/x": "", "big.txt": "0123456789\n" },
      { settings: { toolLimits: { edit: { fileBytes: 10 } } } },
    );
    const change = (filePath: string): Promise<string> => say("edit", { filePath, oldString: "a", newString: "b" });
    expect(await change("none.txt")).toBe('There is no file "none.txt". Use glob to find it.');
    expect(await change("dirr/x")).toBe('There is no file "dirr/x". Did you mean "dir/x"?');
    expect(await change("dir")).toBe('"dir" is a folder, not a file. It contains x. Use list to see all of it.');
    expect(await change("big.txt")).toBe(
      '"big.txt" has more than 10 bytes, the limit of edit. Change it with a program, through bash.',
    );
    writeFileSync(join(at.project, "bin"), "a\0b");
    expect(await change("bin")).toBe('"bin" is a binary file of 3 bytes. edit changes text only.');
    writeFileSync(join(at.project, "ro"), "a");
    chmodSync(join(at.project, "ro"), 0o444);
    expect(await change("ro")).toBe(
      '"ro" is read-only (mode 444). Nothing was changed. Ask the user whether it may be made writable.',
    );
    writeFileSync(join(at.project, "old"), Buffer.from("a\xe9", "latin1"));
    expect(await say("edit", { filePath: "old", oldString: "a", newString: "日" })).toBe(
      '"old" is not UTF-8 but Windows-1252, which lacks some of the characters in newString. Nothing was changed. Use other characters, or have the file converted first.',
    );
  });

  it("[P2] is an invalid input", async () => {
    const { call } = await open({ a: "x" });
    for (const input of [
      {},
      { filePath: "a" },
      { filePath: "a", oldString: "x" },
      { filePath: "a", oldString: 1, newString: "" },
      { filePath: "a", oldString: "x", newString: "y", replaceAll: "yes" },
    ]) {
      expect(await call("edit", input)).toMatchObject({ ok: false, error: { code: "invalid_input" } });
    }
  });
});

describe("several writers", () => {
  it("[B4] edit one file one after the other: all of fifty concurrent edits are applied", async () => {
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index};`);
    const { at, call } = await open({ a: lines.join("\n") });
    const results = await Promise.all(
      lines.map((line, index) =>
        call("edit", { filePath: "a", oldString: line, newString: `done ${index};\nmore` }, { sessionID: "one" }),
      ),
    );
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(readFileSync(join(at.project, "a"), "utf8")).toBe(
      lines.map((_, index) => `done ${index};\nmore`).join("\n"),
    );
    expect(readdirSync(at.project).filter((name) => name.includes("tmp"))).toEqual([]);
  });

  it("[B4] need not have read the file, but an edit of a file that changed since is refused until it is read again", async () => {
    const { at, say } = await open({ a: "one two three\n" });
    const change = (oldString: string, newString: string): Promise<string> =>
      say("edit", { filePath: "a", oldString, newString });
    expect(await change("one", "1")).toContain("Edited a at line 1");
    expect(await change("two", "2")).toContain("Edited a at line 1");
    writeFileSync(join(at.project, "a"), "1 2 three four\n");
    expect(await change("three", "3")).toBe(
      '"a" has changed since it was last read in this session: another program has written it. Nothing was changed by this call. Read it again, then decide what to do.',
    );
    await say("read", { filePath: "a" });
    expect(await change("three", "3")).toContain("Edited a at line 1");
    expect(readFileSync(join(at.project, "a"), "utf8")).toBe("1 2 3 four\n");
  });

  it("[P3] need permission", async () => {
    const { at, call } = await openBuiltins({ a: "x" }, { callerIsAsked: false });
    const input = { filePath: "a", oldString: "x", newString: "y" };
    expect(await call("edit", input)).toMatchObject({ ok: false, error: { code: "denied" } });
    const deny = await open({ a: "x" }, { settings: { permissions: [{ tool: "edit", match: "a", action: "deny" }] } });
    symlinkSync("a", join(deny.at.project, "link"));
    for (const filePath of ["a", "link"]) {
      expect(await deny.call("edit", { ...input, filePath })).toMatchObject({ ok: false, error: { code: "denied" } });
    }
    for (const { project } of [at, deny.at]) expect(readFileSync(join(project, "a"), "utf8")).toBe("x");
  });

  it("[B13] stay inside the project", async () => {
    const { at, call } = await open();
    writeFileSync(join(at.root, "outside"), "SECRET x");
    const result = await call("edit", { filePath: "../outside", oldString: "none", newString: "y" });
    expect(result).toMatchObject({ ok: false, error: { code: "denied" } });
    expect(JSON.stringify(result)).not.toContain("SECRET");
  });

  it("[P4] leave the file unchanged when they are cancelled", async () => {
    const { at, toolbox } = await open({ a: `${"y\n".repeat(4_000_000)}end` });
    const before = readFileSync(join(at.project, "a"), "utf8");
    const run = toolbox.call({ name: "edit", input: { filePath: "a", oldString: "end", newString: "END" } });
    setTimeout(() => run.abort(), 5);
    const result = await run.result;
    const after = readFileSync(join(at.project, "a"), "utf8");
    expect([before, before.replace("end", "END")]).toContain(after);
    if (result.ok) expect(after).not.toBe(before);
    expect(readdirSync(at.project).filter((name) => name.includes("tmp"))).toEqual([]);
  });
});
