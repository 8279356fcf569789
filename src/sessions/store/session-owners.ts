import {
  type Liveness,
  livenessOf,
  ownIdentity,
  type ProcessIdentity,
} from "../../platform/processes/process-identity.ts";
import { sessionOwned } from "./session-checks.ts";
import type { SqlDatabase, SqlRow, SqlStatement } from "./sqlite-driver.ts";

/** How often a process with claims renews its entry. */
export const RENEW_MS = 2_000;
/** A process that the system does not know is gone if it has not renewed its claims for this long. */
const ABSENT_MS = 30_000;
/** It is watched for this long before that: its clock, or that of this process, may have been changed. */
export const WATCHED_MS: number = 3 * RENEW_MS;

interface Owner extends ProcessIdentity {
  readonly key: number;
  readonly renewed: number;
}

/** The processes that have the database open, and the sessions that they run. Methods that write must run in a transaction. */
export class SessionOwners {
  readonly #own: ProcessIdentity = ownIdentity();
  /** Null before `join`. */
  #key: number | null = null;
  readonly #held = new Set<number>();
  /** Since when, by the clock of this process that is never changed, other processes have not renewed their entries. */
  #unchanged = new Map<number, { readonly renewed: number; readonly since: number }>();
  #watchedAt = Number.NEGATIVE_INFINITY;
  readonly #processes: SqlStatement;
  readonly #renew: SqlStatement;
  readonly #removeProcess: SqlStatement;
  readonly #removeLive: SqlStatement;
  readonly #claimsOf: SqlStatement;
  readonly #claimsBy: SqlStatement;
  readonly #addClaim: SqlStatement;
  readonly #heldClaim: SqlStatement;
  readonly #removeTurns: SqlStatement;
  readonly #removeClaim: SqlStatement;
  readonly #removeClaimsOf: SqlStatement;
  readonly #removeClaimsBy: SqlStatement;

