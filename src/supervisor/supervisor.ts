import { untilAborted } from "../core/until-aborted.ts";
import type {
  CodeVersion,
  FileRef,
  FileUnavailable,
  HostCount,
  HostKind,
  Hosts,
  HostsListener,
  ImportOptions,
  Outcome,
  QueryOutcome,
  RunPort,
} from "../protocol/hosts.ts";
import { noBun } from "../protocol/load-problems.ts";
import {
  type FileManifest,
  type HostFile,
  hasNoCode,
  isBroken,
  NO_PREVIEW,
  PREVIEWS_FILE,
} from "../protocol/manifest.ts";
import type { HostCall, HostQuery, QueryKind, ToolboxInfo } from "../protocol/messages.ts";
import {
  beginReading,
  type CodeState,
  kindOf,
  newCodeState,
  readingKey,
  retireIfOver,
  runsAuthors,
} from "./code-state.ts";
import { HostPool, type PoolOptions } from "./host-pool.ts";
import type { HostEvents, HostProcess } from "./host-process.ts";
import { type HostSource, isShared, loadFiles } from "./load-files.ts";

/** How hosts are kept. */
export interface SupervisorOptions extends PoolOptions {
  readonly isolation: "shared" | "file";
}

/** A call that no host would begin is given up after this many hosts. */
const MAX_HOSTS_PER_CALL = 5;
/** A check that none of these answered is what keeps them from answering. */
const MAX_HOSTS_PER_CHECK = 3;

