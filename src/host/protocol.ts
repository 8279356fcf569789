import type { ToolErrorCode } from "../core/error.ts";
import type { Update } from "../core/events.ts";
import type { Content, Truncated } from "../core/result.ts";
import type { Issue } from "../core/schema.ts";
import type { SessionSnapshot } from "../core/session.ts";
import type { Access, AskRequest, Keep, ToolContext } from "../core/tool.ts";
import type { FileManifest, HostFile } from "./manifest.ts";

/** Which tool is meant: names alone do not tell, since files may be replaced. */
export interface Target {
  readonly file: string;
  readonly tool: string;
}

/** The part of a tool's context that is plain data. */
export type ContextData = Omit<ToolContext, "abort" | "metadata" | "ask">;

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
}

/** What a tool says of a call before it runs: what it would touch, or why the input will not do. */
export type Prepared =
  | { readonly kind: "prepared"; readonly access: readonly Access[] }
  | { readonly kind: "invalid"; readonly issues: readonly Issue[] }
  | { readonly kind: "failed"; readonly message: string };

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

/** What the user said to `ctx.ask()`. */
export type Answer = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

export type ToHost =
  | { readonly type: "load"; readonly files: readonly HostFile[]; readonly verify: boolean }
  | {
      readonly type: "prepare";
      readonly id: number;
      readonly target: Target;
      readonly input: unknown;
      readonly cwd: string;
    }
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
  | { readonly type: "answer"; readonly ask: number; readonly answer: Answer }
  | { readonly type: "ping" };

export type FromHost =
  /** The first word of a host: from here on, whatever ends it is the doing of what it runs. */
  | { readonly type: "ready" }
  /** The host has come to the next "load" and begins to import. */
  | { readonly type: "loading" }
  /** A tool has imported more while it ran: a change of these changes what its file does. */
  | { readonly type: "depends"; readonly file: string; readonly imports: FileManifest["imports"] }
  /** One answer to each "load", in the order of the files. */
  | { readonly type: "loaded"; readonly manifests: readonly FileManifest[] }
  | { readonly type: "prepared"; readonly id: number; readonly prepared: Prepared }
  | { readonly type: "started"; readonly id: number }
  | { readonly type: "late"; readonly id: number }
  | { readonly type: "update"; readonly id: number; readonly update: Update }
  | { readonly type: "ask"; readonly id: number; readonly ask: number; readonly request: AskRequest }
  | { readonly type: "result"; readonly id: number; readonly result: HostResult }
  | { readonly type: "pong" }
  /** The last words of a host: why it ends, and which calls it had begun. */
  | { readonly type: "ending"; readonly reason: string; readonly begun: readonly number[] };

/** Milliseconds of a clock that all processes of this machine share and that never jumps. */
export function monotonic(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

/** What a tool finds as the reason of its abort signal. */
export function abortError(reason: "aborted" | "timeout"): DOMException {
  const words = reason === "timeout" ? "The call took longer than its time limit." : "The call was cancelled.";
  return new DOMException(words, "AbortError");
}
