import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, symlinkSync, writeFileSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBuiltins } from "../../support/builtins.ts";

const PNG = Buffer.from(
  "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360000002000001e221bc330000000049454e44ae426082",
  "hex",
);

const numbered = (lines: readonly string[], first = 1): string =>
  lines.map((line, index) => `${String(first + index).padStart(6)}\t${line}`).join("\n");

const range = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => `line ${first + index}`);

describe("reading lines", () => {
  it("[B2] shows a file with line numbers, and marks its end", async () => {
    const { call, say } = await openBuiltins({
      "src/a.ts": "one\n\n  three\n",
      "b.txt": "only",
      "c.txt": "\n",
      "d.txt": "",
    });
    const result = await call("read", { filePath: "src/a.ts" });
    expect(result).toMatchObject({
      ok: true,
      notes: { title: join("src", "a.ts") },
      data: { lines: 3, totalLines: 3, encoding: "utf-8" },
    });
    expect(await say("read", { filePath: "src/a.ts" })).toBe(
      "     1\tone\n     2\t\n     3\t  three\n(end of file: 3 lines)",
    );
    expect(await say("read", { filePath: "b.txt" })).toBe("     1\tonly\n(end of file: 1 line)");
    expect(await say("read", { filePath: "c.txt" })).toBe("     1\t\n(end of file: 1 line)");
    expect(await say("read", { filePath: "d.txt" })).toBe("(the file is empty)");
  });

  it("[B2] shows a part, and explains how to continue", async () => {
    const { say } = await openBuiltins({ "a.txt": `${range(1, 10).join("\n")}\n` });
    const read = (offset: number, limit?: number): Promise<string> => say("read", { filePath: "a.txt", offset, limit });
    expect(await read(3, 2)).toBe(
      `${numbered(range(3, 4), 3)}\n(lines 3 to 4 of 10: call read with offset 5 for more)`,
    );
    expect(await read(10)).toBe(`${numbered(range(10, 10), 10)}\n(end of file: 10 lines)`);
    expect(await read(9, 2)).toBe(`${numbered(range(9, 10), 9)}\n(end of file: 10 lines)`);
    expect(await read(0, 1)).toBe(`${numbered(range(1, 1))}\n(line 1 of 10: call read with offset 2 for more)`);
    expect(await read(11)).toBe('"a.txt" has only 10 lines, so there is no line 11. Start at a line from 1 to 10.');
  });

  it("[B2] stops after 2,000 lines, or earlier if the output would be cut", async () => {
    const { say } = await openBuiltins({
      "many.txt": "x\n".repeat(2500),
      "wide.txt": `${"y".repeat(99)}\n`.repeat(1000),
    });
    const many = (await say("read", { filePath: "many.txt" })).split("\n");
    expect(many).toHaveLength(2001);
    expect(many.at(-1)).toBe("(lines 1 to 2000 of 2500: call read with offset 2001 for more)");
    const wide = await say("read", { filePath: "wide.txt" });
    expect(Buffer.byteLength(wide)).toBeLessThanOrEqual(50_000);
    expect(wide.split("\n").at(-1)).toBe("(lines 1 to 457 of 1000: call read with offset 458 for more)");
    expect(wide).not.toContain("[truncated");
    const rest = await say("read", { filePath: "many.txt", offset: 2001, limit: 5000 });
    expect(rest.split("\n").at(-1)).toBe("(end of file: 2500 lines)");
  });

  it("[B2] has limits that can be set", async () => {
    const toolLimits = { read: { lines: 3, lineCharacters: 4, wholeBytes: 10, maxLines: 6 } };
    const { say } = await openBuiltins({ "a.txt": "abcdefgh\nb\nc\nd\ne\n" }, { settings: { toolLimits } });
    // Two lines, because the tool's notice may take four of the six.
    expect(await say("read", { filePath: "a.txt" })).toBe(
      "     1\tabcd … [line cut]\n     2\tb\n(1 line was cut after 4 characters: use grep to search in long lines)\n(lines 1 to 2, more follow: call read with offset 3 for more)",
    );
  });

  it("[B2] cuts long lines without buffering them, also a line of 10 MB", async () => {
    const { at, say } = await openBuiltins();
    writeFileSync(join(at.project, "long.txt"), `first\n${"é".repeat(5_000_000)}\nlast\n`);
    expect(await say("read", { filePath: "long.txt" })).toBe(
      `     1\tfirst\n     2\t${"é".repeat(2000)} … [line cut]\n     3\tlast\n(1 line was cut after 2000 characters: use grep to search in long lines)\n(end of file: 3 lines)`,
    );
    // Half a character is omitted.
    writeFileSync(join(at.project, "pair.txt"), `${"a".repeat(1999)}😀b\n`);
    expect(await say("read", { filePath: "pair.txt" })).toContain(`${"a".repeat(1999)} … [line cut]\n`);
  });

  it("[B2] reads a file of 100 MB only as far as necessary, and also near its end", async () => {
    const { at, say, call } = await openBuiltins();
    const path = join(at.project, "huge.log");
    const file = openSync(path, "w");
    const block = Array.from({ length: 10_000 }, (_, index) => `${String(index).padStart(9, "0")}`).join("\n");
    for (let i = 0; i < 1_000; i++) writeSync(file, `${block}\n`);
    closeSync(file);
    expect(await say("read", { filePath: "huge.log", limit: 2 })).toBe(
      "     1\t000000000\n     2\t000000001\n(lines 1 to 2, more follow: call read with offset 3 for more)",
    );
    expect(await say("read", { filePath: "huge.log", offset: 9_999_999 })).toBe(
      "9999999\t000009998\n10000000\t000009999\n(end of file: 10000000 lines)",
    );
    expect(await call("read", { filePath: "huge.log", offset: 10_000_001 })).toMatchObject({
      ok: false,
      error: { code: "failed" },
    });
  });
});

