import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { SessionError } from "../../core/session-store.ts";
import { TURN_WITHOUT_END } from "../log/session-info.ts";
import type { EncodedEvent } from "./encode-event.ts";
import { checkIntegrity, isSmall } from "./integrity-check.ts";
import { storeClosed } from "./session-checks.ts";
import { SessionLimits, type StoreLimits } from "./session-limits.ts";
import { RENEW_MS, WATCHED_MS } from "./session-owners.ts";
import type { Appended, SessionRow } from "./session-tables.ts";
import type { SqlStatement } from "./sqlite-driver.ts";
import type { StoreParts } from "./store-parts.ts";
import { StoreRoom } from "./store-room.ts";

const DAY = 24 * 60 * 60 * 1000;
const SWEEP_MS = 10 * 60 * 1000;
/** The maximum number of sessions that one transaction removes. Their events are deleted later. */
const STEP_SESSIONS = 100;
/** The pause between two transactions that return space: nothing waits for that. */
const SPACE_PAUSE_MS = 20;
const OWNER_GONE = "The process that ran this session ended.";

/** A claim of this process. */
interface HeldClaim {
  readonly key: number;
  readonly session: number;
  readonly why: "turn" | "call";
  /** The position of the last event that was appended with it. */
  readonly position: number | undefined;
}

/** A session without a claim is ended after this time without events: earlier versions may store a claim after the start of its call. */
const UNCLAIMED_MS = 60_000;

/** What a store does apart from its methods: checks the database, renews claims, ends abandoned sessions, removes old ones. */
export class StoreUpkeep {
  readonly room: StoreRoom;
  readonly #parts: StoreParts;
  readonly #limits: SessionLimits;
  readonly #checkedAt: SqlStatement;
  readonly #setCheckedAt: SqlStatement;
  /** Claims whose end could not be written. */
  readonly #unreleased = new Set<HeldClaim>();
  #timer: NodeJS.Timeout | undefined;
  #sweptAt = 0;
  #isReturningSpace = false;
  #deleting: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: StoreParts, { maxMb }: StoreLimits) {
    const { database } = parts.opened;
    this.#parts = parts;
    this.#limits = new SessionLimits(database, maxMb);
    this.room = new StoreRoom(this.#limits, maxMb, (isTooLarge) => this.#removeWhile(isTooLarge));
    this.#checkedAt = database.prepare("SELECT at FROM times WHERE name = 'checked'");
    this.#setCheckedAt = database.prepare("INSERT OR REPLACE INTO times (name, at) VALUES ('checked', ?)");
  }

  /** Called once, before all other methods. `apply` is one more change of the first transaction. */
  async begin(apply: () => void): Promise<void> {
    const { queue, owners } = this.#parts;
    const isChecked = await this.#checkIfDue();
    await queue.run({
      volatile: true,
      apply: () => {
        if (isChecked) this.#setCheckedAt.run(Date.now());
        owners.join(Date.now());
        this.#limits.observeAges(Date.now());
        apply();
      },
    });
    await this.recover();
    await this.#sweep();
    this.#startTicking();
  }

  /** Called once, before all other methods, for a new database in memory. */
  beginAlone(): void {
    this.#parts.owners.join(Date.now());
    this.#startTicking();
  }