/** Keeps host processes: starts them when needed, replaces those that fall silent or die, ends them all. */
export class Supervisor implements Hosts {
  readonly #options: SupervisorOptions;
  readonly #pool: HostPool;
  #current: CodeState = newCodeState(1);
  /** Files without code are read anew where they are: no code version of theirs ever ends. */
  readonly #permanent: CodeState = newCodeState(0);
  #listener: HostsListener = NO_LISTENER;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#pool = new HostPool(options, (state) => this.#eventsOf(state));
  }

  get current(): CodeVersion {
    return this.#current;
  }

  get permanent(): CodeVersion {
    return this.#permanent;
  }

  startVersion(): CodeVersion {
    const former = this.#current;
    this.#current = newCodeState(former.id + 1);
    former.retired = true;
    retireIfOver(former);
    return this.#current;
  }

  retain(codeVersion: CodeVersion): void {
    (codeVersion as CodeState).holds += 1;
  }

  release(codeVersion: CodeVersion): void {
    (codeVersion as CodeState).holds -= 1;
    retireIfOver(codeVersion as CodeState);
  }

  loadedFiles(): readonly string[] {
    return [...this.#current.hosts.values()].flatMap((host) => host.loadedFiles);
  }

  importing(): readonly string[] {
    return this.#pool.hosts.flatMap((host) => host.importing);
  }

  get runsBun(): boolean {
    return this.#options.runtimes("bun") !== undefined;
  }

  failedFiles(): ReadonlySet<string> {
    return this.#current.troubled;
  }

  listen(listener: HostsListener): void {
    this.#listener = listener;
  }

  setToolboxInfo(toolboxInfo: ToolboxInfo): void {
    this.#pool.setToolboxInfo(toolboxInfo);
  }

  previewsIn(sessionID: string): number {
    return this.#pool.hosts.reduce((sum, host) => sum + host.previewsIn(sessionID).count, 0);
  }

  discardPreviews(sessionID: string): void {
    for (const host of this.#pool.hosts) host.discardPreviews(sessionID);
  }

  processes(): readonly HostCount[] {
    return this.#pool.counts;
  }

  async load(files: readonly HostFile[], options: ImportOptions = {}): Promise<FileManifest[]> {
    const state = this.#current;
    const read = new Map<string, FileManifest>();
    const onRead = (manifest: FileManifest): void => {
      read.set(manifest.file, manifest);
      options.onRead?.(manifest);
    };
    // Held, so that a host which is started for it after the code version has ended is ended with it.
    this.retain(state);
    try {
      const groups = [...Map.groupBy(files, kindOf)];
      const { verify = false, alone = new Set() } = options;
      await Promise.all(groups.map(([kind, group]) => this.#loadKind(state, kind, group, { verify, alone, onRead })));
      return files.flatMap(({ file }) => read.get(file) ?? []);
    } finally {
      this.release(state);
    }
  }

  async query<K extends QueryKind>(
    ref: FileRef,
    query: HostQuery<K>,
    signal: AbortSignal,
    started: () => void = () => {},
  ): Promise<QueryOutcome<K> | FileUnavailable> {
    const tool = "target" in query ? query.target.tool : undefined;
    const state = this.#stateOf(kindOf(ref.file), ref.codeVersion);
    // Held, as in load().
    this.retain(state);
    try {
      return await this.#attempt(ref, tool, signal, MAX_HOSTS_PER_CHECK, (host) =>
        host.query<K>(query, signal, started),
      );
    } finally {
      this.release(state);
    }
  }

  async run(ref: FileRef, call: HostCall, port: RunPort, signal: AbortSignal): Promise<Outcome | FileUnavailable> {
    if (ref.file.file === PREVIEWS_FILE) return this.#resolve(call, port, signal);
    const host = this.#openHostOf(ref, call.tool);
    // Mostly the tool is in memory, and there is nothing to wait for but the tool.
    const outcome = host?.holds(ref.file.file, call.tool) ? await host.run(call, port, signal) : undefined;
    if (outcome && outcome.kind !== "not-started") return outcome;
    return this.#attempt(ref, call.tool, signal, MAX_HOSTS_PER_CALL, (host) => host.run(call, port, signal));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** What turns out to need Bun while it is imported by Node is imported there, where there is one. */
  async #loadKind(
    state: CodeState,
    kind: HostKind,
    files: readonly HostFile[],
    options: Required<ImportOptions>,
  ): Promise<void> {
    const { verify, alone, onRead } = options;
    const moved: Promise<void>[] = [];
    const move = (file: HostFile): Promise<void> =>
      this.#loadKind(state, "bun", [{ ...file, runtime: "bun" }], options);
    const load = { verify, fresh: files.some(hasNoCode) };
    const taking = state.hosts.get(kind);
    const isKnown = taking?.open === true && files.every(({ file }) => taking.loadedFiles.includes(file));
    const key = runsAuthors(kind) && !isKnown ? readingKey(kind) : kind;
    const done = beginReading(state, kind);
    const left = new Set(files.map(({ file }) => file));
    const told = (manifest: FileManifest): void => {
      // Before anything is known of the last file: its calls go to the host that has read it.
      left.delete(manifest.file);
      if (left.size === 0) done();
      const needy = kind === "node" && needsBun(manifest) && this.runsBun;
      const file = needy ? files.find((each) => each.file === manifest.file) : undefined;
      if (file) moved.push(move(file));
      else onRead(manifest);
    };
    await loadFiles(this.#sourceOf(state, kind, key), { files, alone }, load, told).finally(done);
    await Promise.all(moved);
  }

  #sourceOf(state: CodeState, kind: HostKind, key: string): HostSource {
    return {
      shared: () => this.#pool.get(this.#stateOf(kind, state), kind, key),
      alone: async () => {
        // A code version of its own, which ends when the file has been read.
        const own = newCodeState(state.id);
        const host = await this.#pool.get(this.#stateOf(kind, own), kind, kind);
        const over = (): void => {
          own.retired = true;
          retireIfOver(own);
        };
        return host && { host, over };
      },
    };
  }

  /** The newest preview of the session, in whichever host it waits. */
  async #resolve(call: HostCall, port: RunPort, signal: AbortSignal): Promise<Outcome> {
    const { sessionID } = call.context;
    const [newest] = this.#pool.hosts
      .filter((host) => host.previewsIn(sessionID).count > 0)
      .sort((a, b) => b.previewsIn(sessionID).at - a.previewsIn(sessionID).at);
    if (newest) return newest.run(call, port, signal);
    return { kind: "result", result: { ok: false, code: "failed", message: NO_PREVIEW, content: [] } };
  }

  /** Gives something to one host after another until one of them has started it. */
  async #attempt<T extends { kind: string }>(
    ref: FileRef,
    tool: string | undefined,
    signal: AbortSignal,
    times: number,
    work: (host: HostProcess) => Promise<T>,
  ): Promise<T | FileUnavailable | Died | NotStarted> {
    let outcome: T | FileUnavailable | Died | NotStarted = { kind: "not-started" };
    for (let failed = 0; failed < times && !signal.aborted; ) {
      const host = this.#openHostOf(ref, tool) ?? (await untilAborted(signal, () => this.#hostOf(ref, tool)));
      if (!host) return this.#pool.isClosed ? CLOSED : (this.#noRuntime(ref.file) ?? outcome);
      const trouble =
        tool !== undefined && host.holds(ref.file.file, tool)
          ? undefined
          : await untilAborted(signal, () => this.#open(host, ref, tool));
      if (trouble?.kind === "apart") continue;
      outcome = trouble ?? (await work(host));
      if (outcome.kind !== "not-started" && trouble?.kind !== "died") return outcome;
      // One that still listens has too much to do, and comes to it when there is less.
      if (trouble || !host.open) failed += 1;
    }
    return outcome;
  }

  /** Bun was there when the file was looked at, and has gone since. */
  #noRuntime(file: HostFile): FileUnavailable | undefined {
    if (this.#options.runtimes(kindOf(file)) !== undefined) return undefined;
    return { kind: "unavailable", problem: noBun(file.file) };
  }

  #keyOf(file: HostFile, state: CodeState): string {
    const kind = kindOf(file);
    const alone = this.#options.isolation === "file" && runsAuthors(kind);
    return alone || state.apart.has(file.file) ? file.file : kind;
  }

  #hostOf(ref: FileRef, tool: string | undefined): Promise<HostProcess | undefined> {
    const { state, kind, key } = this.#placeOf(ref, tool);
    return this.#pool.get(state, kind, key);
  }

  /** The host that takes it, where there is one already. */
  #openHostOf(ref: FileRef, tool: string | undefined): HostProcess | undefined {
    const { state, key } = this.#placeOf(ref, tool);
    const host = state.hosts.get(key);
    return host?.open ? host : undefined;
  }

  /** A file whose last working version is kept is served by whichever host has it in memory. */
  #placeOf(
    { file, codeVersion }: FileRef,
    tool: string | undefined,
  ): { state: CodeState; kind: HostKind; key: string } {
    const kind = kindOf(file);
    const state = this.#stateOf(kind, codeVersion);
    const together = state.hosts.get(kind);
    const kept = state.retired && together?.open === true && tool !== undefined && together.holds(file.file, tool);
    return { state, kind, key: kept ? kind : this.#keyOf(file, state) };
  }

  #stateOf(kind: HostKind, codeVersion: CodeVersion): CodeState {
    return runsAuthors(kind) ? (codeVersion as CodeState) : this.#permanent;
  }

  /** What a host of another state of the code finds out is of no use any more. */
  #eventsOf(state: CodeState): Omit<HostEvents, "ended"> {
    const { sessionAction, ui, previewsChanged } = this.#listener;
    const isCurrent = (): boolean => state === this.#current || state === this.#permanent;
    return {
      sessionAction,
      ui,
      previewsChanged,
      importsChanged: (file, imports) => {
        if (isCurrent()) this.#listener.importsChanged(file, imports);
      },
      manifestChanged: (manifest) => {
        if (isCurrent()) this.#listener.manifestChanged(manifest);
      },
    };
  }

  /** Undefined when the tool is there, as it was when the code version was the current one. */
  async #open(
    host: HostProcess,
    ref: FileRef,
    tool: string | undefined,
  ): Promise<FileUnavailable | Died | Apart | undefined> {
    const state = this.#stateOf(kindOf(ref.file), ref.codeVersion);
    const outcome = await host.load([ref.file])[0];
    if (!outcome || outcome.kind === "died") {
      return { kind: "died", reason: outcome?.reason ?? "it was not started" };
    }
    const { tools, problems, imports, followsSessions, transientFailure } = outcome.manifest;
    if (transientFailure === "threw" && isShared(host) && !state.apart.has(ref.file.file)) {
      state.apart.add(ref.file.file);
      return { kind: "apart" };
    }
    // A server may have other tools than when it was last connected to.
    if (ref.file.server) this.#listener.manifestChanged(outcome.manifest);
    // A file that follows sessions may have it once it has heard of one; else its host says that it is not there.
    const isThere =
      tool === undefined || followsSessions ? !isBroken(outcome.manifest) : tools.some(({ name }) => name === tool);
    if (isThere && (!state.retired || isSame(imports, ref.imports))) return undefined;
    if (!isThere) state.troubled.add(ref.file.file);
    return { kind: "unavailable", problem: isThere ? undefined : problems[0] };
  }
}

/** The file is to be opened in a host for itself. */
interface Apart {
  readonly kind: "apart";
}

interface Died {
  readonly kind: "died";
  readonly reason: string;
}

/** Whether nothing that decides what a file is has changed. */
function isSame(now: FileManifest["imports"], then: FileManifest["imports"]): boolean {
  return JSON.stringify(now) === JSON.stringify(then.slice(0, now.length));
}

interface NotStarted {
  readonly kind: "not-started";
}

const CLOSED: Died = { kind: "died", reason: "the toolbox was closed" };

const NO_LISTENER: HostsListener = {
  importsChanged: () => {},
  manifestChanged: () => {},
  sessionAction: () => {},
  previewsChanged: () => {},
  ui: async () => undefined,
};

function needsBun({ problems }: FileManifest): boolean {
  return problems.some(({ code }) => code === "needs_bun");
}