describe("the text of a file", () => {
  it("[B2] treats CRLF and lone CR as line breaks, also at the end of a chunk", async () => {
    const { at, say } = await openBuiltins({
      "crlf.txt": "a\r\nb\r\n",
      "cr.txt": "a\rb\r",
      "mixed.txt": "a\r\n\rb\n\r",
    });
    expect(await say("read", { filePath: "crlf.txt" })).toBe("     1\ta\n     2\tb\n(end of file: 2 lines)");
    expect(await say("read", { filePath: "cr.txt" })).toBe("     1\ta\n     2\tb\n(end of file: 2 lines)");
    expect(await say("read", { filePath: "mixed.txt" })).toBe(
      "     1\ta\n     2\t\n     3\tb\n     4\t\n(end of file: 4 lines)",
    );
    const piece = 256 * 1024;
    writeFileSync(join(at.project, "edge.txt"), `${"x".repeat(piece - 1)}\r\nlast`);
    expect(await say("read", { filePath: "edge.txt", offset: 2 })).toBe("     2\tlast\n(end of file: 2 lines)");
  });

  it("[B2] is read as UTF-8 or UTF-16, without the byte order mark", async () => {
    const { at, say } = await openBuiltins();
    const text = "\uFEFFäö\nü😀";
    for (const bytes of [Buffer.from(text), Buffer.from(text, "utf16le"), Buffer.from(text, "utf16le").swap16()]) {
      writeFileSync(join(at.project, "a"), bytes);
      expect(await say("read", { filePath: "a" })).toBe("     1\täö\n     2\tü😀\n(end of file: 2 lines)");
    }
  });

  it("[B2] is read as UTF-16 without a byte order mark if it clearly is UTF-16", async () => {
    const { at, say } = await openBuiltins();
    const text = "Windows likes this\r\neven without a mark\r\n";
    writeFileSync(join(at.project, "le"), Buffer.from(text, "utf16le"));
    writeFileSync(join(at.project, "be"), Buffer.from(text, "utf16le").swap16());
    for (const filePath of ["le", "be"]) {
      expect(await say("read", { filePath })).toBe(
        "     1\tWindows likes this\n     2\teven without a mark\n(end of file: 2 lines)",
      );
    }
  });

  it("[B2] is shown with a notice if it is not UTF-8", async () => {
    const { at, say } = await openBuiltins();
    writeFileSync(join(at.project, "old.txt"), Buffer.from("na\xefve caf\xe9\n", "latin1"));
    expect(await say("read", { filePath: "old.txt" })).toBe(
      "     1\tnaïve café\n(the file is not UTF-8 and is shown as Windows-1252)\n(end of file: 1 line)",
    );
  });

  it("[B2] is refused if the content is binary, whatever the name", async () => {
    const { at, say } = await openBuiltins({ "text.png": "just text\n", "a.svg": "<svg/>\n" });
    expect(await say("read", { filePath: "text.png" })).toBe("     1\tjust text\n(end of file: 1 line)");
    expect(await say("read", { filePath: "a.svg" })).toBe("     1\t<svg/>\n(end of file: 1 line)");
    writeFileSync(join(at.project, "a.txt"), "a\0b");
    expect(await say("read", { filePath: "a.txt" })).toBe(
      '"a.txt" is a binary file of 3 bytes, which cannot be shown as text. Look at it with a program made for it, through bash.',
    );
    writeFileSync(join(at.project, "z.txt"), Buffer.from("504b030414000000080000000000", "hex"));
    expect(await say("read", { filePath: "z.txt" })).toBe(
      '"z.txt" is a binary file (application/zip) of 14 bytes, which cannot be shown as text. Look at it with a program made for it, through bash.',
    );
    writeFileSync(join(at.project, "x.bmp"), Buffer.from(`424d${"00".repeat(60)}`, "hex"));
    expect(await say("read", { filePath: "x.bmp" })).toBe(
      '"x.bmp" is a binary file (image/bmp) of 62 bytes, which cannot be shown as text. Convert it to PNG with bash and read that.',
    );
    writeFileSync(join(at.project, "utf32"), Buffer.from("fffe000061000000", "hex"));
    expect(await say("read", { filePath: "utf32" })).toContain("is a binary file");
  });
});

