import type { ToolErrorCode } from "../../core/error.ts";
import type { Update } from "../../core/events.ts";
import type { HookedCall } from "../../core/hooked-call.ts";
import type { RenderView } from "../../core/render.ts";
import type { Content, Notes, ShapedResult, Truncated } from "../../core/result.ts";
import type { Issue } from "../../core/schema.ts";
import type { SessionAction, SessionEvent, SessionSnapshot } from "../../core/session.ts";
import type { Access, AskRequest, DeclaredAccess, Delegation, Keep, Limits, ToolContext } from "../../core/tool.ts";
import type { FileManifest, HostFile, ServedTool } from "./manifest.ts";

/** A tool of a file. The name alone is ambiguous: several files may declare it. */
export interface Target {
  readonly file: string;
  readonly tool: string;
}

/** The plain data of a tool's context. */
export type ContextData = Pick<
  ToolContext,
  "sessionID" | "messageID" | "callID" | "agent" | "directory" | "worktree" | "extra"
>;

/** How an output is cut, and the folder for full outputs. */
export interface OutputOptions {
  readonly maxLines: number;
  readonly maxBytes: number;
  readonly keep: Keep;
  readonly folder: string;
}

/** A call as a host gets it. */
export interface HostCall extends Target {
  readonly input: unknown;
  readonly context: ContextData;
  readonly session?: SessionSnapshot;
  readonly output: OutputOptions;
  readonly timeoutMs: number;
  /** `limits.own` of the tool: named numbers that only the tool itself uses. */
  readonly ownLimits?: Limits["own"];
  /** Set if dialogs of the tool can be answered, also if the toolbox has no user interface. */
  readonly hasUI?: true;
  /** Set if the user interface of the session shows components. */
  readonly hasViews?: true;
  /** Set if a command of the file is run instead of a tool: its name. `input` is the text after the name. */
  readonly command?: string;
}

/** A request of a running call to the serving process. */
export type HostRequest =
  | { readonly kind: "ask"; readonly request: AskRequest }
  | { readonly kind: "permit"; readonly access: DeclaredAccess }
  | { readonly kind: "permitted"; readonly access: readonly DeclaredAccess[] }
  | { readonly kind: "permitted-below"; readonly folder: string }
  | { readonly kind: "get"; readonly key: string }
  | { readonly kind: "set"; readonly key: string; readonly value?: unknown }
  | { readonly kind: "delegate"; readonly work: Delegation }
  /** Calls a built-in tool. The value of the response is an `InnerResult`. */
  | { readonly kind: "call"; readonly tool: string; readonly input: unknown };

/** The response of the serving process. A failure is thrown in the tool that sent the request. For `allowable` see `PermitAnswer`. */
export type HostResponse =
  | { readonly ok: true; readonly value?: unknown }
  | { readonly ok: false; readonly code: ToolErrorCode; readonly message: string; readonly allowable?: true };

/** The answer to "prepare": what the call would access, or why its input is invalid. */
type Prepared =
  | { readonly kind: "prepared"; readonly access: readonly Access[] }
  | { readonly kind: "invalid"; readonly issues: readonly Issue[] }
  /** The check was stopped. `parts` are the parts of the schema that may be slow for this input. */
  | { readonly kind: "slow"; readonly parts: readonly string[] }
  | { readonly kind: "failed"; readonly message: string };

