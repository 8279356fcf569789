/**
 * Translates the lines of an ignore file so that the `ignore` package reads them like ripgrep: names are bytes, braces
 * are alternatives, there are no classes such as `[:alpha:]`, and a single `!` unignores everything.
 */
export function ignoreLines(text: string): string[] {
  let alternatives = 0;
  return asBytes(text.replace(/^\uFEFF/, ""))
    .split(/\r?\n/)
    .filter((line) => line.length <= MAX_LINE)
    .map((line) => (line === "!" ? "!*" : withPlainClasses(line)))
    .flatMap((line) => {
      if (!/[{}]/.test(line) || line.startsWith("#")) return line;
      const lines = withoutBraces(line).slice(0, MAX_ALTERNATIVES_OF_FILE - alternatives);
      alternatives += lines.length;
      return lines;
    })
    .filter((line) => line.split("**/").length - 1 <= MAX_FOLDER_STARS);
}

/** A longer line has no effect. The time to read it grows with the square of its length. */
const MAX_LINE = 1_000;
/** A line with more wildcards for folders (two stars and a slash) has no effect. With each, the time to match a path is multiplied by the number of its folders. */
const MAX_FOLDER_STARS = 2;
/** Each path is matched with each of them. */
const MAX_ALTERNATIVES_OF_FILE = 10_000;

function withPlainClasses(line: string): string {
  return line.replace(ESCAPE_OR_SET, (token) => token.replace(/(?<=.)\[:/g, "\\[:"));
}

const ESCAPE_OR_SET = /\\.|\[[!^]?\]?[^\]]*\]/gs;

/** A text with one character per byte. */
export function asBytes(text: string): string {
  return /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text).toString("latin1");
}

/** Expands braces to one line per alternative. A line with an unclosed brace has no effect. */
function withoutBraces(line: string): string[] {
  const [, not = "", pattern = ""] = /^(!?)(.*)$/s.exec(line) ?? [];
  const isAnchored = pattern.slice(0, -1).includes("/");
  return choices(pattern).map((each) => {
    const isLoose = isAnchored && !each.slice(0, -1).includes("/");
    return `${not}${isLoose ? "/" : ""}${each}`;
  });
}

const MAX_ALTERNATIVES = 1_000;

function choices(pattern: string): string[] {
  const found = firstBraces(pattern);
  if (found === "none") return [pattern];
  if (found === "broken") return [];
  const { before, parts, after } = found;
  const rest = choices(after);
  return parts
    .flatMap(choices)
    .flatMap((part) => rest.map((end) => before + part + end))
    .slice(0, MAX_ALTERNATIVES);
}

interface Braces {
  readonly before: string;
  readonly parts: readonly string[];
  readonly after: string;
}

function firstBraces(pattern: string): Braces | "none" | "broken" {
  let depth = 0;
  let open = -1;
  let from = 0;
  const parts: string[] = [];
  for (const { 0: token, index } of pattern.matchAll(/\\.|\[[!^]?\]?[^\]]*\]|[{},]/gs)) {
    if (token === "{" && depth++ === 0) [open, from] = [index, index + 1];
    if (token === "," && depth === 1) [from] = [index + 1, parts.push(pattern.slice(from, index))];
    if (token !== "}") continue;
    if (depth === 0) return "broken";
    if (--depth > 0) continue;
    parts.push(pattern.slice(from, index));
    return { before: pattern.slice(0, open), parts, after: pattern.slice(index + 1) };
  }
  return depth > 0 ? "broken" : "none";
}
