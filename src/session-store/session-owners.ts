import { livenessOf, ownIdentity, type ProcessIdentity } from "../process/process-identity.ts";
import { sessionOwned } from "./session-checks.ts";
import type { SqlDatabase, SqlRow, SqlStatement } from "./sqlite-driver.ts";

/** How often a process with claims renews its entry. */
export const RENEW_MS = 2_000;
/** A process on another machine is gone if it has not renewed its claims for this long. */
const ABSENT_MS = 30_000;

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
  readonly #processes: SqlStatement;
  readonly #renew: SqlStatement;
  readonly #removeProcess: SqlStatement;
  readonly #removeLive: SqlStatement;
  readonly #claimsOf: SqlStatement;
  readonly #claimsBy: SqlStatement;
  readonly #addClaim: SqlStatement;
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
    this.#claimsBy = database.prepare("SELECT session, why FROM claims WHERE process = ?");
    this.#addClaim = database.prepare("INSERT INTO claims (session, process, why) VALUES (?, ?, ?) RETURNING key");
    this.#removeClaim = database.prepare("DELETE FROM claims WHERE key = ?");
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

  /** Removes this process. Returns its claims, which it no longer has. */
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

  release(claim: number): void {
    this.#removeClaim.run(claim);
    this.#held.delete(claim);
  }

  /** Whether a process runs the session; with `another`, whether one runs it that is not this one. */
  isOwned(session: number, now: number, who: "any" | "another"): boolean {
    const claims = this.#claimsOf.all(session).filter(({ process }) => who === "any" || process !== this.#key);
    const gone = claims.length > 0 ? this.#gone(now) : new Set();
    return claims.some(({ process }) => !gone.has(Number(process)));
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
    const others = this.#processes.all(this.key).map(toOwner);
    return new Set(others.filter((owner) => this.#isGone(owner, now)).map(({ key }) => key));
  }

  /** On this machine, a late renewal means nothing: the process may be stopped. */
  #isGone(owner: Owner, now: number): boolean {
    const liveness = livenessOf(owner);
    if (liveness !== "unknown") return liveness === "gone";
    return owner.machine !== this.#own.machine && now - owner.renewed > ABSENT_MS;
  }
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
