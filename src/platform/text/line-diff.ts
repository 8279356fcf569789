import { countLines, withLineFeeds } from "./line-breaks.ts";

/** One line of a comparison of two texts. */
export interface DiffLine {
  /** "gap": lines are left out here. */
  readonly kind: "same" | "added" | "removed" | "gap";
  readonly text: string;
  /** Its number in the new text, that of a removed line in the old text. Absent if it is not known. */
  readonly line?: number;
}

/** The lines of a file that change, with the lines around them. */
export interface FileDiff {
  /** Empty if the comparison does not name a file. */
  readonly path: string;
  /** The first 2,000. */
  readonly lines: readonly DiffLine[];
  /** How many lines there are beyond these. */
  readonly omitted: number;
  readonly added: number;
  readonly removed: number;
}

const MAX_LINES = 2_000;

/** Texts with more characters are not compared. */
export const MAX_COMPARED = 400_000;
/** The product of the numbers of lines between the common beginning and end: comparing them takes as much time and memory. */
export const MAX_PAIRS = 1_000_000;
const MAX_PATCH = 2_000_000;
/** Unchanged lines that are shown around a change. */
const CONTEXT = 3;

/**
 * Compares two texts by their lines. If they are too long or too different, all lines of the first are removed and all of the second
 * added. The lines have numbers only if the texts are whole files.
 */
export function diffTexts(
  before: string,
  after: string,
  { isWhole, maxPairs = MAX_PAIRS }: { readonly isWhole: boolean; readonly maxPairs?: number },
): FileDiff {
  const [old, changed] = [withLineFeeds(before), withLineFeeds(after)];
  const isShort = old.length + changed.length <= MAX_COMPARED;
  const compared = isShort ? compareLines(linesOf(old), linesOf(changed), maxPairs) : undefined;
  if (!compared) return replacement(old, changed, isWhole);
  const numbered = withNumbers(compared, isWhole);
  const lines = nearChanges(numbered);
  const count = (kind: DiffLine["kind"]): number => compared.filter((line) => line.kind === kind).length;
  return {
    path: "",
    lines: lines.slice(0, MAX_LINES),
    omitted: Math.max(0, lines.length - MAX_LINES),
    added: count("added"),
    removed: count("removed"),
  };
}

type Compared = Pick<DiffLine, "text"> & { readonly kind: "same" | "added" | "removed" };

function compareLines(
  old: readonly string[],
  changed: readonly string[],
  maxPairs: number,
): readonly Compared[] | undefined {
  const shorter = Math.min(old.length, changed.length);
  let head = 0;
  while (head < shorter && old[head] === changed[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === changed.at(-1 - tail)) tail += 1;
  const [oldMiddle, newMiddle] = [old.slice(head, old.length - tail), changed.slice(head, changed.length - tail)];
  const middle = oldMiddle.length * newMiddle.length > maxPairs ? undefined : compareMiddle(oldMiddle, newMiddle);
  return middle && [...same(old.slice(0, head)), ...middle, ...same(old.slice(old.length - tail))];
}

function same(lines: readonly string[]): Compared[] {
  return lines.map((text) => ({ kind: "same", text }));
}

/** Keeps the longest common sequence of lines. */
function compareMiddle(old: readonly string[], changed: readonly string[]): readonly Compared[] {
  const width = changed.length + 1;
  /** The length of the longest common sequence from a pair of lines on. */
  const lengths = new Uint32Array((old.length + 1) * width);
  const lengthAt = (a: number, b: number): number => lengths[a * width + b] ?? 0;
  for (let a = old.length - 1; a >= 0; a--) {
    for (let b = changed.length - 1; b >= 0; b--) {
      const isSame = old[a] === changed[b];
      lengths[a * width + b] = isSame ? lengthAt(a + 1, b + 1) + 1 : Math.max(lengthAt(a + 1, b), lengthAt(a, b + 1));
    }
  }
  const lines: Compared[] = [];
  let [a, b] = [0, 0];
  while (a < old.length || b < changed.length) {
    const [before, after] = [old[a], changed[b]];
    if (before !== undefined && before === after) {
      lines.push({ kind: "same", text: before });
      [a, b] = [a + 1, b + 1];
    } else if (before !== undefined && (after === undefined || lengthAt(a + 1, b) >= lengthAt(a, b + 1))) {
      lines.push({ kind: "removed", text: before });
      a += 1;
    } else {
      lines.push({ kind: "added", text: after ?? "" });
      b += 1;
    }
  }
  return lines;
}

function withNumbers(lines: readonly Compared[], isWhole: boolean): readonly DiffLine[] {
  if (!isWhole) return lines;
  let [old, changed] = [0, 0];
  return lines.map((line) => {
    if (line.kind !== "added") old += 1;
    if (line.kind !== "removed") changed += 1;
    return { ...line, line: line.kind === "removed" ? old : changed };
  });
}

/** The lines that change and those around them. A gap stands for others before and between them. */
function nearChanges(lines: readonly DiffLine[]): readonly DiffLine[] {
  const shown: DiffLine[] = [];
  let end = 0;
  for (const [index, { kind }] of lines.entries()) {
    if (kind === "same") continue;
    const start = Math.max(end, index - CONTEXT);
    const kept = lines.slice(end, Math.min(end + (shown.length > 0 ? CONTEXT : 0), start));
    shown.push(...kept);
    if (start > end + kept.length) shown.push({ kind: "gap", text: "" });
    shown.push(...lines.slice(start, index + 1));
    end = index + 1;
  }
  return shown.length === 0 ? shown : [...shown, ...lines.slice(end, end + CONTEXT)];
}

function replacement(before: string, after: string, isWhole: boolean): FileDiff {
  const [removed, added] = [countLines(before), countLines(after)];
  const numbered = (kind: "added" | "removed") => (text: string, index: number) =>
    isWhole ? { kind, text, line: index + 1 } : { kind, text };
  const lines = [...firstLines(before).map(numbered("removed")), ...firstLines(after).map(numbered("added"))].slice(
    0,
    MAX_LINES,
  );
  return { path: "", lines, omitted: removed + added - lines.length, added, removed };
}

function firstLines(text: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length && lines.length < MAX_LINES; ) {
    const feed = text.indexOf("\n", at);
    const end = feed === -1 ? text.length : feed;
    lines.push(text.slice(at, end));
    at = end + 1;
  }
  return lines;
}

