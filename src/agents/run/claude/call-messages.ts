import { within } from "../../../platform/waiting/within.ts";

/** A call whose message the SDK does not deliver runs after this time, without it. */
const MAX_WAIT_MS = 2_000;

/**
 * The messages of calls. Claude Code makes a call as soon as it has read it, before the end of its message. The call waits
 * until its message has been handled, so that the log has the message before the call.
 */
export class CallMessages {
  readonly #messageIDs = new Map<string, string>();
  readonly #released = new Set<string>();
  readonly #waiting = new Map<string, () => void>();
  #isClosed = false;

  /** Takes effect with `release`. */
  add(callID: string, messageID: string): void {
    this.#messageIDs.set(callID, messageID);
  }

  /** Lets the calls run that have been added. */
  release(): void {
    for (const callID of this.#messageIDs.keys()) {
      this.#released.add(callID);
      this.#waiting.get(callID)?.();
    }
  }

  knownMessageOf(callID: string): string | undefined {
    return this.#messageIDs.get(callID);
  }

  /** The message of a call, when the call may run. Undefined if it is not known. Never rejects. */
  async messageOf(callID: string): Promise<string | undefined> {
    if (!this.#released.has(callID) && !this.#isClosed) {
      const { promise: released, resolve } = Promise.withResolvers<void>();
      this.#waiting.set(callID, resolve);
      await within(MAX_WAIT_MS, released);
      this.#waiting.delete(callID);
    }
    return this.#messageIDs.get(callID);
  }

  /** Ends all waits. */
  close(): void {
    this.#isClosed = true;
    for (const resolve of [...this.#waiting.values()]) resolve();
  }
}
