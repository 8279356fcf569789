import { closingLine, readReport, SUITES } from "./report.mjs";
import { REQUIREMENTS } from "./requirements.ts";

/**
 * Adds up the reports of all three suites, and checks that each requirement is cited by a test that ran and passed. A
 * requirement without one, and an unknown id, count as one failed test each.
 */
const reports = SUITES.map(readReport);
const passed = reports.flatMap((report) => report.passed);
const cited = new Set(passed.flatMap((title) => [...title.matchAll(/\[([A-Z]\d+)\]/g)].map(([, id]) => id)));
const unproved = Object.keys(REQUIREMENTS).filter((id) => !cited.has(id));
const unknown = [...cited].filter((id) => !(id in REQUIREMENTS));
for (const id of unproved) console.log(`${id} is cited by no test that passed: ${REQUIREMENTS[id]}`);
for (const id of unknown)
  console.log(`${id} is cited by a test, and is no requirement: correct the title, or add it to test/requirements.ts.`);

const sum = (of) => reports.reduce((total, report) => total + report[of], 0);
const failed = sum("failed") + unproved.length + unknown.length;
console.log(closingLine({ passed, failed, skipped: sum("skipped") }));
process.exitCode = failed > 0 ? 1 : 0;
