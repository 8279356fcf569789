const MOST = 3;

/** Names that somebody may have meant who wrote this one: at most three, the nearest first. */
export function nearNames(wanted: string, names: readonly string[]): string[] {
  const word = wanted.toLowerCase();
  return names
    .map((name) => ({ name, score: nearness(word, name.toLowerCase()) }))
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, MOST)
    .map(({ name }) => name);
}

/** The share of pairs of neighbouring characters that two names have in common, from 0 to 1. */
function nearness(one: string, other: string): number {
  if (one === other) return 1;
  if (letters(one) === letters(other)) return 0.9;
  const [a, b] = [pairs(one), pairs(other)];
  const common = [...a].filter((pair) => b.has(pair)).length;
  return (2 * common) / Math.max(1, a.size + b.size);
}

function letters(name: string): string {
  return [...name].sort().join("");
}

/** With the beginning and the end as characters of their own. */
function pairs(name: string): Set<string> {
  const text = `\0${name}\0`;
  return new Set(Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2)));
}
