import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { startGuarded } from "./start-guarded.ts";

it.skipIf(process.platform === "win32")(
  "[G7] a program has exited although a process that it started keeps its pipes open",
  async () => {
    const program = startGuarded(["/bin/sh", "-c", "sleep 60 & echo oops >&2; exit 3"], {
      cwd: tmpdir(),
      env: process.env,
    });
    expect(await program.exited).toBe("has exited with code 3");
    expect(program.lastErrors).toBe("oops");
    await program.end();
  },
);
