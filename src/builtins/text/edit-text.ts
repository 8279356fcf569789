import { ToolError } from "../../index.ts";
import { replaceSpans, withLineFeeds } from "../../platform/text/line-breaks.ts";
import { nearestLines } from "./nearest-lines.ts";
import { joinWords } from "./open-existing.ts";

export interface Edit {
  /** The path as the model wrote it. */
  readonly displayName: string;
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
}

/** The error of an edit that is invalid for any file. */
export function invalidEdit({ oldString, newString }: Edit): ToolError | undefined {
  if (plain(oldString) === "")
    return failed("oldString is empty. Send the text to replace, or use write to make a new file or to rewrite one.");
  if (oldString === newString) return failed("oldString and newString are the same, so there is nothing to change.");
  if (plain(oldString) !== plain(newString)) return undefined;
  return failed(
    "oldString and newString differ only in their line endings or a byte order mark, which edit keeps as they are in the file. Convert them with bash.",
  );
}

/** Uses line feeds, and removes a byte order mark. */
function plain(text: string): string {
  return withLineFeeds(text.replace(/^\uFEFF/, ""));
}

/**
 * Applies the edit. Returns the new text and the line numbers of the replacements. Throws when `oldString` is missing
 * or ambiguous.
 */
export function editText(text: string, edit: Edit): { text: string; lines: number[] } {
  const normalized = withLineFeeds(text);
  const wanted = plain(edit.oldString);
  const found = findAll(normalized, wanted, MAX_PLACES + 1);
  if (found.length === 0) throw notFound(normalized, wanted, edit);
  if (found.length > MAX_PLACES) throw tooMany(edit);
  if (found.length > 1 && !edit.replaceAll) throw notUnique(found, edit);
  const newText = plain(edit.newString);
  const replacements = found.map(({ start }) => ({ start, end: start + wanted.length, text: newText }));
  return { text: replaceSpans(text, replacements), lines: found.map(({ line }) => line) };
}

/** More replacements would take too much memory. */
const MAX_PLACES = 100_000;

function tooMany({ displayName }: Edit): ToolError {
  return failed(
    `oldString occurs more than ${MAX_PLACES} times in "${displayName}". Nothing was changed. Send more of the text around the one you mean, or replace them all with a program, through bash.`,
  );
}

const MAX_NAMED = 10;

function notUnique(found: readonly Found[], { displayName }: Edit): ToolError {
  const lines = [...new Set(found.map(({ line }) => String(line)))];
  const more = lines.length > MAX_NAMED ? [`${lines.length - MAX_NAMED} more`] : [];
  const where = joinWords([...lines.slice(0, MAX_NAMED), ...more], "and");
  return failed(
    `oldString occurs ${found.length} times in "${displayName}", at ${lines.length === 1 ? "line" : "lines"} ${where}. Nothing was changed. Send more of the text around the one you mean, so that it occurs once, or set replaceAll to replace them all.`,
  );
}

/** Searching larger texts for similar lines takes too long. */
const MAX_SEARCHED = 1_000_000;

function notFound(normalized: string, wanted: string, { displayName }: Edit): ToolError {
  const head = `oldString does not occur in "${displayName}". Nothing was changed.`;
  const mistake = commonMistake(normalized, wanted);
  if (mistake) return failed(`${head} ${mistake}`);
  if (normalized.length > MAX_SEARCHED)
    return failed(`${head} Find the place with grep, and copy the text from there.`);
  const near = nearestLines(normalized, wanted);
  if (!near) return failed(`${head} No similar text is in the file. Read the file, and copy the text from there.`);
  const which = near.difference ? `These lines differ only in ${near.difference}:` : "The nearest lines are:";
  const lines = near.lines.map((line, index) => `${String(near.line + index).padStart(6)}\t${short(line)}`);
  return failed([`${head} ${which}`, ...lines, "Copy the text exactly as shown, without the line numbers."].join("\n"));
}

/** Detects common mistakes: the text is in the file without the mistake. */
function commonMistake(normalized: string, wanted: string): string | undefined {
  const unnumbered = wanted.replace(/^ *\d+\t/gm, "");
  if (unnumbered !== wanted && unnumbered.trim() !== "" && normalized.includes(unnumbered)) {
    return "Its lines begin with the line numbers that read shows, which are not in the file: leave them out.";
  }
  const unescaped = wanted.replace(/\\([nt"'\\])/g, (_, letter: string) => ESCAPES[letter] ?? letter);
  if (unescaped !== wanted && normalized.includes(unescaped)) {
    return 'It is escaped once too often: send line breaks, tabs and quotes themselves, not \\n, \\t and \\".';
  }
  return undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t" };

function short(line: string): string {
  return line.length > 300 ? `${line.slice(0, 300).toWellFormed()} …` : line;
}

function failed(message: string): ToolError {
  return new ToolError("failed", message);
}

interface Found {
  /** The offset in the text with line feeds. */
  readonly start: number;
  /** The line number, counted from 1. */
  readonly line: number;
}

/** Finds at most `limit` occurrences without overlaps. Both texts have line feeds. */
function findAll(normalized: string, wanted: string, limit: number): Found[] {
  const found: Found[] = [];
  let line = 1;
  // Searched once per line: one line may have many occurrences.
  let lineEnd = normalized.indexOf("\n");
  for (let start = normalized.indexOf(wanted); start >= 0; start = normalized.indexOf(wanted, start + wanted.length)) {
    for (; lineEnd >= 0 && lineEnd < start; lineEnd = normalized.indexOf("\n", lineEnd + 1)) line += 1;
    found.push({ start, line });
    if (found.length === limit) break;
  }
  return found;
}
