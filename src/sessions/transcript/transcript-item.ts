/** One event of a session, as a person reads it. Plain data: a renderer escapes it for its output. */
export interface TranscriptItem {
  readonly position: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: TranscriptKind;
  /** One line. */
  readonly title: string;
  readonly parts: readonly TranscriptPart[];
}

export type TranscriptKind =
  | "user"
  | "model"
  | "call"
  | "result"
  | "failure"
  | "question"
  | "answer"
  | "state"
  /** The session itself: its start, its end, an interruption, a request to stop. */
  | "session";

/** A part of an item. No part is trusted: models, tools and people wrote it. */
export type TranscriptPart =
  /** Text in Markdown, of a person or a model. */
  | { readonly kind: "prose"; readonly text: string }
  /** What a model thought before its answer, in Markdown. */
  | { readonly kind: "thinking"; readonly text: string }
  /** A sentence without markup. */
  | { readonly kind: "plain"; readonly text: string }
  /** Inputs and outputs of tools, kept as they are. */
  | { readonly kind: "data"; readonly text: string; readonly language: "json" | "text" };
