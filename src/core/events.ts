import type { Card } from "./card.ts";
import type { ToolResult } from "./result.ts";
import type { Source } from "./source.ts";

/** A call, as events name it. */
export interface NamedCall {
  readonly callID: string;
  readonly tool: string;
  readonly messageID: string;
  /** Empty for a call of a user. */
  readonly agent: string;
  /** The call of the tool that made this call. */
  readonly parentID?: string;
}

/** The fields that all events of a call have. */
export interface EventBase extends NamedCall {
  readonly sessionID: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface ToolEventBase extends EventBase {
  /** The source of the tool. Absent as long as no tool of that name is known. */
  readonly source?: Source;
}

/** Progress of a running call. Updates are coalesced: intermediate states may be skipped. */
export interface Update {
  readonly title?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/**
 * The events of a call, in order: one start, any number of updates, then complete or failed. `result.notes.durationMs` of the
 * last one is the time since the start.
 */
export type ToolEvent =
  | (ToolEventBase & { readonly type: "tool.start"; readonly input: unknown; readonly card?: Card })
  | (ToolEventBase & { readonly type: "tool.update" } & Update)
  | (ToolEventBase & { readonly type: "tool.complete"; readonly result: ToolResult & { ok: true } })
  | (ToolEventBase & { readonly type: "tool.failed"; readonly result: ToolResult & { ok: false } });