describe("images and PDF files", () => {
  it("[B2] [P9] are returned as attachments, detected by content", async () => {
    const { at, call } = await openBuiltins({ "doc.txt": "%PDF-1.4\n%âãÏÓ\n" });
    writeFileSync(join(at.project, "picture.dat"), PNG);
    expect(await call("read", { filePath: "picture.dat" })).toMatchObject({
      ok: true,
      content: [
        { type: "text", text: `(image, image/png, ${PNG.length} bytes: attached)` },
        { type: "image", mimeType: "image/png", data: PNG.toString("base64") },
      ],
    });
    expect(await call("read", { filePath: "doc.txt" })).toMatchObject({
      ok: true,
      content: [
        { type: "text", text: "(PDF, 19 bytes: attached)" },
        {
          type: "file",
          mimeType: "application/pdf",
          name: "doc.txt",
          data: Buffer.from("%PDF-1.4\n%âãÏÓ\n").toString("base64"),
        },
      ],
    });
  });

  it("[B2] are refused if they are too large", async () => {
    const toolLimits = { read: { imageBytes: 20, pdfBytes: 5 } };
    const { at, say } = await openBuiltins({ "a.pdf": "%PDF-1.4\n" }, { settings: { toolLimits } });
    writeFileSync(join(at.project, "a.png"), PNG);
    expect(await say("read", { filePath: "a.png" })).toBe(
      `"a.png" is an image (image/png) of ${PNG.length} bytes, more than the 20 that can be attached. Make a smaller copy with bash and read that, or ask the user to raise the limit "imageBytes" of this tool.`,
    );
    expect(await say("read", { filePath: "a.pdf" })).toBe(
      '"a.pdf" is a PDF of 9 bytes, more than the 5 that can be attached. Make a smaller copy with bash and read that, or ask the user to raise the limit "pdfBytes" of this tool.',
    );
  });
});

