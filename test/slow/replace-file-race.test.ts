import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/core/error.ts";
import { replaceFile } from "../../src/platform/files/replace-file.ts";
import { temporary } from "../support/temporary.ts";

describe("replacing a file", () => {
  it.runIf(process.platform === "linux")(
    "[X1] creates no file behind a link that repeatedly replaces a folder",
    async () => {
      const root = temporary();
      mkdirSync(join(root, "outside"));
      mkdirSync(join(root, "project/swap"), { recursive: true });
      const guard = (real: string): void => {
        if (!real.startsWith(join(root, "project"))) throw new ToolError("denied", "No.");
      };
      const stop = await startSwapping(join(root, "project"));
      for (let i = 0; i < 1_500; i++) {
        const real = join(root, "project/swap", i % 3 === 0 ? `folder-${i}/new` : `new-${i}`);
        await replaceFile({ real, displayName: "x", bytes: Buffer.from("x"), before: undefined, guard }).catch(
          () => {},
        );
      }
      await stop();
      expect(readdirSync(join(root, "outside"))).toEqual([]);
    },
  );
});

/** Repeatedly replaces the folder `swap` by a link to the folder outside, and back; returns a function that stops it. */
async function startSwapping(cwd: string): Promise<() => Promise<void>> {
  const code = `const fs = require("node:fs");
    fs.symlinkSync("../outside", "link");
    fs.writeSync(1, "ready");
    const steps = [["swap", "kept"], ["link", "swap"], ["swap", "link"], ["kept", "swap"]];
    const clear = () => { try { fs.rmSync("swap", { recursive: true, force: true }); } catch {} };
    for (;;) for (const [from, to] of steps) try { fs.renameSync(from, to); } catch { clear(); }`;
  const child = spawn(process.execPath, ["-e", code], { cwd, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  return async () => {
    child.kill("SIGKILL");
    await ended;
  };
}
