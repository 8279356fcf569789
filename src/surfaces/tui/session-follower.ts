import type { FollowedEvent, LoggedQuestion, SessionInfo, StoredEvent, Usage } from "../../core/session-log.ts";
import type { SessionStore } from "../../core/session-store.ts";
import { followLog } from "../../sessions/follow-log.ts";
import { firstInfo, infoAfter } from "../../sessions/log/session-info.ts";
import { sumUsage } from "../../sessions/log/sum-usage.ts";

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

  get usage(): Usage {
    return this.#usage;
  }

  /** The open questions, oldest first. */
  get questions(): readonly LoggedQuestion[] {
    return [...this.#questions.values()];
  }

  /** Passes every event on, until `stop`. Rejects with a `SessionError` if the session was removed or its store fails. */
  async follow(onEvent: (event: FollowedEvent) => void): Promise<void> {
    const position = this.#info?.position ?? 0;
    for await (const event of followLog(this.#store, this.sessionID, position, { signal: this.#stopped.signal })) {
      if (this.#stopped.signal.aborted) return;
      this.#fold(event);
      onEvent(event);
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
