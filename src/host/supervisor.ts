import { setTimeout as sleep } from "node:timers/promises";
import { untilAborted } from "../core/until-aborted.ts";
import type { CallPort } from "./call.ts";
import type { HostOptions } from "./channel.ts";
import { HostProcess } from "./host-process.ts";
import type {
  FileRef,
  FileTrouble,
  Generation,
  HostCount,
  HostKind,
  Hosts,
  HostsListener,
  ImportOptions,
  Outcome,
  Reply,
} from "./hosts.ts";
import { type HostSource, loadFiles } from "./load-files.ts";
import {
  contentOf,
  type FileManifest,
  type HostFile,
  isBroken,
  isDeclared,
  NOTHING_PENDING,
  PENDING_FILE,
} from "./manifest.ts";
import { noBun } from "./problems.ts";
import type { HostCall, HostRequest, RequestKind, Surroundings } from "./protocol.ts";
import type { Runtime } from "./runtime.ts";

interface State {
  readonly id: number;
  /** By what shares a process: everything, or one file. */
  readonly hosts: Map<string, HostProcess>;
  /** Files that could not be imported when a call asked for them. */
  readonly troubled: Set<string>;
  holds: number;
  retired: boolean;
}

function newState(id: number): State {
  return { id, hosts: new Map(), troubled: new Set(), holds: 0, retired: false };
}

/** Which program runs which kind; undefined where there is none. */
export type Runtimes = (kind: HostKind) => Runtime | undefined;

type Counts = { readonly [K in HostKind]: { alive: number; started: number; died: number } };

const NONE = { alive: 0, started: 0, died: 0 };

/** How hosts are kept. */
export interface SupervisorOptions extends Omit<HostOptions, "runtime"> {
  readonly runtimes: Runtimes;
  readonly isolation: "shared" | "file";
}

/** A call that no host would begin is given up after this many hosts. */
const MAX_HOSTS_PER_CALL = 5;
/** A check that none of these answered is what keeps them from answering. */
const MAX_HOSTS_PER_CHECK = 3;
const MAX_BACKOFF_MS = 5_000;
/** A host that dies this young, having done nothing, counts as a failed start. */
const YOUNG_MS = 2_000;

