import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporary } from "../../../test/support/temporary.ts";
import { ToolError } from "../../core/error.ts";
import { replaceFile } from "./replace-file.ts";

const anything = (): void => {};
const stats = (path: string) => lstatSync(path, { bigint: true });

describe("replacing a file", () => {
  it("[B3] keeps the mode, with the setuid and setgid bits", async () => {
    const path = join(temporary(), "a");
    writeFileSync(path, "old");
    for (const mode of [0o600, 0o4755, 0o2770, 0o644]) {
      chmodSync(path, mode);
      await replaceFile({
        real: path,
        displayName: "a",
        bytes: Buffer.from("new"),
        before: stats(path),
        guard: anything,
      });
      expect(statSync(path).mode & 0o7777).toBe(mode);
    }
  });

  it.runIf(process.getuid?.() === 0)("[B3] keeps the owner", async () => {
    const path = join(temporary(), "a");
    writeFileSync(path, "old");
    chownSync(path, 1234, 5678);
    chmodSync(path, 0o4640);
    await replaceFile({
      real: path,
      displayName: "a",
      bytes: Buffer.from("new"),
      before: stats(path),
      guard: anything,
    });
    expect(statSync(path)).toMatchObject({ uid: 1234, gid: 5678 });
    expect(statSync(path).mode & 0o7777).toBe(0o4640);
  });

  it("[B3] replaces only the version of the file that was read", async () => {
    const folder = temporary();
    const path = join(folder, "a");
    writeFileSync(path, "old");
    const before = stats(path);
    writeFileSync(path, "newer");
    const put = (was: typeof before | undefined): Promise<void> =>
      replaceFile({ real: path, displayName: "a", bytes: Buffer.from("mine"), before: was, guard: anything });
    const words =
      '"a" was changed by another program at the same time. Nothing was changed by this call. Read it again, then try again.';
    await expect(put(before)).rejects.toThrow(words);
    await expect(put(undefined)).rejects.toThrow(words);
    expect(readFileSync(path, "utf8")).toBe("newer");
    expect(readdirSync(folder)).toEqual(["a"]);
  });

  it("[P4] leaves no file behind when it is cancelled", async () => {
    const folder = temporary();
    const path = join(folder, "a");
    writeFileSync(path, "old");
    const bytes = Buffer.alloc(30_000_000, "x");
    for (const wait of [0, 1, 3, 6]) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), wait);
      const input = {
        real: path,
        displayName: "a",
        bytes,
        before: stats(path),
        guard: anything,
        signal: controller.signal,
      };
      const ended = await replaceFile(input).then(
        () => "done",
        (error: unknown) => (error as Error).name,
      );
      expect(["done", "AbortError"]).toContain(ended);
      expect(readdirSync(folder)).toEqual(["a"]);
      expect(statSync(path).size).toBe(ended === "done" ? bytes.length : 3);
      writeFileSync(path, "old");
    }
  });

  it.runIf(process.platform === "linux")("[X1] asks the guard about a folder that was replaced by a link", async () => {
    const root = temporary();
    mkdirSync(join(root, "outside"));
    mkdirSync(join(root, "project/a"), { recursive: true });
    renameSync(join(root, "project/a"), join(root, "project/kept"));
    symlinkSync("../outside", join(root, "project/a"));
    const guard = (real: string): void => {
      if (!real.startsWith(join(root, "project"))) throw new ToolError("denied", `No: ${real}`);
    };
    for (const real of ["project/a/x", "project/a/b/x"]) {
      const put = replaceFile({
        real: join(root, real),
        displayName: "x",
        bytes: Buffer.from("x"),
        before: undefined,
        guard,
      });
      await expect(put).rejects.toThrow();
    }
    expect(readdirSync(join(root, "outside"))).toEqual([]);
  });
});
