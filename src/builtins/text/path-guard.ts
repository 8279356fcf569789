import { realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import type { ToolContext } from "../../index.ts";
import { isInside } from "../../platform/files/inside.ts";
import type { Guard } from "../../platform/files/open-file.ts";

/**
 * Accepts the declared path, which has been permitted. Asks the permission rules about every other path that it leads
 * to, since a link may have been created meanwhile.
 */
export async function guardFor(kind: "read" | "write", path: string, context: ToolContext): Promise<Guard> {
  const passed = new Set([await throughRoot(path, context.worktree)]);
  return async (real) => {
    if (passed.has(real)) return;
    await context.permit({ kind, target: real, named: true });
    passed.add(real);
  };
}

/** The path with the links above the project resolved, but not those in it. */
async function throughRoot(path: string, worktree: string): Promise<string> {
  if (!isInside(worktree, path)) return path;
  return join(await realpath(worktree), relative(worktree, path));
}
