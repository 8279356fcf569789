const MAX_SUGGESTIONS = 3;

/** Up to three candidates that are similar to a mistyped word, best first. Ignores case, `-` and `_`. */
export function nearest(word: string, candidates: Iterable<string>): string[] {
  const wanted = normalize(word);
  if (wanted === "") return [];
  const scored: { candidate: string; score: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const score = scoreOf(wanted, normalize(candidate));
    if (score !== undefined) scored.push({ candidate, score: score + caseScore(word, candidate) });
  }
  return bestOf(scored);
}

/**
 * Up to three candidates of which a word is a misspelling, best first: at most one letter in five is wrong. Unlike `nearest`,
 * part of a longer name is not a misspelling of it, and neither are names that differ only in digits, such as versions.
 */
export function misspelled(word: string, candidates: Iterable<string>): string[] {
  const wanted = normalize(word);
  const scored: { candidate: string; score: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const other = normalize(candidate);
    const allowed = Math.min(3, Math.max(1, Math.floor(other.length / 5)));
    if (other.length < 3 || Math.abs(wanted.length - other.length) > allowed) continue;
    const differsInDigits = wanted !== other && withoutDigits(wanted) === withoutDigits(other);
    const score = differsInDigits ? Number.POSITIVE_INFINITY : editDistance(wanted, other);
    if (score <= allowed) scored.push({ candidate, score: score + caseScore(word, candidate) });
  }
  const best = Math.min(...scored.map(({ score }) => score));
  return bestOf(scored.filter(({ score }) => score < best + 1));
}

function withoutDigits(text: string): string {
  return text.replace(/\d/g, "");
}

/** "Did you mean …?"; empty without candidates. */
export function suggestion(candidates: readonly string[]): string {
  return candidates.length === 0 ? "" : `Did you mean ${candidates.map((each) => `"${each}"`).join(" or ")}?`;
}

/** Of equally similar candidates, those with the same case come first. */
function caseScore(word: string, candidate: string): number {
  return [...word].filter((letter) => !candidate.includes(letter)).length / 1e6;
}

function bestOf(scored: { candidate: string; score: number }[]): string[] {
  return scored
    .sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ candidate }) => candidate);
}

function normalize(text: string): string {
  return text.toLowerCase().replace(/[-_]/g, "");
}

/** 0 for equal words, more for less similar ones, undefined if they are not similar. Containment counts as similar. */
function scoreOf(wanted: string, candidate: string): number | undefined {
  if (wanted === candidate) return 0;
  const shorter = Math.min(wanted.length, candidate.length);
  const allowed = Math.max(shorter > 1 ? 1 : 0, Math.floor(shorter / 3));
  const lengths = Math.abs(wanted.length - candidate.length);
  const typos = lengths > allowed ? Number.POSITIVE_INFINITY : editDistance(wanted, candidate);
  const best = Math.min(typos <= allowed ? typos : Number.POSITIVE_INFINITY, containmentScore(wanted, candidate));
  return Number.isFinite(best) ? best + lengths / 1000 : undefined;
}

function containmentScore(wanted: string, candidate: string): number {
  const [short, long] = wanted.length < candidate.length ? [wanted, candidate] : [candidate, wanted];
  if (short.length < 3) return Number.POSITIVE_INFINITY;
  if (long.startsWith(short)) return 0.9;
  if (long.includes(short)) return 1.7;
  return Number.POSITIVE_INFINITY;
}

/** Optimal string alignment distance: insertions, deletions, substitutions and transpositions. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
