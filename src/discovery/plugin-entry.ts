import { statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { isObject } from "../core/is-object.ts";
import { tryOrUndefined } from "../core/try-or-undefined.ts";
import { isInside } from "../files/inside.ts";
import { realPath } from "../files/real-path.ts";
import { type Candidate, INDEX_FILES } from "./candidates.ts";
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
    .find((path) => isFile(path) && isInside(root, realPath(path) ?? ""));
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
  return [...subpaths.map(importedPath), module, main].filter(
    (path) => typeof path === "string" && path !== "",
  ) as string[];
}

const CONDITIONS = ["import", "node", "bun", "default", "require"];

function importedPath(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isObject(value)) return undefined;
  for (const condition of CONDITIONS) {
    const path = importedPath(value[condition]);
    if (path !== undefined) return path;
  }
  return undefined;
}

function isFile(path: string): boolean {
  return tryOrUndefined(() => statSync(path).isFile()) ?? false;
}
