import { firstInfo, infoAfter } from "../../core/session-info.ts";
import type { FollowedEvent, LoggedQuestion, SessionInfo, StoredEvent, Usage } from "../../core/session-log.ts";
import { SessionError, type SessionStore } from "../../core/session-store.ts";
import { sumUsage } from "../../core/sum-usage.ts";

type StartEvent = StoredEvent & { readonly type: "session.start" };

/** Reads one session from its first event on, and folds what the chat shows beside the transcript. */
export class SessionFollower {
  readonly sessionID: string;
  readonly #store: SessionStore;
  readonly #stopped = new AbortController();
  readonly #questions = new Map<string, LoggedQuestion>();
  #info: SessionInfo | undefined;
  #usage: Usage = {};

  constructor(store: SessionStore, sessionID: string) {
    this.#store = store;
    this.sessionID = sessionID;
  }

  /** Undefined until the first event was read. */
  get info(): SessionInfo | undefined {
    return this.#info;
  }

  /** The sum of the session. */
  get usage(): Usage {
    return this.#usage;
  }

  /** The open questions, oldest first. */
  get questions(): readonly LoggedQuestion[] {
    return [...this.#questions.values()];
  }

  /**
   * Passes every event on, until `stop`. Rejects with a `SessionError` if the session was removed or its store fails. A reader that
   * was too slow goes on after the last event that it has got.
   */
  async follow(onEvent: (event: FollowedEvent) => void): Promise<void> {
    for (;;) {
      try {
        const events = this.#store.follow(this.sessionID, this.#info?.position ?? 0, this.#stopped.signal);
        for await (const event of events) {
          if (this.#stopped.signal.aborted) return;
          this.#fold(event);
          onEvent(event);
        }
        return;
      } catch (error) {
        if (!SessionError.is(error) || error.code !== "reader_too_slow") throw error;
      }
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  #fold(event: FollowedEvent): void {
    if (!("position" in event)) return;
    this.#info = this.#infoAfter(event);
    switch (event.type) {
      case "question.asked":
        this.#questions.set(event.questionID, event);
        break;
      case "question.answered":
        this.#questions.delete(event.questionID);
        break;
      case "session.interrupted":
        for (const id of event.questions) this.#questions.delete(id);
        break;
      case "usage":
        this.#usage = sumUsage(this.#usage, event);
        break;
    }
  }

  #infoAfter(event: StoredEvent): SessionInfo | undefined {
    if (this.#info) return infoAfter(this.#info, event);
    return event.type === "session.start"
      ? firstInfo({ id: this.sessionID, project: "" }, event as StartEvent)
      : undefined;
  }
}
