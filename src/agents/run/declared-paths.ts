import { resolve } from "node:path";
import { accessPath } from "./access-path.ts";

/** Keys of an input, in lower case without `_` and `-`, whose values are paths of files. */
const PATH_KEY = /^(?:(?!relative)\w*paths?|files?|filenames?|targetfile)$/;
/** Keys whose values may be paths, too. They count as paths, but what leads elsewhere there is not known to be one. */
const LIKELY_PATH_KEY =
  /^(?:\w*(?<!pro)files?|\w*filenames?|filelist|\w*(?:uri|destination)s?|dest|dst|output|out|saveas|(?:sym)?link|renameto|new(?:name|location)|notebook)$/;
/** Keys that name both files of a move. In other calls, their values may be text. */
const MOVE_KEY = /^(?:from|to|old|new|source|destination|src|dest|dst)$/;
const LIKELY_MOVE_KEY = /^(?:target|name|location|old(?:name|location))$/;
/** Keys of objects whose keys are paths. */
const KEYED_BY_PATH = /^(?:changes|documentchanges|edits|files)$/;
/** Keys that name the directory of a call, or the machine that it runs on. */
const DIRECTORY_KEY =
  /^(?:\w*(?:cwd|pwd|chdir|dir|directory|dirpath|folder|worktree|workspace|root)|cd|wd|location|project|prefix|host|hostname|container)$/;
/** Keys of patterns for the files of a search. */
const GLOB_KEY = /(?:glob|pattern|include|exclude|filter|file)s?$/;
/** Keys of texts, which may look like paths. */
const TEXT_KEY =
  /(?:content|text|str|string|code|(?:^|new|old)source|patch|diff|description|explanation|instruction|reason|justification|title|prompt|question|message|comment|thought|query|pattern|regex|command|cmd)s?$|^(?:old|new|replacement)$/;
/** Keys of what a command gets besides its text. */
const COMMAND_KEY =
  /^(?:args?|argv|arguments|env|environment|stdin|input|shell|scripts?|cmds?|commands|executable|interpreter)$/;
/** A path that is absolute or leaves its folder, or a URI. */
const ANYWHERE = /^(?:[\\/~]|\w:[\\/]|file:|[a-z][\w+.-]*:\/\/)|(?:^|[\\/])\.\.(?:[\\/]|$)/i;
/** The headers of a patch of Codex. */
const PATCHED = /^[ \t]*\*\*\* (?:(?:Add|Update|Delete) File|Move to):(.+)$/gm;
/** Texts that are patches of other programs, and the headers of these. */
const PATCH_KEY = /(?:patch|diff)(?:text|content|string)?s?$/;
const UNIFIED = /^--- .*\r?\n\+\+\+ |^diff --git |^Index: /m;
const UNIFIED_HEADER = /^(?:--- |\+\+\+ |Index: |(?:rename|copy) (?:from|to) )([^\t\r\n]+)/gm;

/** All paths of files that the input of an agent's tool names, at any depth. */
export function namedPaths(input: unknown, kind?: "move"): string[] {
  const named = leaves(input).flatMap(({ key, value }) => [
    ...(isPathKey(key, kind) || isLikelyPathKey(key, kind) ? [value] : []),
    ...patchedPaths(key, value),
  ]);
  return [...pathsAsKeys(input), ...named];
}

/** The keys of an input that are paths, such as those of `changes` of Codex. */
function pathsAsKeys(value: unknown, above = ""): string[] {
  if (typeof value !== "object" || value === null || TEXT_KEY.test(above)) return [];
  if (Array.isArray(value)) return value.flatMap((item) => pathsAsKeys(item));
  const isPath = (key: string): boolean =>
    above === "changes" || ANYWHERE.test(key) || (KEYED_BY_PATH.test(above) && /[\\/.]/.test(key));
  return Object.entries(value).flatMap(([key, item]) => [
    ...(isPath(key) ? [key] : []),
    ...pathsAsKeys(item, plain(key)),
  ]);
}

