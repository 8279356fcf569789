import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { ensureBuilt } from "../support/cli.ts";

beforeAll(ensureBuilt);

it("[M1] passes the conformance suite of both eras", async () => {
  const runner = fileURLToPath(new URL("../conformance/run.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [runner], { maxBuffer: 100_000_000 });
  expect(stdout).toContain("2025-11-25: 30 of 30");
  expect(stdout).toContain("2026-07-28: 37 of 37");
}, 300_000);
