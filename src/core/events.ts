import type { ToolResult } from "./result.ts";

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

/** Progress of a running call. Updates are coalesced: intermediate states may be skipped. */
export interface Update {
  readonly title?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The events of a call, in order: one start, any number of updates, then complete or failed. */
export type ToolEvent =
  | (EventBase & { readonly type: "tool.start"; readonly input: unknown })
  | (EventBase & { readonly type: "tool.update" } & Update)
  | (EventBase & { readonly type: "tool.complete"; readonly result: ToolResult & { ok: true } })
  | (EventBase & { readonly type: "tool.failed"; readonly result: ToolResult & { ok: false } });