/** The files of a patch: a unified diff, also of git, or a patch as some models write it, with lines such as `*** Update File: a.ts`. None of a patch that is too long. */
export function readPatch(patch: string): readonly FileDiff[] {
  if (patch.length > MAX_PATCH) return [];
  const files: FileDiff[] = [];
  let [path, reader] = ["", new DiffReader()];
  const begin = (name: string): void => {
    if (!reader.isEmpty) files.push(reader.finish(path));
    [path, reader] = [name, new DiffReader()];
  };
  const lines = linesOf(withLineFeeds(patch));
  for (let at = 0; at < lines.length; at++) {
    const [line = "", next = ""] = [lines[at], lines[at + 1]];
    const [, modelFile] = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/.exec(line) ?? [];
    if (reader.isInsideHunk) reader.line(line);
    else if (modelFile !== undefined) begin(modelFile);
    else if (line.startsWith("--- ") && next.startsWith("+++ ")) {
      begin(fileName(next) ?? fileName(line) ?? "");
      at += 1;
    } else if (line.startsWith("@@")) reader.hunk(hunkOf(line));
    else if (!line.startsWith("***")) reader.line(line);
  }
  begin("");
  return files;
}

/** The name in a line such as `+++ b/src/a.ts`. Undefined for a file that does not exist. */
function fileName(line: string): string | undefined {
  const [name = ""] = line.slice(4).split("\t");
  return name === "/dev/null" ? undefined : name.replace(/^[ab]\//, "");
}

interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly oldLines: number;
  readonly newLines: number;
}

/** Undefined for the mark of a hunk that does not say where it is. */
function hunkOf(line: string): Hunk | undefined {
  const [, oldStart, oldLines = "1", newStart, newLines = "1"] =
    /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/.exec(line) ?? [];
  if (oldStart === undefined) return undefined;
  return {
    oldStart: Number(oldStart),
    newStart: Number(newStart),
    oldLines: Number(oldLines),
    newLines: Number(newLines),
  };
}

/** Collects the lines of one file. */
class DiffReader {
  readonly #lines: DiffLine[] = [];
  #added = 0;
  #removed = 0;
  #omitted = 0;
  #old = 1;
  #new = 1;
  /** The lines that the current hunk still has. Undefined if it does not say how many. */
  #left: { old: number; new: number } | undefined;
  #isNumbered = false;

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  get isInsideHunk(): boolean {
    return this.#left !== undefined && (this.#left.old > 0 || this.#left.new > 0);
  }

  hunk(hunk: Hunk | undefined): void {
    if (!this.isEmpty || (hunk && hunk.newStart > 1)) this.#lines.push({ kind: "gap", text: "" });
    this.#isNumbered = hunk !== undefined;
    this.#left = hunk && { old: hunk.oldLines, new: hunk.newLines };
    [this.#old, this.#new] = [hunk?.oldStart ?? 1, hunk?.newStart ?? 1];
  }

  /** Adds a line of a hunk. Lines that begin otherwise are no part of one. */
  line(line: string): void {
    const text = line.slice(1);
    if (line.startsWith("+")) this.#add({ kind: "added", text }, this.#new++);
    else if (line.startsWith("-")) this.#add({ kind: "removed", text }, this.#old++);
    else if (line.startsWith(" ") || (line === "" && this.isInsideHunk)) {
      this.#old += 1;
      this.#add({ kind: "same", text }, this.#new++);
    }
  }

  finish(path: string): FileDiff {
    return { path, lines: this.#lines, omitted: this.#omitted, added: this.#added, removed: this.#removed };
  }

  #add(line: DiffLine, number: number): void {
    if (this.#lines.length >= MAX_LINES) this.#omitted += 1;
    else this.#lines.push(this.#isNumbered ? { ...line, line: number } : line);
    if (line.kind === "added") this.#added += 1;
    if (line.kind === "removed") this.#removed += 1;
    if (this.#left && line.kind !== "added") this.#left.old -= 1;
    if (this.#left && line.kind !== "removed") this.#left.new -= 1;
  }
}

/** An empty rest after the last line feed is not a line. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
