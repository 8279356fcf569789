import { resolve } from "node:path";
import { accessPath } from "./access-path.ts";

/** Keys of an input, in lower case without `_` and `-`, whose values are paths of files. */
const PATH_KEY = /^(?:(?!relative)\w*paths?|files?|filenames?|targetfile)$/;
/** Keys that name both files of a move. In other calls, their values may be text. */
const MOVE_KEY = /^(?:from|to|old|new|source|destination|src|dest|dst)$/;
/** Keys that name the directory of a call. */
const DIRECTORY_KEY = /^(?:\w*(?:cwd|pwd|chdir|dir|directory|dirpath|folder)|cd|root)$/;
/** Keys of texts, which may look like paths. */
const TEXT_KEY =
  /(?:content|text|str|string|code|(?:^|new|old)source|patch|diff|description|explanation|instruction|reason|justification|title|prompt|question|message|comment|thought|query|pattern|regex|command|cmd)s?$|^(?:old|new|replacement)$/;
/** Keys of what a command gets besides its text. */
const COMMAND_KEY =
  /^(?:args?|argv|arguments|env|environment|stdin|input|shell|scripts?|cmds?|commands|executable|interpreter)$/;
/** A path that is absolute or leaves its folder, or a URI. */
const ANYWHERE = /^(?:[\\/~]|\w:[\\/]|file:|[a-z][\w+.-]*:\/\/)|(?:^|[\\/])\.\.(?:[\\/]|$)/i;
/** The headers of a patch. */
const PATCHED = /^[ \t]*\*\*\* (?:(?:Add|Update|Delete) File|Move to):(.+)$/gm;

/** All paths of files that the input of an agent's tool names, at any depth. */
export function namedPaths(input: unknown, kind?: "move"): string[] {
  return leaves(input).flatMap(({ key, value, keys }) => {
    // Codex: `changes` has the paths as keys.
    const changed = keys.flatMap((above, index) => (keys[index - 1] === "changes" ? [above] : []));
    const patched = value.includes("*** Begin Patch")
      ? [...value.matchAll(PATCHED)].map(([, path = ""]) => path.trim())
      : [];
    return [...changed, ...(isPathKey(key, kind) ? [value] : []), ...patched];
  });
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

function isPathKey(key: string, kind?: "move"): boolean {
  return PATH_KEY.test(key) || (kind === "move" && MOVE_KEY.test(key));
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