/** Keeps host processes: starts them when needed, replaces those that fall silent or die, ends them all. */
export class Supervisor implements Hosts {
  readonly #options: SupervisorOptions;
  readonly #alive = new Set<HostProcess>();
  readonly #counts: Counts = { node: { ...NONE }, bun: { ...NONE }, own: { ...NONE }, mcp: { ...NONE } };
  #current: State = newState(1);
  /** Files without code are read anew where they are: no generation of theirs ever ends. */
  readonly #steady: State = newState(0);
  #failedStarts = 0;
  #closed = false;
  #listener: HostsListener = DEAF;
  #surroundings: Surroundings | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  get current(): Generation {
    return this.#current;
  }

  get steady(): Generation {
    return this.#steady;
  }

  renew(): Generation {
    const former = this.#current;
    this.#current = newState(former.id + 1);
    former.retired = true;
    this.#retireIfDone(former);
    return this.#current;
  }

  hold(generation: Generation): void {
    (generation as State).holds += 1;
  }

  release(generation: Generation): void {
    (generation as State).holds -= 1;
    this.#retireIfDone(generation as State);
  }

  loadedFiles(): readonly string[] {
    return [...this.#current.hosts.values()].flatMap((host) => host.loadedFiles);
  }

  importing(): readonly string[] {
    return [...this.#alive].flatMap((host) => host.importing);
  }

  get runsBun(): boolean {
    return this.#options.runtimes("bun") !== undefined;
  }

  troubledFiles(): ReadonlySet<string> {
    return this.#current.troubled;
  }

  listen(listener: HostsListener): void {
    this.#listener = listener;
  }

  surround(surroundings: Surroundings): void {
    this.#surroundings = surroundings;
    for (const host of this.#alive) host.surround(surroundings);
  }

  pendingIn(sessionID: string): number {
    return [...this.#alive].reduce((sum, host) => sum + host.pendingIn(sessionID).count, 0);
  }

  forget(sessionID: string): void {
    for (const host of this.#alive) host.forget(sessionID);
  }

  processes(): readonly HostCount[] {
    return Object.entries(this.#counts).map(([kind, count]) => ({ kind: kind as HostKind, ...count }));
  }

  async load(files: readonly HostFile[], options: ImportOptions = {}): Promise<FileManifest[]> {
    const state = this.#current;
    const read = new Map<string, FileManifest>();
    const onRead = (manifest: FileManifest): void => {
      read.set(manifest.file, manifest);
      options.onRead?.(manifest);
    };
    // Held, so that a host which is started for it after the generation has ended is ended with it.
    this.hold(state);
    try {
      const groups = [...Map.groupBy(files, kindOf)];
      const { verify = false, alone = new Set() } = options;
      await Promise.all(groups.map(([kind, group]) => this.#loadKind(state, kind, group, { verify, alone, onRead })));
      return files.flatMap(({ file }) => read.get(file) ?? []);
    } finally {
      this.release(state);
    }
  }

  async ask<K extends RequestKind>(
    ref: FileRef,
    request: HostRequest<K>,
    signal: AbortSignal,
  ): Promise<Reply<K> | FileTrouble> {
    const tool = "target" in request ? request.target.tool : undefined;
    const state = this.#stateOf(kindOf(ref.file), ref.generation);
    // Held, as in load().
    this.hold(state);
    try {
      return await this.#attempt(ref, tool, signal, MAX_HOSTS_PER_CHECK, (host) => host.ask<K>(request, signal));
    } finally {
      this.release(state);
    }
  }

  async run(ref: FileRef, call: HostCall, port: CallPort, signal: AbortSignal): Promise<Outcome | FileTrouble> {
    if (ref.file.file === PENDING_FILE) return this.#resolve(call, port, signal);
    const host = this.#openHostOf(ref, call.tool);
    // Mostly the tool is in memory, and there is nothing to wait for but the tool.
    const outcome = host?.holds(ref.file.file, call.tool) ? await host.run(call, port, signal) : undefined;
    if (outcome && outcome.kind !== "not-begun") return outcome;
    return this.#attempt(ref, call.tool, signal, MAX_HOSTS_PER_CALL, (host) => host.run(call, port, signal));
  }

  async close(): Promise<void> {
    this.#closed = true;
    const hosts = [...this.#alive];
    if (hosts.length === 0) return;
    for (const host of hosts) host.close();
    const deadline = performance.now() + 1_000;
    while (hosts.some((host) => !host.ended) && performance.now() < deadline) await sleep(5);
    for (const host of hosts) host.kill("it was no longer needed");
    while (hosts.some((host) => !host.ended)) await sleep(5);
  }

  /** What turns out to need Bun while it is imported by Node is imported there, where there is one. */
  async #loadKind(
    state: State,
    kind: HostKind,
    files: readonly HostFile[],
    options: Required<ImportOptions>,
  ): Promise<void> {
    const { verify, alone, onRead } = options;
    const moved: Promise<void>[] = [];
    const move = (file: HostFile): Promise<void> =>
      this.#loadKind(state, "bun", [{ ...file, runtime: "bun" }], options);
    const load = { verify, fresh: files.some(isDeclared) };
    await loadFiles(this.#sourceOf(state, kind), { files, alone }, load, (manifest) => {
      const needy = kind === "node" && needsBun(manifest) && this.runsBun;
      const file = needy ? files.find((each) => each.file === manifest.file) : undefined;
      if (file) moved.push(move(file));
      else onRead(manifest);
    });
    await Promise.all(moved);
  }

  #sourceOf(state: State, kind: HostKind): HostSource {
    return {
      shared: () => this.#host(state, kind, kind),
      alone: async () => {
        // A generation of its own, which ends when the file has been read.
        const own = newState(state.id);
        const host = await this.#host(own, kind, kind);
        const over = (): void => {
          own.retired = true;
          this.#retireIfDone(own);
        };
        return host && { host, over };
      },
    };
  }

  /** The newest preview of the session, in whichever host it waits. */
  async #resolve(call: HostCall, port: CallPort, signal: AbortSignal): Promise<Outcome> {
    const { sessionID } = call.context;
    const [newest] = [...this.#alive]
      .filter((host) => host.pendingIn(sessionID).count > 0)
      .sort((a, b) => b.pendingIn(sessionID).at - a.pendingIn(sessionID).at);
    if (newest) return newest.run(call, port, signal);
    return { kind: "result", result: { ok: false, code: "failed", message: NOTHING_PENDING, content: [] } };
  }

  /** Gives something to one host after another until one of them has begun it. */
  async #attempt<T extends { kind: string }>(
    ref: FileRef,
    tool: string | undefined,
    signal: AbortSignal,
    times: number,
    work: (host: HostProcess) => Promise<T>,
  ): Promise<T | FileTrouble | Died | NotBegun> {
    let outcome: T | FileTrouble | Died | NotBegun = { kind: "not-begun" };
    for (let failed = 0; failed < times && !signal.aborted; ) {
      const host = this.#openHostOf(ref, tool) ?? (await untilAborted(signal, () => this.#hostOf(ref, tool)));
      if (!host) return this.#closed ? CLOSED : (this.#noRuntime(ref.file) ?? outcome);
      const trouble =
        tool !== undefined && host.holds(ref.file.file, tool)
          ? undefined
          : await untilAborted(signal, () => this.#open(host, ref, tool));
      outcome = trouble ?? (await work(host));
      if (outcome.kind !== "not-begun" && trouble?.kind !== "died") return outcome;
      // One that still listens has too much to do, and comes to it when there is less.
      if (trouble || !host.open) failed += 1;
    }
    return outcome;
  }

  /** Bun was there when the file was looked at, and has gone since. */
  #noRuntime(file: HostFile): FileTrouble | undefined {
    if (this.#options.runtimes(kindOf(file)) !== undefined) return undefined;
    return { kind: "trouble", problem: noBun(file.file) };
  }

  #keyOf(file: HostFile): string {
    const kind = kindOf(file);
    const alone = this.#options.isolation === "file" && (kind === "node" || kind === "bun");
    return alone ? file.file : kind;
  }

  #hostOf(ref: FileRef, tool: string | undefined): Promise<HostProcess | undefined> {
    const { state, kind, key } = this.#placeOf(ref, tool);
    return this.#host(state, kind, key);
  }

  /** The host that takes it, where there is one already. */
  #openHostOf(ref: FileRef, tool: string | undefined): HostProcess | undefined {
    const { state, key } = this.#placeOf(ref, tool);
    const host = state.hosts.get(key);
    return host?.open ? host : undefined;
  }

  /** A file whose last working version is kept is served by whichever host has it in memory. */
  #placeOf({ file, generation }: FileRef, tool: string | undefined): { state: State; kind: HostKind; key: string } {
    const kind = kindOf(file);
    const state = this.#stateOf(kind, generation);
    const together = state.hosts.get(kind);
    const kept = state.retired && together?.open === true && tool !== undefined && together.holds(file.file, tool);
    return { state, kind, key: kept ? kind : this.#keyOf(file) };
  }

  #stateOf(kind: HostKind, generation: Generation): State {
    return kind === "own" || kind === "mcp" ? this.#steady : (generation as State);
  }

  /** Undefined once everything is closed. */
  async #host(generation: State, kind: HostKind, key: string): Promise<HostProcess | undefined> {
    const state = this.#stateOf(kind, generation);
    if (state.hosts.get(key)?.open !== true && this.#failedStarts > 0) {
      await sleep(Math.min(50 * 2 ** this.#failedStarts, MAX_BACKOFF_MS));
    }
    const known = state.hosts.get(key);
    if (known?.open) return known;
    const runtime = this.#options.runtimes(kind);
    if (this.#closed || !runtime) return undefined;
    const { act, ui, pending } = this.#listener;
    const host = new HostProcess(
      { ...this.#options, runtime },
      {
        act,
        ui,
        pending,
        ended: (ended) => this.#ended(ended, state, kind),
        depends: (file, imports) => {
          if (this.#isCurrent(state)) this.#listener.depends(file, imports);
        },
        changed: (manifest) => {
          if (this.#isCurrent(state)) this.#listener.changed(manifest);
        },
      },
    );
    if (this.#surroundings) host.surround(this.#surroundings);
    this.#alive.add(host);
    this.#counts[kind].started += 1;
    this.#counts[kind].alive += 1;
    state.hosts.set(key, host);
    return host;
  }

  #isCurrent(state: State): boolean {
    return state === this.#current || state === this.#steady;
  }

  #ended(host: HostProcess, state: State, kind: HostKind): void {
    this.#alive.delete(host);
    this.#counts[kind].alive -= 1;
    if (!this.#closed && !isOver(state)) this.#counts[kind].died += 1;
    if (host.useful) this.#failedStarts = 0;
    else if (host.age < YOUNG_MS && !host.endedByImport) this.#failedStarts += 1;
  }

  #retireIfDone(state: State): void {
    if (!isOver(state)) return;
    for (const host of state.hosts.values()) host.retire();
  }

  /** Undefined when the tool is there, as it was when the generation was the current one. */
  async #open(host: HostProcess, ref: FileRef, tool: string | undefined): Promise<FileTrouble | Died | undefined> {
    const state = this.#stateOf(kindOf(ref.file), ref.generation);
    const outcome = await host.load([ref.file])[0];
    if (!outcome || outcome.kind === "died") {
      return { kind: "died", reason: outcome?.reason ?? "it was not started" };
    }
    const { tools, problems, imports, followsSessions } = outcome.manifest;
    // A server may have other tools than when it was last connected to.
    if (ref.file.server) this.#listener.changed(outcome.manifest);
    // A file that follows sessions may have it once it has heard of one; else its host says that it is not there.
    const isThere =
      tool === undefined || followsSessions ? !isBroken(outcome.manifest) : tools.some(({ name }) => name === tool);
    if (isThere && (!state.retired || isSame(imports, ref.imports))) return undefined;
    if (!isThere) state.troubled.add(ref.file.file);
    return { kind: "trouble", problem: isThere ? undefined : problems[0] };
  }
}

/** Whether no call of that state of the code can come any more: its hosts have been sent away. */
function isOver({ retired, holds }: State): boolean {
  return retired && holds <= 0;
}

interface Died {
  readonly kind: "died";
  readonly reason: string;
}

/** Whether nothing that decides what a file is has changed. */
function isSame(now: FileManifest["imports"], then: FileManifest["imports"]): boolean {
  return JSON.stringify(now) === JSON.stringify(then.slice(0, now.length));
}

interface NotBegun {
  readonly kind: "not-begun";
}

const CLOSED: Died = { kind: "died", reason: "the toolbox was closed" };

const DEAF: HostsListener = {
  depends: () => {},
  changed: () => {},
  act: () => {},
  pending: () => {},
  ui: async () => undefined,
};

function kindOf(file: HostFile): HostKind {
  const content = contentOf(file);
  if (content === "module") return file.runtime ?? "node";
  return content === "mcp" ? "mcp" : "own";
}

function needsBun({ problems }: FileManifest): boolean {
  return problems.some(({ code }) => code === "needs_bun");
}
