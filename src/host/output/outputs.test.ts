import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fullOutputStore, outputsFolder, sweepOutputs } from "./outputs.ts";
import { truncate } from "./truncate.ts";

const DAY = 24 * 60 * 60 * 1000;
const LIMITS = { maxLines: 1, maxBytes: 1000, keep: "head" } as const;

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "outputs-"));
  folder = outputsFolder(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("[P7] complete outputs", () => {
  it("[P7] are stored in files by session and call", () => {
    const cut = truncate("é\nb\n", LIMITS, fullOutputStore(folder, { sessionID: "ses_1", callID: "call-1" }));
    const path = join(root, "outputs", "ses_1", "call-1.txt");
    expect(cut.text).toBe(`é\n[truncated: 1 lines omitted; full output: ${path}]`);
    expect(readFileSync(path, "utf8")).toBe("é\nb\n");
  });

  it("[X2] are private to the user", () => {
    truncate("a\nb\n", LIMITS, fullOutputStore(folder, { sessionID: "s", callID: "c" }));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, "s")).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, "s", "c.txt")).mode & 0o777).toBe(0o600);
  });

  it.each(["../../etc/x", "..", ".", "", "a/b\\c", "nul\0byte", "x".repeat(300), "/abs", "é😀"])(
    "[X1] ids cannot lead out of the folder: %j",
    (id) => {
      truncate("a\nb\n", LIMITS, fullOutputStore(folder, { sessionID: id, callID: id }));
      expect(readdirSync(root)).toEqual(["outputs"]);
      const [session = "missing"] = readdirSync(folder);
      expect(session).toMatch(/^[A-Za-z0-9_-]{1,100}$/);
      expect(readdirSync(join(folder, session))).toEqual([`${session}.txt`]);
    },
  );

  it("[P7] never replace an existing file, nor write through a link", () => {
    const elsewhere = join(root, "elsewhere.txt");
    writeFileSync(elsewhere, "mine");
    mkdirSync(join(folder, "s"), { recursive: true });
    symlinkSync(elsewhere, join(folder, "s", "c.txt"));
    const cut = truncate("a\nb\n", LIMITS, fullOutputStore(folder, { sessionID: "s", callID: "c" }));
    expect(cut.truncated?.fullOutput).toMatch(/\/s\/c-[0-9a-z]{1,8}\.txt$/);
    expect(readFileSync(elsewhere, "utf8")).toBe("mine");
  });

  it("[P7] are complete when they arrive in chunks of every size", () => {
    const file = fullOutputStore(folder, { sessionID: "s", callID: "c" }).open();
    const chunks = [1, 65_535, 65_536, 65_537, 200_000, 3].map((size) => Buffer.alloc(size, String(size)));
    for (const chunk of chunks) file?.write(chunk);
    const path = file?.close() ?? "";
    expect(readFileSync(path).equals(Buffer.concat(chunks))).toBe(true);
    expect(file?.close()).toBe(path);
  });

  it("[P7] that cannot be written cause no error, and no file is reported", () => {
    writeFileSync(join(root, "outputs"), "a file where the folder should be");
    const cut = truncate("a\nb\n", LIMITS, fullOutputStore(folder, { sessionID: "s", callID: "c" }));
    expect(cut.text).toBe("a\n[truncated: 1 lines omitted]");
  });

  it("[P7] above the size limit are not stored", () => {
    const store = fullOutputStore(folder, { sessionID: "s", callID: "c" }, { maxMb: 1 / 1024 });
    const cut = truncate(`a\n${"b".repeat(5000)}`, LIMITS, store);
    expect(cut.text).toBe("a\n[truncated: 1 lines omitted]");
    expect(readdirSync(join(folder, "s"))).toEqual([]);
  });

  it("[P7] a write that fails half-way, as on a full disk, causes no error and leaves no partial file", () => {
    const program = `
      const at = (name) => new URL(name, ${JSON.stringify(new URL(".", import.meta.url).href)}).href;
      const { truncate } = await import(at("truncate.ts"));
      const { fullOutputStore } = await import(at("outputs.ts"));
      const store = fullOutputStore(process.argv.at(-1), { sessionID: "s", callID: "c" });
      const cut = truncate("a\\n" + "b".repeat(1_000_000), { maxLines: 1, maxBytes: 1000, keep: "head" }, store);
      process.stdout.write(cut.text);
    `;
    // No file may grow beyond 256 blocks in that process.
    const limited = [
      "-c",
      'ulimit -f 256; exec "$0" "$@"',
      process.execPath,
      "--input-type=module",
      "-e",
      program,
      folder,
    ];
    expect(execFileSync("sh", limited).toString()).toBe("a\n[truncated: 1 lines omitted]");
    expect(readdirSync(join(folder, "s"))).toEqual([]);
  });
});

