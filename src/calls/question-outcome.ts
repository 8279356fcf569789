import type { QuestionAnswer } from "../core/question.ts";

/** How a question ended. */
export type QuestionOutcome =
  | { readonly kind: "answered"; readonly answer: QuestionAnswer; readonly from: "here" | "elsewhere" }
  /** The answer to another question allows it. */
  | { readonly kind: "allowed" }
  /** Its call ended first. */
  | { readonly kind: "cancelled" }
  /** Its own signal fired. */
  | { readonly kind: "dismissed" }
  /** No person could be asked. */
  | { readonly kind: "unasked" }
  /** `what` failed, as a sentence without its full stop. */
  | { readonly kind: "failed"; readonly what: string };
