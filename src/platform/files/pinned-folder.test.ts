import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporary } from "../../../test/support/temporary.ts";
import { ToolError } from "../../core/error.ts";
import { createPinnedFolder, pinFolder } from "./pinned-folder.ts";

const anything = (): void => {};

describe("a pinned folder", () => {
  it("[X1] is created if it is missing, each part inside the one before", async () => {
    const root = temporary();
    const folder = await createPinnedFolder(join(root, "a/b/c"), anything);
    writeFileSync(folder.at("x"), "x");
    await folder.close();
    expect(readFileSync(join(root, "a/b/c/x"), "utf8")).toBe("x");
  });

  it("[X1] is reached through links only if the guard allows it", async () => {
    const root = temporary();
    mkdirSync(join(root, "real"));
    symlinkSync("real", join(root, "link"));
    const asked: string[] = [];
    const folder = await pinFolder(join(root, "link"), (real) => void asked.push(real));
    await folder.close();
    expect(asked).toEqual([join(root, "real")]);
    const refuse = (): never => {
      throw new ToolError("denied", "No.");
    };
    await expect(pinFolder(join(root, "link"), refuse)).rejects.toThrow("No.");
    await expect(pinFolder(join(root, "none"), anything)).rejects.toThrow("ENOENT");
  });

  it.runIf(process.platform === "linux")("[X1] stays the same folder when its path is replaced", async () => {
    const root = temporary();
    mkdirSync(join(root, "inside"));
    mkdirSync(join(root, "outside"));
    const folder = await pinFolder(join(root, "inside"), anything);
    renameSync(join(root, "inside"), join(root, "kept"));
    symlinkSync("outside", join(root, "inside"));
    writeFileSync(folder.at("x"), "x");
    const { stdout } = spawnSync("sh", ["-c", "pwd; ls"], { cwd: folder.path, encoding: "utf8" });
    await folder.close();
    expect(stdout).toBe(`${join(root, "kept")}\nx\n`);
    expect(readFileSync(join(root, "kept/x"), "utf8")).toBe("x");
  });
});
