import { TURN_WITHOUT_END } from "../core/session-info.ts";
import { checkIntegrity, isSmall } from "./open-database.ts";
import { SessionLimits, type StoreLimits } from "./session-limits.ts";
import { RENEW_MS } from "./session-owners.ts";
import type { Appended, SessionRow } from "./session-tables.ts";
import type { SqlStatement } from "./sqlite-driver.ts";
import type { StoreParts } from "./store-parts.ts";

const DAY = 24 * 60 * 60 * 1000;
const SWEEP_MS = 10 * 60 * 1000;
/** The maximum number of sessions that one transaction removes. */
const STEP_SESSIONS = 10;
const OWNER_GONE = "The process that ran this session ended.";

/** A claim of this process. */
export interface HeldClaim {
  readonly key: number;
  readonly session: number;
  readonly why: "turn" | "call";
}

/** What a store does apart from its methods: checks the database, renews claims, ends abandoned sessions, removes old ones. */
export class StoreUpkeep {
  readonly #parts: StoreParts;
  readonly #limits: SessionLimits;
  readonly #checkedAt: SqlStatement;
  readonly #setCheckedAt: SqlStatement;
  /** Claims whose end could not be written. */
  readonly #unreleased = new Set<HeldClaim>();
  #timer: NodeJS.Timeout | undefined;
  #tickedAt = 0;
  #sweptAt = 0;
  #isReturningSpace = false;
  #isClosed = false;

  constructor(parts: StoreParts, { maxMb }: StoreLimits) {
    const { database } = parts.opened;
    this.#parts = parts;
    this.#limits = new SessionLimits(database, maxMb);
    this.#checkedAt = database.prepare("SELECT at FROM times WHERE name = 'checked'");
    this.#setCheckedAt = database.prepare("INSERT OR REPLACE INTO times (name, at) VALUES ('checked', ?)");
  }

  /** Called once, before all other methods. `apply` is one more change of the first transaction. */
  async begin(apply: () => void): Promise<void> {
    const { queue, owners } = this.#parts;
    const isChecked = await this.#parts.read(() => this.#checkIfDue(Date.now()));
    await queue.run({
      volatile: true,
      apply: () => {
        if (isChecked) this.#setCheckedAt.run(Date.now());
        owners.join(Date.now());
        apply();
      },
    });
    await this.recover();
    await this.#sweep();
    this.#tickedAt = Date.now();
    // The next operation of the store reports what failed here.
    this.#timer = setInterval(() => void this.#tick().catch(() => {}), RENEW_MS).unref();
  }

