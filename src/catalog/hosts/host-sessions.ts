import { type FromHost, type HostQuery, monotonic } from "../../host/protocol/messages.ts";
import { InvalidMessage } from "../../host/protocol/validate-message.ts";

/** The previews of one session in a host, and when the last one was added. */
export interface WaitingPreviews {
  readonly count: number;
  readonly addedAt: number;
}

const NO_PREVIEWS: WaitingPreviews = { count: 0, addedAt: 0 };
/** A host that has got this many sessions may name any session: more are not remembered. */
const MAX_SESSIONS = 10_000;

/** The sessions that were sent to a host, and the previews that it holds. It may send messages about these sessions only. */
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

  /** Throws `InvalidMessage` for a session that was not sent to the host. */
  check({ type, sessionID }: FromHost & { type: "session-action" | "previews" }): void {
    const isKnown = this.#known.has(sessionID) || this.#known.size === MAX_SESSIONS;
    if (!isKnown) throw new InvalidMessage(`"${type}": no such session`);
  }
}

/** The session that a query names. */
export function sessionOf(query: HostQuery): string | undefined {
  if ("session" in query) return query.session.id;
  return "call" in query ? query.call.session.id : undefined;
}
