import { matchesKey } from "@earendil-works/pi-tui";
import type { LoggedQuestion, QuestionAnswer } from "../../core/question.ts";

interface ShownQuestionOptions {
  /** The open questions of the session, oldest first. */
  readonly questions: () => readonly LoggedQuestion[];
  /** Whether the user may be typing: the input has text, or a list is open. */
  readonly isTyping: () => boolean;
  /** Shows the question. Returns a function that closes it. */
  readonly open: (question: LoggedQuestion, answer: (given: QuestionAnswer) => void) => () => void;
  /** Resolves to whether the answer was taken. */
  readonly answer: (questionID: string, given: QuestionAnswer) => Promise<boolean>;
}

/** A question that comes while the user types waits for a pause of this length. */
const TYPING_MS = 700;
/** Keys are ignored until a pause of this length after a question about permissions has appeared. */
const SURPRISE_MS = 300;

/**
 * Shows the oldest open question of the session. The keys of a user who is typing when it comes do not answer it: the question
 * waits for a pause. One about permissions then ignores keys for a moment.
 */
export class ShownQuestion {
  readonly #options: ShownQuestionOptions;
  #shown: { readonly id: string; readonly close: () => void } | undefined;
  #later: NodeJS.Timeout | undefined;
  #typedAt = Number.NEGATIVE_INFINITY;
  #ignoredUntil = 0;

  constructor(options: ShownQuestionOptions) {
    this.#options = options;
  }

  /** Shows the oldest open question, or closes the panel of one that is no longer open. */
  update(): void {
    const [question] = this.#options.questions();
    if (question?.questionID === this.#shown?.id) return;
    const pauseMs = this.#options.isTyping() ? this.#typedAt + TYPING_MS - performance.now() : 0;
    this.#shown?.close();
    this.#shown = undefined;
    this.stop();
    if (!question) return;
    if (pauseMs > 0) this.#later = setTimeout(() => this.update(), pauseMs);
    else this.#show(question);
  }

  /** Notes that a key was pressed. Returns true if the key must be ignored. */
  pressed(data: string): boolean {
    this.#typedAt = performance.now();
    if (!this.#shown || this.#typedAt > this.#ignoredUntil || isExit(data)) return false;
    this.#ignoredUntil = this.#typedAt + SURPRISE_MS;
    return true;
  }

  /** Shows no question that waits. */
  stop(): void {
    clearTimeout(this.#later);
  }

  #show(question: LoggedQuestion): void {
    const { questionID: id } = question;
    this.#ignoredUntil = question.kind === "permission" ? performance.now() + SURPRISE_MS : 0;
    this.#shown = { id, close: this.#options.open(question, (given) => void this.#answer(id, given)) };
  }

  /** A question whose answer was not taken is asked again if it is still open. */
  async #answer(id: string, given: QuestionAnswer): Promise<void> {
    if ((await this.#options.answer(id, given)) || this.#shown?.id !== id) return;
    this.#shown = undefined;
    this.update();
  }
}

function isExit(data: string): boolean {
  return matchesKey(data, "escape") || matchesKey(data, "ctrl+c");
}