  /** Ends the sessions whose owners are gone. */
  async recover(): Promise<void> {
    if (await this.#parts.read(() => this.#parts.owners.hasGone(Date.now())))
      await this.#parts.commit(() => this.#interruptAbandoned(Date.now()));
  }

  /**
   * Claims a session. Sessions whose owners are gone are ended first, in the same transaction: what they have open is not that of
   * the new owner.
   */
  async claim(find: () => SessionRow, why: "turn" | "call"): Promise<HeldClaim> {
    const { owners } = this.#parts;
    let claim: HeldClaim = { key: 0, session: 0, why };
    if (this.#unreleased.size > 0) await this.#release([...this.#unreleased]);
    const apply = (): readonly Appended[] => {
      const now = Date.now();
      const { key: session, info } = find();
      if (why === "turn") owners.checkNoTurn(session, info.id, now);
      const ended = this.#interruptAbandoned(now);
      claim = { key: owners.claim(session, why, now), session, why };
      return ended;
    };
    // A power failure ends the owner too. The first event of the turn or call makes the claim durable with it.
    await this.#parts.commit(apply, { volatile: true });
    owners.hold(claim.key);
    return claim;
  }

  /** If the end of the claim cannot be written, for example because the disk is full, that is tried again later. */
  async release(claim: HeldClaim): Promise<void> {
    this.#unreleased.add(claim);
    await this.#release([claim]);
  }

  async #release(claims: readonly HeldClaim[]): Promise<void> {
    const release = (claim: HeldClaim): readonly Appended[] => {
      this.#parts.owners.release(claim.key);
      return this.#interruptTurn(claim);
    };
    await this.#parts.commit(() => claims.flatMap(release), { volatile: true });
    for (const claim of claims) this.#unreleased.delete(claim);
  }

  /** A turn that is open when its claim ends could not be ended by its owner. */
  #interruptTurn({ session, why }: Omit<HeldClaim, "key">): readonly Appended[] {
    const row = why === "turn" ? this.#parts.tables.byKey(session) : undefined;
    return row?.info.turn === "running" ? [this.#parts.tables.interrupt(row, TURN_WITHOUT_END, Date.now())] : [];
  }

  /** Returns unused space to the file system, in short transactions. */
  async returnSpace(): Promise<void> {
    if (this.#isReturningSpace) return;
    this.#isReturningSpace = true;
    try {
      while (!this.#isClosed && this.#limits.hasUnusedSpace())
        await this.#parts.queue.run({ volatile: true, apply: () => this.#limits.returnSpace() });
    } catch {
      // The space is used for new events, or returned later.
    } finally {
      this.#isReturningSpace = false;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    const leave = (): readonly Appended[] => this.#parts.owners.leave().flatMap((claim) => this.#interruptTurn(claim));
    await this.#parts.commit(leave, { volatile: true }).catch(() => {});
  }

  /** Whether the database was checked completely. Throws if it is damaged. */
  #checkIfDue(now: number): boolean {
    const checkedAt = Number(this.#checkedAt.get()?.at ?? 0);
    const isDue = isSmall(this.#parts.opened.file) || now - checkedAt > DAY || this.#parts.owners.hasGone(now);
    if (isDue) checkIntegrity(this.#parts.opened);
    return isDue;
  }

  async #tick(): Promise<void> {
    const { queue, owners } = this.#parts;
    const now = Date.now();
    const hasPaused = now - this.#tickedAt > 3 * RENEW_MS;
    this.#tickedAt = now;
    if (this.#unreleased.size > 0) await this.#release([...this.#unreleased]);
    if (owners.hasClaims) await queue.run({ volatile: true, apply: () => owners.renew(now) });
    // If this process has paused, others may have paused too: they get the time to renew their entries.
    if (!hasPaused) await this.recover();
    if (now - this.#sweptAt > SWEEP_MS) await this.#sweep();
  }

  #interruptAbandoned(now: number): readonly Appended[] {
    const { owners, tables } = this.#parts;
    return owners.removeGone(now).flatMap((key) => {
      const row = tables.byKey(key);
      return row ? [tables.interrupt(row, OWNER_GONE, now)] : [];
    });
  }

  /** Removes old sessions. */
  async #sweep(): Promise<void> {
    this.#sweptAt = Date.now();
    const isDue = (): boolean => this.#limits.isTooLarge() || this.#limits.expired(Date.now()).length > 0;
    if (await this.#parts.read(isDue)) {
      let removed: number;
      do removed = await this.#parts.remove(() => this.#removable(Date.now()));
      while (removed > 0 && !this.#isClosed);
    }
    void this.returnSpace();
  }

  /** The next sessions to remove. Each is removed before the next one is looked for. */
  *#removable(now: number): Generator<SessionRow> {
    let left = STEP_SESSIONS;
    for (const row of this.#unowned(this.#limits.expired(now), now)) {
      yield row;
      left -= 1;
      if (left === 0) return;
    }
    for (const row of this.#unowned(this.#limits.excess(), now)) {
      if (left === 0 || !this.#limits.isTooLarge()) return;
      yield row;
      left -= 1;
    }
  }

  *#unowned(keys: readonly number[], now: number): Generator<SessionRow> {
    for (const key of keys) {
      const row = this.#parts.tables.byKey(key);
      if (row && !this.#parts.owners.isOwned(key, now, "any")) yield row;
    }
  }
}
