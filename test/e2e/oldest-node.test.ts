import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { type Case, GOOD } from "../support/cases.ts";
import { makeFixture } from "../support/fixture.ts";
import { installed, MODULES } from "../support/installed.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const NODE = join(MODULES["node-22"], "node/bin/node");

const missing = await installed("node-22");

describe.skipIf(missing)(`[Z3] the oldest Node${missing ? ` (${missing})` : ""}`, () => {
  const fixture = makeFixture({ limits: { importMs: 1000 } });
  for (const name of ["blocks-at-import.ts", "hangs-at-import.ts"]) rmSync(join(fixture.tools, name));
  writeFileSync(
    join(fixture.tools, "runtime.ts"),
    'export default { description: "Which.", execute: () => process.version };',
  );
  afterAll(fixture.remove);

  const run = ({ tool, input = {} }: Pick<Case, "tool" | "input">): { output: string } => {
    const args = [join(ROOT, "dist/cli.mjs"), "run", tool, "--input", JSON.stringify(input), "--json", "--trust"];
    const { stdout } = spawnSync(NODE, [...args, "--cwd", fixture.project], { env: fixture.env, encoding: "utf8" });
    return JSON.parse(stdout);
  };

  it("also runs the tools", () => {
    expect(run({ tool: "runtime" }).output).toBe("v22.18.0");
  });

  it("keeps the state of a session, and prints no warning about SQLite", () => {
    const todos = [{ id: "1", content: "Buy milk", status: "pending", priority: "low" }];
    const inSession = (tool: string, input: object): { stdout: string; stderr: string } => {
      const args = ["run", tool, "--input", JSON.stringify(input), "--session", "s", "--cwd", fixture.project];
      return spawnSync(NODE, [join(ROOT, "dist/cli.mjs"), ...args], { env: fixture.env, encoding: "utf8" });
    };
    expect(inSession("todowrite", { todos }).stderr).toBe("");
    const { stdout, stderr } = inSession("todoread", {});
    expect(stdout).toContain("Buy milk");
    expect(stderr).toBe("");
  });

  it.each([...GOOD])("$tool $input returns its result", ({ tool, input, says }) => {
    const { output } = run({ tool, ...(input ? { input } : {}) });
    expect(output).toEqual(says instanceof RegExp ? expect.stringMatching(says) : says);
  });
});
