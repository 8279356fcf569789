import { readlinkSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { readFrom } from "./open-inside.ts";
import type { TimeSlice } from "./time-slice.ts";
import { type Entry, entryOf, type Folder, readContent } from "./walk.ts";

export interface TreeNode {
  readonly name: string;
  /** The target of a link, as written. */
  readonly target?: string;
  /** Set for a folder. */
  readonly inside?: FolderContent;
}

export type FolderContent =
  | {
      readonly kind: "open";
      readonly nodes: readonly TreeNode[];
      /** The number of entries that are not shown. */
      readonly omitted: number;
    }
  | { readonly kind: "closed"; readonly count: number }
  | { readonly kind: "skipped" }
  | { readonly kind: "unreadable" };

interface TreeOptions {
  readonly depth: number;
  readonly entries: number;
  /** Takes a path relative to the root of the tree. */
  isExcluded(path: string): boolean;
  /** Whether a folder of this name is shown without its content. */
  isSkipped(name: string): boolean;
  /** The root of the tree, absolute and without links. */
  readonly root: string;
  /** Whether permission rules let each path, relative to the root, be shown. */
  visible(paths: readonly string[]): Promise<readonly boolean[]>;
  readonly timeSlice: TimeSlice;
}

/**
 * Reads a folder level by level, up to a number of entries. Does not follow links. A folder that is too deep, or for
 * which there is no room, has only a count.
 */
export async function readTree(root: Folder, options: TreeOptions): Promise<FolderContent> {
  const top: PendingFolder = { path: "", folder: root };
  let room = options.entries;
  let level = [top];
  for (let depth = 0; level.length > 0; depth++) {
    const read: [PendingFolder, ReadEntry[] | undefined][] = [];
    for (const pending of level) {
      read.push([pending, await readEntries(pending, options)]);
    }
    const visible = await visibleEntries(read, options);
    const opened = read.map(([pending, all], at): ReadFolder => {
      const entries = all && visible[at];
      const limit = depth < options.depth ? room : 0;
      room -= Math.min(limit, entries?.length ?? 0);
      return { pending, entries, limit };
    });
    level = fillLevel(opened, options);
  }
  return toContent(top);
}

/** A folder whose content is still being read. */
interface PendingFolder {
  readonly path: string;
  readonly folder: Folder;
  inside?:
    | { readonly children: readonly (ReadEntry & { pending?: PendingFolder })[]; readonly omitted: number }
    | "unreadable";
}

interface ReadEntry extends Entry {
  readonly target?: string;
  readonly isSkipped?: boolean;
}

interface ReadFolder {
  readonly pending: PendingFolder;
  /** Those that rules do not hide. Undefined when it could not be read. */
  readonly entries: readonly ReadEntry[] | undefined;
  readonly limit: number;
}

/** Undefined also for a folder that was replaced by a link. */
async function readEntries(
  { path, folder }: PendingFolder,
  { isExcluded, timeSlice }: TreeOptions,
): Promise<ReadEntry[] | undefined> {
  const content = readSafely(folder.path, (from) => readContent(folder, from));
  if (!content) return undefined;
  const folders: Entry[] = [];
  const others: Entry[] = [];
  for (const each of content.entries) {
    if (timeSlice.isOver) await timeSlice.next();
    const entry = entryOf(each, content.folder);
    if (!entry || isExcluded(path + entry.name)) continue;
    (entry.folder ? folders : others).push(entry);
  }
  return [...folders, ...withTargets(folder.path, others)];
}

function withTargets(folder: string, entries: readonly Entry[]): readonly ReadEntry[] {
  if (!entries.some(({ kind }) => kind === "link")) return entries;
  const targets = readSafely(folder, (from) => entries.map((entry) => targetOf(from, entry)));
  return entries.map((entry, at) => (entry.kind === "link" ? { ...entry, target: targets?.[at] ?? "?" } : entry));
}

function readSafely<T>(folder: string, read: (from: string) => T): T | undefined {
  try {
    return readFrom(folder, read);
  } catch {
    return undefined;
  }
}

/** The entries that permission rules do not hide, with the targets of links as far as rules do not hide them. */
async function visibleEntries(
  read: readonly (readonly [PendingFolder, readonly ReadEntry[] | undefined])[],
  { root, visible }: TreeOptions,
): Promise<ReadEntry[][]> {
  const all = read.map(([{ path }, entries = []]) => entries.map((entry) => ({ entry, path: path + entry.name })));
  const targets = all.flat().flatMap(({ entry: { target }, path }) => {
    const inside = target === undefined ? undefined : relative(root, resolve(root, dirname(path), target));
    return inside === undefined || inside.startsWith("..") || isAbsolute(inside) ? [] : [{ path, inside }];
  });
  const isShown = await visible([...all.flat().map(({ path }) => path), ...targets.map(({ inside }) => inside)]);
  const hiddenTargets = new Set(targets.filter((_, at) => !isShown[all.flat().length + at]).map(({ path }) => path));
  let at = 0;
  return all.map((entries) =>
    entries
      .filter(() => isShown[at++])
      .map(({ entry, path }) => (hiddenTargets.has(path) ? { ...entry, target: "?" } : entry)),
  );
}

/** Sets the content of the folders of one level, and returns the folders of the next. */
function fillLevel(opened: readonly ReadFolder[], { isSkipped }: TreeOptions): PendingFolder[] {
  return opened.flatMap(({ pending, entries, limit }) => {
    if (!entries) {
      pending.inside = "unreadable";
      return [];
    }
    const children = entries.slice(0, limit).map((entry) => {
      if (!entry.folder) return entry;
      if (isSkipped(entry.name)) return { ...entry, isSkipped: true };
      return { ...entry, pending: { path: `${pending.path}${entry.name}/`, folder: entry.folder } };
    });
    pending.inside = { children, omitted: Math.max(0, entries.length - limit) };
    return children.flatMap((child) => ("pending" in child ? [child.pending] : []));
  });
}

function toContent({ inside }: PendingFolder): FolderContent {
  if (inside === undefined || inside === "unreadable") return { kind: "unreadable" };
  const { children, omitted } = inside;
  if (children.length === 0 && omitted > 0) return { kind: "closed", count: omitted };
  return {
    kind: "open",
    omitted,
    nodes: children.map(({ name, target, pending, isSkipped }) => ({
      name,
      ...(target === undefined ? {} : { target }),
      ...(pending ? { inside: toContent(pending) } : {}),
      ...(isSkipped ? { inside: { kind: "skipped" } as const } : {}),
    })),
  };
}

function targetOf(folder: string, { name, kind }: Entry): string | undefined {
  try {
    return kind === "link" ? readlinkSync(join(folder, name)) : undefined;
  } catch {
    return undefined;
  }
}
