import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type BuiltinOptions, openBuiltins } from "../../support/builtins.ts";

const ASKED: BuiltinOptions = { callerIsAsked: true };

type Opened = Awaited<ReturnType<typeof openBuiltins>>;

const open = (files: Record<string, string> = {}, options: BuiltinOptions = {}): Promise<Opened> =>
  openBuiltins(files, { ...ASKED, ...options });

const CHANGED =
  '"a.txt" has changed since it was last read in this session: another program has written it. Nothing was changed by this call. Read it again, then decide what to do.';

describe("writing a file", () => {
  it("[B3] creates it, with its folders and the default mode", async () => {
    const { at, call, say } = await open();
    const result = await call("write", { filePath: "deep/er/a.txt", content: "one\ntwo\n" });
    const path = join(at.project, "deep/er/a.txt");
    expect(result).toMatchObject({
      ok: true,
      notes: { title: join("deep", "er", "a.txt") },
      data: { filePath: path, created: true, bytes: 8 },
    });
    expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
    expect(statSync(path).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(await say("write", { filePath: "b.txt", content: "é" })).toBe("Created b.txt (1 line, 2 bytes).");
    expect(await say("write", { filePath: join(at.project, "empty"), content: "" })).toBe(
      `Created ${join(at.project, "empty")} (0 lines, 0 bytes).`,
    );
  });

  it("[B3] overwrites in one step and preserves the mode; the diff is in the data", async () => {
    const { at, call, say } = await open({ "run.sh": "one\ntwo\nthree\n" });
    const path = join(at.project, "run.sh");
    chmodSync(path, 0o750);
    const { ino } = statSync(path);
    const result = await call("write", { filePath: "run.sh", content: "one\n2\nthree\nfour\n" });
    expect(result).toMatchObject({
      ok: true,
      content: [{ text: "Overwrote run.sh (4 lines, 17 bytes, +2 -1 lines)." }],
      data: {
        created: false,
        additions: 2,
        deletions: 1,
        diff: "--- run.sh\n+++ run.sh\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four\n",
      },
    });
    expect(statSync(path).mode & 0o777).toBe(0o750);
    expect(statSync(path).ino).not.toBe(ino);
    expect(readdirSync(at.project).sort()).toEqual([".git", ".toolwright", "run.sh"]);
    const written = statSync(path, { bigint: true });
    expect(await say("write", { filePath: "run.sh", content: "one\n2\nthree\nfour\n" })).toBe(
      "run.sh already has this content. Nothing was changed.",
    );
    expect(statSync(path, { bigint: true }).ctimeNs).toBe(written.ctimeNs);
  });

  it("[B3] preserves encoding, byte order mark and line endings, which a model does not see", async () => {
    const { at, say } = await open({ "crlf.txt": "a\r\nb\r\n", "mark.txt": "\uFEFFa\n" });
    const bytes = (name: string): Buffer => readFileSync(join(at.project, name));
    expect(await say("write", { filePath: "crlf.txt", content: "a\nc\n" })).toBe(
      "Overwrote crlf.txt (2 lines, 6 bytes, +1 -1 lines). Its line endings are still CRLF.",
    );
    expect(bytes("crlf.txt").toString()).toBe("a\r\nc\r\n");
    expect(await say("write", { filePath: "mark.txt", content: "b\n" })).toBe(
      "Overwrote mark.txt (1 line, 5 bytes, +1 -1 lines). It still begins with a byte order mark.",
    );
    expect(bytes("mark.txt").toString()).toBe("\uFEFFb\n");
    writeFileSync(join(at.project, "wide.txt"), Buffer.from("\uFEFFa\r\n", "utf16le").swap16());
    expect(await say("write", { filePath: "wide.txt", content: "ä\n" })).toBe(
      "Overwrote wide.txt (1 line, 8 bytes, +1 -1 lines). Its line endings are still CRLF. Its encoding is still UTF-16BE.",
    );
    expect(bytes("wide.txt")).toEqual(Buffer.from("\uFEFFä\r\n", "utf16le").swap16());
    writeFileSync(join(at.project, "old.txt"), Buffer.from("caf\xe9 \x93x\x94\n", "latin1"));
    expect(await say("write", { filePath: "old.txt", content: "né “y”\n" })).toBe(
      "Overwrote old.txt (1 line, 7 bytes, +1 -1 lines). Its encoding is still Windows-1252.",
    );
    expect(bytes("old.txt")).toEqual(Buffer.from("n\xe9 \x93y\x94\n", "latin1"));
    expect(await say("write", { filePath: "old.txt", content: "日本\n" })).toBe(
      "Overwrote old.txt (1 line, 7 bytes, +1 -1 lines). It is UTF-8 now: its former encoding, Windows-1252, lacks some of the characters.",
    );
    // Line endings in the content take precedence.
    await say("write", { filePath: "crlf.txt", content: "a\r\nb\n" });
    expect(bytes("crlf.txt").toString()).toBe("a\r\nb\n");
  });

  it("[B3] writes through a link inside the project, also one without a target, and the link stays", async () => {
    const { at, say } = await open({ "real/a.txt": "old\n" });
    symlinkSync("real/a.txt", join(at.project, "link"));
    symlinkSync("real/new.txt", join(at.project, "dangling"));
    expect(await say("write", { filePath: "link", content: "new\n" })).toBe(
      "Overwrote link (1 line, 4 bytes, +1 -1 lines).",
    );
    expect(await say("write", { filePath: "dangling", content: "x" })).toBe("Created dangling (1 line, 1 byte).");
    expect(readFileSync(join(at.project, "real/a.txt"), "utf8")).toBe("new\n");
    expect(readFileSync(join(at.project, "real/new.txt"), "utf8")).toBe("x");
    expect(readlinkSync(join(at.project, "link"))).toBe("real/a.txt");
    expect(readlinkSync(join(at.project, "dangling"))).toBe("real/new.txt");
  });

  it("[B3] does not change the other name of a hard-linked file", async () => {
    const { at, say } = await open({ "a.txt": "old\n" });
    linkSync(join(at.project, "a.txt"), join(at.root, "outside.txt"));
    await say("write", { filePath: "a.txt", content: "new\n" });
    expect(readFileSync(join(at.root, "outside.txt"), "utf8")).toBe("old\n");
  });

  it("[B3] omits a diff that is too long, or takes too long to compute", async () => {
    const letters = (seed: number): string =>
      Array.from({ length: 30_000 }, (_, i) => `${(i * seed) % 7919}\n`).join("");
    const { call } = await open({ "a.txt": letters(3) });
    const result = await call("write", { filePath: "a.txt", content: letters(5) });
    expect(result).toMatchObject({ ok: true, data: { created: false } });
    expect(result.data).not.toHaveProperty("diff");
  });
});

describe("a file that has changed since it was read", () => {
  it("[B3] is not overwritten until it is read again", async () => {
    const { at, say } = await open({ "a.txt": "one\n" });
    await say("read", { filePath: "a.txt" });
    writeFileSync(join(at.project, "a.txt"), "two\n");
    expect(await say("write", { filePath: "a.txt", content: "mine\n" })).toBe(CHANGED);
    expect(readFileSync(join(at.project, "a.txt"), "utf8")).toBe("two\n");
    await say("read", { filePath: "a.txt" });
    expect(await say("write", { filePath: "a.txt", content: "mine\n" })).toBe(
      "Overwrote a.txt (1 line, 5 bytes, +1 -1 lines).",
    );
    // The session's own writes need no further read.
    expect(await say("write", { filePath: "a.txt", content: "more\n" })).toBe(
      "Overwrote a.txt (1 line, 5 bytes, +1 -1 lines).",
    );
    writeFileSync(join(at.project, "a.txt"), "three\n");
    expect(await say("write", { filePath: "a.txt", content: "mine\n" })).toBe(CHANGED);
  });

  it("[B3] is detected by its content, not by its dates", async () => {
    const { at, say } = await open({ "a.txt": "one\n" });
    const path = join(at.project, "a.txt");
    await say("read", { filePath: "a.txt" });
    execFileSync("touch", [path]);
    expect(await say("write", { filePath: "a.txt", content: "two\n" })).toContain("Overwrote");
    await say("read", { filePath: "a.txt" });
    execFileSync("sh", ["-c", 'cp -p a.txt b.txt; printf "six\\n" > a.txt; touch -r b.txt a.txt'], { cwd: at.project });
    expect(await say("write", { filePath: "a.txt", content: "mine\n" })).toBe(CHANGED);
  });

  it("[B3] is detected by its dates if it was too large to be read completely", async () => {
    const settings = { toolLimits: { read: { wholeBytes: 10 } } };
    const { at, say } = await open({ "a.txt": "0123456789\n".repeat(50_000) }, { settings });
    const path = join(at.project, "a.txt");
    await say("read", { filePath: "a.txt", limit: 1 });
    expect(await say("write", { filePath: "a.txt", content: `1${readFileSync(path, "utf8").slice(1)}` })).toContain(
      "Overwrote",
    );
    await say("read", { filePath: "a.txt", limit: 1 });
    writeFileSync(path, "9876543210\n".repeat(50_000));
    expect(await say("write", { filePath: "a.txt", content: "mine\n" })).toBe(CHANGED);
  });

  it("[B3] is detected per session", async () => {
    const { at, say } = await open({ "a.txt": "one\n" });
    await say("read", { filePath: "a.txt" }, { sessionID: "one" });
    writeFileSync(join(at.project, "a.txt"), "two\n");
    expect(await say("write", { filePath: "a.txt", content: "x\n" }, { sessionID: "two" })).toContain("Overwrote");
    expect(await say("write", { filePath: "a.txt", content: "y\n" }, { sessionID: "one" })).toBe(CHANGED);
  });

  it("[B3] can be created again after it was deleted", async () => {
    const { at, say } = await open({ "a.txt": "one\n" });
    await say("read", { filePath: "a.txt" });
    execFileSync("rm", [join(at.project, "a.txt")]);
    expect(await say("write", { filePath: "a.txt", content: "x\n" })).toBe("Created a.txt (1 line, 2 bytes).");
  });
});

describe("a write that fails", () => {
  it("[B3] is explained, and leaves no file behind", async () => {
    const { at, say } = await open({ "locked.txt": "x", "file.txt": "x", "dir/a": "" });
    chmodSync(join(at.project, "locked.txt"), 0o444);
    const write = (filePath: string): Promise<string> => say("write", { filePath, content: "new" });
    expect(await write("locked.txt")).toBe(
      '"locked.txt" is read-only (mode 444). Nothing was changed. Ask the user whether it may be made writable.',
    );
    expect(await write("file.txt/a.txt")).toBe(
      '"file.txt/a.txt" cannot be written: a part of its path is a file, not a folder. Send another path. Nothing was changed.',
    );
    expect(await write("dir")).toBe('"dir" is a folder, not a file. Send the path of a file.');
    expect(await write(`${"n".repeat(300)}.txt`)).toMatch(
      /cannot be written: a name in it is too long\. Send a shorter one\. Nothing was changed\.$/,
    );
    symlinkSync("loop", join(at.project, "loop"));
    expect(await write("loop")).toContain("its links form a cycle");
    execFileSync("mkfifo", [join(at.project, "pipe")]);
    expect(await write("pipe")).toBe('"pipe" is a pipe, not a file. Send the path of a file.');
    expect(lstatSync(join(at.project, "pipe")).isFIFO()).toBe(true);
    expect(readdirSync(at.project).filter((name) => name.includes("tmp"))).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)("[B3] reports a read-only file system and a full disk", async () => {
    const { at, say } = await open();
    for (const [name, options] of [
      ["full", "size=64k"],
      ["fixed", "ro"],
    ] as const) {
      mkdirSync(join(at.project, name));
      try {
        execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", join(at.project, name)], { stdio: "ignore" });
      } catch {
        return; // Some systems do not let root mount.
      }
    }
    try {
      expect(await say("write", { filePath: "full/a", content: "x".repeat(200_000) })).toBe(
        '"full/a" could not be written: there is no space left on the disk. Ask the user to make some. Nothing was changed.',
      );
      expect(readdirSync(join(at.project, "full"))).toEqual([]);
      expect(await say("write", { filePath: "fixed/a", content: "x" })).toBe(
        '"fixed/a" may not be written: it is on a read-only file system. Write elsewhere. Nothing was changed.',
      );
    } finally {
      for (const name of ["full", "fixed"]) execFileSync("umount", [join(at.project, name)]);
    }
  });

  // Root has every permission.
  it.runIf(process.getuid?.() !== 0)("[B3] reports folders and files without permission", async () => {
    const { at, say } = await open({ "closed/a.txt": "x", "unreadable.txt": "x" });
    chmodSync(join(at.project, "closed"), 0o555);
    onTestFinished(() => chmodSync(join(at.project, "closed"), 0o755));
    for (const filePath of ["closed/a.txt", "closed/new.txt", "closed/folder/new.txt"]) {
      expect(await say("write", { filePath, content: "new" })).toBe(
        `"${filePath}" may not be written: there is no write permission for its folder. Ask the user to change that, or write elsewhere. Nothing was changed.`,
      );
    }
    chmodSync(join(at.project, "unreadable.txt"), 0o200);
    expect(await say("read", { filePath: "unreadable.txt" })).toBe(
      '"unreadable.txt" may not be read. Check its permissions.',
    );
  });

  it("[P2] has an invalid input", async () => {
    const { call } = await open();
    for (const input of [
      {},
      { filePath: "a" },
      { content: "x" },
      { filePath: "", content: "" },
      { filePath: "a", content: 5 },
    ]) {
      expect(await call("write", input)).toMatchObject({ ok: false, error: { code: "invalid_input" } });
    }
    expect(await call("write", { filePath: "a\0b", content: "" })).toMatchObject({
      ok: false,
      error: { message: "The path contains a NUL byte. Send it without." },
    });
  });

  it("[P3] needs a permission that is denied", async () => {
    const { at, call } = await openBuiltins({ "a.txt": "old" }, { callerIsAsked: false });
    expect(await call("write", { filePath: "a.txt", content: "new" })).toMatchObject({
      ok: false,
      error: { code: "denied" },
    });
    expect(readFileSync(join(at.project, "a.txt"), "utf8")).toBe("old");
    const deny = await open(
      { "keep/a.txt": "old" },
      { settings: { permissions: [{ tool: "write", match: "keep/**", action: "deny" }] } },
    );
    expect(await deny.call("write", { filePath: "keep/a.txt", content: "new" })).toMatchObject({
      ok: false,
      error: { code: "denied" },
    });
    expect(readFileSync(join(deny.at.project, "keep/a.txt"), "utf8")).toBe("old");
  });

  it("[B13] has a path outside the project that no rule names", async () => {
    const { at, call } = await open();
    const outside = join(at.root, "outside.txt");
    expect(await call("write", { filePath: outside, content: "x" })).toMatchObject({
      ok: false,
      error: { code: "denied" },
    });
    expect(readdirSync(at.root).sort()).toEqual(["home", "project"]);
    const permissions = [{ tool: "write", match: outside, action: "allow" }];
    const named = await open({}, { settings: { permissions } });
    expect(await named.say("write", { filePath: outside, content: "x" })).toBe(`Created ${outside} (1 line, 1 byte).`);
    expect(readFileSync(outside, "utf8")).toBe("x");
  });

  it("[P4] is cancelled, and leaves the file either unchanged or complete", async () => {
    const { at, toolbox } = await open({ "a.txt": "old\n" });
    const content = "x".repeat(50_000_000);
    for (const wait of [0, 50, 150, 300]) {
      const run = toolbox.call({ name: "write", input: { filePath: "a.txt", content }, sessionID: String(wait) });
      setTimeout(() => run.abort(), wait);
      const result = await run.result;
      const now = readFileSync(join(at.project, "a.txt"), "utf8");
      expect(result.ok ? now === content : ["old\n", content].includes(now)).toBe(true);
      expect(readdirSync(at.project).filter((name) => name.includes("tmp"))).toEqual([]);
      writeFileSync(join(at.project, "a.txt"), "old\n");
    }
  });
});
