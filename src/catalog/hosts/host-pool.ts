import { setTimeout as sleep } from "node:timers/promises";
import type { HostCount, HostKind, HostsListener } from "../../host/protocol/hosts.ts";
import type { ToolboxInfo } from "../../host/protocol/messages.ts";
import type { RuntimeCommand } from "../../host/protocol/runtime.ts";
import { newMark } from "../../platform/processes/run-marker.ts";
import type { HostProcessOptions } from "./channel.ts";
import type { HostProcess } from "./host-process.ts";
import { type HostedCode, isUnused } from "./hosted-code.ts";

/** The program that runs hosts of a kind; undefined if it is not installed. */
export type Runtimes = (kind: HostKind) => RuntimeCommand | undefined;

/** How hosts are started. */
export interface PoolOptions extends Omit<HostProcessOptions, "runtime" | "idleMs" | "canMoveToBun" | "mark"> {
  readonly runtimes: Runtimes;
  /** After how long without work a host is ended; 5 minutes by default. */
  readonly idleMs?: number;
}

type Counts = { readonly [K in HostKind]: { alive: number; started: number; died: number } };

const NONE = { alive: 0, started: 0, died: 0 };
const IDLE_MS = 5 * 60_000;
const MAX_BACKOFF_MS = 5_000;
/** A host that dies within this time and has finished no work counts as a failed start. */
const YOUNG_MS = 2_000;
/** How long hosts may take to end before they are killed. */
const CLOSE_MS = 1_000;

/** The running host processes. Starts, counts and ends them; failed starts are retried with a growing delay. */
export class HostPool {
  readonly #options: PoolOptions;
  readonly #events: (version: HostedCode) => HostsListener;
  readonly #alive = new Set<HostProcess>();
  readonly #counts: Counts = { node: { ...NONE }, bun: { ...NONE }, own: { ...NONE }, mcp: { ...NONE } };
  /** The run marker of all programs that tools of these hosts start. */
  readonly #mark = newMark();
  /** Set once a retired host has left processes behind: they end with this process, or when the pool is closed. */
  #releaseLeft: (() => void) | undefined;
  #failedStarts = 0;
  #isClosed = false;
  #toolboxInfo: ToolboxInfo | undefined;

  /** `events` gives the listener for the hosts of a version. */
  constructor(options: PoolOptions, events: (version: HostedCode) => HostsListener) {
    this.#options = options;
    this.#events = events;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get hosts(): readonly HostProcess[] {
    return [...this.#alive];
  }

  get counts(): readonly HostCount[] {
    return Object.entries(this.#counts).map(([kind, count]) => ({ kind: kind as HostKind, ...count }));
  }

  canStart(kind: HostKind): boolean {
    return this.#options.runtimes(kind) !== undefined;
  }

  setToolboxInfo(toolboxInfo: ToolboxInfo): void {
    this.#toolboxInfo = toolboxInfo;
    for (const host of this.#alive) host.setToolboxInfo(toolboxInfo);
  }

  /** The host under that key, started if necessary. Undefined after `close`, or if no program runs that kind. */
  async get(version: HostedCode, kind: HostKind, key: string): Promise<HostProcess | undefined> {
    if (version.hosts.get(key)?.open !== true && this.#failedStarts > 0) {
      await sleep(Math.min(50 * 2 ** this.#failedStarts, MAX_BACKOFF_MS));
    }
    // Loaded on use: a command that finds all tools in the cache starts no host.
    const { HostProcess } = await import("./host-process.ts");
    const known = version.hosts.get(key);
    if (known?.open) return known;
    const runtime = this.#options.runtimes(kind);
    if (this.#isClosed || !runtime) return undefined;
    const ended = (host: HostProcess): void => this.#ended(host, version, kind);
    const isReplaceable = (): boolean => !version.retired;
    // The sessions of MCP servers end with their connection, which a new host could not take over.
    const idleMs = kind === "mcp" ? Number.POSITIVE_INFINITY : (this.#options.idleMs ?? IDLE_MS);
    const canMoveToBun = kind === "node" && this.canStart("bun");
    const options = { ...this.#options, runtime, idleMs, canMoveToBun, mark: this.#mark };
    const host = new HostProcess(options, { ...this.#events(version), ended, isReplaceable });
    if (this.#toolboxInfo) host.setToolboxInfo(this.#toolboxInfo);
    this.#alive.add(host);
    this.#counts[kind].started += 1;
    this.#counts[kind].alive += 1;
    version.hosts.set(key, host);
    return host;
  }

  /** Ends every host and what their tools have left in the background, and resolves when all have exited. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#endHosts();
    if (!this.#hasStarted) return;
    const { terminateOrphans } = await import("../../platform/processes/terminate-tree.ts");
    await terminateOrphans(this.#mark);
    this.#releaseLeft?.();
  }

  async #endHosts(): Promise<void> {
    const { hosts } = this;
    for (const host of hosts) host.close();
    const deadline = performance.now() + CLOSE_MS;
    while (hosts.some((host) => !host.ended) && performance.now() < deadline) await sleep(5);
    for (const host of hosts) host.kill("it was no longer needed");
    while (hosts.some((host) => !host.ended)) await sleep(5);
  }

  #ended(host: HostProcess, version: HostedCode, kind: HostKind): void {
    this.#alive.delete(host);
    this.#counts[kind].alive -= 1;
    if (!this.#isClosed && !isUnused(version) && !host.endedIdle) this.#counts[kind].died += 1;
    if (host.hasFinishedWork) this.#failedStarts = 0;
    else if (host.age < YOUNG_MS && !host.endedByImport) this.#failedStarts += 1;
    if (!this.#isClosed) void this.#guardLeft(host);
  }

  async #guardLeft({ mark }: HostProcess): Promise<void> {
    const { orphansOf, sharedTable } = await import("../../platform/processes/process-table.ts");
    if (this.#releaseLeft || orphansOf(mark, await sharedTable()).length === 0) return;
    const { guardRun } = await import("../../platform/processes/process-guard.ts");
    if (this.#isClosed) return;
    this.#releaseLeft ??= guardRun(this.#mark);
  }

  get #hasStarted(): boolean {
    return Object.values(this.#counts).some(({ started }) => started > 0);
  }
}
