import { basename, dirname, join, resolve } from "node:path";
import { INDEX_FILES } from "../../platform/files/index-files.ts";
import { isInside } from "../../platform/files/inside.ts";
import { isFile } from "../../platform/files/is-folder.ts";
import { packageFile } from "../../platform/files/package-files.ts";
import { realPath } from "../../platform/files/real-path.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import type { Candidate } from "./candidates.ts";
import { readText } from "./read-config-file.ts";

/**
 * The file that OpenCode imports from the folder of a plugin: the entry in its package.json, else its index file. Undefined
 * if there is none in the folder. `untrusted` is the root of an untrusted project.
 */
export function pluginEntry(folder: string, untrusted?: string): string | undefined {
  const root = realPath(folder);
  if (root === undefined) return undefined;
  const manifest = tryOrUndefined<unknown>(() => JSON.parse(readText(join(folder, "package.json"), untrusted) ?? ""));
  return [...(isObject(manifest) ? entriesOf(manifest) : []), ...INDEX_FILES]
    .flatMap((name) => [name, ...ENDINGS.map((ending) => name + ending)])
    .map((name) => resolve(folder, name))
    .find((path) => isInside(folder, path) && isFileIn(root, realPath(path)));
}

/** The same as a tool file with the name of the folder. */
export function pluginCandidate(folder: string, untrusted?: string): Candidate | undefined {
  const file = pluginEntry(folder, untrusted);
  return file === undefined ? undefined : { file, name: basename(folder), real: realPath(file) ?? file };
}

/** A path in package.json may omit these. */
const ENDINGS = [".js", ".ts", "/index.js", "/index.ts"];

/** OpenCode first looks for a subpath "server". */
function entriesOf({ exports, module, main }: Record<string, unknown>): string[] {
  const subpaths = isObject(exports) ? [exports["./server"], "." in exports ? exports["."] : exports] : [exports];
  return [...subpaths.map((subpath) => importedPath(subpath)), module, main].filter(
    (path) => typeof path === "string" && path !== "",
  ) as string[];
}

const CONDITIONS = ["import", "node", "bun", "default", "require"];

/** Conditions may be nested. */
const MAX_DEPTH = 20;

function importedPath(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return value;
  if (!isObject(value) || depth > MAX_DEPTH) return undefined;
  for (const condition of CONDITIONS) {
    const path = importedPath(value[condition], depth + 1);
    if (path !== undefined) return path;
  }
  return undefined;
}

/** Looks only at files in the folder: an untrusted project can name any path. */
function isFileIn(root: string, real: string | undefined): boolean {
  return real !== undefined && isInside(root, real) && isFile(real);
}

/** Files of this package are never plugins: a toolbox would contain itself. */
export function isOurs(file: string): boolean {
  return isInside(dirname(packageFile("index")), realPath(file) ?? file);
}