  #startTicking(): void {
    // The next operation of the store reports what failed here.
    this.#timer = setInterval(() => void this.#tick().catch(() => {}), RENEW_MS).unref();
  }

  /** Removes the session, other than `kept`, that changed longest ago, and that no process runs or follows. False if there is none. */
  async removeOldest(kept: number | undefined): Promise<boolean> {
    const { followed } = this.#parts;
    const isFree = (key: number): boolean => key !== kept && !followed.hasReaders(key);
    const keys = (): number[] => this.#limits.oldest(ALL).filter(isFree).slice(0, 1);
    const removed = await this.#parts.remove(() => this.#rows(keys()));
    await this.deleteLoose();
    return removed > 0;
  }

  /** Deletes the events of removed sessions, in short transactions. Never rejects: what cannot be deleted now is deleted later. */
  deleteLoose(): Promise<void> {
    // One after another: the steps of all share a transaction otherwise.
    this.#deleting = this.#deleting.then(() => this.#deleteLoose()).catch(() => {});
    return this.#deleting;
  }

  async #deleteLoose(): Promise<void> {
    const { queue, loose } = this.#parts;
    while (!this.#isClosed && (await this.#parts.read(() => loose.hasAny))) {
      await queue.run({ volatile: true, apply: () => loose.deleteSome() });
      // In memory, a commit does not wait for the event loop.
      await nextTurn();
    }
  }

  /** Ends the sessions whose owners are gone. */
  async recover(): Promise<void> {
    if (await this.#parts.read(() => this.#parts.owners.hasGone(Date.now())))
      await this.#parts.commit(() => [...this.#interruptAbandoned(Date.now()), ...this.#endUnclaimed(Date.now())]);
  }

  /**
   * Ends the sessions that are open in their logs, although no process claims them: a process was killed between the release of
   * its claim and the end of a question, or an earlier version did not write that end.
   */
  async #repair(): Promise<void> {
    const isAny = (): boolean => this.#parts.tables.unclaimed(Date.now(), UNCLAIMED_MS).length > 0;
    if (await this.#parts.read(isAny)) await this.#parts.commit(() => this.#endUnclaimed(Date.now()));
  }

  #endUnclaimed(now: number): readonly Appended[] {
    const { tables } = this.#parts;
    return tables.unclaimed(now, UNCLAIMED_MS).map((row) => tables.end(row, true, now));
  }

  /**
   * Claims a session, and appends its first events. If its owners are gone, it is ended first, in the same transaction: what they
   * have left open is not that of the new owner.
   */
  claim(find: () => SessionRow, why: "turn" | "call", first: readonly EncodedEvent[]): Promise<HeldClaim> {
    return this.unlessOwned(find, () => this.#claim(find, why, first));
  }

  /**
   * Does what is refused while another process owns the session. If that process is on another machine, and may be gone, this is
   * done again when that is known, after some seconds.
   */
  async unlessOwned<T>(find: () => SessionRow, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!SessionError.is(error) || error.code !== "owned") throw error;
      const isDoubtful = (): boolean => this.#parts.owners.isDoubtful(find().key, Date.now());
      if (!(await this.#parts.read(isDoubtful))) throw error;
      const until = performance.now() + 2 * WATCHED_MS;
      while (performance.now() < until && !this.#isClosed && (await this.#parts.read(isDoubtful)))
        await sleep(WATCHED_MS / 20);
      if (this.#isClosed) throw storeClosed();
      return work();
    }
  }

  async #claim(find: () => SessionRow, why: "turn" | "call", first: readonly EncodedEvent[]): Promise<HeldClaim> {
    const { owners, tables } = this.#parts;
    let claim: HeldClaim = { key: 0, session: 0, why, position: undefined };
    // In the same transaction, if it succeeds.
    if (this.#unreleased.size > 0) void this.#release([...this.#unreleased]).catch(() => {});
    const apply = (): readonly Appended[] => {
      const now = Date.now();
      const { key: session, info } = find();
      const ended = owners.isClaimed(session) ? this.#endGone(session, info.id, why, now) : [];
      const key = owners.claim(session, why, now);
      const begun = first.length > 0 ? [tables.append(find(), first)] : [];
      claim = { key, session, why, position: begun[0]?.info.position };
      return [...ended, ...begun];
    };
    // A power failure ends the owner too. The first event of the turn or call makes the claim durable with it.
    await this.#parts.commit(apply, { volatile: first.length === 0 });
    owners.hold(claim.key);
    return claim;
  }

  /** If the end of the claim cannot be written, for example because the disk is full, that is tried again later. */
  async release(claim: HeldClaim): Promise<void> {
    this.#unreleased.add(claim);
    await this.#release([claim]);
  }

  async #release(claims: readonly HeldClaim[]): Promise<void> {
    const release = (claim: HeldClaim): readonly Appended[] =>
      this.#parts.owners.release(claim.key) ? this.#endReleased(claim) : [];
    await this.#parts.commit(() => claims.flatMap(release), { volatile: true });
    for (const claim of claims) this.#unreleased.delete(claim);
  }

  /** Ends what the owner of a claim that is over has left open in a session. */
  #endReleased({ session, why }: Pick<HeldClaim, "session" | "why">): readonly Appended[] {
    const { tables, owners } = this.#parts;
    const row = tables.open(session);
    if (!row) return [];
    const now = Date.now();
    if (!owners.isOwned(session, now, "any")) return [tables.end(row, why === "turn", now)];
    const isTurnOver = why === "turn" && row.info.turn === "running";
    return isTurnOver ? [tables.interruptTurn(row, TURN_WITHOUT_END, now)] : [];
  }

  /** Ends what the owners of a session that are gone have left open. Throws "owned" if a turn cannot begin. */
  #endGone(session: number, sessionID: string, why: "turn" | "call", now: number): readonly Appended[] {
    if (why === "turn") this.#parts.owners.checkNoTurn(session, sessionID, now);
    return [...this.#interruptAbandoned(now), ...(why === "turn" ? this.#interruptGoneTurn(session, now) : [])];
  }

  /** The process of the turn is gone, but another one runs calls of the session: these go on. */
  #interruptGoneTurn(session: number, now: number): readonly Appended[] {
    const { owners, tables } = this.#parts;
    const row = owners.removeGoneTurn(session) ? tables.byKey(session) : undefined;
    return row ? [tables.interruptTurn(row, OWNER_GONE, now)] : [];
  }

  /** Returns unused space to the file system, in short transactions. */
  async returnSpace(): Promise<void> {
    if (this.#isReturningSpace) return;
    this.#isReturningSpace = true;
    try {
      while (!this.#isClosed && this.#limits.hasUnusedSpace()) {
        await this.#parts.queue.run({ volatile: true, apply: () => this.#limits.returnSpace() });
        // Events that are stored meanwhile wait for the disk with it.
        await sleep(SPACE_PAUSE_MS, undefined, { ref: false });
      }
    } catch {
      // The space is used for new events, or returned later.
    } finally {
      this.#isReturningSpace = false;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    const leave = (): readonly Appended[] => this.#parts.owners.leave().flatMap((claim) => this.#endReleased(claim));
    await this.#parts.commit(leave, { volatile: true }).catch(() => {});
  }

  /** Whether the database was checked completely. Rejects if it is damaged. */
  async #checkIfDue(): Promise<boolean> {
    const { opened } = this.#parts;
    const isDue = await this.#parts.read(() => isSmall(opened.file) || this.#isCheckDue(Date.now()));
    if (isDue) await checkIntegrity(opened);
    return isDue;
  }

  #isCheckDue(now: number): boolean {
    const checkedAt = Number(this.#checkedAt.get()?.at ?? 0);
    return Math.abs(now - checkedAt) > DAY || this.#parts.owners.hasGone(now);
  }

  async #tick(): Promise<void> {
    const { queue, owners } = this.#parts;
    const now = Date.now();
    // First: a claim that cannot be released must not make this process seem gone.
    if (owners.hasClaims) await queue.run({ volatile: true, apply: () => owners.renew(now) });
    if (this.#unreleased.size > 0) await this.#release([...this.#unreleased]);
    await this.recover();
    // The clock may have been set back.
    if (Math.abs(now - this.#sweptAt) > SWEEP_MS) await this.#sweep();
  }

  #interruptAbandoned(now: number): readonly Appended[] {
    const { owners, tables } = this.#parts;
    return owners.removeGone(now).flatMap((key) => {
      const row = tables.byKey(key);
      return row ? [tables.interrupt(row, OWNER_GONE, now)] : [];
    });
  }

  /** Ends the sessions that no process runs, and removes old ones. */
  async #sweep(): Promise<void> {
    this.#sweptAt = Date.now();
    await this.#repair();
    await this.#parts.queue.run({ volatile: true, apply: () => this.#limits.observeAges(Date.now()) });
    await this.#removeExpired();
    await this.#removeWhile(() => this.#limits.isTooLarge());
    void this.deleteLoose().then(() => this.returnSpace());
  }

  async #removeExpired(): Promise<void> {
    const expired = (limit: number): readonly number[] => this.#limits.expired(Date.now(), limit);
    while (!this.#isClosed && (await this.#parts.read(() => expired(1).length > 0)))
      if ((await this.#parts.remove(() => this.#rows(expired(STEP_SESSIONS)))) === 0) return;
  }

  /** Removes the oldest sessions one by one, and what is removed is deleted first: a session that need not be removed must not be. */
  async #removeWhile(isTooLarge: () => boolean): Promise<void> {
    const { growing } = this.room;
    const oldest = (): Iterable<SessionRow> => this.#rows(this.#limits.oldest(1 + growing.size), 1);
    while (!this.#isClosed && (await this.#parts.read(isTooLarge))) {
      await this.deleteLoose();
      if (!(await this.#parts.read(isTooLarge))) return;
      if ((await this.#parts.remove(oldest)) === 0) return;
    }
  }

  /** The first of these sessions, but none to which events wait to be added. */
  *#rows(keys: readonly number[], count: number = keys.length): Generator<SessionRow> {
    const rows = keys.flatMap((key) => this.#parts.tables.byKey(key) ?? []);
    yield* rows.filter(({ info }) => !this.room.growing.has(info.id)).slice(0, count);
  }
}

/** More sessions than a database has. */
const ALL = 1_000_000_000;
