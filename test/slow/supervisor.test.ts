import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { Supervisor } from "../../src/catalog/hosts/supervisor.ts";
import type { FileManifest, HostFile } from "../../src/host/protocol/manifest.ts";
import { nodeRuntime, type RuntimeCommand } from "../../src/host/protocol/runtime.ts";
import { hosts } from "../support/processes.ts";

function supervise(runtime: RuntimeCommand = nodeRuntime(256), importMs = 1000): Supervisor {
  const env = { PATH: process.env.PATH };
  const supervisor = new Supervisor({
    runtimes: () => runtime,
    cwd: tmpdir(),
    worktree: tmpdir(),
    env,
    importMs,
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
    return { file, name, source: "custom", place: "project", system: "toolwright" };
  });
}

const GOOD = 'export default { description: "Good.", execute: () => "good" };';

describe("[P5] the supervisor", () => {
  it("does not blame a file for the effects of an earlier one", async () => {
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

  it("[D5] reports loaded files while others hang, in any way and in any number", async () => {
    const hangs = { waits: "await new Promise(() => {});", blocks: "while (true) {}" };
    const good = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`good${index}`, GOOD]));
    const supervisor = supervise(nodeRuntime(256), 600_000);
    const enough = Promise.withResolvers<void>();
    const done: string[] = [];
    const onRead = ({ file }: FileManifest): void => {
      if (done.push(file) === 40) enough.resolve();
    };
    const all = files({ ...hangs, ...good });
    const loading = supervisor.load(all, { onRead });
    await enough.promise;
    expect(done.toSorted()).toEqual(
      all
        .slice(2)
        .map(({ file }) => file)
        .toSorted(),
    );
    const [waits, blocks] = all.map(({ file }) => file);
    await expect.poll(() => supervisor.importing().toSorted(), { timeout: 30_000 }).toEqual([blocks, waits]);
    await supervisor.close();
    expect((await loading).map(({ tools }) => tools.length)).toEqual([0, 0, ...Array(40).fill(1)]);
  });

  it("[D5] loads an unreliable file in a separate host, so that it delays no call", async () => {
    const [blocks, good] = files({ blocks: "while (true) {}", good: GOOD }) as [HostFile, HostFile];
    const supervisor = supervise(nodeRuntime(256), 600_000);
    void supervisor.load([blocks], { alone: new Set([blocks.file]) });
    await expect.poll(() => supervisor.importing(), { timeout: 30_000 }).toEqual([blocks.file]);
    expect(supervisor.loadedFiles()).toEqual([]);
    expect(await supervisor.load([good])).toMatchObject([{ file: good.file, problems: [] }]);
  });

  it("reports that no host starts, blames no file, and gives up", async () => {
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

  it("reports a missing runtime", async () => {
    const supervisor = supervise({ command: "/nowhere/node", args: [], carrier: "pipe" });
    const [manifest] = await supervisor.load(files({ good: GOOD }));
    expect(manifest?.problems[0]?.message).toBe(
      'The process that runs tools does not start: it could not be started: spawn /nowhere/node ENOENT. Run "toolwright doctor".',
    );
  });

  it("retries a check that does not end in other hosts, gives up, and leaves no host behind", async () => {
    const [file] = files({
      stuck: 'export default { description: "Stuck.", access() { while (true) {} }, execute: () => "" };',
    }) as [HostFile];
    const supervisor = supervise();
    await supervisor.load([file]);
    const prepared = await supervisor.query<"prepare">(
      { file, codeVersion: supervisor.current, imports: [] },
      {
        kind: "prepare",
        target: { file: file.file, tool: "stuck" },
        input: {},
        agent: "",
        session: { id: "s" },
        cwd: "/",
      },
      new AbortController().signal,
    );
    expect(prepared).toEqual({ kind: "blocked" });
    for (let tries = 0; hosts().length > 0 && tries < 100; tries += 1) await sleep(50);
    expect(hosts()).toEqual([]);
  });

  it("loads many files although some end their process, without the back-off for hosts that fail to start", async () => {
    const exits = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`exits${index}`, "process.exit(0);"]));
    const good = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`good${index}`, GOOD]));
    const manifests = await supervise().load(files({ ...good, ...exits }));
    expect(manifests.filter(({ tools }) => tools.length === 1)).toHaveLength(20);
    expect(manifests.filter(({ problems }) => problems[0]?.code === "import_failed")).toHaveLength(6);
  });
});
