import type { Card } from "../../core/card.ts";
import type { NamedCall, Update } from "../../core/events.ts";
import type { LoggedQuestion, QuestionAnswered } from "../../core/question.ts";
import type { Content, TextContent } from "../../core/result.ts";
import type { LoggedResult, Usage } from "../../core/session-log.ts";

interface ItemBase {
  /** Unique within a session. It stays the same while the item changes. */
  readonly key: string;
  /** The position of its first stored event; 0 while none is stored. */
  readonly position: number;
  /** When that event was stored, in milliseconds since the epoch; 0 while none is stored. */
  readonly at: number;
}

export type UserItem = ItemBase & { readonly kind: "user"; readonly content: readonly Content[] };

export type ReplyItem = ItemBase & {
  readonly kind: "reply";
  readonly messageID: string;
  readonly text: string;
  readonly thinking: string;
  /** Images and files of the stored message. */
  readonly attachments: readonly Exclude<Content, TextContent>[];
  /** "lost": the turn ended before the message did, so that its text is not stored. */
  readonly state: "streaming" | "stored" | "lost";
};

export type CallItem = ItemBase &
  Pick<NamedCall, "callID" | "tool" | "agent"> & {
    readonly kind: "call";
    readonly input: unknown;
    /** How it is shown: see `cards/call-view.ts`. */
    readonly card?: Card;
    /** 0 for a call of the model, 1 for a call that its tool makes, and so on. */
    readonly depth: number;
    /** "unknown": the turn was interrupted, and it is unknown whether the call had an effect. */
    readonly state: "running" | "ok" | "failed" | "unknown";
    readonly update?: Update;
    readonly result?: LoggedResult;
  };

export type QuestionItem = ItemBase & {
  readonly kind: "question";
  readonly question: LoggedQuestion;
  /** "interrupted": its turn ended, and it can no longer be answered. */
  readonly state: "open" | "answered" | "withdrawn" | "interrupted";
  readonly answer?: QuestionAnswered;
};

/** The end of a turn. */
export type EndItem = ItemBase & {
  readonly kind: "end";
  readonly outcome: "completed" | "aborted" | "error" | "interrupted";
  /** The message of an error, the reason of an interruption; else empty. */
  readonly message: string;
  readonly code?: string;
  /** The tools of the calls of which it is unknown whether they had an effect. */
  readonly unknownCalls: readonly string[];
  /** From the message of the user to this event; absent if no such message is known. */
  readonly durationMs?: number;
  /** Of this turn only. */
  readonly usage: Usage;
};

/** A part of a session that a person reads. Items are never changed: a new one with the same key replaces them. */
export type SessionItem = UserItem | ReplyItem | CallItem | QuestionItem | EndItem;
