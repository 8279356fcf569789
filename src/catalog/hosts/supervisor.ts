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
} from "../../host/protocol/hosts.ts";
import { noBun } from "../../host/protocol/load-problems.ts";
import {
  type FileManifest,
  type HostFile,
  isBroken,
  mayLackHooks,
  NO_PREVIEW,
  PREVIEWS_FILE,
} from "../../host/protocol/manifest.ts";
import type { HostCall, HostQuery, QueryKind, ToolboxInfo } from "../../host/protocol/messages.ts";
import { untilAborted } from "../../platform/waiting/until-aborted.ts";
import { CodeVersionLoader } from "./code-version-loader.ts";
import { HostPool, type PoolOptions } from "./host-pool.ts";
import type { HostProcess } from "./host-process.ts";
import { type HostedCode, hostKindOf, newHostedCode, retireIfUnused, runsAuthorCode } from "./hosted-code.ts";
import { isShared } from "./load-files.ts";

interface SupervisorOptions extends PoolOptions {
  readonly isolation: "shared" | "file";
}

/** A call fails after this many hosts have not started it. */
const MAX_HOSTS_PER_CALL = 5;
/** A query fails after this many hosts have not answered: the query itself probably blocks them. */
const MAX_HOSTS_PER_CHECK = 3;

/** Starts host processes when they are needed, replaces those that hang or die, and gives calls and queries to them. */
export class Supervisor implements Hosts {
  readonly #isolation: SupervisorOptions["isolation"];
  readonly #pool: HostPool;
  readonly #loader: CodeVersionLoader;
  #current: HostedCode = newHostedCode(1);
  /** For files without authors' code: they are read again in the same host. */
  readonly #permanent: HostedCode = newHostedCode(0);
  #listener: HostsListener = NO_LISTENER;

  constructor(options: SupervisorOptions) {
    this.#isolation = options.isolation;
    this.#pool = new HostPool(options, (version) => this.#eventsOf(version));
    this.#loader = new CodeVersionLoader(this.#pool, this.#permanent);
  }

  get current(): CodeVersion {
    return this.#current;
  }

  get permanent(): CodeVersion {
    return this.#permanent;
  }

  startVersion(): CodeVersion {
    const former = this.#current;
    this.#current = newHostedCode(former.id + 1);
    former.retired = true;
    retireIfUnused(former);
    return this.#current;
  }

  retain(codeVersion: CodeVersion): void {
    (codeVersion as HostedCode).retainCount += 1;
  }

  release(codeVersion: CodeVersion): void {
    (codeVersion as HostedCode).retainCount -= 1;
    retireIfUnused(codeVersion as HostedCode);
  }

  loadedFiles(): readonly string[] {
    return [...this.#current.hosts.values()].flatMap((host) => host.loadedFiles);
  }

  importing(): readonly string[] {
    return this.#pool.hosts.flatMap((host) => host.importing);
  }

  get runsBun(): boolean {
    return this.#pool.canStart("bun");
  }

  failedFiles(): ReadonlySet<string> {
    return this.#current.failed;
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
    const version = this.#current;
    const read = new Map<string, FileManifest>();
    const onRead = (manifest: FileManifest): void => {
      read.set(manifest.file, manifest);
      options.onRead?.(manifest);
    };
    // Retained until the load ends: a host that it starts after the version was replaced must be ended too.
    this.retain(version);
    try {
      await this.#loader.load(version, files, { ...options, onRead });
      return files.flatMap(({ file }) => read.get(file) ?? []);
    } finally {
      this.release(version);
    }
  }

  async query<K extends QueryKind>(
    ref: FileRef,
    query: HostQuery<K>,
    signal: AbortSignal,
    started: () => void = () => {},
  ): Promise<QueryOutcome<K> | FileUnavailable> {
    const tool = "target" in query ? query.target.tool : undefined;
    const version = this.#hostedVersionOf(hostKindOf(ref.file), ref.codeVersion);
    // Retained, as in load().
    this.retain(version);
    const asked = new Set<HostProcess>();
    try {
      const { kind }: { readonly kind: QueryKind } = query;
      const hook = kind === "before" || kind === "after" ? kind : undefined;
      const outcome = await this.#tryHosts(
        { ...ref, hook, repeats: kind === "prepare" },
        tool,
        { signal, times: MAX_HOSTS_PER_CHECK },
        (host) => {
          asked.add(host);
          return host.query<K>(query, signal, started);
        },
      );
      const isBlocked = outcome.kind === "blocked" || (outcome.kind === "not-started" && asked.size > 1);
      if (!isBlocked) return outcome;
      endBlocked(asked, tool ?? ref.file.file);
      return { kind: "blocked" };
    } finally {
      this.release(version);
    }
  }

