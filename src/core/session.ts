/** One entry of a session's history, as the systems that keep trees of entries write them. */
export interface SessionEntry {
  readonly id: string;
  readonly parentId: string | null;
  readonly type: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly [field: string]: unknown;
}

/**
 * What is known of the session that a call belongs to. It travels with the call, since tool files read it without
 * waiting. Plain JSON; everything but the id may be unknown.
 */
export interface SessionSnapshot {
  readonly id: string;
  readonly file?: string;
  readonly name?: string;
  /** Oldest first. */
  readonly entries?: readonly SessionEntry[];
  /** The entry that the session stands at; the last one when left out. */
  readonly leafId?: string | null;
  /** The messages as the agent that calls has them. */
  readonly messages?: readonly unknown[];
  readonly model?: Readonly<Record<string, unknown>>;
  readonly models?: readonly Readonly<Record<string, unknown>>[];
  readonly thinkingLevel?: string;
  readonly idle?: boolean;
  readonly queuedMessages?: boolean;
  readonly contextUsage?: Readonly<{ tokens: number | null; contextWindow: number; percent: number | null }>;
  readonly systemPrompt?: string;
  /** The names that the session's model is shown; all tools when left out. */
  readonly activeTools?: readonly string[];
  /** What tools have kept for the session. It does not travel: tools ask for what they need of it. */
  readonly state?: Readonly<Record<string, unknown>>;
}

/** What happens in the life of a session, for tool files that want to know. */
export type SessionEvent =
  | {
      readonly reason: "start" | "switch" | "branch" | "tree" | "shutdown";
      /** The file of the session that was left; undefined for "start" and "shutdown". */
      readonly previousSessionFile?: string | undefined;
      /** Whether a session that begins has a history. */
      readonly resumed?: boolean;
    }
  | { readonly reason: "auto_compaction_start"; readonly trigger: "threshold" | "overflow" }
  | {
      readonly reason: "auto_compaction_end";
      readonly result?: unknown;
      readonly aborted: boolean;
      readonly willRetry: boolean;
      readonly errorMessage?: string;
    }
  | {
      readonly reason: "auto_retry_start";
      readonly attempt: number;
      readonly maxAttempts: number;
      readonly delayMs: number;
      readonly errorMessage: string;
    }
  | {
      readonly reason: "auto_retry_end";
      readonly success: boolean;
      readonly attempt: number;
      readonly finalError?: string;
    }
  | { readonly reason: "ttsr_triggered"; readonly rules: readonly unknown[] }
  | {
      readonly reason: "todo_reminder";
      readonly todos: readonly unknown[];
      readonly attempt: number;
      readonly maxAttempts: number;
    };

/** What a tool file does to the session it runs in. Messages need an agent to have an effect. */
export type SessionAction =
  /** Adds to the history that later calls of the session see; not shown to a model. */
  | { readonly type: "entry"; readonly entry: SessionEntry }
  | { readonly type: "message"; readonly message: unknown; readonly options?: unknown }
  | { readonly type: "user-message"; readonly content: unknown; readonly options?: unknown }
  | { readonly type: "name"; readonly name: string }
  /** Asks whoever runs the agent to stop what it is doing. */
  | { readonly type: "stop" }
  | { readonly type: "active-tools"; readonly names: readonly string[] }
  /** Keeps something for the session. Without a value it is taken away. */
  | { readonly type: "state"; readonly key: string; readonly value?: unknown };

/** A session as it is once a tool file has done something to it. The same object where that changes nothing. */
export function sessionAfter<S extends Omit<SessionSnapshot, "id">>(session: S, action: SessionAction): S {
  switch (action.type) {
    case "entry":
      return { ...session, entries: [...(session.entries ?? []), action.entry], leafId: action.entry.id };
    case "name":
      return { ...session, name: action.name };
    case "active-tools":
      return { ...session, activeTools: action.names };
    default:
      return session;
  }
}
