import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Runs every test, and ends with one line that any reader understands: `N passed, N failed, N skipped`. */
const folder = mkdtempSync(join(tmpdir(), "toolwright-test-"));
const report = join(folder, "report.json");
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, [vitest, ...args], { stdio: "inherit" });

let failed = status === 0 ? 0 : 1;
try {
  const counts = JSON.parse(readFileSync(report, "utf8"));
  failed = Math.max(failed, counts.numFailedTests);
  console.log(
    `${counts.numPassedTests} passed, ${failed} failed, ${counts.numPendingTests + counts.numTodoTests} skipped`,
  );
} catch {
  console.log("0 passed, 1 failed, 0 skipped");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
