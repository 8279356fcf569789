import type { ToolEvent, Update } from "../core/events.ts";
import type { ToolResult } from "../core/result.ts";
import type { SessionSnapshot } from "../core/session.ts";
import type { Access } from "../core/tool.ts";
import type { ContextData } from "../protocol/messages.ts";
import type { Entry } from "../registry/entry.ts";
import type { Clock } from "./clock.ts";

/** What a caller says of a call. Only the name is needed. */
export interface CallRequest {
  readonly name: string;
  readonly input?: unknown;
  /** Calls of one session share its permissions, its outputs folder and its view of the tools. */
  readonly sessionID?: string;
  readonly messageID?: string;
  readonly callID?: string;
  readonly agent?: string;
  /** What the call is about; by default the toolbox's own directory. */
  readonly directory?: string;
  readonly extra?: Readonly<Record<string, unknown>>;
  /** What is known of the session beyond its id: tool files of some systems read it. Plain JSON. */
  readonly session?: Omit<SessionSnapshot, "id">;
  /** Aborts the call when it fires. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** A call under way, as the steps see it. */
export interface Call {
  readonly name: string;
  readonly input: unknown;
  readonly entry: Entry;
  readonly context: ContextData;
  /** What is known of the session beyond its id, if anything. */
  readonly session?: SessionSnapshot;
  /** What it touches; known once it has been validated. */
  readonly access: readonly Access[];
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly update: (update: Update) => void;
  /** Done when the call is over, however it ended. */
  readonly atEnd: (() => void)[];
}

/** One stage of the pipeline: refuse, change the call, or change the result. Must not reject. */
export type Step = (call: Call, next: (call: Call) => Promise<ToolResult>) => Promise<ToolResult>;

/** A call in progress. Iterate it for events, await `result` for how it ended. */
export interface Run extends AsyncIterable<ToolEvent> {
  readonly callID: string;
  /** Never rejects. */
  readonly result: Promise<ToolResult>;
  /** May be called at any time and more than once. */
  abort(): void;
}