describe("paths that are not a regular file", () => {
  it("[B2] a missing file is reported with similar names", async () => {
    const { at, say } = await openBuiltins({
      "src/index.ts": "",
      "src/Button.tsx": "",
      "src/parse-json.ts": "",
      "lib/deep/helper.ts": "",
      "e/one.md": "",
    });
    const read = (filePath: string): Promise<string> => say("read", { filePath });
    expect(await read("src/index.js")).toBe('There is no file "src/index.js". Did you mean "src/index.ts"?');
    expect(await read("src/button.tsx")).toBe('There is no file "src/button.tsx". Did you mean "src/Button.tsx"?');
    expect(await read("src/parse_jsn.ts")).toBe(
      'There is no file "src/parse_jsn.ts". Did you mean "src/parse-json.ts"?',
    );
    expect(await read("src/helper.ts")).toBe('There is no file "src/helper.ts". Did you mean "lib/deep/helper.ts"?');
    expect(await read("no/such/one.md")).toBe('There is no file "no/such/one.md". Did you mean "e/one.md"?');
    writeFileSync(join(at.project, "src/a\nb.ts"), "");
    expect(await read("src/anb.ts")).toBe('There is no file "src/anb.ts". Did you mean "src/a\\nb.ts"?');
    expect(await read("src/qqqqqqqq.zz")).toBe('There is no file "src/qqqqqqqq.zz". Use glob to find it.');
    expect(await read("src/index.ts/x")).toBe('There is no file "src/index.ts/x". Use glob to find it.');
  });

  it("[B2] [P3] files that may not be read are not suggested", async () => {
    const permissions = [{ tool: "read", match: "**/*.pem", action: "deny" }];
    const { say } = await openBuiltins({ "key.pem": "SECRET" }, { settings: { permissions } });
    expect(await say("read", { filePath: "key.txt" })).toBe('There is no file "key.txt". Use glob to find it.');
    const folder = await openBuiltins(
      { "dir/a": "", "dir/key": "" },
      { settings: { permissions: [{ tool: "*", match: "**/key", action: "deny" }] } },
    );
    expect(await folder.say("read", { filePath: "dir" })).toBe(
      '"dir" is a folder, not a file. It contains a. Use list to see all of it.',
    );
  });

  it("[B2] a name in another Unicode normalization is found", async () => {
    const { say } = await openBuiltins({ "cafe\u0301.txt": "x\n", "Shot at 3.00\u202fPM.txt": "y\n" });
    expect(await say("read", { filePath: "caf\u00e9.txt" })).toBe("     1\tx\n(end of file: 1 line)");
    expect(await say("read", { filePath: "Shot at 3.00 PM.txt" })).toBe("     1\ty\n(end of file: 1 line)");
  });

  it("[B2] folders, pipes, sockets and devices are distinguished", async () => {
    const { at, say } = await openBuiltins({ "src/a.ts": "", "src/lib/b.ts": "" });
    expect(await say("read", { filePath: "src" })).toBe(
      '"src" is a folder, not a file. It contains a.ts and lib/. Use list to see all of it.',
    );
    mkdirSync(join(at.project, "many"));
    for (let i = 10; i < 22; i++) writeFileSync(join(at.project, "many", String(i)), "");
    expect(await say("read", { filePath: "many" })).toBe(
      '"many" is a folder, not a file. It contains 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 and 2 more. Use list to see all of it.',
    );
    mkdirSync(join(at.project, "empty"));
    expect(await say("read", { filePath: "empty" })).toBe(
      '"empty" is a folder, not a file. It is empty. Use list to see all of it.',
    );
    execFileSync("mkfifo", [join(at.project, "pipe")]);
    expect(await say("read", { filePath: "pipe" })).toBe('"pipe" is a pipe, not a file. Send the path of a file.');
    const server = createServer().listen(join(at.project, "socket"));
    await once(server, "listening");
    expect(await say("read", { filePath: "socket" })).toBe(
      '"socket" is a socket, not a file. Send the path of a file.',
    );
    server.close();
    symlinkSync("loop", join(at.project, "loop"));
    symlinkSync("gone.txt", join(at.project, "dangling"));
    expect(await say("read", { filePath: "dangling" })).toBe(
      '"dangling" is a link to "gone.txt", which is missing. Use glob to find it.',
    );
    expect(await say("read", { filePath: "loop" })).toMatch(/^"loop" cannot be read: ELOOP/);
  });

  it("[P2] invalid inputs are refused with an explanation", async () => {
    const { call } = await openBuiltins({ a: "x" });
    for (const input of [
      {},
      { filePath: 5 },
      { filePath: "" },
      { filePath: "a", offset: -1 },
      { filePath: "a", limit: 0 },
      { filePath: "a", limit: 1.5 },
    ]) {
      expect(await call("read", input)).toMatchObject({ ok: false, error: { code: "invalid_input" } });
    }
    expect(await call("read", { filePath: "a\0b" })).toMatchObject({
      ok: false,
      error: { message: "The path contains a NUL byte. Send it without." },
    });
  });
});

