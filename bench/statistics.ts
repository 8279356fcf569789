/** The value below which a share of the values lies, between two neighbours in proportion. NaN when there are none. */
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

/** A number and how far it scatters: from the 10th to the 90th percentile. */
export interface Spread {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The median of some values and their spread. */
export function spreadOf(values: readonly number[]): Spread {
  return { value: median(values), low: percentile(values, 0.1), high: percentile(values, 0.9) };
}

/**
 * How many times the peer's the candidate's values are: the ratio of the medians, and the spread of the ratios within
 * each round, where both met the same machine. The lists are parallel: one value of each per round.
 */
export function ratioOf(candidate: readonly number[], peer: readonly number[]): Spread {
  const rounds = candidate.map((value, round) => value / (peer[round] ?? Number.NaN));
  return { ...spreadOf(rounds), value: median(candidate) / median(peer) };
}

/** A new list in random order. */
export function shuffled<T>(values: readonly T[], random: () => number = Math.random): T[] {
  const rest = [...values];
  const order: T[] = [];
  while (rest.length > 0) order.push(...rest.splice(Math.floor(random() * rest.length), 1));
  return order;
}
