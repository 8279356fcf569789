import type { Update } from "../core/events.ts";
import type { Problem } from "../core/problem.ts";
import type { SessionAction } from "../core/session.ts";
import type { FileManifest, HostFile } from "./manifest.ts";
import type {
  HostCall,
  HostQuery,
  HostRequest,
  HostResponse,
  HostResult,
  QueryAnswer,
  QueryKind,
  ToolboxInfo,
  UiRequest,
} from "./messages.ts";

/** A state of the code: everything loaded in one code version stays as it was when it was loaded. */
export interface CodeVersion {
  readonly id: number;
}

/** One file as it is in one code version. */
export interface FileRef {
  readonly file: HostFile;
  readonly codeVersion: CodeVersion;
  /** What it depended on when it was looked at: how another version of it is recognised. */
  readonly imports: FileManifest["imports"];
}

/** How a call given to a host came out of it. */
export type Outcome =
  | { readonly kind: "result"; readonly result: HostResult }
  /** The host did not begin it, and never will: it may be given to another. */
  | { readonly kind: "not-started" }
  | { readonly kind: "died"; readonly reason: string }
  /** It was told to stop and did not; its process is being ended. */
  | { readonly kind: "unresponsive" };

/** How a request came out of a host. Requests are safe to repeat, so a host that did not answer may be replaced. */
export type QueryOutcome<K extends QueryKind> =
  | QueryAnswer<K>
  | { readonly kind: "died"; readonly reason: string }
  | { readonly kind: "not-started" };

/** What a running call in a host may send to the serving process. */
export interface CallPort {
  update(update: Update): void;
  /** Must not reject. */
  request(request: HostRequest): Promise<HostResponse>;
  /** Must not reject. */
  ui(request: UiRequest): Promise<unknown>;
}

/** What a call in a host tells whoever gave it to that host. */
export interface RunPort extends CallPort {
  /** A host has started the call: its time counts from now on. May be called more than once. */
  started(): void;
}

/** The file turned out not to hold the tool any more, or another version of it, for this reason. */
export interface FileUnavailable {
  readonly kind: "unavailable";
  readonly problem: Problem | undefined;
}

/**
 * What cannot run in one process: tool files under Node and Bun; built-in tools and JSON tools ("own"), which run no
 * author's code, and MCP servers, neither of which may end theirs.
 */
export type HostKind = "node" | "bun" | "own" | "mcp";

/** The processes of one kind: how many run now, and what became of all there were. */
export interface HostCount {
  readonly kind: HostKind;
  readonly alive: number;
  readonly started: number;
  /** Of these, how many ended although nobody had sent them away: they crashed, or were ended for what a tool did. */
  readonly died: number;
}

/** How files are imported. */
export interface ImportOptions {
  /** Checks every schema. */
  readonly verify?: boolean;
  /** Files that may block or end the process they are imported in: each gets one of its own for it. */
  readonly alone?: ReadonlySet<string>;
  /** Told of each file as soon as it is done, whatever the others do. */
  readonly onRead?: (manifest: FileManifest) => void;
}

/** What hosts tell without being asked. */
export interface HostsListener {
  /** A file has imported more while its tools ran than at first. */
  importsChanged(file: string, imports: FileManifest["imports"]): void;
  /** A file has other tools than it had when it was loaded. */
  manifestChanged(manifest: FileManifest): void;
  sessionAction(sessionID: string, action: SessionAction): void;
  previewsChanged(): void;
  /** A tool calls the user interface outside a call. Must not reject. */
  ui(request: UiRequest): Promise<unknown>;
}

/** Where authors' code runs. Nothing of it ever rejects because of what that code does. */
export interface Hosts {
  readonly current: CodeVersion;
  /** The state of the code that is no author's: it never ends. */
  readonly permanent: CodeVersion;
  /** Begins a new codeVersion. The former ends once its calls are done, unless it is held. */
  startVersion(): CodeVersion;
  /** Keeps an old code version alive: the last working version of a file that is broken now lives in it. */
  retain(codeVersion: CodeVersion): void;
  release(codeVersion: CodeVersion): void;
  /** What the current code version has imported so far. */
  loadedFiles(): readonly string[];
  /** What is being imported at this moment, in whichever codeVersion. */
  importing(): readonly string[];
  /** Whether there is a Bun for files that need it. */
  readonly runsBun: boolean;
  /** Files whose import failed in the current code version when a call asked for them. */
  failedFiles(): ReadonlySet<string>;
  listen(listener: HostsListener): void;
  /** Tells all hosts, those of now and those to come. */
  setToolboxInfo(toolboxInfo: ToolboxInfo): void;
  /** Previews of a session that wait to be resolved. */
  previewsIn(sessionID: string): number;
  /** Gives up the previews of a session that is over. */
  discardPreviews(sessionID: string): void;
  /** Imports files in the current code version. Answers when all are done, in their order. */
  load(files: readonly HostFile[], options?: ImportOptions): Promise<FileManifest[]>;
  /**
   * The file is loaded for it if need be. Author's code that has not answered a second after the abort is ended. `started` is
   * called, perhaps more than once, when a host is known to have taken the request on.
   */
  query<K extends QueryKind>(
    ref: FileRef,
    query: HostQuery<K>,
    signal: AbortSignal,
    started?: () => void,
  ): Promise<QueryOutcome<K> | FileUnavailable>;
  run(ref: FileRef, call: HostCall, port: RunPort, signal: AbortSignal): Promise<Outcome | FileUnavailable>;
  /** How many processes there are and were, of every kind; nothing where tools run in this one. */
  processes(): readonly HostCount[];
  /** Ends every process, and waits until they are gone. */
  close(): Promise<void>;
}

/** The reason of an abort that is the clock's doing. */
export const TIMEOUT: unique symbol = Symbol("timeout");

/** The reason of an abort because no host began the call. */
export const NOT_STARTED: unique symbol = Symbol("not started");

export function isTimeout(signal: AbortSignal): boolean {
  return signal.reason === TIMEOUT;
}
