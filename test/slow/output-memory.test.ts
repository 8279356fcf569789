import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const SIZE = 100_000_000;
const LIMIT = 1_000_000;
const CHUNK = 64 * 1024;

/** The increase of peak resident memory during one truncation, in a separate process. */
const PROGRAM = `
  const [folder, keep, mode] = process.argv.slice(-3);
  const at = (name) => new URL(name, ${JSON.stringify(new URL("../../src/host/output/", import.meta.url).href)}).href;
  const { truncate } = await import(at("truncate.ts"));
  const { OutputCutter } = await import(at("output-cutter.ts"));
  const { fullOutputStore } = await import(at("outputs.ts"));
  const limits = { maxLines: 100_000, maxBytes: ${LIMIT}, keep };
  const store = () => fullOutputStore(folder, { sessionID: "s", callID: "c" });
  const peak = () => process.resourceUsage().maxRSS * 1024;
  truncate("0123456789\\n".repeat(200_000), limits, store());
  const chunk = Buffer.alloc(${CHUNK}, "0123456789\\n");
  const whole = mode === "chunks" ? "" : "0123456789\\n".repeat(${Math.ceil(SIZE / 11)});
  whole.indexOf("flat from here on");
  const before = peak();
  let truncated;
  if (mode === "encoded") truncated = { totalBytes: Buffer.from(whole).length };
  if (mode === "text") truncated = truncate(whole, limits, store()).truncated;
  if (mode === "chunks") {
    const cutter = new OutputCutter(limits, store());
    for (let sent = 0; sent < ${SIZE}; sent += chunk.length) cutter.push(chunk);
    truncated = cutter.end().truncated;
  }
  console.log(JSON.stringify({ rise: peak() - before, total: truncated.totalBytes, file: truncated.fullOutput }));
`;

// Includes uncollected garbage and memory of the runtime.
const BOUND = 4 * LIMIT + CHUNK + 12_000_000;

describe("[P7] memory is bounded by the limit", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "truncate-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function measure(keep: string, mode: string): { rise: number; total: number; file: string } {
    const program = ["--input-type=module", "-e", PROGRAM, folder, keep, mode];
    return JSON.parse(execFileSync(process.execPath, program).toString());
  }

  for (const mode of ["text", "chunks"]) {
    for (const keep of ["head", "tail", "both"]) {
      it(`[P7] 100 MB as ${mode}, keep ${keep}`, () => {
        const { rise, total, file } = measure(keep, mode);
        expect(total).toBeGreaterThanOrEqual(SIZE);
        expect(statSync(file).size).toBe(total);
        expect(rise).toBeLessThan(BOUND);
      });
    }
  }

  it("[P7] the measurement detects an output that is encoded as a whole", () => {
    expect(measure("head", "encoded").rise).toBeGreaterThan(BOUND);
  });
});
