import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["test/fixture/**", "**/node_modules/**"],
    setupFiles: ["test/support/setup.ts"],
    // Most tests wait for processes that they have started: one more worker than vitest would take keeps the machine busy.
    maxWorkers: availableParallelism(),
    // It imports through module hooks of its own, which vitest would bypass.
    server: { deps: { external: [/\/src\/loader\/hooks\.ts$/] } },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
