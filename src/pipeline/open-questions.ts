import type { Answer } from "./permission-answer.ts";

/** Questions that have been put to people and not been answered yet. */
export class OpenQuestions {
  readonly #open = new Map<() => boolean, () => void>();

  /**
   * Puts a question, until it is answered or has become needless. `isSettled` says whether it would be answered with yes if it
   * came up now; the signal fires when it is taken back. `put` must not reject.
   */
  async put(isSettled: () => boolean, put: (takenBack: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const takenBack = new AbortController();
    const settled = Promise.withResolvers<Answer>();
    const settle = (): void => {
      settled.resolve({ allowed: true });
      takenBack.abort();
    };
    this.#open.set(isSettled, settle);
    try {
      return await Promise.race([put(takenBack.signal), settled.promise]);
    } finally {
      this.#open.delete(isSettled);
    }
  }

  /** Takes back the questions that an answer to another one has settled. */
  settle(): void {
    for (const [isSettled, settle] of [...this.#open]) if (isSettled()) settle();
  }
}
