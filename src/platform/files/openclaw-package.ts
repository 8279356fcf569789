import { dirname, extname, join, normalize, resolve, sep } from "node:path";
import { isObject } from "../values/is-object.ts";
import { tryOrUndefined } from "../values/try-or-undefined.ts";
import { INDEX_FILES } from "./index-files.ts";
import { isInside } from "./inside.ts";
import { isFile, isFolder } from "./is-folder.ts";
import { readTextFile } from "./read-text-file.ts";
import { realPath } from "./real-path.ts";

/** The manifest in the folder of a plugin of OpenClaw. */
export const OPENCLAW_MANIFEST = "openclaw.plugin.json";

/** A folder with a plugin of OpenClaw. */
export interface OpenClawPackage {
  readonly folder: string;
  /** The absolute paths of the files that OpenClaw loads. A plugin that consists of skills has none. */
  readonly entries: readonly string[];
  /** The entries in package.json that name no file. */
  readonly missing: readonly string[];
  /** How many entries are not looked for, because there are too many. */
  readonly omitted: number;
}

/** The most entries of one package. Each may cost dozens of system calls, and an untrusted project writes the list. */
const MAX_ENTRIES = 100;
const MAX_BYTES = 10_000_000;

/**
 * The plugin of OpenClaw in a folder: one with its manifest, or with `openclaw.extensions` in package.json. Of an entry that is
 * not built, the source is used. `untrusted` is the root of an untrusted project: links out of it are not followed. Never throws.
 */
export function openClawPackage(folder: string, untrusted?: string): OpenClawPackage | undefined {
  const { openclaw, main } = jsonIn(join(folder, "package.json"), untrusted);
  const { extensions, runtimeExtensions } = isObject(openclaw) ? openclaw : {};
  const all = textsIn(extensions);
  const named = all.slice(0, MAX_ENTRIES);
  if (named.length === 0 && !isFile(join(folder, OPENCLAW_MANIFEST))) return undefined;
  const real = realPath(folder) ?? folder;
  const find = (paths: readonly string[]): string | undefined => paths.find((path) => isFileIn(folder, real, path));
  if (named.length === 0) {
    const found = find([...INDEX_FILES, ...textsIn([main]).flatMap(variantsOf), ...SOURCES].map(inFolder(folder)));
    return { folder, entries: found === undefined ? [] : [found], missing: [], omitted: 0 };
  }
  const built = textsIn(runtimeExtensions);
  const found = named.map((path, at) => {
    const alternatives = [path, ...built.slice(at, at + 1)].flatMap(variantsOf);
    return find([...alternatives, ...(isBuilt(path) ? SOURCES : [])].map(inFolder(folder)));
  });
  return {
    folder,
    entries: [...new Set(found.flatMap((file) => file ?? []))],
    missing: named.filter((_, at) => found[at] === undefined),
    omitted: all.length - named.length,
  };
}

/** How many folders above a file are searched for the plugin that it belongs to. */
const MAX_LEVELS = 5;

/** The plugin of OpenClaw that loads a file. Never throws. */
export function openClawPackageOf(file: string): OpenClawPackage | undefined {
  const real = realPath(file) ?? file;
  for (let [folder, level] = [dirname(file), 0]; level < MAX_LEVELS; [folder, level] = [dirname(folder), level + 1]) {
    const found = openClawPackage(folder);
    if (found?.entries.some((entry) => entry === file || realPath(entry) === real)) return found;
    if (found || dirname(folder) === folder) return undefined;
  }
  return undefined;
}

function jsonIn(file: string, untrusted: string | undefined): Record<string, unknown> {
  const read = readTextFile(file, { largest: MAX_BYTES, untrusted });
  const value: unknown = read.kind === "text" ? tryOrUndefined(() => JSON.parse(read.text)) : undefined;
  return isObject(value) ? value : {};
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string" && each !== "") : [];
}

const inFolder =
  (folder: string) =>
  (path: string): string =>
    resolve(folder, path);

/** The folders of built files. */
const BUILT = /^(?:\.?dist|build|lib|out|\.output)$/;
const ENDINGS = [".ts", ".mts", ".js", ".mjs", ".cjs"];
/** Where most plugins have their source. */
const SOURCES = ["src", "."].flatMap((folder) => INDEX_FILES.map((name) => join(folder, name)));

function isBuilt(path: string): boolean {
  const [first = ""] = normalize(path).split(sep);
  return BUILT.test(first);
}

/** The file that a path names, also without its ending, the index file of a folder, and the sources of a built file. */
function variantsOf(path: string): string[] {
  const [first = "", ...rest] = normalize(path).split(sep);
  const stems = isBuilt(path) ? [["src", ...rest], rest].map((segments) => withoutEnding(join(...segments))) : [];
  const inPlace = [path, ...ENDINGS.map((ending) => path + ending), ...INDEX_FILES.map((name) => join(path, name))];
  const other = ENDINGS.map((ending) => withoutEnding(join(first, ...rest)) + ending);
  return [...inPlace, ...other, ...stems.flatMap((stem) => ENDINGS.map((ending) => stem + ending))];
}

function withoutEnding(path: string): string {
  return path.slice(0, path.length - extname(path).length);
}

/** Looks only at files in the folder: an untrusted project can name any path. */
function isFileIn(folder: string, real: string, path: string): boolean {
  if (!isInside(folder, path) || isFolder(path)) return false;
  const target = realPath(path);
  return target !== undefined && isInside(real, target) && isFile(target);
}
