import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { PATIENT } from "./test/support/patient.ts";

/** What each suite includes; `test/run.mjs` names one. Without one, a test is found in whichever suite it is. */
const SUITES: Readonly<Record<string, readonly string[]>> = {
  fast: ["src/**/*.test.ts", "web/src/**/*.test.ts", "test/*.test.ts"],
  slow: ["test/slow/**/*.test.ts"],
  e2e: ["test/e2e/**/*.test.ts"],
};

const suite = process.env.TEST_SUITE ?? "";
const include = [...(SUITES[suite] ?? Object.values(SUITES).flat())];
const exclude = ["test/fixture/**", "**/node_modules/**"];

/** They wait for what a screen shows, or start large programs: they run after all other files, two files at a time. */
const LARGE = ["page", "chat", "coding-agents"].map((folder) => `test/e2e/${folder}/**/*.test.ts`);

const projects = [
  {
    extends: true as const,
    test: { name: "tests", include, exclude: LARGE, sequence: { groupOrder: 0 } },
  },
  { extends: true as const, test: { name: "large", include: LARGE, maxWorkers: 2, sequence: { groupOrder: 1 } } },
];

export default defineConfig({
  test: {
    exclude,
    // A project inherits all lists, so the list of files is set in only one of the two ways.
    ...(suite === "fast" || suite === "slow" ? { include } : { projects: [...projects] }),
    setupFiles: ["test/support/setup.ts"],
    // Most tests wait for processes that they have started: one more worker than vitest would take keeps the machine busy.
    maxWorkers: availableParallelism(),
    // It imports through module hooks of its own, which vitest would bypass.
    server: { deps: { external: [/\/src\/host\/loader\/node-hooks\.ts$/] } },
    // No promise of the product, but the time after which a test that hangs is given up.
    testTimeout: suite === "fast" ? 60_000 : 120_000,
    hookTimeout: 120_000,
    // The default of vitest, one second, is too short for a loaded machine.
    expect: { poll: { timeout: PATIENT.timeout } },
  },
});
