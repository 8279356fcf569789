import type { ToolErrorCode } from "../core/error.ts";
import type { Update } from "../core/events.ts";
import type { HookedCall, HookedResult } from "../core/hooked.ts";
import type { RenderView } from "../core/render.ts";
import type { Content, Truncated } from "../core/result.ts";
import type { Issue } from "../core/schema.ts";
import type { SessionAction, SessionEvent, SessionSnapshot } from "../core/session.ts";
import type { Access, AskRequest, DeclaredAccess, Delegation, Keep, Limits, ToolContext } from "../core/tool.ts";
import type { FileManifest, HostFile, ServedTool } from "./manifest.ts";

/** Which tool is meant: names alone do not tell, since files may be replaced. */
export interface Target {
  readonly file: string;
  readonly tool: string;
}

/** The part of a tool's context that is plain data. */
export type ContextData = Pick<
  ToolContext,
  "sessionID" | "messageID" | "callID" | "agent" | "directory" | "worktree" | "extra"
>;

/** How an output is cut, and the folder that takes what was cut. */
export interface OutputLimits {
  readonly maxLines: number;
  readonly maxBytes: number;
  readonly keep: Keep;
  readonly folder: string;
}

/** One call as a host sees it. */
export interface HostCall extends Target {
  readonly input: unknown;
  readonly context: ContextData;
  /** What is known of the session beyond its id. */
  readonly session?: SessionSnapshot;
  readonly output: OutputLimits;
  readonly timeoutMs: number;
  /** The tool's own limits, where it has any. */
  readonly own?: Limits["own"];
}

/** What a running call asks of the serving process. */
export type HostRequest =
  | { readonly kind: "ask"; readonly request: AskRequest }
  | { readonly kind: "permit"; readonly access: DeclaredAccess }
  | { readonly kind: "permitted"; readonly access: readonly DeclaredAccess[] }
  | { readonly kind: "get"; readonly key: string }
  | { readonly kind: "set"; readonly key: string; readonly value?: unknown }
  | { readonly kind: "delegate"; readonly work: Delegation };

/** The serving process answers a request. A failure is thrown in the code that asked. */
export type HostResponse =
  | { readonly ok: true; readonly value?: unknown }
  | { readonly ok: false; readonly code: ToolErrorCode; readonly message: string };

/** What a tool says of a call before it runs: what it would touch, or why the input will not do. */
export type Prepared =
  | { readonly kind: "prepared"; readonly access: readonly Access[] }
  | { readonly kind: "invalid"; readonly issues: readonly Issue[] }
  | { readonly kind: "failed"; readonly message: string };

/** What hosts are asked beside running calls, and what they answer. All of it is safe to ask again. */
export interface HostQueries {
  /** Checks an input, and asks the tool what it would touch. */
  readonly prepare: {
    readonly query: {
      readonly target: Target;
      readonly input: unknown;
      readonly cwd: string;
      readonly session: SessionSnapshot;
    };
    readonly answer: Prepared;
  };
  /** No lines: the author draws nothing for this, or failed to. */
  readonly render: {
    readonly query: { readonly target: Target; readonly view: RenderView };
    readonly answer: { readonly kind: "rendered"; readonly lines?: readonly string[] };
  };
  readonly before: {
    readonly query: { readonly file: string; readonly call: HookedCall };
    readonly answer:
      | { readonly kind: "passed" }
      | { readonly kind: "changed"; readonly input: unknown }
      | { readonly kind: "refused"; readonly reason: string };
  };
  readonly after: {
    readonly query: {
      readonly file: string;
      readonly call: HookedCall;
      readonly result: HookedResult;
      readonly output: OutputLimits;
    };
    readonly answer: { readonly kind: "after"; readonly result?: HookedResult; readonly truncated?: Truncated };
  };
  /** Answered once the file has heard of it. */
  readonly session: {
    readonly query: { readonly file: string; readonly event: SessionEvent; readonly session: SessionSnapshot };
    readonly answer: { readonly kind: "told" };
  };
}

export type QueryKind = keyof HostQueries;
export type HostQuery<K extends QueryKind = QueryKind> = {
  [Kind in K]: { readonly kind: Kind } & HostQueries[Kind]["query"];
}[K];
/** Whatever is asked, the author's code may fail at it. */
export type QueryAnswer<K extends QueryKind = QueryKind> =
  | HostQueries[K]["answer"]
  | { readonly kind: "failed"; readonly message: string };

