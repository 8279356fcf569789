import type { Caller } from "./caller.ts";
import type { Card } from "./card.ts";
import type { NamedCall, Update } from "./events.ts";
import type { PlainResult } from "./plain-result.ts";
import type { LoggedQuestion, QuestionAnswered } from "./question.ts";
import type { Content } from "./result.ts";
import type { SessionEntry } from "./session.ts";

export type { LoggedQuestion, LoggedRule, QuestionAnswer, QuestionDetails } from "./question.ts";

/** The version of the event format. Events of a later version, and types that this version does not know, are passed on unread. */
export const LOG_VERSION = 1;

/** The result of a call as it is logged. Its text is in `content`, and not repeated. */
export type LoggedResult =
  | Omit<PlainResult & { readonly ok: true }, "output">
  | Omit<PlainResult & { readonly ok: false }, "output">;

/** Tokens and cost of one model request. Unknown numbers are left out. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly costUsd?: number;
  readonly model?: string;
}

/** The session of an agent that runs a session of ours. */
export interface AgentLink {
  readonly agent: string;
  /** The id that the agent gave its session. */
  readonly id: string;
  /** The model that the turn named. */
  readonly model?: string;
  /** Our session. A branch of it has this value too, but must not use the same session of the agent. */
  readonly sessionID: string;
}

/** The data of a new session. */
export interface SessionHeader {
  /** Where its calls run. */
  readonly directory: string;
  readonly agent?: string;
  readonly model?: string;
  readonly title?: string;
  /** Set for the session of a sub-agent. */
  readonly parent?: { readonly sessionID: string; readonly callID: string };
}

/** The events that are stored. A session is the list of its events; its state is folded from them. */
export type DurableEvent =
  | ({ readonly type: "session.start" } & SessionHeader)
  | { readonly type: "message.user"; readonly messageID: string; readonly content: readonly Content[] }
  | {
      readonly type: "message.complete";
      readonly messageID: string;
      readonly content: readonly Content[];
      readonly thinking?: string;
    }
  /** `caller` is how the call was made. It is left out for the agent's own tools, and in logs of earlier versions. */
  | ({
      readonly type: "tool.start";
      readonly input: unknown;
      readonly card?: Card;
      readonly caller?: Caller;
    } & NamedCall)
  | ({ readonly type: "tool.complete"; readonly result: LoggedResult & { readonly ok: true } } & NamedCall)
  | ({ readonly type: "tool.failed"; readonly result: LoggedResult & { readonly ok: false } } & NamedCall)
  | ({ readonly type: "question.asked" } & LoggedQuestion)
  | ({ readonly type: "question.answered" } & QuestionAnswered)
  /** Asks the owner to stop: one call, or everything that runs in the session. */
  | { readonly type: "cancel.requested"; readonly callID?: string; readonly reason?: string }
  /** Sets a value; without `value`, deletes it. */
  | {
      readonly type: "state.set";
      /**
       * Whose value it is: "tools" are values of `ctx.state`; "session" has the keys `title`, `activeTools`, `grants`, `mode`, `tools`,
       * `subAgent` (what limits a sub-agent; adds to earlier values) and `task:ID` (a task that it has delegated to the session ID);
       * "agent" has the key `session`, an `AgentLink`, and values that the
       * adapter of the agent stores.
       */
      readonly of: "tools" | "session" | "agent";
      readonly key: string;
      readonly value?: unknown;
      /** For `grants` and `task:ID`: the session that they are for. In the log of another session, which has a copy of the event, they have no effect. */
      readonly sessionID?: string;
    }
  | { readonly type: "entry.added"; readonly entry: SessionEntry }
  | ({ readonly type: "usage"; readonly messageID?: string } & Usage)
  /** The turn is over. `text` is the last text of the model. `aborted` is set if the turn was cancelled. */
  | { readonly type: "session.idle"; readonly text?: string; readonly aborted?: true }
  | { readonly type: "session.error"; readonly message: string; readonly code?: string }
  /** The owner of the session is gone. It is unknown whether these calls had an effect. */
  | {
      readonly type: "session.interrupted";
      readonly reason: string;
      readonly calls: readonly string[];
      readonly questions: readonly string[];
    };

/** The events that are not stored. */
export type LiveEvent =
  | { readonly type: "message.delta" | "thinking.delta"; readonly messageID: string; readonly text: string }
  | ({ readonly type: "tool.update" } & NamedCall & Update);

/** What has been streamed so far of unfinished messages and calls. A reader gets it once, when it joins or resumes. */
export interface PartialEvent {
  readonly type: "session.partial";
  readonly messages: readonly { readonly messageID: string; readonly text: string; readonly thinking: string }[];
  readonly calls: readonly (NamedCall & Update)[];
}

/** A durable event in the log. Positions of a session begin at 1 and have no gaps. */
export type StoredEvent = DurableEvent & {
  readonly position: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly v: number;
};

/** An event for a reader. Only stored events have a `position`. */
export type FollowedEvent = StoredEvent | LiveEvent | PartialEvent;

export const SESSION_STATUSES = [
  "idle",
  "running",
  /** A question is open. */
  "waiting",
  /** The last turn failed. */
  "error",
  /** The owner ended before the turn did. */
  "interrupted",
] as const;

export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** A session in a list: its identity, and what is folded from its events. */
export interface SessionInfo extends SessionHeader {
  readonly id: string;
  /** The root of its project. */
  readonly project: string;
  /** The title without `state.set`: the header's, else the first line of the user's first message. */
  readonly defaultTitle?: string;
  readonly status: SessionStatus;
  /** Whether a turn runs, or how the last one ended. The status also depends on open calls and questions. */
  readonly turn: "running" | "idle" | "error" | "interrupted";
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The position of the last event. */
  readonly position: number;
  readonly openCalls: readonly string[];
  readonly openQuestions: readonly string[];
  readonly branchOf?: { readonly sessionID: string; readonly position: number };
}
