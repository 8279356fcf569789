import { readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Breather } from "./breather.ts";
import { readFrom } from "./open-inside.ts";
import { type Entry, entriesIn, type Folder } from "./walk.ts";

/** Something in a tree. */
export interface TreeNode {
  readonly name: string;
  /** Where a link leads, as it says. */
  readonly target?: string;
  /** Set for a folder. */
  readonly inside?: Inside;
}

/** What is in a folder. */
export type Inside =
  | {
      readonly kind: "open";
      readonly nodes: readonly TreeNode[];
      /** How many more there are. */
      readonly left: number;
    }
  | { readonly kind: "closed"; readonly count: number }
  | { readonly kind: "unreadable" };

/** How much of a tree is taken, and what of it. */
export interface TreeOptions {
  readonly depth: number;
  readonly entries: number;
  /** Whether something is left out, by its path from the beginning of the tree. */
  isLeftOut(path: string): boolean;
  /** Which paths may be seen. */
  visible(paths: readonly string[]): Promise<readonly boolean[]>;
  readonly breather: Breather;
}

/**
 * What is in a folder and below it, level by level, until there are enough entries. Links are not followed. A folder that
 * is not opened, since it is too deep or there is no room, says how much is in it.
 */
export async function readTree(root: Folder, options: TreeOptions): Promise<Inside> {
  const top: Growing = { path: "", folder: root };
  let room = options.entries;
  let level = [top];
  for (let depth = 0; level.length > 0; depth++) {
    const opened: Opened[] = [];
    for (const growing of level) {
      if (options.breather.isDue) await options.breather.rest();
      const entries = look(growing, options);
      const most = depth < options.depth ? room : 0;
      room -= Math.min(most, entries?.length ?? 0);
      opened.push({ growing, entries, most });
    }
    level = await grow(opened, options);
  }
  return finished(top);
}

/** A folder whose inside is being found out. */
interface Growing {
  readonly path: string;
  readonly folder: Folder;
  inside?: { readonly children: readonly (Seen & { growing?: Growing })[]; readonly left: number } | "unreadable";
}

/** An entry, and where it leads if it is a link. */
interface Seen extends Entry {
  readonly target?: string;
}

interface Opened {
  readonly growing: Growing;
  /** Undefined when it could not be read. */
  readonly entries: readonly Seen[] | undefined;
  readonly most: number;
}

/** Undefined as well for a folder that has been exchanged for a link since it was found. */
function look({ path, folder }: Growing, { isLeftOut }: TreeOptions): Seen[] | undefined {
  try {
    return readFrom(folder.path, (from) => {
      const entries = entriesIn(folder, from).filter(({ name }) => !isLeftOut(path + name));
      const isFolder = ({ kind }: Entry): boolean => kind === "folder";
      return [...entries.filter(isFolder), ...entries.filter((entry) => !isFolder(entry))].map((entry) =>
        entry.kind === "link" ? { ...entry, target: targetOf(join(from, entry.name)) } : entry,
      );
    });
  } catch {
    return undefined;
  }
}

/** Gives the folders of a level what is in them, and gives back those of the next. */
async function grow(opened: readonly Opened[], { visible }: TreeOptions): Promise<Growing[]> {
  const paths = opened.flatMap(({ growing, entries, most }) =>
    (entries ?? []).slice(0, most).map(({ name }) => growing.path + name),
  );
  const isVisible = await visible(paths);
  let at = 0;
  return opened.flatMap(({ growing, entries, most }) => {
    if (!entries) {
      growing.inside = "unreadable";
      return [];
    }
    const children = entries
      .slice(0, most)
      .filter(() => isVisible[at++])
      .map((entry) =>
        entry.folder ? { ...entry, growing: { path: `${growing.path}${entry.name}/`, folder: entry.folder } } : entry,
      );
    growing.inside = { children, left: Math.max(0, entries.length - most) };
    return children.flatMap((child) => ("growing" in child ? [child.growing] : []));
  });
}

function finished({ inside }: Growing): Inside {
  if (inside === undefined || inside === "unreadable") return { kind: "unreadable" };
  const { children, left } = inside;
  if (children.length === 0 && left > 0) return { kind: "closed", count: left };
  return {
    kind: "open",
    left,
    nodes: children.map(({ name, target, growing }) => ({
      name,
      ...(target === undefined ? {} : { target }),
      ...(growing ? { inside: finished(growing) } : {}),
    })),
  };
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "?";
  }
}