  async run(ref: FileRef, call: HostCall, port: RunPort, signal: AbortSignal): Promise<Outcome | FileUnavailable> {
    if (ref.file.file === PREVIEWS_FILE) return this.#resolvePreview(call, port, signal);
    const tool = call.command === undefined ? call.tool : undefined;
    const host = this.#openHostOf(ref, tool);
    // The common case: the tool is in memory.
    const isLoaded = tool !== undefined && host?.hasTool(ref.file.file, tool);
    const outcome = isLoaded ? await host?.run(call, port, signal) : undefined;
    if (outcome && outcome.kind !== "not-started") {
      if (hasBlocked(outcome)) this.#isolate(ref, tool);
      return outcome;
    }
    return this.#tryHosts(ref, tool, { signal, times: MAX_HOSTS_PER_CALL }, (host) => host.run(call, port, signal));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Resolves the newest preview of the session, in the host that holds it. */
  async #resolvePreview(call: HostCall, port: RunPort, signal: AbortSignal): Promise<Outcome> {
    const { sessionID } = call.context;
    const [newest] = this.#pool.hosts
      .filter((host) => host.previewsIn(sessionID).count > 0)
      .sort((a, b) => b.previewsIn(sessionID).addedAt - a.previewsIn(sessionID).addedAt);
    if (newest) return newest.run(call, port, signal);
    return { kind: "result", result: { ok: false, code: "failed", message: NO_PREVIEW, content: [] } };
  }