describe("permission to read", () => {
  it("[P3] [B13] follows the rules", async () => {
    const permissions = [{ tool: "read", match: "secret/**", action: "deny" }];
    const { at, say, call } = await openBuiltins(
      { "secret/key": "SECRET", "a.txt": "x" },
      { settings: { permissions } },
    );
    expect(await call("read", { filePath: "secret/key" })).toMatchObject({ ok: false, error: { code: "denied" } });
    symlinkSync("secret/key", join(at.project, "link"));
    expect(await call("read", { filePath: "link" })).toMatchObject({ ok: false, error: { code: "denied" } });
    expect(await say("read", { filePath: "a.txt" })).toContain("x");
  });

  it("[B13] outside the project requires a rule that names the path: a general allow rule is not enough", async () => {
    const general = { settings: { permissions: [{ tool: "read", action: "allow" }] }, callerIsAsked: true };
    const { at, call } = await openBuiltins({}, general);
    const secret = join(at.root, "secret.txt");
    writeFileSync(secret, "SECRET\n");
    const refused = await call("read", { filePath: secret });
    expect(refused).toMatchObject({ ok: false, error: { code: "denied" } });
    expect(JSON.stringify(refused)).not.toContain("SECRET");
    const permissions = [{ tool: "read", match: secret, action: "allow" }];
    const named = await openBuiltins({}, { settings: { permissions } });
    expect(await named.say("read", { filePath: secret })).toBe("     1\tSECRET\n(end of file: 1 line)");
    // A file beside it is neither read nor mentioned.
    expect(await named.call("read", { filePath: `${secret}x` })).toMatchObject({
      ok: false,
      error: { code: "denied" },
    });
  });

  it("[P4] a cancelled call ends", async () => {
    const { at, toolbox } = await openBuiltins();
    // A line without an end, in a file that takes long to read.
    const path = join(at.project, "sparse");
    execFileSync("sh", ["-c", `head -c 100000 /dev/zero | tr '\\0' x > "$1" && truncate -s 20G "$1"`, "sh", path]);
    const run = toolbox.call({ name: "read", input: { filePath: "sparse" } });
    setTimeout(() => run.abort(), 300);
    expect(await run.result).toMatchObject({ ok: false, error: { code: "aborted" } });
  });

  it("[B2] a file can be read while other processes replace it", async () => {
    const { at, say } = await openBuiltins({ "a.txt": "old\n" });
    const code =
      'const fs=require("fs");fs.writeSync(1,"x");for(;;){fs.writeFileSync("b.txt","new\\n");fs.renameSync("b.txt","a.txt");Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,1)}';
    const child = spawn(process.execPath, ["-e", code], { cwd: at.project, stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    const seen = new Set<string>();
    for (let i = 0; i < 100; i++) seen.add(await say("read", { filePath: "a.txt" }));
    child.kill("SIGKILL");
    await once(child, "exit");
    expect([...seen].filter((text) => !/^ {5}1\t(old|new)\n\(end of file: 1 line\)$/.test(text))).toEqual([]);
  });
});
