import type { ProcessorUse } from "../../platform/processes/process-tree.ts";

/** A host that sends nothing for this long after a ping is silent. */
const SILENT_MS = 500;
/** A host that works on other things for this much processor time after a ping is busy, however slow the machine is. */
const ANSWER_MS = 150;
/** A host that waits for a processor on a busy machine is silent after this time. */
const STARVED_MS = 3_000;

/** Whether a host reads its messages, judged by when it last sent something. */
export class Heartbeat {
  readonly #tickMs: number;
  #heardAt = performance.now();
  #tickedAt = performance.now();
  #pingedAt: number | undefined;
  readonly #use: () => ProcessorUse | undefined;
  #usedBefore: ProcessorUse | undefined;

  /** `tickMs` is how often `tick` will be called, and `use` how much processor time the host has used. */
  constructor(tickMs: number, use: () => ProcessorUse | undefined) {
    this.#tickMs = tickMs;
    this.#use = use;
  }

  heard(): void {
    this.#heardAt = performance.now();
    this.#pingedAt = undefined;
  }

  /** Forgets a ping that has no answer: the host has no work, so its silence means nothing. */
  reset(): void {
    this.#pingedAt = undefined;
  }

  /** On the clock of `performance.now()`. */
  get heardAt(): number {
    return this.#heardAt;
  }

  wasHeardWithin(ms: number): boolean {
    return performance.now() - this.#heardAt < ms;
  }

  get isSilent(): boolean {
    if (this.#pingedAt === undefined) return false;
    const silentMs = performance.now() - Math.max(this.#pingedAt, this.#heardAt);
    return silentMs > SILENT_MS && (silentMs > STARVED_MS || !this.#isStarved());
  }

  /** To be called regularly. If this process itself was blocked, the silence of the host does not count. */
  tick(): void {
    const now = performance.now();
    if (now - this.#tickedAt > this.#tickMs * 3) this.#heardAt = now;
    this.#tickedAt = now;
  }

  /** Returns whether a ping is due. If so, the caller must send it now. */
  startPing(): boolean {
    if (this.#pingedAt !== undefined || this.wasHeardWithin(this.#tickMs)) return false;
    this.#pingedAt = performance.now();
    this.#usedBefore = this.#use();
    return true;
  }

  /** Whether it waits for a processor, and has had too little of one to answer the ping. */
  #isStarved(): boolean {
    const used = this.#use();
    if (!used?.isRunnable || !this.#usedBefore) return false;
    return used.ms - this.#usedBefore.ms < ANSWER_MS;
  }
}
