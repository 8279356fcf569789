import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { BUN, installed } from "../support/installed.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const missing = await installed("bun");

describe.skipIf(missing)(`[S3] session stores in Bun${missing ? ` (${missing})` : ""}`, () => {
  it("pass the tests of the contract", () => {
    // Bun runs tests that import vitest.
    const { status, stderr } = spawnSync(BUN, ["test", "./test/session-stores.test.ts"], {
      cwd: ROOT,
      encoding: "utf8",
    });
    const failed = stderr.split("\n").filter((line) => line.includes("(fail)"));
    expect({ status, failed }).toEqual({ status: 0, failed: [] });
    expect(stderr).toContain("sqlite: generated interleavings");
  });
});
