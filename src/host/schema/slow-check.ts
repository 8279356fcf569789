import { setImmediate } from "node:timers/promises";
import type { Checked } from "../../core/schema.ts";

/** Checks a copy of an input. May throw for an invalid value. */
export type SchemaCheck = (input: unknown) => Checked | Promise<Checked>;

/** The check of a value took too long and was stopped. `parts` are the parts of the schema that may have caused it. */
export class SlowCheck extends Error {
  readonly #isSlow = true;
  readonly parts: readonly string[];

  constructor(parts: readonly string[]) {
    super(`Checking the value took too long, probably at ${parts.join(" or ")}.`);
    this.parts = parts;
  }

  /** For thrown values of authors, which may be proxies that throw when their prototype is read. */
  static is(thrown: unknown): thrown is SlowCheck {
    return typeof thrown === "object" && thrown !== null && #isSlow in thrown;
  }
}

/** How many parts of a schema a message names, and how long each may be. */
const MAX_PARTS = 3;
const MAX_PART = 200;

/** Shorter than the time after which a silent host is replaced. */
const LIMIT_MS = 250;
/** The limit after several slow values: a tool with a slow pattern must not delay the other calls of its process again and again. */
const LEAST_MS = 25;
/** A check that got less than this share of a processor, and less than this time of it, is repeated with twice the limit. */
const LEAST_SHARE = 0.25;
const LEAST_USE_MS = 40;
const MAX_TRIES = 3;

/**
 * Limits the time of the synchronous part of a check. It costs about 0.1 ms per check. A check that takes longer throws
 * `SlowCheck`, and the limit of the next check is shorter. Bun cannot stop a regular expression: there is no limit.
 */
export function limitTime(check: SchemaCheck, parts: readonly string[]): SchemaCheck {
  if (process.versions.bun !== undefined) return check;
  const named = parts.slice(0, MAX_PARTS).map((part) => part.slice(0, MAX_PART));
  let limitMs = LIMIT_MS;
  const checkNow = (input: unknown): ReturnType<SchemaCheck> => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const ms = limitMs * 2 ** tries;
      const before = process.cpuUsage();
      const outcome = runWithin(ms, () => check(input));
      if (outcome !== STOPPED) return outcome;
      const { user, system } = process.cpuUsage(before);
      if ((user + system) / 1000 > Math.min(ms * LEAST_SHARE, LEAST_USE_MS)) break;
    }
    limitMs = Math.max(LEAST_MS, Math.round(limitMs / 2));
    throw new SlowCheck(named);
  };
  return async (input) => (await inTurn(() => [checkNow(input)] as const))[0];
}

/** Settles when the last limited check has returned. */
let turn: Promise<unknown> = Promise.resolve();

/** Runs one limited check per turn of the event loop: other calls proceed between two slow ones. `work` wraps a promise that is not awaited. */
function inTurn<T>(work: () => T): Promise<T> {
  const mine = turn.then(() => setImmediate()).then(work);
  turn = mine.catch(() => {});
  return mine;
}

const STOPPED = Symbol("stopped");

interface Limiter {
  readonly global: { work: () => void };
  run(ms: number): void;
}

/** Created once: each context takes memory and a millisecond. */
let limiter: Limiter | undefined;

/** Only `node:vm` can stop a running regular expression in the same thread. */
function runWithin<T extends Checked | Promise<Checked>>(ms: number, work: () => T): T | typeof STOPPED {
  limiter ??= createLimiter();
  let result: T | typeof STOPPED = STOPPED;
  limiter.global.work = () => {
    result = work();
  };
  try {
    limiter.run(ms);
    return result;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return STOPPED;
    throw error;
  } finally {
    limiter.global.work = () => {};
  }
}

function createLimiter(): Limiter {
  const vm = process.getBuiltinModule("node:vm");
  const global = { work: () => {} };
  const context = vm.createContext(global);
  const script = new vm.Script("work()");
  return { global, run: (timeout) => script.runInContext(context, { timeout }) };
}
