import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { HostFile } from "./manifest.ts";
import { nodeRuntime, type Runtime } from "./runtime.ts";
import { Supervisor } from "./supervisor.ts";

function supervise(runtime: Runtime = nodeRuntime(256)): Supervisor {
  const env = { PATH: process.env.PATH };
  const supervisor = new Supervisor({
    runtime,
    cwd: tmpdir(),
    env,
    importMs: 1000,
    memoryMb: 256,
    log: () => {},
    isolation: "shared",
  });
  onTestFinished(() => supervisor.close());
  return supervisor;
}

function files(sources: Record<string, string>): HostFile[] {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-supervisor-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return Object.entries(sources).map(([name, source]) => {
    const file = join(folder, `${name}.mjs`);
    writeFileSync(file, source);
    return { file, name, source: "custom", place: "project" };
  });
}

const GOOD = 'export default { description: "Good.", execute: () => "good" };';

describe("[P5] the supervisor", () => {
  it("does not blame a file for what one before it left behind", async () => {
    const manifests = await supervise().load(
      files({
        bomb: `setTimeout(() => process.exit(7), 30); ${GOOD}`,
        slow: `await new Promise((resolve) => setTimeout(resolve, 200)); ${GOOD}`,
        good: GOOD,
      }),
    );
    expect(manifests.map(({ tools, problems }) => [tools.length, problems.length])).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
    ]);
  });

  it("says so when no host starts, blames no file, and gives up", async () => {
    const supervisor = supervise({ ...nodeRuntime(256), args: ["-e", "process.exit(9)"] });
    const [manifest] = await supervisor.load(files({ good: GOOD }));
    expect(manifest?.problems).toMatchObject([
      {
        code: "import_failed",
        message: 'The process that runs tools does not start: it exited with code 9. Run "toolwright doctor".',
      },
    ]);
    expect(manifest?.imports).toEqual([[expect.any(String), "never loaded"]]);
  });

  it("says so when the runtime is not there", async () => {
    const supervisor = supervise({ command: "/nowhere/node", args: [], serialization: "advanced" });
    const [manifest] = await supervisor.load(files({ good: GOOD }));
    expect(manifest?.problems[0]?.message).toBe(
      'The process that runs tools does not start: it could not be started: spawn /nowhere/node ENOENT. Run "toolwright doctor".',
    );
  });

  it("ends a check of an input that does not end", async () => {
    const [file] = files({
      stuck: 'export default { description: "Stuck.", access() { while (true) {} }, execute: () => "" };',
    }) as [HostFile];
    const supervisor = supervise();
    await supervisor.load([file]);
    const controller = new AbortController();
    const prepared = supervisor.prepare(
      { file, generation: supervisor.current },
      { tool: "stuck", input: {}, cwd: "/" },
      controller.signal,
    );
    setTimeout(() => controller.abort(), 300);
    expect(await prepared).toEqual({ kind: "died", reason: 'checking the input of "stuck" did not end' });
  });
});
