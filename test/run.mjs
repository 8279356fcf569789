import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { closingLine, REPORTS, SUITES } from "./report.mjs";

/** Runs one suite, with further arguments for vitest: `node test/run.mjs slow races`. The last line of output counts the tests. */
const [suite, ...more] = process.argv.slice(2);
if (!SUITES.includes(suite)) throw new Error(`Name a suite: ${SUITES.join(", ")}.`);

const folder = mkdtempSync(join(tmpdir(), "toolwright-test-"));
const output = join(folder, "report.json");
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${output}`];
const { status } = spawnSync(process.execPath, [vitest, "run", ...reporters, ...more], {
  stdio: "inherit",
  env: { ...process.env, TEST_SUITE: suite },
});

const report = summarise(output, status);
rmSync(folder, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });
writeFileSync(join(REPORTS, `${suite}.json`), JSON.stringify(report));
console.log(closingLine(report));
process.exitCode = report.failed > 0 ? 1 : 0;

/** A run that failed although no test failed (an unhandled error, a warning) counts as one failed test. */
function summarise(file, status) {
  try {
    const { testResults } = JSON.parse(readFileSync(file, "utf8"));
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const titles = (...wanted) => tests.filter(({ status }) => wanted.includes(status)).map(({ fullName }) => fullName);
    const [passed, failed] = [titles("passed"), titles("failed")];
    const skipped = tests.length - passed.length - failed.length;
    return { passed, failed: Math.max(failed.length, status === 0 ? 0 : 1), skipped };
  } catch {
    return { passed: [], failed: 1, skipped: 0 };
  }
}
