/** Stands for text that is known only when the command runs, such as the value of a variable. */
const UNKNOWN = "\0";
const WORKING_DIRECTORY = /\$PWD\b|\$\{PWD\}|\$\(pwd\)|`pwd`/g;
/** The builtin `.` of shells, as opposed to the folder. */
const SOURCE = /(^|[;&|({\n]|\b(?:then|do|else)\b)\s*\.[ \t]+(?=\S)/g;
const VARIABLE = /\$(?:\w+|\{\w+\}|[@*#?$!-])?|%\w+%/g;
/** A word of a shell: text in any mix of quotes. */
const SHELL_WORD = /(?:"(?:\\[\s\S]|[^"\\])*"|'[^']*'|\\[\s\S]|[^\s"'\\;|&<>()])+/g;
const QUOTED = /"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|\\([\s\S])/g;
/** What separates paths, in a shell, in lists of folders, before the name of a file of arguments (`@`), and in most languages. */
const BETWEEN = /[\s"';|&<>,=:@!]+/;
const WILDCARD = /[*?\0]|\[(?:\[:\w+:\]|[^\]\s])+\]/;
const WILDCARDS = new RegExp(`(?:${WILDCARD.source})(?:.*(?:${WILDCARD.source}))?`, "s");

const MAX_WORDS = 20_000;
const MAX_LENGTH = 300;

/**
 * The paths that a command line, or a program with its arguments, may name: every word that could be one, also in quotes and in
 * lists, as absolute paths and paths relative to its folder. A path with wildcards or variables ends before them. At the beginning,
 * wildcards become `*`, and of a path that begins with a variable, `~`, `/` or `..`, all its ends count.
 */
export function pathsIn(command: string | readonly string[]): string[] {
  const parts = typeof command === "string" ? [command] : command;
  const words = parts.flatMap((part) => [
    ...(part === command ? [] : [part]),
    ...wordsIn(
      part
        .replace(/\\\r?\n/g, "")
        .replace(WORKING_DIRECTORY, ".")
        .replace(SOURCE, "$1 source "),
    ),
  ]);
  return [...new Set(words.slice(0, MAX_WORDS).flatMap(spellings).flatMap(knownParts))];
}

/** The words of a text, the words in those that are quoted, and their parts. */
function wordsIn(text: string): string[] {
  const words = [...text.matchAll(SHELL_WORD)].map(([word]) => unquoted(word));
  const inner = words.flatMap((word) => (word === text ? [] : wordsIn(word)));
  const marked = text
    .replace(VARIABLE, UNKNOWN)
    .replace(/`([^`]*)`?/g, `${UNKNOWN} $1 ${UNKNOWN}`)
    .replace(/[({]/g, `${UNKNOWN} `)
    .replace(/[)}]/g, ` ${UNKNOWN}`);
  return [...words, ...inner, ...marked.split(BETWEEN)];
}

function unquoted(word: string): string {
  return word.replace(QUOTED, (_, double?: string, single?: string, escaped?: string) =>
    double === undefined ? (single ?? escaped ?? "") : double.replace(/\\([\s\S])/g, "$1"),
  );
}

/** A word may be the value of an option (`-Ilib`, `-wIlib`), or a module of Python, which also runs its packages. */
function spellings(word: string): string[] {
  if (word.length > MAX_LENGTH) return [];
  // Go reads "..." as all folders.
  const path = word
    .replace(VARIABLE, UNKNOWN)
    .replaceAll("\\", "/")
    .replace(/(?<=\/)\.\.\.$/, "*");
  const option = /^-+(.*)$/s.exec(path)?.[1];
  const modules = /^\w+(?:\.\w+)+$/.test(path) ? [path.replaceAll(".", "/"), path.replace(/\..*/, "")] : [];
  return [path, ...(option === undefined ? [] : [option, option.slice(1), option.slice(2)]), ...modules];
}

function knownParts(path: string): string[] {
  const segments = path.split("/");
  const isAnchored = !/^(?:~.*|\0+|\.\.|)$/s.test(segments[0] ?? "");
  if (isAnchored) return [beforeWildcard(segments)];
  const ends = segments.map((_, index) => beforeWildcard(segments.slice(index + 1)));
  return [...(WILDCARD.test(path) ? [] : [path]), ...ends].filter(
    (each) => !/^(?:\0|\*?$)/.test(each) && /[^/]/.test(each),
  );
}

function beforeWildcard(segments: readonly string[]): string {
  const at = segments.findIndex((segment) => WILDCARD.test(segment));
  if (at === 0) return (segments[0] ?? "").replace(WILDCARDS, "*");
  return at < 0 ? segments.join("/") : segments.slice(0, at).join("/");
}
