import type { Log } from "../../core/log.ts";
import type { SessionAction } from "../../core/session.ts";
import { stampOf } from "../../platform/files/stamp.ts";
import type { OwnRuns } from "../../platform/processes/own-runs.ts";
import { untilAborted } from "../../platform/waiting/until-aborted.ts";
import { within } from "../../platform/waiting/within.ts";
import {
  type CodeVersion,
  type FileRef,
  type FileUnavailable,
  type Hosts,
  type HostsListener,
  type ImportOptions,
  isTimeout,
  type Outcome,
  type QueryOutcome,
  type RunPort,
} from "../protocol/hosts.ts";
import { type FileManifest, type HostFile, hasNoCode, isBroken, PREVIEWS_FILE } from "../protocol/manifest.ts";
import {
  abortError,
  type HostCall,
  type HostQuery,
  type LoadOptions,
  type QueryKind,
  type ToolboxInfo,
  type UiRequest,
} from "../protocol/messages.ts";
import { Engine } from "./engine.ts";
import { HostServices } from "./host-services.ts";

const GRACE_MS = 1_000;

const NEEDS_BUN =
  'It needs the Bun runtime, and tools run in this process here: choose the isolation "shared" or "file".';

export interface InProcessOptions {
  readonly cwd: string;
  readonly worktree: string;
  readonly importMs: number;
  readonly log: Log;
  readonly runs: OwnRuns;
  /** Tools as values, by the name of the file that they replace. */
  readonly values?: ReadonlyMap<string, unknown>;
}

/**
 * Runs tools in this process, without isolation, if a program chooses that. A tool that does not stop after its abort keeps
 * running, and a changed file keeps its old code until the program restarts.
 */
export class InProcess implements Hosts {
  readonly current: CodeVersion = { id: 1 };
  readonly permanent: CodeVersion = this.current;
  readonly runsBun: boolean = "bun" in process.versions;
  readonly #engine: Engine;
  readonly #runs: OwnRuns;
  readonly #services: HostServices;
  readonly #previews = new Map<string, number>();
  readonly #loaded = new Set<string>();
  readonly #importing = new Set<string>();
  #listener: HostsListener | undefined;

  constructor(options: InProcessOptions) {
    const serving = {
      ui: async (request: UiRequest) => this.#listener?.ui(request),
      sessionAction: (sessionID: string, action: SessionAction) => this.#listener?.sessionAction(sessionID, action),
      previews: (sessionID: string, count: number) => {
        if (count === 0) this.#previews.delete(sessionID);
        else this.#previews.set(sessionID, count);
        this.#listener?.previewsChanged();
      },
      log: options.log,
    };
    this.#runs = options.runs;
    this.#services = new HostServices(options, serving);
    const onChanged = (manifest: FileManifest): void => this.#listener?.manifestChanged(manifest);
    this.#engine = new Engine({ ...options, needsBun: NEEDS_BUN, services: this.#services, serving, onChanged });
  }

  startVersion(): CodeVersion {
    return this.current;
  }

  retain(): void {}

  release(): void {}

  loadedFiles(): readonly string[] {
    return [...this.#loaded];
  }

  importing(): readonly string[] {
    return [...this.#importing];
  }

  failedFiles(): ReadonlySet<string> {
    return new Set();
  }

  listen(listener: HostsListener): void {
    this.#listener = listener;
  }

  processes(): readonly [] {
    return [];
  }

  setToolboxInfo(toolboxInfo: ToolboxInfo): void {
    this.#services.setToolboxInfo(toolboxInfo);
  }

  previewsIn(sessionID: string): number {
    return this.#previews.get(sessionID) ?? 0;
  }

  discardPreviews(sessionID: string): void {
    this.#services.previews.discard(sessionID);
  }

  load(files: readonly HostFile[], { verify = false, onRead }: ImportOptions = {}): Promise<FileManifest[]> {
    const read = async (file: HostFile): Promise<FileManifest> => {
      this.#importing.add(file.file);
      const manifest = await this.#load(file, { verify, fresh: hasNoCode(file) });
      this.#importing.delete(file.file);
      onRead?.(manifest);
      return manifest;
    };
    return Promise.all(files.map(read));
  }

  async query<K extends QueryKind>(
    { file }: FileRef,
    query: HostQuery<K>,
    signal: AbortSignal,
    started?: () => void,
  ): Promise<QueryOutcome<K> | FileUnavailable> {
    const unavailable = await this.#unavailable(file, "target" in query ? query.target.tool : undefined);
    if (unavailable) return unavailable;
    started?.();
    const answer = await untilAborted(signal, () => this.#engine.answer(query as HostQuery));
    return (answer as QueryOutcome<K> | undefined) ?? { kind: "died", reason: "the call was cancelled" };
  }

  async run(ref: FileRef, call: HostCall, port: RunPort, signal: AbortSignal): Promise<Outcome | FileUnavailable> {
    const unavailable = await this.#unavailable(ref.file, call.command === undefined ? call.tool : undefined);
    if (unavailable) return unavailable;
    if (signal.aborted) return { kind: "not-started" };
    port.started();
    const controller = new AbortController();
    const unresponsive = Promise.withResolvers<Outcome>();
    const stop = (): void => {
      controller.abort(abortError(isTimeout(signal) ? "timeout" : "aborted"));
      timer = setTimeout(() => unresponsive.resolve({ kind: "unresponsive" }), GRACE_MS);
    };
    let timer: NodeJS.Timeout | undefined;
    signal.addEventListener("abort", stop, { once: true });
    const work = this.#runs
      .run(() => this.#engine.run(call, controller.signal, port))
      .then((result): Outcome => ({ kind: "result", result }));
    return Promise.race([work, unresponsive.promise]).finally(() => {
      signal.removeEventListener("abort", stop);
      clearTimeout(timer);
    });
  }

  async close(): Promise<void> {
    await within(GRACE_MS, this.#engine.shutDown());
    this.#engine.close();
  }

  async #unavailable(file: HostFile, tool: string | undefined): Promise<FileUnavailable | undefined> {
    if (file.file === PREVIEWS_FILE) return undefined;
    const manifest = await this.#load(file);
    const isThere =
      tool === undefined || manifest.followsSessions
        ? !isBroken(manifest)
        : manifest.tools.some(({ name }) => name === tool);
    return isThere ? undefined : { kind: "unavailable", problem: manifest.problems[0] };
  }

  /** Files without code can be read again, so they do not count as loaded. */
  #load(file: HostFile, options: Partial<LoadOptions> = {}): Promise<FileManifest> {
    if (!hasNoCode(file)) this.#loaded.add(file.file);
    return this.#engine.load(file, options).then(withItself);
  }
}

/** A manifest without imports, as of an MCP server, names itself. */
function withItself(manifest: FileManifest): FileManifest {
  return manifest.imports.length > 0 ? manifest : { ...manifest, imports: [[manifest.file, stampOf(manifest.file)]] };
}