function patchedPaths(key: string, value: string): string[] {
  if (value.includes("*** Begin Patch")) return [...value.matchAll(PATCHED)].map(([, path = ""]) => path.trim());
  if (!PATCH_KEY.test(key) || !UNIFIED.test(value)) return [];
  const paths = [...value.matchAll(UNIFIED_HEADER)].map(([, path = ""]) => path.trim().replace(/^[ab]\//, ""));
  return paths.filter((path) => path !== "/dev/null");
}

/** Whether an input names a directory for its call other than that of the session. */
export function runsElsewhere(input: unknown, directory: string): boolean {
  return leaves(input).some((leaf) => DIRECTORY_KEY.test(leaf.key) && isElsewhere(leaf, directory));
}

/**
 * Whether an input names another directory, or has a URI or a path out of its directory at a key that is not known. `declared` is
 * known: the command or URL of the call.
 */
export function leadsElsewhere(input: unknown, directory: string, kind?: "move", declared?: unknown): boolean {
  const isKnown = (key: string): boolean => TEXT_KEY.test(key) || isPathKey(key, kind);
  const mayLead = ({ key, value }: Leaf): boolean =>
    DIRECTORY_KEY.test(key) || (value !== declared && ANYWHERE.test(value.trim()));
  return leaves(input).some((leaf) => !isKnown(leaf.key) && mayLead(leaf) && isElsewhere(leaf, directory));
}

/** Whether an input has more than the text of a command: arguments, variables, input, or another text. */
export function hasMoreThan(command: string, input: unknown): boolean {
  return leaves(input).some(
    ({ keys, value }) => value !== "" && value !== command && keys.some((key) => COMMAND_KEY.test(plain(key))),
  );
}

/** Whether a pattern in the input of a search may match files outside of the folder in which the search begins. */
export function searchesElsewhere(input: unknown): boolean {
  return leaves(input).some(({ key, value }) => GLOB_KEY.test(key) && leavesFolder(value));
}

/** The parts of an input that decide where a call runs, and what a command gets: a later input does not take them back. */
export function lastingParts(input: unknown): Readonly<Record<string, string>>[] {
  return leaves(input).flatMap(({ key, value, keys }) => {
    const given = keys.map(plain).find((above) => COMMAND_KEY.test(above));
    const isLasting = given !== undefined || DIRECTORY_KEY.test(key) || (!TEXT_KEY.test(key) && ANYWHERE.test(value));
    return isLasting ? [{ [given ?? key]: value }] : [];
  });
}

function isPathKey(key: string, kind?: "move"): boolean {
  return PATH_KEY.test(key) || (kind === "move" && MOVE_KEY.test(key));
}

function isLikelyPathKey(key: string, kind?: "move"): boolean {
  return LIKELY_PATH_KEY.test(key) || (kind === "move" && LIKELY_MOVE_KEY.test(key));
}

function isElsewhere({ value }: Leaf, directory: string): boolean {
  return accessPath(value, directory) !== resolve(directory);
}

/** Whether a glob pattern may match files outside of the folder in which the search begins. */
export function leavesFolder(pattern: unknown): boolean {
  return typeof pattern !== "string" || /\.\.|(?:^|[{(,|])\s*(?:[\\/~]|\w:)/.test(pattern);
}

/** A value of an input that contains no others. Items of a list have the key of the list. */
interface Leaf {
  readonly key: string;
  readonly value: string;
  /** All keys above, as they are written. */
  readonly keys: readonly string[];
}

function leaves(value: unknown, keys: readonly string[] = []): Leaf[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => leaves(item, keys));
  if (typeof value === "object") return Object.entries(value).flatMap(([key, item]) => leaves(item, [...keys, key]));
  // What is no text cannot be a certain path: see `accessPath`.
  return [{ key: plain(keys.at(-1) ?? ""), value: typeof value === "string" ? value : "", keys }];
}

function plain(key: string): string {
  return key.replace(/[_-]/g, "").toLowerCase();
}
