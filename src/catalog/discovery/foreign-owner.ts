import { lstatSync, type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isInside } from "../../platform/files/inside.ts";
import { realPath } from "../../platform/files/real-path.ts";
import type { Environment } from "../../settings/defaults.ts";
import { readText } from "./read-config-file.ts";
import { ancestors } from "./repository.ts";

/** A path of a project that another user owns, and could therefore change. */
interface ForeignOwner {
  readonly path: string;
  /** Undefined if the owner cannot be read. */
  readonly uid: number | undefined;
}

/**
 * The first path that decides which project a working directory belongs to, or where its tools lie, and that another user owns: a
 * directory from `cwd` up to `root`, the `.git` of the root, what that leads to, or one of `folders` in the root, or the folder
 * above it. Root under sudo also accepts the user who started sudo, as git does. Undefined on systems without user ids.
 */
export function foreignOwner(
  cwd: string,
  root: string,
  folders: readonly string[],
  env: Environment,
): ForeignOwner | undefined {
  const own = ownIDs(env);
  if (own === undefined) return undefined;
  const git = join(root, ".git");
  const paths = [
    ...ancestors(realPath(cwd) ?? resolve(cwd), root),
    git,
    ...gitFolderOf(git, root),
    ...folders.filter((folder) => isInside(root, folder)).flatMap((folder) => [dirname(folder), folder]),
  ];
  // The link and its target may have different owners.
  return paths
    .flatMap((path) => [ownerOf(path, lstatSync), ownerOf(path, statSync)])
    .find((owner): owner is ForeignOwner => owner !== undefined && !(owner.uid !== undefined && own.has(owner.uid)));
}

function ownIDs(env: Environment): ReadonlySet<number> | undefined {
  const uid = process.geteuid?.();
  if (uid === undefined) return undefined;
  const isSudo = uid === 0 && /^\d{1,10}$/.test(env.SUDO_UID ?? "");
  return new Set(isSudo ? [uid, Number(env.SUDO_UID)] : [uid]);
}

/** The folder that the `.git` file of a worktree or submodule names. */
function gitFolderOf(git: string, root: string): string[] {
  const folder = /^gitdir: (.*?)[\r\n]*$/.exec(readText(git) ?? "")?.[1];
  return folder === undefined ? [] : [resolve(root, folder)];
}

type Stat = (path: string, options: { throwIfNoEntry: false }) => Stats | undefined;

/** Undefined if nothing is there. */
function ownerOf(path: string, stat: Stat): ForeignOwner | undefined {
  try {
    const stats = stat(path, { throwIfNoEntry: false });
    return stats && { path, uid: stats.uid };
  } catch {
    return { path, uid: undefined };
  }
}