describe("[P7] sweepOutputs", () => {
  const now = Date.now();
  function output(session: string, call: string, days: number, bytes = 10): string {
    const path = join(folder, session, `${call}.txt`);
    mkdirSync(join(folder, session), { recursive: true });
    writeFileSync(path, "x".repeat(bytes));
    utimesSync(path, new Date(now - days * DAY), new Date(now - days * DAY));
    return path;
  }

  it("[P7] deletes files older than 7 days, and folders that are then empty", async () => {
    const old = output("old", "a", 8);
    const mixed = output("mixed", "a", 30);
    const young = output("mixed", "b", 6.9);
    await sweepOutputs(root, { now });
    expect([old, mixed, young].map(existsSync)).toEqual([false, false, true]);
    expect(readdirSync(folder)).toEqual(["ages.json", "mixed"]);
  });

  it("[P7] deletes the oldest files until the others are below the size limit", async () => {
    const paths = [3, 1, 2].map((days) => output("s", String(days), days, 600_000));
    await sweepOutputs(root, { maxMb: 1, now });
    expect(paths.map(existsSync)).toEqual([false, true, false]);
  });

  it("[P7] honours keepDays", async () => {
    const path = output("s", "a", 2);
    await sweepOutputs(root, { keepDays: 1, now });
    expect(existsSync(path)).toBe(false);
  });

  it.each([365, 8, -365])("[P7] deletes nothing because the clock jumps by %s days, for a day", async (days) => {
    const at = now + days * DAY;
    await sweepOutputs(root, { now });
    const paths = [0, 3, 6].map((age) => output("s", String(age), age));
    await sweepOutputs(root, { now });
    for (const hours of [0, 1, 23]) await sweepOutputs(root, { now: at + (hours * DAY) / 24 });
    await sweepOutputs(root, { now });
    expect(paths.map(existsSync)).toEqual([true, true, true]);
    for (const hours of [24, 49, 74]) await sweepOutputs(root, { now: at + (hours * DAY) / 24 });
    expect(paths.map(existsSync)).toEqual(days < 0 ? [true, true, true] : [false, false, false]);
  });

  it("[P7] deletes nothing because of its age if the time of the last look is unreadable", async () => {
    const path = output("s", "a", 8);
    writeFileSync(join(folder, "ages.json"), "{");
    await sweepOutputs(root, { now });
    expect(existsSync(path)).toBe(true);
    for (const days of [1.1, 2.2]) await sweepOutputs(root, { now: now + days * DAY });
    expect(existsSync(path)).toBe(false);
  });

  it("[X1] follows no links and touches no other files", async () => {
    const outside = join(root, "outside");
    mkdirSync(outside);
    const precious = join(outside, "a.txt");
    writeFileSync(precious, "precious");
    utimesSync(precious, new Date(0), new Date(0));
    mkdirSync(join(folder, "s"), { recursive: true });
    symlinkSync(outside, join(folder, "linked"));
    symlinkSync(precious, join(folder, "s", "link.txt"));
    writeFileSync(join(folder, "s", "notes.md"), "");
    utimesSync(join(folder, "s", "notes.md"), new Date(0), new Date(0));
    await sweepOutputs(root, { maxMb: 0, now });
    expect(existsSync(precious)).toBe(true);
    expect(readdirSync(join(folder, "s")).sort()).toEqual(["link.txt", "notes.md"]);
  });

  it("[X1] does not enter an output folder that is a link", async () => {
    const outside = join(root, "outside");
    mkdirSync(join(outside, "s"), { recursive: true });
    writeFileSync(join(outside, "s", "a.txt"), "");
    utimesSync(join(outside, "s", "a.txt"), new Date(0), new Date(0));
    symlinkSync(outside, folder);
    await sweepOutputs(root, { now });
    expect(existsSync(join(outside, "s", "a.txt"))).toBe(true);
  });

  it("[P7] does not throw if the folder is missing or cannot be read", async () => {
    await sweepOutputs(join(root, "missing"), { now });
    output("s", "a", 30);
    chmodSync(join(folder, "s"), 0o000);
    await sweepOutputs(root, { now });
    if (existsSync(join(folder, "s"))) chmodSync(join(folder, "s"), 0o700);
  });
});
