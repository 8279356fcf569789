import { SERVER_TIMEOUT_MS } from "../../core/mcp-server.ts";
import { tooSlow } from "../../host/protocol/load-problems.ts";
import type { FileManifest, HostFile } from "../../host/protocol/manifest.ts";
import type { ProcessorUse } from "../../platform/processes/process-tree.ts";
import { timerDelay } from "../../platform/waiting/max-delay.ts";

export type LoadOutcome =
  | { readonly kind: "loaded"; readonly manifest: FileManifest }
  /** `involved`: the host died while it imported the file, or another file of the same load. */
  | { readonly kind: "died"; readonly reason: string; readonly involved: boolean };

type Settle = (outcome: LoadOutcome) => void;

/** Files that are imported together: fewer messages, but a failure may be caused by any of them. */
interface Load {
  readonly limit: number;
  readonly isForMcpServers: boolean;
  /** Files without an answer yet. */
  readonly left: Map<string, Settle>;
  isStarted: boolean;
  timer?: NodeJS.Timeout;
  /** Reports that the import takes long. */
  longTimer?: NodeJS.Timeout;
  isLong: boolean;
  /** The processor time that the host had used when the load started. */
  usedMs?: number | undefined;
  extensions: number;
}

/** What happens to the host when an import exceeds its time limit. */
interface ImportingHost {
  /** Whether tools run too: one of them may block the import. */
  runsTools(): boolean;
  /** Retires it, and gives what it has not started to another host. */
  handBack(): void;
  kill(): void;
  /** An import has begun, or takes long. */
  importLasts(): void;
  /** The processor time that it has used, if it can be read. */
  use(): ProcessorUse | undefined;
}

/** The host enforces the import limit itself. A blocked host is killed this long after the limit. */
const SLACK_MS = 500;
/** An import that takes longer delays the files behind it. */
const LONG_MS = 500;
/** How often the time is extended for an import that waits for a processor. */
const MAX_EXTENSIONS = 2;
/** For the work around the two waits for an MCP server. */
const SERVER_SLACK_MS = 5_000;

/** The imports that a host has been asked for, in order. Only started imports can block or kill the host. */
export class ImportQueue {
  readonly #importMs: number;
  readonly #host: ImportingHost;
  readonly #loads = new Map<number, Load>();
  #ids = 0;
  #newsAt = performance.now();
  #blocked = false;

  constructor(importMs: number, host: ImportingHost) {
    this.#importMs = importMs;
    this.#host = host;
  }

  get isEmpty(): boolean {
    return this.#loads.size === 0;
  }

