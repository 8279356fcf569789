import { resolve } from "node:path";
import { accessPath } from "./access-path.ts";

/** Keys of an input, in lower case without `_` and `-`, whose values are paths of files. */
const PATH_KEY = /^(?:(?!relative)\w*paths?|files?|filenames?|targetfile)$/;
/** Keys that name both files of a move. In other calls, their values may be text. */
const MOVE_KEY = /^(?:from|to|old|new|source|destination|src|dest|dst)$/;
/** Keys that name the directory of a command. */
const DIRECTORY_KEY = /^(?:cwd|workdir|working(?:dir|directory)|dir|directory|dirpath|folder)$/;
/** The headers of a patch. */
const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\r?$/gm;

/** All paths of files that the input of an agent's tool names, at any depth. */
export function namedPaths(input: unknown, kind?: "move"): string[] {
  return leaves(input).flatMap(({ key, value, keys }) => {
    // Codex: `changes` has the paths as keys.
    const changed = keys.flatMap((above, index) => (keys[index - 1] === "changes" ? [above] : []));
    const isPath = PATH_KEY.test(key) || (kind === "move" && MOVE_KEY.test(key));
    const patched = value.includes("*** Begin Patch") ? [...value.matchAll(PATCHED)].map(([, path = ""]) => path) : [];
    return [...changed, ...(isPath ? [value] : []), ...patched];
  });
}

/** Whether an input names a directory for its command other than that of the session. */
export function runsElsewhere(input: unknown, directory: string): boolean {
  const here = resolve(directory);
  return leaves(input).some(({ key, value }) => DIRECTORY_KEY.test(key) && accessPath(value, directory) !== here);
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
  const key = (keys.at(-1) ?? "").replace(/[_-]/g, "").toLowerCase();
  // What is no text cannot be a certain path: see `accessPath`.
  return [{ key, value: typeof value === "string" ? value : "", keys }];
}
