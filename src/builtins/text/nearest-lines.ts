/** Lines that are similar to a text that was not found. */
interface Near {
  /** The line number of the first line, counted from 1. */
  readonly line: number;
  readonly lines: readonly string[];
  /** The only difference, if it is known. */
  readonly difference?: string;
}

const MAX_LINES = 12;
const MIN_SIMILARITY = 0.4;

/** Finds the most similar lines. Both texts have line feeds. */
export function nearestLines(text: string, wanted: string): Near | undefined {
  const lines = text.split("\n");
  const count = Math.min(MAX_LINES, trimmed(wanted).split("\n").length);
  const same = equalExcept(lines, wanted);
  const start = same?.start ?? mostSimilar(lines, trimmed(wanted).split("\n"));
  if (start === undefined) return undefined;
  const shown = lines.slice(start, start + count);
  return { line: start + 1, lines: shown, ...(same ? { difference: same.difference } : {}) };
}

type Fold = (line: string) => string;

const blanks: Fold = (line) => line.replace(/\s+/g, " ").trim();
const lookAlikes: Fold = (line) => {
  // Most lines are ASCII and have no lookalikes.
  if (/^[\x20-\x7e\t]*$/.test(line)) return blanks(line);
  return blanks(
    line
      .normalize("NFKC")
      .replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, "")
      .replace(/[\u2018\u2019\u201a\u2032]/g, "'")
      .replace(/[\u201c\u201d\u201e\u2033]/g, '"')
      .replace(/[\u2010-\u2015\u2212]/g, "-"),
  );
};

/** Ordered from the smallest difference to the largest. */
const FOLDS: readonly (readonly [difference: string, fold: Fold])[] = [
  ["spaces, tabs or indentation", blanks],
  ["quotes, dashes or characters that look alike", lookAlikes],
  ["upper and lower case", (line) => lookAlikes(line).toLowerCase()],
];

function equalExcept(lines: readonly string[], wanted: string): { start: number; difference: string } | undefined {
  for (const [difference, fold] of FOLDS) {
    const needle = trimmed(wanted).split("\n").map(fold).join("\n");
    const haystack = lines.map(fold).join("\n");
    const at = needle === "" ? -1 : haystack.indexOf(needle);
    if (at >= 0) return { start: haystack.slice(0, at).split("\n").length - 1, difference };
  }
  return undefined;
}

/** Removes blank lines around the text. */
function trimmed(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
}

/**
 * The first of the lines that share most words with the wanted ones; undefined when none are similar. Compares only the
 * first wanted lines, since each is compared with each line of the text.
 */
function mostSimilar(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const words = wanted.slice(0, MAX_LINES).map(wordsOf);
  const scores = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    const own = wordsOf(line);
    for (const [index, other] of words.entries()) {
      const likeness = at >= index ? similarity(own, other) : 0;
      if (likeness > 0) scores.set(at - index, (scores.get(at - index) ?? 0) + likeness);
    }
  }
  const [best] = [...scores].sort(([a, one], [b, other]) => other - one || a - b);
  const filled = words.filter((own) => own.size > 0).length;
  return best && best[1] >= filled * MIN_SIMILARITY ? best[0] : undefined;
}

/** The share of common words, from 0 to 1. */
function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  let shared = 0;
  for (const word of few) if (many.has(word)) shared += 1;
  return shared === 0 ? 0 : (2 * shared) / (one.size + other.size);
}

function wordsOf(line: string): ReadonlySet<string> {
  return new Set(line.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu));
}
