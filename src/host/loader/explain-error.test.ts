import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { expectedProblem, MISTAKES, writeMistakes } from "../../../test/support/import-mistakes.ts";
import type { Problem } from "../../core/problem.ts";

/** Vitest has its own loader, so all files are loaded in one plain Node process. */
const HOOKS = fileURLToPath(new URL("./node-hooks.ts", import.meta.url));
const EXPLAIN = fileURLToPath(new URL("./explain-error.ts", import.meta.url));
const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-mistakes-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const SCRIPT = `
  import { readFileSync } from "node:fs";
  import { createLoader } from ${JSON.stringify(HOOKS)};
  import { explain } from ${JSON.stringify(EXPLAIN)};
  process.on("unhandledRejection", () => {});
  const loader = createLoader();
  const problems = [];
  for (const file of JSON.parse(readFileSync(process.argv.at(-1), "utf8"))) {
    problems.push(await loader.load(file).then(() => "loaded", (error) => explain(file, error)));
  }
  console.log(JSON.stringify(problems));`;

function problems(): (Problem | "loaded")[] {
  const list = join(root, "files.json");
  writeFileSync(list, JSON.stringify(writeMistakes(root)));
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", SCRIPT, "--", list];
  return JSON.parse(execFileSync(process.execPath, args, { env: { PATH: process.env.PATH ?? "" }, encoding: "utf8" }));
}

describe("[D5] the problem of a file with", () => {
  const found = problems();

  it.each(MISTAKES)("$title", (mistake) => {
    const problem = found[MISTAKES.indexOf(mistake)];
    const { file: _, ...rest } = typeof problem === "object" ? problem : { file: problem };
    expect(rest).toEqual(expectedProblem(mistake, root, "node"));
  });
});
