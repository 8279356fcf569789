import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { Supervisor } from "../../src/catalog/hosts/supervisor.ts";
import type { FileRef, HostCount, HostKind } from "../../src/host/protocol/hosts.ts";
import type { HostFile } from "../../src/host/protocol/manifest.ts";
import type { HostCall } from "../../src/host/protocol/messages.ts";
import { nodeRuntime, type RuntimeCommand } from "../../src/host/protocol/runtime.ts";
import { hosts } from "./processes.ts";

export const IDLE_MS = 300;

/** A supervisor whose hosts end early, and files to run in them. */
export interface IdleFixture {
  readonly supervisor: Supervisor;
  file(name: string, source: string, more?: Partial<HostFile>): HostFile;
  ref(file: HostFile): FileRef;
  /** The text of the result. */
  call(ref: FileRef, input?: unknown): Promise<string>;
  count(kind?: HostKind): Omit<HostCount, "kind"> | undefined;
  hasEnded(): Promise<void>;
}

export function idleFixture(idleMs: number = IDLE_MS, runtime: RuntimeCommand = nodeRuntime(256)): IdleFixture {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-idle-"));
  const supervisor = new Supervisor({
    runtimes: () => runtime,
    cwd: folder,
    worktree: folder,
    env: { PATH: process.env.PATH },
    importMs: 10_000,
    memoryMb: 256,
    idleMs,
    log: () => {},
    isolation: "shared",
  });
  onTestFinished(async () => {
    await supervisor.close();
    rmSync(folder, { recursive: true, force: true });
  });
  /** Permission is granted after several idle periods. */
  const request = (): Promise<{ ok: true }> => sleep(5 * IDLE_MS, { ok: true });
  const port = { started: () => {}, update: () => {}, request, ui: async () => {} };
  const call = async ({ file, ...ref }: FileRef, input: unknown = {}): Promise<string> => {
    const context = {
      sessionID: "s",
      messageID: "m",
      callID: "c",
      agent: "",
      directory: folder,
      worktree: folder,
      extra: {},
    };
    const output = { maxLines: 100, maxBytes: 10_000, keep: "head", folder } as const;
    const hostCall = { file: file.file, tool: file.name, input, context, output, timeoutMs: 60_000 } as HostCall;
    const outcome = await supervisor.run({ file, ...ref }, hostCall, port, new AbortController().signal);
    const [content] = outcome.kind === "result" ? outcome.result.content : [];
    return content?.type === "text" ? content.text : JSON.stringify(outcome);
  };
  const count: IdleFixture["count"] = (wanted = "node") => {
    const found = supervisor.processes().find(({ kind }) => kind === wanted);
    return found && { alive: found.alive, started: found.started, died: found.died };
  };
  return {
    supervisor,
    file(name, source, more = {}) {
      const file = join(folder, more.file ?? `${name}.mjs`);
      writeFileSync(file, source);
      return { name, source: "custom", place: "project", system: "toolwright", ...more, file };
    },
    ref: (file) => ({ file, codeVersion: supervisor.current, imports: [] }),
    call,
    count,
    hasEnded: () => expect.poll(() => hosts(), { timeout: 30_000 }).toEqual([]),
  };
}

/** A tool that counts its calls in a variable of its file. */
export const COUNTS: string =
  'let calls = 0; export default { description: "Counts.", execute: () => { calls += 1; return String(calls); } };';

/** Long enough for several checks. */
export const stays = (): Promise<void> => sleep(5 * IDLE_MS);
