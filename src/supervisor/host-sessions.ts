import { type FromHost, type HostQuery, monotonic } from "../protocol/messages.ts";
import { InvalidMessage } from "../protocol/validate-message.ts";

/** The previews of one session that wait in a host, and when the last one was added. */
export interface WaitingPreviews {
  readonly count: number;
  readonly addedAt: number;
}

const NO_PREVIEWS: WaitingPreviews = { count: 0, addedAt: 0 };
/** A host that has been told of this many sessions may name any session: more are not remembered. */
const MAX_SESSIONS = 10_000;

/** The sessions that a host has been told of, and the previews that wait in it. A host may speak of no other session. */
export class HostSessions {
  readonly #known = new Set<string>();
  readonly #previews = new Map<string, WaitingPreviews>();

  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  get hasPreviews(): boolean {
    return this.#previews.size > 0;
  }

  add(sessionID: string | undefined): void {
    if (sessionID !== undefined && this.#known.size < MAX_SESSIONS) this.#known.add(sessionID);
  }

  previewsIn(sessionID: string): WaitingPreviews {
    return this.#previews.get(sessionID) ?? NO_PREVIEWS;
  }

  setPreviews(sessionID: string, count: number): void {
    const before = this.previewsIn(sessionID);
    if (count === 0) this.#previews.delete(sessionID);
    else this.#previews.set(sessionID, { count, addedAt: count > before.count ? monotonic() : before.addedAt });
  }

  clearPreviews(): void {
    this.#previews.clear();
  }

  /** Throws `InvalidMessage` for a session that the host has not been told of. */
  check({ type, sessionID }: FromHost & { type: "session-action" | "previews" }): void {
    const isKnown = this.#known.has(sessionID) || this.#known.size === MAX_SESSIONS;
    if (!isKnown) throw new InvalidMessage(`"${type}": no such session`);
  }
}

/** The session that a query tells its file of. */
export function sessionOf(query: HostQuery): string | undefined {
  if ("session" in query) return query.session.id;
  return "call" in query ? query.call.session.id : undefined;
}
