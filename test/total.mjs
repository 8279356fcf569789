import { closingLine, readReport, SUITES } from "./report.mjs";
import { REQUIREMENTS } from "./requirements.ts";

/**
 * Adds up the reports of all three suites, and checks that each requirement is cited by a test that ran and passed. A
 * requirement without one, and an unknown id, count as one failed test each. The end of the output names all that failed.
 */
const reports = SUITES.map(readReport);
const passed = reports.flatMap((report) => report.passed);
const cited = new Set(passed.flatMap((title) => [...title.matchAll(/\[([A-Z]\d+)\]/g)].map(([, id]) => id)));
const unproved = Object.keys(REQUIREMENTS).filter((id) => !cited.has(id));
const unknown = [...cited].filter((id) => !(id in REQUIREMENTS));
const failed = [
  ...reports.flatMap((report) => report.failed),
  ...unproved.map((id) => `${id} is cited by no test that passed: ${REQUIREMENTS[id]}`),
  ...unknown.map(
    (id) => `${id} is cited by a test, and is no requirement: correct the title, or add it to test/requirements.ts.`,
  ),
];
for (const failure of failed) console.log(`Failed: ${failure}`);
const skipped = reports.reduce((total, report) => total + report.skipped, 0);
console.log(closingLine({ passed, failed, skipped }));
process.exitCode = failed.length > 0 ? 1 : 0;