  add(files: readonly HostFile[]): { load: number; outcomes: Promise<LoadOutcome>[] } {
    this.#ids += 1;
    const left = new Map<string, Settle>();
    const outcomes = files.map(({ file }) => new Promise<LoadOutcome>((settle) => left.set(file, settle)));
    const isForMcpServers = files.some(({ server }) => server !== undefined);
    this.#loads.set(this.#ids, {
      left,
      limit: this.#limitOf(files),
      isForMcpServers,
      isStarted: false,
      isLong: false,
      extensions: 0,
    });
    return { load: this.#ids, outcomes };
  }

  get isImporting(): boolean {
    return this.#started.length > 0;
  }

  get importing(): string[] {
    return this.#started.flatMap(({ left }) => [...left.keys()]);
  }

  /** The files that delay others or themselves. Files of a load with several files may wait for each other, and for other loads. */
  get delaying(): string[] {
    const started = this.#started;
    const haveQueue = started.length < this.#loads.size || started.some(({ left }) => left.size > 1);
    return started.flatMap(({ left, isLong }) => (left.size === 1 && (isLong || !haveQueue) ? [...left.keys()] : []));
  }

  /** Whether MCP servers are being connected to: they run in separate processes and block no file. */
  get isForMcpServers(): boolean {
    return this.#started.some(({ isForMcpServers }) => isForMcpServers);
  }

  /** Whether files wait for those that are being imported. */
  get hasWaiting(): boolean {
    return this.isImporting && this.#started.length < this.#loads.size;
  }

  /** Whether the host has started or ended an import within this time. */
  hadNewsWithin(ms: number): boolean {
    return performance.now() - this.#newsAt < ms;
  }

  /** The host starts a load: the time limit of its files counts from now. */
  started(id: number): void {
    const load = this.#loads.get(id);
    if (!load || load.isStarted || this.#blocked) return;
    this.#newsAt = performance.now();
    load.isStarted = true;
    load.usedMs = this.#host.use()?.ms;
    load.longTimer = setTimeout(() => {
      load.isLong = true;
      this.#host.importLasts();
    }, LONG_MS).unref();
    this.#host.importLasts();
    this.#limitTime(id, load);
  }

  #limitTime(id: number, load: Load): void {
    load.timer = setTimeout(() => {
      // If this process was blocked, the answer may be unread: read it before the host is judged.
      setImmediate(() => {
        if (this.#loads.get(id) !== load) return;
        if (load.extensions === MAX_EXTENSIONS || !this.#isStarved(load)) return this.#onTimeout();
        load.extensions += 1;
        this.#limitTime(id, load);
      });
    }, timerDelay(load.limit));
  }

  /** Whether the host waits for a processor, and has used one for less than half of the time that the import may take. */
  #isStarved({ usedMs, limit }: Load): boolean {
    const use = this.#host.use();
    return use?.isRunnable === true && usedMs !== undefined && use.ms - usedMs < limit / 2;
  }

  /** Settles the loads that have not started: another host may run them. */
  handBack(reason: string): void {
    for (const [id, { isStarted }] of [...this.#loads])
      if (!isStarted) this.#settle(id, { kind: "died", reason, involved: false });
  }

  /** Files of a load are done. Answers to a load that was given up are ignored. */
  answered(id: number, manifests: readonly FileManifest[]): void {
    const load = this.#loads.get(id);
    if (!load || this.#blocked) return;
    this.#newsAt = performance.now();
    for (const manifest of manifests) {
      load.left.get(manifest.file)?.({ kind: "loaded", manifest });
      load.left.delete(manifest.file);
    }
    if (load.left.size === 0) this.#forget(id);
  }

  /** The host has ended. `isSuspect`: it had sent "ready", so the files that it was importing may be the cause. */
  ended(reason: string, isSuspect: boolean): void {
    for (const [id, { isStarted }] of [...this.#loads])
      this.#settle(id, { kind: "died", reason, involved: isStarted && isSuspect });
  }

  get #started(): Load[] {
    return [...this.#loads.values()].filter(({ isStarted }) => isStarted);
  }

  /** An MCP server has its own limit, once to connect and once to list its tools. */
  #limitOf(files: readonly HostFile[]): number {
    const [only] = files;
    if (only?.server) return 2 * (only.server.timeoutMs ?? SERVER_TIMEOUT_MS) + SERVER_SLACK_MS;
    return this.#importMs + SLACK_MS;
  }

  /** A file that was imported alone is the cause, unless a tool blocks the host. Of several files the cause is unknown. */
  #onTimeout(): void {
    this.#blocked = true;
    if (this.#host.runsTools()) {
      this.ended("it did not answer", false);
      return this.#host.handBack();
    }
    const [[id, load] = []] = [...this.#loads].filter(([, { isStarted }]) => isStarted);
    const [file] = load?.left.keys() ?? [];
    if (id !== undefined && file !== undefined && this.importing.length === 1) {
      const manifest = { file, tools: [], problems: [tooSlow(file, this.#importMs)], imports: [] };
      this.#settle(id, { kind: "loaded", manifest });
    }
    this.#host.kill();
  }

  #settle(id: number, outcome: LoadOutcome): void {
    for (const settle of this.#loads.get(id)?.left.values() ?? []) settle(outcome);
    this.#forget(id);
  }

  #forget(id: number): void {
    const { timer, longTimer } = this.#loads.get(id) ?? {};
    clearTimeout(timer);
    clearTimeout(longTimer);
    this.#loads.delete(id);
  }
}