/** The queries of the serving process to hosts, with their answers. Queries are safe to repeat. */
interface HostQueries {
  /** Validates an input, and asks the tool what it would access. */
  readonly prepare: {
    readonly query: {
      readonly target: Target;
      readonly input: unknown;
      readonly cwd: string;
      readonly session: SessionSnapshot;
      /** The agent that makes the call; "" for none. */
      readonly agent: string;
    };
    readonly answer: Prepared;
  };
  /** Without lines, the tool has no renderer for this view. */
  readonly render: {
    readonly query: { readonly target: Target; readonly view: RenderView };
    readonly answer: { readonly kind: "rendered"; readonly lines?: readonly string[] };
  };
  readonly before: {
    readonly query: { readonly file: string; readonly call: HookedCall; readonly hasUI?: true };
    readonly answer:
      | { readonly kind: "passed" }
      | { readonly kind: "changed"; readonly input: unknown }
      | { readonly kind: "refused"; readonly reason: string };
  };
  readonly after: {
    readonly query: {
      readonly file: string;
      readonly call: HookedCall;
      readonly result: ShapedResult;
      readonly output: OutputOptions;
      readonly hasUI?: true;
    };
    readonly answer: { readonly kind: "after"; readonly result?: ShapedResult; readonly truncated?: Truncated };
  };
  /** Answered after the handlers of the file have run. */
  readonly session: {
    readonly query: { readonly file: string; readonly event: SessionEvent; readonly session: SessionSnapshot };
    readonly answer: { readonly kind: "handled" };
  };
}

export type QueryKind = keyof HostQueries;
export type HostQuery<K extends QueryKind = QueryKind> = {
  [Kind in K]: { readonly kind: Kind } & HostQueries[Kind]["query"];
}[K];
/** Every query runs authors' code, so each may be answered with "failed". */
export type QueryAnswer<K extends QueryKind = QueryKind> =
  | HostQueries[K]["answer"]
  | { readonly kind: "failed"; readonly message: string };

/** What the serving process tells every host about the toolbox. */
export interface ToolboxInfo {
  /** Whether it has a user interface for all sessions. */
  readonly hasUI: boolean;
  /** Set if that user interface shows components. */
  readonly hasViews?: true;
  readonly tools: readonly ServedTool[];
}

/** A call of a method of the user interface by a tool file. */
export interface UiRequest {
  readonly method: string;
  readonly args: readonly unknown[];
  /** Set if a hook asks: the call that it handles. */
  readonly callID?: string;
  /** Set if a handler of session events asks. */
  readonly sessionID?: string;
  /** Set if the tool may close the dialog before it is answered: with the method `CLOSE_DIALOG` and the same id. */
  readonly dialogID?: string;
  /** Set for requests about a component, whose id is `dialogID`. The method is then `CUSTOM_VIEW`. */
  readonly view?: ViewRequest;
}

/** A request about a component of a tool file that the user interface draws: see `CustomView`. */
export type ViewRequest =
  /** Shows the component. The answer is true, or false if the user interface shows no components. */
  | { readonly kind: "open"; readonly title?: string; readonly overlay: boolean }
  /** Sends the lines of the last drawing, if one was asked for, and waits. The answer is a `ViewEvent`; none if the view is closed. */
  | { readonly kind: "next"; readonly drawn?: { readonly id: number; readonly lines: readonly string[] } }
  /** The component must be drawn again. */
  | { readonly kind: "changed" }
  /** The component has ended. */
  | { readonly kind: "close" };

/** An event for a component. */
export type ViewEvent =
  | { readonly kind: "draw"; readonly id: number; readonly width: number; readonly rows?: number }
  | { readonly kind: "input"; readonly data: string };

/** The method of a `UiRequest` about a component. */
export const CUSTOM_VIEW = "custom";

/** The method of a `UiRequest` that closes a dialog of the same call. No user interface gets it. */
export const CLOSE_DIALOG = "close-dialog";

/** The result of a call in a host, as plain data. */
export type HostResult = {
  readonly content: readonly Content[];
  readonly data?: unknown;
  readonly title?: string;
  readonly truncated?: Truncated;
} & (
  | ({ readonly ok: true } & Pick<Notes, "returnedNothing">)
  | ({
      readonly ok: false;
      readonly code: ToolErrorCode;
      readonly message: string;
      readonly issues?: readonly Issue[];
      /**
       * Set if the check of the input ("timeout") or of the output ("invalid_output") was stopped: the parts of the schema that
       * may be slow for this value.
       */
      readonly slow?: readonly string[];
    } & Pick<Notes, "returnedNothing" | "thrownAt" | "causes">)
);

/** How files are loaded. */
export interface LoadOptions {
  /** Checks every schema. */
  readonly verify: boolean;
  /** Reads files again that were read before. */
  readonly fresh: boolean;
}

