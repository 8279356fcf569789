const DAY = 24 * 60 * 60 * 1000;

/**
 * The time against which the age of stored items is measured. It is the time of the newest item, as it was a day ago: a clock that
 * jumps ahead makes nothing old before it has stayed there for a day, whatever is written meanwhile.
 */
export interface AgeReference {
  readonly time: number;
  /** The next value of `time`, if the clock does not go back within a day. */
  readonly candidate: number;
  readonly chosenAt: number;
}

/** The reference after a look at the items. Returns `before` if nothing changes. */
export function ageReference(before: AgeReference | undefined, now: number, newest: number): AgeReference {
  const candidate = Math.min(now, newest);
  if (!before) return { time: candidate, candidate, chosenAt: now };
  if (now < before.chosenAt) return { ...before, candidate, chosenAt: now };
  return now - before.chosenAt < DAY ? before : { time: before.candidate, candidate, chosenAt: now };
}

/** Items that are older than this have expired. Never later than `keepDays` before the newest item. */
export function expiryTime({ time }: AgeReference, now: number, newest: number, keepDays: number): number {
  return Math.min(time, now, newest) - keepDays * DAY;
}
