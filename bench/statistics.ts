/** A percentile (`share` from 0 to 1) with linear interpolation. NaN for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** A value with its 10th and 90th percentile. */
export interface Spread {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export function spreadOf(values: readonly number[]): Spread {
  return { value: median(values), low: percentile(values, 0.1), high: percentile(values, 0.9) };
}

/**
 * The ratio of the medians, with percentiles of the ratios of single rounds, because both ran on the same machine state
 * in a round. The lists are parallel: one value per round.
 */
export function ratioOf(candidate: readonly number[], peer: readonly number[]): Spread {
  const rounds = candidate.map((value, round) => value / (peer[round] ?? Number.NaN));
  return { ...spreadOf(rounds), value: median(candidate) / median(peer) };
}

export function shuffled<T>(values: readonly T[], random: () => number = Math.random): T[] {
  const rest = [...values];
  const order: T[] = [];
  while (rest.length > 0) order.push(...rest.splice(Math.floor(random() * rest.length), 1));
  return order;
}
