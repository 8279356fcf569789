import { ToolError } from "../../index.ts";
import { type Found, findAll, replaceFound } from "./find-text.ts";
import { withLineFeeds } from "./line-breaks.ts";
import { nearestLines } from "./nearest-lines.ts";
import { list } from "./open-existing.ts";

/** An edit as a model sends it. */
export interface Edit {
  /** The file as the model calls it. */
  readonly said: string;
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
}

/** What is wrong with an edit whatever the file holds, if anything. */
export function notEdit({ oldString, newString }: Edit): ToolError | undefined {
  if (plain(oldString) === "")
    return failed("oldString is empty. Send the text to replace, or use write to make a new file or to rewrite one.");
  if (oldString === newString) return failed("oldString and newString are the same, so there is nothing to change.");
  if (plain(oldString) !== plain(newString)) return undefined;
  return failed(
    "oldString and newString differ only in their line endings or a byte order mark, which edit keeps as they are in the file. Convert them with bash.",
  );
}

/** A text as it is searched for: with line feeds, and without the mark that some files begin with. */
function plain(text: string): string {
  return withLineFeeds(text.replace(/^\uFEFF/, ""));
}

/** The text with the edit made, and the lines it was made at, counted from 1. Throws with what to send instead. */
export function editText(text: string, edit: Edit): { text: string; lines: number[] } {
  const feeds = withLineFeeds(text);
  const wanted = plain(edit.oldString);
  const found = findAll(feeds, wanted, MOST_PLACES + 1);
  if (found.length === 0) throw notFound(feeds, wanted, edit);
  if (found.length > MOST_PLACES) throw tooMany(edit);
  if (found.length > 1 && !edit.replaceAll) throw notUnique(found, edit);
  return { text: replaceFound(text, found, wanted, plain(edit.newString)), lines: found.map(({ line }) => line) };
}

/** To replace more takes more memory than other calls can spare. */
const MOST_PLACES = 100_000;

function tooMany({ said }: Edit): ToolError {
  return failed(
    `oldString occurs more than ${MOST_PLACES} times in "${said}". Nothing was changed. Send more of the text around the one you mean, or replace them all with a program, through bash.`,
  );
}

const MOST_NAMED = 10;

function notUnique(found: readonly Found[], { said }: Edit): ToolError {
  const lines = [...new Set(found.map(({ line }) => String(line)))];
  const more = lines.length > MOST_NAMED ? [`${lines.length - MOST_NAMED} more`] : [];
  const where = list([...lines.slice(0, MOST_NAMED), ...more], "and");
  return failed(
    `oldString occurs ${found.length} times in "${said}", at ${lines.length === 1 ? "line" : "lines"} ${where}. Nothing was changed. Send more of the text around the one you mean, so that it occurs once, or set replaceAll to replace them all.`,
  );
}

/** Of larger texts the nearest lines are not looked for: it would take longer than reading them. */
const MOST_SEARCHED = 1_000_000;

function notFound(feeds: string, wanted: string, { said }: Edit): ToolError {
  const head = `oldString does not occur in "${said}". Nothing was changed.`;
  const slip = slipOf(feeds, wanted);
  if (slip) return failed(`${head} ${slip}`);
  if (feeds.length > MOST_SEARCHED) return failed(`${head} Find the place with grep, and copy the text from there.`);
  const near = nearestLines(feeds, wanted);
  if (!near) return failed(`${head} Nothing in it is like it. Read the file, and copy the text from there.`);
  const which = near.difference ? `These lines differ only in ${near.difference}:` : "The nearest lines are:";
  const lines = near.lines.map((line, index) => `${String(near.line + index).padStart(6)}\t${short(line)}`);
  return failed(
    [`${head} ${which}`, ...lines, "Copy the text exactly as it stands there, without the line numbers."].join("\n"),
  );
}

/** A slip that models make, if without it the text would be found. */
function slipOf(feeds: string, wanted: string): string | undefined {
  const unnumbered = wanted.replace(/^ *\d+\t/gm, "");
  if (unnumbered !== wanted && unnumbered.trim() !== "" && feeds.includes(unnumbered)) {
    return "It begins its lines with the line numbers that read shows, which are not in the file: leave them out.";
  }
  const unescaped = wanted.replace(/\\([nt"'\\])/g, (_, letter: string) => ESCAPES[letter] ?? letter);
  if (unescaped !== wanted && feeds.includes(unescaped)) {
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
