import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["test/fixture/**", "**/node_modules/**"],
    setupFiles: ["test/support/setup.ts"],
    // Most tests wait for processes that they have started: one more worker than vitest would take keeps the machine busy.
    maxWorkers: availableParallelism(),
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
