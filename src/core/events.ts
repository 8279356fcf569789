import type { ToolResult } from "./result.ts";

/** The fields that all events of a call have. */
export interface EventBase {
  readonly callID: string;
  readonly tool: string;
  readonly sessionID: string;
  readonly messageID: string;
  readonly agent: string;
  /** The call of the tool that made this call. */
  readonly parentID?: string;
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
