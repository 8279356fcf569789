import type { Update } from "../../core/events.ts";
import type { Problem } from "../../core/problem.ts";
import type { SessionAction } from "../../core/session.ts";
import type { InnerCallOptions } from "../../core/tool.ts";
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

/** A version of all tool files: a file that was loaded in it does not change. */
export interface CodeVersion {
  readonly id: number;
}

/** A file in one code version. */
export interface FileRef {
  readonly file: HostFile;
  readonly codeVersion: CodeVersion;
  /** Its imports when it was read, which identify the version. */
  readonly imports: FileManifest["imports"];
}

/** How a call ended in a host. */
export type Outcome =
  | { readonly kind: "result"; readonly result: HostResult }
  /** The host did not start it, and never will: another host may run it. */
  | { readonly kind: "not-started" }
  | { readonly kind: "died"; readonly reason: string }
  /** It did not stop after its abort; its host is being killed. */
  | { readonly kind: "unresponsive" };

/** How a query ended in a host. Queries are safe to repeat in another host. */
export type QueryOutcome<K extends QueryKind> =
  | QueryAnswer<K>
  | { readonly kind: "died"; readonly reason: string }
  | { readonly kind: "not-started" }
  /** It probably blocks the process that it runs in. */
  | { readonly kind: "blocked" };

/** Receives the messages of a running call in a host. */
export interface CallPort {
  update(update: Update): void;
  /** Must not reject. */
  request(request: HostRequest, options?: InnerCallOptions): Promise<HostResponse>;
  /** Must not reject. */
  ui(request: UiRequest): Promise<unknown>;
}

/** Also receives the start of the call. */
export interface RunPort extends CallPort {
  /** A host has started the call: its time limit counts from now. May be called more than once. */
  started(): void;
}

/** The file no longer provides the tool, or only another version of it. */
export interface FileUnavailable {
  readonly kind: "unavailable";
  readonly problem: Problem | undefined;
}

/**
 * Each kind has separate processes: tool files under Node or Bun, built-in and JSON tools ("own"), and connections to MCP
 * servers. Only the first two run authors' code, which may end its process.
 */
export type HostKind = "node" | "bun" | "own" | "mcp";

/** The number of processes of one kind. */
export interface HostCount {
  readonly kind: HostKind;
  readonly alive: number;
  readonly started: number;
  /** How many of these crashed, or were killed because of a tool. */
  readonly died: number;
}

/** How files are imported. */
export interface ImportOptions {
  /** Checks every schema. */
  readonly verify?: boolean;
  /** Files that may block or end their process: each is imported in a separate process. */
  readonly alone?: ReadonlySet<string>;
  /** Called with each manifest as soon as it arrives. */
  readonly onRead?: (manifest: FileManifest) => void;
}

/** Events of hosts. */
export interface HostsListener {
  /** A tool has imported more files while it ran. */
  importsChanged(file: string, imports: FileManifest["imports"]): void;
  /** A file declares other tools than before. */
  manifestChanged(manifest: FileManifest): void;
  sessionAction(sessionID: string, action: SessionAction): void;
  previewsChanged(): void;
  /** An import has begun, or takes long: `Hosts.importing` may have changed. */
  importLasts(): void;
  /** A tool calls the user interface outside a call. Must not reject. */
  ui(request: UiRequest): Promise<unknown>;
}

/** Runs tool files. No method rejects because of an error in authors' code. */
export interface Hosts {
  readonly current: CodeVersion;
  /** The version of files without authors' code. It is never replaced. */
  readonly permanent: CodeVersion;
  /** Starts a new code version. The hosts of the previous one end after their calls, unless it is retained. */
  startVersion(): CodeVersion;
  /** Keeps the hosts of a code version, for the last working version of a broken file. */
  retain(codeVersion: CodeVersion): void;
  release(codeVersion: CodeVersion): void;
  /** The files that hosts of the current version have loaded. */
  loadedFiles(): readonly string[];
  /** The files that are certainly being imported now, in any code version: none that waits for another file. */
  importing(): readonly string[];
  /** Whether Bun is installed. */
  readonly runsBun: boolean;
  /** Files whose import failed in the current code version when a call asked for them. */
  failedFiles(): ReadonlySet<string>;
  listen(listener: HostsListener): void;
  /** Sends it to all hosts, including those that start later. */
  setToolboxInfo(toolboxInfo: ToolboxInfo): void;
  previewsIn(sessionID: string): number;
  discardPreviews(sessionID: string): void;
  /** Imports files in the current code version. Resolves when all are done, in the order of `files`. */
  load(files: readonly HostFile[], options?: ImportOptions): Promise<FileManifest[]>;
  /**
   * Loads the file if necessary. A host that has not answered one second after the abort is killed. `started` is called,
   * possibly more than once, when a host has read the query.
   */
  query<K extends QueryKind>(
    ref: FileRef,
    query: HostQuery<K>,
    signal: AbortSignal,
    started?: () => void,
  ): Promise<QueryOutcome<K> | FileUnavailable>;
  run(ref: FileRef, call: HostCall, port: RunPort, signal: AbortSignal): Promise<Outcome | FileUnavailable>;
  /** The number of host processes by kind; empty if tools run in this process. */
  processes(): readonly HostCount[];
  /** Ends every host, and resolves when all have exited. */
  close(): Promise<void>;
}

/** The abort reason of a call that exceeded its time limit. */
export const TIMEOUT: unique symbol = Symbol("timeout");

/** The abort reason of a call that no host started. */
export const NOT_STARTED: unique symbol = Symbol("not started");

export function isTimeout(signal: AbortSignal): boolean {
  return signal.reason === TIMEOUT;
}
