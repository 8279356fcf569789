import { isObject } from "../../platform/values/is-object.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";

/** A call of a tool of ours that the agent has told us of, before or after the call itself arrives over MCP. */
interface Announced {
  readonly callID: string;
  readonly messageID: string;
  /** Our name of the tool. */
  readonly name: string;
  /** Undefined if the agent has not told it yet, or never does. */
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
 * announcement belong together if they have the same id; if the call has none, the same tool and input. An empty input may still
 * grow: such announcements are given, in order, when as many calls without arguments wait. A call for which there is no announcement
 * in time gets the oldest one of its tool that no other waiting call matches.
 */
export class AnnouncedCalls {
  readonly #waitMs: number;
  readonly #tellsInput: boolean;
  readonly #announced = new Map<string, Announced>();
  readonly #taken = new Set<string>();
  readonly #waiting = new Set<Waiting>();

  /** `waitMs` is how long a call waits for its announcement. `tellsInput`: whether the agent announces inputs, perhaps later. */
  constructor(waitMs: number, { tellsInput = true }: { readonly tellsInput?: boolean } = {}) {
    this.#waitMs = waitMs;
    this.#tellsInput = tellsInput;
  }

  /** May be repeated when more of a call is known. */
  announce(call: Announced): void {
    if (this.#taken.has(call.callID)) return;
    this.#announced.set(call.callID, call);
    this.#match(call.name);
  }

  /** Forgets an announcement: the agent has ended the call without sending it. */
  withdraw(callID: string): void {
    const { name } = this.#announced.get(callID) ?? {};
    this.#announced.delete(callID);
    if (name !== undefined) this.#match(name);
  }

  /** The ids of a call that has arrived. Undefined if the agent does not announce it in time: the call then gets a new id. */
  async take(call: UnidentifiedCall): Promise<Announced | undefined> {
    const { promise, resolve } = Promise.withResolvers<Announced | undefined>();
    const waiting: Waiting = { ...call, resolve };
    this.#waiting.add(waiting);
    const timer = setTimeout(() => this.#giveUp(waiting), this.#waitMs);
    this.#match(call.name);
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

  /** Gives the waiting calls of a tool the announcements that belong to them for certain. */
  #match(name: string): void {
    const announced = [...this.#announced.values()].filter((each) => each.name === name);
    const isCertain = (each: Announced, call: UnidentifiedCall): boolean =>
      this.#belongs(each, call) && (call.callID !== undefined || !this.#tellsInput || !isEmpty(call.input));
    for (const waiting of [...this.#waiting]) {
      const at = announced.findIndex((each) => isCertain(each, waiting));
      for (const found of at < 0 ? [] : announced.splice(at, 1)) this.#give(waiting, found);
    }
    const empty = announced.filter(({ input }) => isEmpty(input));
    const calls = [...this.#waiting].filter((each) => empty[0] && this.#belongs(empty[0], each));
    if (calls.length < empty.length) return;
    for (const [at, each] of empty.entries()) this.#give(calls[at] as Waiting, each);
  }

  /** The input may differ, if the agent tells another one than it sends. */
  #giveUp(waiting: Waiting): void {
    const others = [...this.#waiting].filter((each) => each !== waiting);
    const isFree = (each: Announced): boolean => !others.some((other) => this.#belongs(each, other));
    const isCandidate = (each: Announced): boolean =>
      waiting.callID === undefined && each.name === waiting.name && isFree(each);
    const candidates = [...this.#announced.values()].filter(isCandidate);
    this.#give(waiting, candidates.find(({ input }) => input === undefined) ?? candidates[0]);
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

  #belongs(announced: Announced, call: UnidentifiedCall): boolean {
    if (call.callID !== undefined) return announced.callID === call.callID;
    if (announced.name !== call.name) return false;
    if (announced.input === undefined && !this.#tellsInput) return true;
    return canonical(announced.input) === canonical(call.input);
  }
}

function isEmpty(input: unknown): boolean {
  return canonical(input) === "{}";
}

/**
 * The same text for inputs that a tool cannot tell apart. No input is an empty one. Some agents tell an input as JSON text. Undefined
 * for an input that is nested too deeply.
 */
function canonical(input: unknown): string | undefined {
  const parsed = typeof input === "string" ? tryOrUndefined(() => JSON.parse(input) as unknown) : input;
  const value = (typeof input === "string" && !isObject(parsed) ? input : parsed) ?? {};
  return tryOrUndefined(() => JSON.stringify(sorted(value)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([first], [second]) => (first < second ? -1 : 1));
  // Without a prototype, "__proto__" is a key like any other.
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [key, each] of entries) copy[key] = sorted(each);
  return copy;
}
