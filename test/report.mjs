import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The suites, as in `vitest.config.ts`. */
export const SUITES = ["fast", "slow", "e2e"];

/** Where each suite leaves what came of it: the titles of the tests that passed, and the numbers of the others. */
export const REPORTS = fileURLToPath(new URL("../test-reports", import.meta.url));

/** The report of a suite; one that did not come to an end counts as failed. */
export function readReport(suite) {
  try {
    return JSON.parse(readFileSync(join(REPORTS, `${suite}.json`), "utf8"));
  } catch {
    return { passed: [], failed: 1, skipped: 0 };
  }
}

/** The line by which any reader knows how a run ended. */
export function closingLine({ passed, failed, skipped }) {
  return `${passed.length} passed, ${failed} failed, ${skipped} skipped`;
}
