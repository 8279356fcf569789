import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** What each suite includes; `test/run.mjs` names one. Without one, a test is found in whichever suite it is. */
const SUITES: Readonly<Record<string, readonly string[]>> = {
  fast: ["src/**/*.test.ts", "test/*.test.ts"],
  slow: ["test/slow/**/*.test.ts"],
  e2e: ["test/e2e/**/*.test.ts"],
};

export default defineConfig({
  test: {
    include: [...(SUITES[process.env.TEST_SUITE ?? ""] ?? Object.values(SUITES).flat())],
    exclude: ["test/fixture/**", "**/node_modules/**"],
    setupFiles: ["test/support/setup.ts"],
    // Most tests wait for processes that they have started: one more worker than vitest would take keeps the machine busy.
    maxWorkers: availableParallelism(),
    // It imports through module hooks of its own, which vitest would bypass.
    server: { deps: { external: [/\/src\/loader\/node-hooks\.ts$/] } },
    // No promise of the product, but the time after which a test that hangs is given up.
    testTimeout: process.env.TEST_SUITE === "fast" ? 30_000 : 120_000,
    hookTimeout: 120_000,
  },
});
