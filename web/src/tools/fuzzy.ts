/** A text that is searched. */
interface SearchedField {
  readonly text: string;
  /** How much a match counts. */
  readonly weight: number;
  /** Whether the letters of a word may be scattered, such as "wcl" for "word-count_longest". */
  readonly scattered?: true;
}

/** How well the texts match a query, higher is better. Undefined if they do not: all words must occur, in any order. */
export function fuzzyScore(query: string, fields: readonly SearchedField[]): number | undefined {
  let total = 0;
  for (const word of query.toLowerCase().split(/\s+/).filter(Boolean)) {
    const best = Math.max(...fields.map((field) => field.weight * wordScore(word, field)));
    if (best <= 0) return undefined;
    total += best;
  }
  return total;
}

/** 0 without a match. Whole text, beginning, beginning of a word, part, and scattered letters, in this order. */
function wordScore(word: string, field: SearchedField): number {
  const text = field.text.toLowerCase();
  if (text === word) return 100;
  const at = text.indexOf(word);
  if (at === 0) return 80;
  if (at > 0) return /[^a-z0-9]/.test(text.charAt(at - 1)) ? 60 : 40;
  return field.scattered ? scattered(word, text) : 0;
}

/** The letters in order. Letters that follow each other or begin a word count more. */
function scattered(word: string, text: string): number {
  let position = -1;
  let adjacent = 0;
  for (const letter of word) {
    const next = text.indexOf(letter, position + 1);
    if (next === -1) return 0;
    const startsWord = next === 0 || /[^a-z0-9]/.test(text.charAt(next - 1));
    if (next === position + 1 || startsWord) adjacent++;
    position = next;
  }
  return word.length < 2 || adjacent * 2 < word.length ? 0 : (20 * adjacent) / word.length;
}
