import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { sandbox } from "../support/fixture.ts";
import { hosts } from "../support/processes.ts";

const LOOP = fileURLToPath(new URL("../support/reload-loop.mjs", import.meta.url));

interface Sample {
  readonly heapUsed: number;
  readonly rss: number;
  readonly hostRss: number;
}

/**
 * The median of the second fifth of the samples against that of the last fifth: a leak grows, noise does not. Memory has
 * one step, at the 512th reload, and is flat afterwards; the second fifth begins after it.
 */
function growth(samples: readonly Sample[], of: keyof Sample): number {
  const middle = (part: readonly Sample[]): number =>
    part.map((sample) => sample[of]).sort((a, b) => a - b)[2] as number;
  return middle(samples.slice(-4)) / middle(samples.slice(4, 8));
}

it("[D6] 1,600 edits and reloads: new code each time, memory of both processes flat, no zombie", {
  timeout: 600_000,
}, async () => {
  const at = sandbox();
  mkdirSync(join(at.tools, "lib"));
  writeFileSync(join(at.tools, "lib/base.ts"), "export const base: number = 1000;");
  const run = promisify(execFile)(
    process.execPath,
    ["--expose-gc", "--max-semi-space-size=2", LOOP, at.project, "1600"],
    { env: at.env },
  );
  const { wrong, samples } = JSON.parse((await run).stdout) as { wrong?: unknown; samples: Sample[] };
  expect(wrong).toBeUndefined();
  expect(samples).toHaveLength(20);
  for (const of of ["heapUsed", "rss", "hostRss"] as const) expect(growth(samples, of), of).toBeLessThan(1.1);
  expect(hosts()).toEqual([]);
});
