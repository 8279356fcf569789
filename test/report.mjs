import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The suites, as in `vitest.config.ts`. */
export const SUITES = ["fast", "slow", "e2e"];

/** The files with the results of each suite: the titles of passed tests, a text for each failed one, and the count of the others. */
export const REPORTS = fileURLToPath(new URL("../test-reports", import.meta.url));

/** The report of a suite; a suite that did not finish counts as one failed test. */
export function readReport(suite) {
  try {
    return JSON.parse(readFileSync(join(REPORTS, `${suite}.json`), "utf8"));
  } catch {
    return { passed: [], failed: [`The suite "${suite}" did not finish.`], skipped: 0 };
  }
}

/** The line that sums up a run. */
export function closingLine({ passed, failed, skipped }) {
  return `${passed.length} passed, ${failed.length} failed, ${skipped} skipped`;
}