/** What hosts know of the toolbox around them. */
export interface ToolboxInfo {
  readonly hasUI: boolean;
  readonly tools: readonly ServedTool[];
}

/** A method of the user interface, called by a tool. */
export interface UiRequest {
  readonly method: string;
  readonly args: readonly unknown[];
  /** The call that a hook was looking at when it asked. */
  readonly callID?: string;
}

/** How a call ended inside a host. Plain data, so that it can cross. */
export type HostResult = {
  readonly content: readonly Content[];
  readonly data?: unknown;
  readonly title?: string;
  readonly truncated?: Truncated;
} & (
  | { readonly ok: true }
  | { readonly ok: false; readonly code: ToolErrorCode; readonly message: string; readonly issues?: readonly Issue[] }
);

/** How files are loaded. */
export interface LoadOptions {
  /** Checks every schema. */
  readonly verify: boolean;
  /** Reads them even if they have been read before. */
  readonly fresh: boolean;
}

export type ToHost =
  | ({ readonly type: "load"; readonly load: number; readonly files: readonly HostFile[] } & LoadOptions)
  | { readonly type: "query"; readonly id: number; readonly query: HostQuery }
  | { readonly type: "toolbox-info"; readonly toolboxInfo: ToolboxInfo }
  /** A session has ended: its previews will never be resolved. */
  | { readonly type: "discard-previews"; readonly sessionID: string }
  | { readonly type: "ui-response"; readonly requestID: number; readonly value: unknown }
  | {
      readonly type: "call";
      readonly id: number;
      readonly call: HostCall;
      /**
       * Set when it is not certain that the host is listening: it says "started" first, and does not start at all
       * after this moment of the system's monotonic clock, so that the call may safely be given to another host.
       */
      readonly startBy?: number;
    }
  | { readonly type: "abort"; readonly id: number; readonly reason: "aborted" | "timeout" }
  | { readonly type: "response"; readonly requestID: number; readonly response: HostResponse }
  | { readonly type: "ping" }
  /** Asks the host to send "idle" if nothing but its link to the serving process keeps it alive. */
  | { readonly type: "check-idle" };

export type FromHost =
  /** The first message of a host. If the host ends after it, the code that it runs is the cause. */
  | { readonly type: "ready" }
  /** The host has come to a "load" and begins to import. */
  | { readonly type: "loading"; readonly load: number }
  /** A tool has imported more files while it ran. */
  | { readonly type: "imports-changed"; readonly file: string; readonly imports: FileManifest["imports"] }
  /** Files of a "load" that are done: all at once, or, where some take long, as they come. Each once. */
  | { readonly type: "loaded"; readonly load: number; readonly manifests: readonly FileManifest[] }
  /** A loaded file has other tools than it said. */
  | { readonly type: "manifest-changed"; readonly manifest: FileManifest }
  | { readonly type: "answer"; readonly id: number; readonly answer: QueryAnswer }
  | { readonly type: "started"; readonly id: number }
  /** The host read the call after its `startBy`, or after its abort, and will not run it. */
  | { readonly type: "not-started"; readonly id: number }
  | { readonly type: "update"; readonly id: number; readonly update: Update }
  | { readonly type: "request"; readonly id: number; readonly requestID: number; readonly request: HostRequest }
  /** Without an id it is not about a call. */
  | { readonly type: "ui-request"; readonly id?: number; readonly requestID: number; readonly request: UiRequest }
  | { readonly type: "session-action"; readonly sessionID: string; readonly action: SessionAction }
  /** How many previews of a session wait to be resolved in this host. */
  | { readonly type: "previews"; readonly sessionID: string; readonly count: number }
  | { readonly type: "result"; readonly id: number; readonly result: HostResult }
  | { readonly type: "pong" }
  /** No timer, socket or child process of a tool keeps the host alive. */
  | { readonly type: "idle" }
  /** The last words of a host: why it ends, and which calls it had begun. */
  | { readonly type: "ending"; readonly reason: string; readonly started: readonly number[] };

/** Milliseconds of a clock that all processes of this machine share and that never jumps. */
export function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + Math.floor(nanoseconds / 1000) / 1000;
}

/** What a tool finds as the reason of its abort signal. */
export function abortError(reason: "aborted" | "timeout"): DOMException {
  const words = reason === "timeout" ? "The call took longer than its time limit." : "The call was cancelled.";
  return new DOMException(words, "AbortError");
}
