import { realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { isInside } from "../../files/inside.ts";
import type { Guard } from "../../files/open-file.ts";
import type { ToolContext } from "../../index.ts";

/**
 * Lets through the path that the call has declared, which has been permitted. Whatever else it turns out to lead to is
 * put to the rules once more, since a link may have been put there in between.
 */
export async function guardFor(kind: "read" | "write", path: string, context: ToolContext): Promise<Guard> {
  const passed = new Set([await throughRoot(path, context.worktree)]);
  return async (real) => {
    if (passed.has(real)) return;
    await context.permit({ kind, target: real, named: true });
    passed.add(real);
  };
}

/** The path with the links to the project resolved, and none in it. */
async function throughRoot(path: string, worktree: string): Promise<string> {
  if (!isInside(worktree, path)) return path;
  return join(await realpath(worktree), relative(worktree, path));
}
