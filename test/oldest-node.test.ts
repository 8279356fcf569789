import { execFileSync, spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { type Case, GOOD } from "./support/cases.ts";
import { makeFixture } from "./support/fixture.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const OLDEST = join(ROOT, "e2e/node-22");
const NODE = join(OLDEST, "node_modules/node/bin/node");

/** Installed only when the tests come to it; without it the reason is said and counted. */
function install(): string | undefined {
  try {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: OLDEST, stdio: "pipe" });
    return undefined;
  } catch (error) {
    return `Node 22.18 could not be installed: ${error}`;
  }
}

const missing = install();

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

  it("runs the tools too", () => {
    expect(run({ tool: "runtime" }).output).toBe("v22.18.0");
  });

  it.each([...GOOD])("$tool $input answers", ({ tool, input, says }) => {
    const { output } = run({ tool, ...(input ? { input } : {}) });
    expect(output).toEqual(says instanceof RegExp ? expect.stringMatching(says) : says);
  });
});