export type ToHost =
  | ({ readonly type: "load"; readonly load: number; readonly files: readonly HostFile[] } & LoadOptions)
  | { readonly type: "query"; readonly id: number; readonly query: HostQuery }
  | { readonly type: "toolbox-info"; readonly toolboxInfo: ToolboxInfo }
  /** A session has ended, so its previews (see `PREVIEWS_FILE`) can no longer be applied. */
  | { readonly type: "discard-previews"; readonly sessionID: string }
  | { readonly type: "ui-response"; readonly requestID: number; readonly value: unknown }
  | {
      readonly type: "call";
      readonly id: number;
      readonly call: HostCall;
      /**
       * Set if the host may be busy. The host then sends "started" first, and does not start the call after this time of the
       * monotonic clock, so that another host can safely run it.
       */
      readonly startBy?: number;
    }
  | { readonly type: "abort"; readonly id: number; readonly reason: "aborted" | "timeout" }
  | { readonly type: "response"; readonly requestID: number; readonly response: HostResponse }
  /** Progress of the built-in tool that a request calls. */
  | { readonly type: "request-update"; readonly requestID: number; readonly update: Update }
  | { readonly type: "ping" }
  /**
   * The link is closed next, and the serving process goes on. Without this message it has ended, and the host ends all processes
   * that its tools have started.
   */
  | { readonly type: "retire" }
  /** Asks the host to send "idle" if nothing but its link to the serving process keeps it alive. */
  | { readonly type: "check-idle" };

export type FromHost =
  /** The first message of a host. If a host dies before this message, it failed to start; later, a tool file ended it. */
  | { readonly type: "ready" }
  /** The host starts the imports of a "load". */
  | { readonly type: "loading"; readonly load: number }
  /** A tool has imported more files while it ran. */
  | { readonly type: "imports-changed"; readonly file: string; readonly imports: FileManifest["imports"] }
  /** Manifests of a "load": all in one message, or in several if some imports take long. Each file once. */
  | { readonly type: "loaded"; readonly load: number; readonly manifests: readonly FileManifest[] }
  /** A loaded file declares other tools than before. */
  | { readonly type: "manifest-changed"; readonly manifest: FileManifest }
  | { readonly type: "answer"; readonly id: number; readonly answer: QueryAnswer }
  | { readonly type: "started"; readonly id: number }
  /** The host read the call after its `startBy`, or after its abort, and will not run it. */
  | { readonly type: "not-started"; readonly id: number }
  | { readonly type: "update"; readonly id: number; readonly update: Update }
  | { readonly type: "request"; readonly id: number; readonly requestID: number; readonly request: HostRequest }
  /** Cancels a request. It is still answered. */
  | { readonly type: "cancel-request"; readonly id: number; readonly requestID: number }
  /** `id` is set if a running call asks. A hook has no `id`: it names the call that it handles in `request.callID`. */
  | { readonly type: "ui-request"; readonly id?: number; readonly requestID: number; readonly request: UiRequest }
  | { readonly type: "session-action"; readonly sessionID: string; readonly action: SessionAction }
  /** The number of previews of a session in this host has changed. */
  | { readonly type: "previews"; readonly sessionID: string; readonly count: number }
  | { readonly type: "result"; readonly id: number; readonly result: HostResult }
  | { readonly type: "pong" }
  /** No timer, socket or child process of a tool keeps the host alive. */
  | { readonly type: "idle" }
  /** The last message of a host: why it ends, and which calls it had started. */
  | { readonly type: "ending"; readonly reason: string; readonly started: readonly number[] };

/** Milliseconds of the monotonic clock that all processes of this machine share. */
export function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + Math.floor(nanoseconds / 1000) / 1000;
}

/** The reason of a tool's abort signal. */
export function abortError(reason: "aborted" | "timeout"): DOMException {
  const message = reason === "timeout" ? "The call took longer than its time limit." : "The call was cancelled.";
  return new DOMException(message, "AbortError");
}
