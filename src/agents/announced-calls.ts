import { isDeepStrictEqual } from "node:util";

/** A call of a tool of ours that the agent has told us of, before or after the call itself arrives over MCP. */
interface Announced {
  readonly callID: string;
  readonly messageID: string;
  /** Our name of the tool. */
  readonly name: string;
  /** Undefined if the agent does not tell it. */
  readonly input: unknown;
}

interface UnidentifiedCall {
  readonly name: string;
  readonly input: unknown;
  /** Set if the call tells its id. */
  readonly callID?: string;
}

interface Waiting extends UnidentifiedCall {
  resolve(found: Announced | undefined): void;
}

/**
 * Finds the ids of calls that arrive over MCP, which has none: the agent announces its calls by other means. A call and an
 * announcement belong together if they name the same tool and, if both have one, the same input; otherwise in order.
 */
export class AnnouncedCalls {
  readonly #waitMs: number;
  readonly #announced = new Map<string, Announced>();
  readonly #taken = new Set<string>();
  readonly #waiting = new Set<Waiting>();

  /** `waitMs` is how long a call waits for its announcement. */
  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  /** May be repeated when more of a call is known. */
  announce(call: Announced): void {
    if (this.#taken.has(call.callID)) return;
    this.#announced.set(call.callID, call);
    const waiting = [...this.#waiting].find((each) => belongs(call, each));
    if (waiting) this.#give(waiting, call);
  }

  /** The ids of a call that has arrived. Undefined if the agent does not announce it in time: the call then gets a new id. */
  async take(call: UnidentifiedCall): Promise<Announced | undefined> {
    const announced = [...this.#announced.values()].filter(({ name }) => name === call.name);
    const found =
      announced.find(({ callID }) => callID === call.callID) ??
      announced.find((each) => each.input !== undefined && belongs(each, call)) ??
      announced.find(({ input }) => input === undefined);
    if (found) {
      this.#markTaken(found.callID);
      return found;
    }
    const { promise, resolve } = Promise.withResolvers<Announced | undefined>();
    const waiting: Waiting = { ...call, resolve };
    this.#waiting.add(waiting);
    const timer = setTimeout(() => this.#giveUp(waiting), this.#waitMs);
    const given = await promise;
    clearTimeout(timer);
    return given;
  }

  /** Whether the call arrived over MCP. */
  isTaken(callID: string): boolean {
    return this.#taken.has(callID);
  }

  /** Forgets announcements without a call. To be called at the end of a turn. */
  clear(): void {
    this.#announced.clear();
    this.#taken.clear();
    for (const each of [...this.#waiting]) this.#give(each, undefined);
  }

  /** The input may differ, if the agent tells another one than it sends. */
  #giveUp(waiting: Waiting): void {
    const sameName = [...this.#announced.values()].find(({ name }) => name === waiting.name);
    this.#give(waiting, sameName);
  }

  #give(waiting: Waiting, call: Announced | undefined): void {
    this.#waiting.delete(waiting);
    if (call) this.#markTaken(call.callID);
    waiting.resolve(call);
  }

  #markTaken(callID: string): void {
    this.#announced.delete(callID);
    this.#taken.add(callID);
  }
}

function belongs(announced: Announced, call: UnidentifiedCall): boolean {
  if (call.callID !== undefined) return announced.callID === call.callID;
  return (
    announced.name === call.name && (announced.input === undefined || isDeepStrictEqual(announced.input, call.input))
  );
}