  /** Gives work to one host after another until one has started it. */
  async #tryHosts<T extends { kind: string }>(
    ref: FileRef & AskedRef,
    tool: string | undefined,
    { signal, times }: { readonly signal: AbortSignal; readonly times: number },
    work: (host: HostProcess) => Promise<T>,
  ): Promise<T | FileUnavailable | Died | NotStarted> {
    let outcome: T | FileUnavailable | Died | NotStarted = { kind: "not-started" };
    for (let failed = 0; failed < times && !signal.aborted; ) {
      const host = this.#openHostOf(ref, tool) ?? (await untilAborted(signal, () => this.#hostOf(ref, tool)));
      if (!host) return this.#pool.isClosed ? CLOSED : (this.#missingRuntime(ref.file) ?? outcome);
      const failure =
        tool !== undefined && host.hasTool(ref.file.file, tool)
          ? undefined
          : await untilAborted(signal, () => this.#ensureLoaded(host, ref, tool));
      if (failure?.kind === "isolate") continue;
      outcome = failure ?? (await work(host));
      const isOver = !(failure ? failure.kind === "died" : mayRepeat(outcome.kind, ref.repeats));
      // A host that is still open was busy, and does not count as failed.
      if (!isOver && (failure || !host.open)) failed += 1;
      // Alone in a host, it cannot block others, and others cannot make it fail again.
      if (hasBlocked(outcome) || failed > 1) this.#isolate(ref, tool);
      if (isOver) return outcome;
    }
    return outcome;
  }

  /** The next calls run in a separate host. The connection to an MCP server cannot be taken over by another host. */
  #isolate({ file, codeVersion }: FileRef, tool: string | undefined): void {
    const kind = hostKindOf(file);
    if (kind !== "mcp") this.#hostedVersionOf(kind, codeVersion).isolated.add(aloneKey(file, tool));
  }

  /** Bun was installed when the file was read, and is no longer. */
  #missingRuntime(file: HostFile): FileUnavailable | undefined {
    if (this.#pool.canStart(hostKindOf(file))) return undefined;
    return { kind: "unavailable", problem: noBun(file.file) };
  }

  #keyOf(file: HostFile, version: HostedCode, tool: string | undefined): string {
    const kind = hostKindOf(file);
    const key = aloneKey(file, tool);
    const alone = this.#isolation === "file" && runsAuthorCode(kind);
    return alone || version.isolated.has(key) ? key : kind;
  }

  #hostOf(ref: FileRef, tool: string | undefined): Promise<HostProcess | undefined> {
    const { version, kind, key } = this.#placeOf(ref, tool);
    return this.#pool.get(version, kind, key);
  }

  #openHostOf(ref: FileRef, tool: string | undefined): HostProcess | undefined {
    const { version, key } = this.#placeOf(ref, tool);
    const host = version.hosts.get(key);
    return host?.open ? host : undefined;
  }

  /** The last working version of a file runs in the host that has it in memory. */
  #placeOf(
    { file, codeVersion }: FileRef,
    tool: string | undefined,
  ): { version: HostedCode; kind: HostKind; key: string } {
    const kind = hostKindOf(file);
    const version = this.#hostedVersionOf(kind, codeVersion);
    const together = version.hosts.get(kind);
    const kept = version.retired && together?.open === true && tool !== undefined && together.hasTool(file.file, tool);
    return { version, kind, key: kept ? kind : this.#keyOf(file, version, tool) };
  }

  #hostedVersionOf(kind: HostKind, codeVersion: CodeVersion): HostedCode {
    return runsAuthorCode(kind) ? (codeVersion as HostedCode) : this.#permanent;
  }

  /** Changes that hosts of older versions report are ignored. */
  #eventsOf(version: HostedCode): HostsListener {
    const { sessionAction, ui, previewsChanged, importLasts } = this.#listener;
    const isCurrent = (): boolean => version === this.#current || version === this.#permanent;
    return {
      sessionAction,
      ui,
      previewsChanged,
      importLasts,
      importsChanged: (file, imports) => {
        if (isCurrent()) this.#listener.importsChanged(file, imports);
      },
      manifestChanged: (manifest) => {
        if (isCurrent()) this.#listener.manifestChanged(manifest);
      },
    };
  }

  /** Loads the file if necessary. Returns undefined if the host has the tool, in the code version that was asked for. */
  async #ensureLoaded(
    host: HostProcess,
    ref: FileRef & AskedRef,
    tool: string | undefined,
  ): Promise<FileUnavailable | Died | Isolate | undefined> {
    const version = this.#hostedVersionOf(hostKindOf(ref.file), ref.codeVersion);
    const outcome = await host.load([ref.file])[0];
    if (!outcome || outcome.kind === "died") {
      return { kind: "died", reason: outcome?.reason ?? "it was not started" };
    }
    const { tools, hooks = [], problems, imports, followsSessions, transientFailure } = outcome.manifest;
    if (transientFailure === "threw" && isShared(host) && !version.isolated.has(ref.file.file)) {
      version.isolated.add(ref.file.file);
      return { kind: "isolate" };
    }
    // An MCP server may have changed its tools since the last connection.
    if (ref.file.server) this.#listener.manifestChanged(outcome.manifest);
    // A file that handles session events may register the tool when a session starts.
    const isThere = ref.hook
      ? hooks.includes(ref.hook) || !mayLackHooks(outcome.manifest)
      : tool === undefined || followsSessions
        ? !isBroken(outcome.manifest)
        : tools.some(({ name }) => name === tool);
    if (isThere && (!version.retired || isSame(imports, ref.imports))) return undefined;
    if (!isThere) version.failed.add(ref.file.file);
    return { kind: "unavailable", problem: isThere ? undefined : problems[0] };
  }
}

interface AskedRef {
  /** The hook that a query asks: a file that cannot be read whole, and lacks it, does not answer. */
  readonly hook?: "before" | "after" | undefined;
  /** Whether another host may repeat it if the host has died. */
  readonly repeats?: boolean;
}

/** The key of the host of a file alone. Tools that share no state of an author are separated from each other too. */
function aloneKey(file: HostFile, tool: string | undefined): string {
  return runsAuthorCode(hostKindOf(file)) || tool === undefined ? file.file : `${file.file} ${tool}`;
}

/** Whether another host may answer. */
function mayRepeat(kind: string, repeats = false): boolean {
  return kind === "not-started" || kind === "blocked" || (repeats && kind === "died");
}

/** Whether a call or query has held up its host, and would do so again. */
function hasBlocked(outcome: Outcome | QueryOutcome<QueryKind> | { readonly kind: string }): boolean {
  if ("result" in outcome && outcome.kind === "result") return !outcome.result.ok && outcome.result.slow !== undefined;
  return outcome.kind === "blocked" || outcome.kind === "slow" || outcome.kind === "unresponsive";
}

/** Ends hosts that a query blocks: their other calls cannot end. */
function endBlocked(hosts: ReadonlySet<HostProcess>, what: string): void {
  for (const host of hosts) if (host.isSilent) host.kill(`another call in the same process, of "${what}", blocked it`);
}

/** The file must run alone in a host. */
interface Isolate {
  readonly kind: "isolate";
}

interface Died {
  readonly kind: "died";
  readonly reason: string;
}

/** Whether no import has changed. */
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
  importLasts: () => {},
  ui: async () => undefined,
};
