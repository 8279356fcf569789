import { SERVER_TIMEOUT_MS } from "../core/mcp-server.ts";
import { tooSlow } from "../protocol/load-problems.ts";
import type { FileManifest, HostFile } from "../protocol/manifest.ts";

export type LoadOutcome =
  | { readonly kind: "loaded"; readonly manifest: FileManifest }
  /** `involved`: the file, or one that was imported together with it, was being imported when the host died. */
  | { readonly kind: "died"; readonly reason: string; readonly involved: boolean };

type Settle = (outcome: LoadOutcome) => void;

/** Files that are asked for together: fewer messages, but less is known when one goes wrong. */
interface Load {
  readonly limit: number;
  readonly isOfServers: boolean;
  /** Those that have no answer yet. */
  readonly left: Map<string, Settle>;
  isStarted: boolean;
  timer?: NodeJS.Timeout;
}

/** The host that imports, when an import has not ended in time. */
export interface ImportingHost {
  /** Whether it may be a tool that keeps the import from ending. */
  runsTools(): boolean;
  /** Retires it, and gives what it has not started to another host. */
  handBack(): void;
  kill(): void;
}

/** Beyond its own limit a blocked import is ended from outside. */
const SLACK_MS = 500;
/** For what comes before and after the two waits for a server. */
const SERVER_SLACK_MS = 5_000;

/** The imports that a host has been asked for, in order. Only those that have isStarted can be what blocks or kills it. */
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

  /** Answers with the id of the load, and with what will come of each file. */
  add(files: readonly HostFile[]): { load: number; outcomes: Promise<LoadOutcome>[] } {
    this.#ids += 1;
    const left = new Map<string, Settle>();
    const outcomes = files.map(({ file }) => new Promise<LoadOutcome>((settle) => left.set(file, settle)));
    const isOfServers = files.some(({ server }) => server !== undefined);
    this.#loads.set(this.#ids, { left, limit: this.#limitOf(files), isOfServers, isStarted: false });
    return { load: this.#ids, outcomes };
  }

  /** Whether a file is being imported at this moment: then silence is to be expected, for a while. */
  get isImporting(): boolean {
    return this.#started.length > 0;
  }

  /** The files that are being imported at this moment. */
  get importing(): string[] {
    return this.#started.flatMap(({ left }) => [...left.keys()]);
  }

  /** Whether these are servers: they run elsewhere, and block nothing here. */
  get isOfServers(): boolean {
    return this.#started.some(({ isOfServers }) => isOfServers);
  }

  /** Whether there are files that have to wait for those that are being imported. */
  get hasWaiting(): boolean {
    return this.isImporting && this.#started.length < this.#loads.size;
  }

  /** Whether the host has isStarted or ended an import within this time. */
  hadNewsWithin(ms: number): boolean {
    return performance.now() - this.#newsAt < ms;
  }

  /** The host has come to a load: what it did before that is not the files' time. */
  started(id: number): void {
    const load = this.#loads.get(id);
    if (!load || load.isStarted || this.#blocked) return;
    this.#newsAt = performance.now();
    load.isStarted = true;
    load.timer = setTimeout(() => {
      // If it was we who were held up, the answer may lie there unread: it is read before anybody is judged.
      setImmediate(() => this.#loads.get(id) === load && this.#onTimeout());
    }, load.limit);
  }

  /** Settles the loads that have not started: another host may do them. */
  handBack(reason: string): void {
    for (const [id, { isStarted }] of [...this.#loads])
      if (!isStarted) this.#settle(id, { kind: "died", reason, involved: false });
  }

  /** Files of a load that are done. What was given up meanwhile is nobody's any more. */
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

  /** The host is no more. `isSuspect`: it had come up, so that whatever it was importing may have been the reason. */
  ended(reason: string, isSuspect: boolean): void {
    for (const [id, { isStarted }] of [...this.#loads])
      this.#settle(id, { kind: "died", reason, involved: isStarted && isSuspect });
  }

  get #started(): Load[] {
    return [...this.#loads.values()].filter(({ isStarted }) => isStarted);
  }

  /** A server has a limit of its own, once to connect and once more to say what it has. */
  #limitOf(files: readonly HostFile[]): number {
    const [only] = files;
    if (only?.server) return 2 * (only.server.timeoutMs ?? SERVER_TIMEOUT_MS) + SERVER_SLACK_MS;
    return this.#importMs + SLACK_MS;
  }

  /** A file that was imported alone is the one that blocks, unless a tool does; of several nobody knows which. */
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
    clearTimeout(this.#loads.get(id)?.timer);
    this.#loads.delete(id);
  }
}
