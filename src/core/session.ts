/** One entry in the history of a session. Entries form a tree. */
export interface SessionEntry {
  readonly id: string;
  readonly parentId: string | null;
  readonly type: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly [field: string]: unknown;
}

/**
 * The session of a call. It is sent to the host with the call, because tool files read it synchronously. Plain JSON; only
 * the id is always known.
 */
export interface SessionSnapshot {
  readonly id: string;
  readonly file?: string;
  readonly name?: string;
  /** Oldest first. */
  readonly entries?: readonly SessionEntry[];
  /** The current entry. Default: the last one. */
  readonly leafId?: string | null;
  /** The messages of the calling agent. */
  readonly messages?: readonly unknown[];
  readonly model?: Readonly<Record<string, unknown>>;
  readonly models?: readonly Readonly<Record<string, unknown>>[];
  readonly thinkingLevel?: string;
  readonly idle?: boolean;
  readonly queuedMessages?: boolean;
  readonly contextUsage?: Readonly<{ tokens: number | null; contextWindow: number; percent: number | null }>;
  readonly systemPrompt?: string;
  /** The tools that the model of the session is shown. Default: all tools. */
  readonly activeTools?: readonly string[];
  /** State that tools stored. Not sent with a call: tools request single keys. */
  readonly state?: Readonly<Record<string, unknown>>;
}

/** A session event for tool files. */
export type SessionEvent =
  | {
      readonly reason: "start" | "switch" | "branch" | "tree" | "shutdown";
      /** The file of the previous session; undefined for "start" and "shutdown". */
      readonly previousSessionFile?: string | undefined;
      /** Whether a starting session has a history. */
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

/** An action of a tool file on its session. Messages have an effect only if an agent is attached. */
export type SessionAction =
  /** Adds an entry to the history for later calls. Not shown to a model. */
  | { readonly type: "entry"; readonly entry: SessionEntry }
  | { readonly type: "message"; readonly message: unknown; readonly options?: unknown }
  | { readonly type: "user-message"; readonly content: unknown; readonly options?: unknown }
  | { readonly type: "name"; readonly name: string }
  /** Asks the agent to stop. */
  | { readonly type: "stop" }
  | { readonly type: "active-tools"; readonly names: readonly string[] }
  /** Stores a value for the session, or deletes it if there is no value. */
  | { readonly type: "state"; readonly key: string; readonly value?: unknown };

/** The session after an action. The same object if the action changes nothing. */
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