  constructor(database: SqlDatabase) {
    this.#processes = database.prepare("SELECT key, pid, start_time, machine, renewed FROM processes WHERE key <> ?");
    this.#renew = database.prepare(
      `INSERT INTO processes (key, pid, start_time, machine, renewed) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET renewed = excluded.renewed RETURNING key`,
    );
    this.#removeProcess = database.prepare("DELETE FROM processes WHERE key = ?");
    this.#removeLive = database.prepare("DELETE FROM live WHERE writer = ?");
    this.#claimsOf = database.prepare("SELECT process, why FROM claims WHERE session = ?");
    this.#claimsBy = database.prepare("SELECT session, why FROM claims WHERE process = ? ORDER BY why DESC");
    this.#addClaim = database.prepare("INSERT INTO claims (session, process, why) VALUES (?, ?, ?) RETURNING key");
    this.#heldClaim = database.prepare("SELECT 1 FROM claims WHERE key = ? AND session = ?");
    this.#removeTurns = database.prepare("DELETE FROM claims WHERE session = ? AND why = 'turn' RETURNING key");
    this.#removeClaim = database.prepare("DELETE FROM claims WHERE key = ? RETURNING key");
    this.#removeClaimsOf = database.prepare("DELETE FROM claims WHERE session = ?");
    this.#removeClaimsBy = database.prepare("DELETE FROM claims WHERE process = ?");
  }

  /** Adds this process. If the transaction fails, its key may become that of another process: call it again. */
  join(now: number): void {
    this.#key = null;
    this.renew(now);
  }

  /** Renews the entry of this process. Adds it again if a process on another machine has removed it. */
  renew(now: number): void {
    const { pid, startTime = null, machine } = this.#own;
    this.#key = Number(this.#renew.get(this.#key, pid, startTime, machine, now)?.key);
  }

  /** Removes this process. Returns its claims, which it no longer has, those of turns first. */
  leave(): readonly { readonly session: number; readonly why: "turn" | "call" }[] {
    const claims = this.#claimsBy.all(this.key);
    this.#removeClaimsBy.run(this.key);
    this.#remove(this.key);
    return claims.map(({ session, why }) => ({ session: Number(session), why: why === "turn" ? "turn" : "call" }));
  }

  /** The key of this process; 0 before `join`. */
  get key(): number {
    return this.#key ?? 0;
  }

  /** Whether this process owns a session, so that it has to renew its entry. */
  get hasClaims(): boolean {
    return this.#held.size > 0;
  }

  /** Whether a process ended without closing the database. */
  hasGone(now: number): boolean {
    return this.#gone(now).size > 0;
  }

  /** Removes the processes that are gone. Returns the sessions of which all owners are gone; they no longer have one. */
  removeGone(now: number): readonly number[] {
    const gone = this.#gone(now);
    const abandoned = new Set<number>();
    for (const key of gone) {
      const sessions = [...new Set(this.#claimsBy.all(key).map(({ session }) => Number(session)))];
      const over = sessions.filter((session) =>
        this.#claimsOf.all(session).every((claim) => gone.has(Number(claim.process))),
      );
      for (const session of over) abandoned.add(session);
      // The other owners of the session will find this one when they are done.
      if (over.length === sessions.length) this.#remove(key);
    }
    for (const session of abandoned) this.#removeClaimsOf.run(session);
    return [...abandoned];
  }

  /** Whether a process has claimed the session, also one that is gone. */
  isClaimed(session: number): boolean {
    return this.#claimsOf.get(session) !== undefined;
  }

  /** Throws "owned" if a process has the turn of the session. */
  checkNoTurn(session: number, sessionID: string, now: number): void {
    const turns = this.#claimsOf.all(session).filter((claim) => claim.why === "turn");
    const gone = turns.length > 0 ? this.#gone(now) : new Set();
    if (turns.some(({ process }) => !gone.has(Number(process)))) throw sessionOwned(sessionID);
  }

  /** Returns the key of the claim, for `hold` after the commit. */
  claim(session: number, why: "turn" | "call", now: number): number {
    this.renew(now);
    return Number(this.#addClaim.get(session, this.#key, why)?.key);
  }

  /** From now on, this process renews its entry, until the claim is released. */
  hold(claim: number): void {
    this.#held.add(claim);
  }

  /** Returns false if another process has ended the claim, since this one seemed to be gone. */
  release(claim: number): boolean {
    this.#held.delete(claim);
    return this.#removeClaim.get(claim) !== undefined;
  }

  /** Whether no process has ended a claim of this process. Keys of claims are never used again. */
  holds(claim: number, session: number): boolean {
    return this.#heldClaim.get(claim, session) !== undefined;
  }

  /** Removes the claim of a turn whose process is gone: see `checkNoTurn`. Returns false if there is none. */
  removeGoneTurn(session: number): boolean {
    return this.#removeTurns.all(session).length > 0;
  }

  /** Whether a process runs the session; with `another`, whether one runs it that is not this one. */
  isOwned(session: number, now: number, who: "any" | "another"): boolean {
    const claims = this.#claimsOf.all(session).filter(({ process }) => who === "any" || process !== this.#key);
    const gone = claims.length > 0 ? this.#gone(now) : new Set();
    return claims.some(({ process }) => !gone.has(Number(process)));
  }

  /** Whether an owner of the session has not renewed its entry for long, but was not watched for long enough to say that it is gone. */
  isDoubtful(session: number, now: number): boolean {
    const gone = this.#gone(now);
    const claimants = new Set(this.#claimsOf.all(session).map(({ process }) => Number(process)));
    return this.#others().some(
      (owner) =>
        claimants.has(owner.key) && !gone.has(owner.key) && isLate(owner, now) && this.#liveness(owner) === "unknown",
    );
  }

  /** Removes the claims of a session that is removed. */
  forget(session: number): void {
    this.#removeClaimsOf.run(session);
  }

  /** What a process has streamed goes with it. */
  #remove(key: number): void {
    this.#removeLive.run(key);
    this.#removeProcess.run(key);
  }

  #gone(now: number): ReadonlySet<number> {
    const others = this.#others();
    this.#watch(others);
    return new Set(others.filter((owner) => this.#isGone(owner, now)).map(({ key }) => key));
  }

  #others(): readonly Owner[] {
    return this.#processes.all(this.key).map(toOwner);
  }

  /** If this process has paused, others may have paused too: they are watched again from now on. */
  #watch(others: readonly Owner[]): void {
    const at = performance.now();
    const before = at - this.#watchedAt > WATCHED_MS ? new Map<number, never>() : this.#unchanged;
    this.#watchedAt = at;
    this.#unchanged = new Map(
      others.map(({ key, renewed }) => {
        const known = before.get(key);
        return [key, known?.renewed === renewed ? known : { renewed, since: at }];
      }),
    );
  }

  /** Another store of this process renews its entry as long as it is open. If nothing could be written when it was closed, the entry stays. */
  #liveness(owner: Owner): Liveness {
    const liveness = livenessOf(owner, this.#own.machine);
    return liveness === "lives" && owner.pid === this.#own.pid ? "unknown" : liveness;
  }

  /** A process that the system knows may be stopped: a late renewal means nothing. */
  #isGone(owner: Owner, now: number): boolean {
    const liveness = this.#liveness(owner);
    if (liveness !== "unknown") return liveness === "gone";
    const watchedMs = this.#watchedAt - (this.#unchanged.get(owner.key)?.since ?? this.#watchedAt);
    return watchedMs >= ABSENT_MS || (watchedMs >= WATCHED_MS && isLate(owner, now));
  }
}

/** A time in the future means that a clock was changed. */
function isLate({ renewed }: Owner, now: number): boolean {
  return Math.abs(now - renewed) > ABSENT_MS;
}

function toOwner({ key, pid, start_time, machine, renewed }: SqlRow): Owner {
  return {
    key: Number(key),
    pid: Number(pid),
    startTime: typeof start_time === "string" ? start_time : undefined,
    machine: String(machine),
    renewed: Number(renewed),
  };
}
