import type {
  DurableEvent,
  FollowedEvent,
  LiveEvent,
  SessionHeader,
  SessionInfo,
  SessionStatus,
  StoredEvent,
} from "./session-log.ts";

/** An event to append. Without `at`, the store sets the current time. */
export type NewEvent = DurableEvent & { readonly at?: number };

/** A session to create. Without an id, the store chooses one. */
export interface NewSession extends SessionHeader {
  readonly id?: string;
}

/** Which sessions to list. */
export interface ListSessions {
  /** The `next` of the page before. */
  readonly cursor?: string;
  /** The maximum number of sessions in the page; 50 by default. */
  readonly limit?: number;
  readonly status?: SessionStatus;
  /** Part of the title or the id, in any case. */
  readonly search?: string;
  /** Lists the sessions of all projects, not only those of the store's own. */
  readonly allProjects?: boolean;
}

export interface SessionPage {
  readonly sessions: readonly SessionInfo[];
  /** The cursor of the next page; undefined for the last. */
  readonly next?: string;
}

/** The right to run a session. It ends with `release`, or with its process. */
export interface Claim {
  /** Marks the appends that need the claim: see `append`. Undefined in a store in which only one process runs sessions. */
  readonly epoch?: number;
  /** The position of the last of the events that were appended with the claim. Undefined if the store has not appended them. */
  readonly position?: number;
  /** If it rejects, the store releases the claim later. */
  release(): Promise<void>;
}

/** Conditions of an append. */
export interface AppendOptions {
  /** The position that the session must have; else "conflict". */
  readonly expected?: number;
  /** The epoch of the claim that must still be held; else "superseded". */
  readonly epoch?: number;
}

/** Which events of a log the state of its session depends on. A cache: the log says the same, but is longer. */
export interface LogSnapshot {
  /** The version of the code that chose the events. Other code ignores the snapshot. */
  readonly fold: number;
  /** The last event that was considered. */
  readonly position: number;
  /** The positions of the events that matter, ascending. Those between them need not be read. */
  readonly kept: readonly number[];
}

/**
 * The logs of the sessions of one project. Session ids are unique in a project. Methods reject with a `SessionError`.
 * Events of one session that one process appends are stored in the order of the calls.
 */
export interface SessionStore extends AsyncDisposable {
  /** Creates a session with the event `session.start`. Rejects with "session_exists" if the id is taken. */
  create(session: NewSession): Promise<SessionInfo>;
  /** Undefined if there is no such session. */
  get(sessionID: string): Promise<SessionInfo | undefined>;
  /**
   * Appends all of the events, or none. Resolves to the position of the last when they are durable. Rejects with "conflict" if
   * the session is not at the position `expected`, and with "superseded" if the claim with this `epoch` is over: it was released,
   * or another process has ended the turn of a process that seemed to be gone.
   */
  append(sessionID: string, events: readonly NewEvent[], options?: AppendOptions): Promise<number>;
  /**
   * The events after a position, oldest first; with `types`, only these. Large events make a page shorter than `limit`. An empty
   * list means that there are no more.
   */
  read(
    sessionID: string,
    after: number,
    limit: number,
    types?: readonly DurableEvent["type"][],
  ): Promise<readonly StoredEvent[]>;
  /**
   * The stored events after a position, then one `session.partial` if anything is being streamed, then all events as they
   * occur. No event is missing or repeated. Ends when the signal fires. Rejects with "session_removed" when the session is
   * removed, and with "reader_too_slow" if the reader does not keep up.
   */
  follow(sessionID: string, after: number, signal: AbortSignal): AsyncIterable<FollowedEvent>;
  /** Sends an event to the current readers. It is not stored, and may arrive merged with the next one. Never throws. */
  publish(sessionID: string, event: LiveEvent): void;
  /** The most recently changed first. */
  list(options?: ListSessions): Promise<SessionPage>;
  /**
   * A new session whose log is a copy of this one's up to a position. If a turn, a call or a question is open there, the copy is
   * followed by one `session.interrupted`, because they do not run in the new session.
   */
  branch(sessionID: string, at: number, options?: { readonly id?: string }): Promise<SessionInfo>;
  /** Removes a session and its events. Rejects with "owned" while another process runs it. */
  remove(sessionID: string): Promise<void>;
  /**
   * Makes this process an owner of the session. A session has at most one owner with a "turn" ("owned" otherwise), and any
   * number with a "call". `first` are events to append with the claim: both are stored, or neither. A store may leave that to the
   * caller: then the claim has no `position`. If all owners are gone without a release, or if a "turn" is released before the log
   * has its end, `session.interrupted` is appended. A turn whose owner is gone is interrupted before the next "turn" begins. If the
   * last claim of a session is released while a call is open, it is interrupted; a question that is open is withdrawn.
   */
  claim(sessionID: string, why: "turn" | "call", first?: readonly NewEvent[]): Promise<Claim>;
  /**
   * The value that `storeSnapshot` stored last, unchecked; undefined if there is none. A store may lose it, and may have none of
   * these three methods: then the whole log is read.
   */
  snapshot?(sessionID: string): Promise<unknown>;
  /** The events at these positions, which ascend. Large events make the result shorter, but never empty if there is one. */
  readAt?(sessionID: string, positions: readonly number[]): Promise<readonly StoredEvent[]>;
  /** Replaces the snapshot of a session. Does nothing if the id is that of another session now, or if the log is shorter. */
  storeSnapshot?(session: Pick<SessionInfo, "id" | "createdAt">, snapshot: LogSnapshot): Promise<void>;
  /** Waits for appends in progress, releases all claims and ends all readers. */
  close(): Promise<void>;
}

/** The reasons why a store refuses. A closed set: a surface may switch over it. */
export type SessionErrorCode =
  | "session_not_found"
  | "session_exists"
  | "session_removed"
  | "invalid_session_id"
  | "invalid_event"
  | "invalid_position"
  | "conflict"
  | "owned"
  /** The turn was ended by another process, for which this one seemed to be gone. */
  | "superseded"
  /** The process that was asked to run a turn is stopping. */
  | "stopping"
  | "reader_too_slow"
  | "question_not_found"
  /** An answer that does not fit its question. */
  | "invalid_answer"
  /** It has been answered, or is no longer needed. */
  | "question_closed"
  /** The rules of an answer "always" could not be written. The question is still open. */
  | "rules_not_saved"
  | "too_large"
  /** The database is locked by another process for too long. */
  | "store_busy"
  | "store_full"
  | "store_read_only"
  | "store_corrupt"
  /** Written by a later version. */
  | "store_newer"
  | "store_closed"
  | "store_failed";

const BRAND = Symbol.for("toolwright.SessionError");

/** A refusal of a session store. The message says what to do. Check with `SessionError.is()`. */
export class SessionError extends Error {
  override readonly name: string = "SessionError";
  readonly code: SessionErrorCode;

  constructor(code: SessionErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, BRAND, { value: true });
  }

  static is(value: unknown): value is SessionError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}
