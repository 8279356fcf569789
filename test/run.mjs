import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
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
process.exitCode = report.failed.length > 0 ? 1 : 0;

/** A run that failed although no test failed (an import, an unhandled error, a warning) counts as one failed test. */
function summarise(file, status) {
  try {
    const files = JSON.parse(readFileSync(file, "utf8")).testResults;
    const tests = files.flatMap(({ name, assertionResults }) => assertionResults.map((test) => ({ ...test, name })));
    const passed = tests.filter((test) => test.status === "passed").map(({ fullName }) => fullName);
    const failed = [
      ...files.filter((each) => each.status === "failed" && each.assertionResults.length === 0),
      ...tests.filter((test) => test.status === "failed"),
    ].map(described);
    const skipped = tests.filter((test) => !["passed", "failed"].includes(test.status)).length;
    if (failed.length === 0 && status !== 0) failed.push(`The suite "${suite}" failed outside of its tests.`);
    return { passed, failed, skipped };
  } catch {
    return { passed: [], failed: [`The suite "${suite}" has no report.`], skipped: 0 };
  }
}

/** A failed test or file, with the beginning of its message. */
function described({ name, fullName, message, failureMessages = [message] }) {
  const lines = failureMessages.join("\n").split("\n");
  const own = lines.filter((line) => !line.includes("/node_modules/")).slice(0, 20);
  return [[relative(process.cwd(), name), fullName].filter(Boolean).join(": "), ...own].join("\n  ");
}
