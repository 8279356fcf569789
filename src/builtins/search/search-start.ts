import { readdirSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { absolute } from "../../files/absolute.ts";
import { isMissing, unreadable } from "../../files/file-problems.ts";
import { isInside } from "../../files/inside.ts";
import { similarFiles } from "../../files/similar-files.ts";
import { type Access, type ToolContext, ToolError } from "../../index.ts";
import { quotedPath } from "./format-path.ts";
import { type IgnoreRules, insideUnignored, readIgnoreRules, verdictOn } from "./ignore-files.ts";
import type { Folder } from "./walk.ts";

/** Where a search begins: a folder or a file that the call may read. */
export interface Start {
  readonly kind: "folder" | "file";
  /** With all links resolved. */
  readonly real: string;
  /** What it is called to a model: its path from the directory of the call, or the whole path where it is not below that. */
  readonly displayName: string;
  /** What stands before the path of something found in the folder: empty, or ending with `/`. */
  readonly displayPrefix: string;
  readonly isInProject: boolean;
}

/** What a call touches: one path, and no general yes is enough outside the project. */
export function readAccess(path: string | undefined, cwd: string): Access[] {
  return [{ kind: "read", target: absolute(path || ".", cwd), named: true }];
}

/** Finds out where a search begins. Fails, with words for a model, where nothing is there that it could begin in. */
export async function findStart(path: string | undefined, context: ToolContext): Promise<Start> {
  const target = absolute(path || ".", context.directory);
  const real = await realpath(target).catch(async (error: unknown) => {
    throw isMissing(error) ? await missing(path ?? ".", target, context) : unreadable(path ?? ".", error);
  });
  const root = await realpath(context.worktree);
  const isInProject = isInside(root, real);
  // The pipeline has decided about the path and where it led then. A link may lead elsewhere by now.
  if (real !== target && !isInProject) await context.permit({ kind: "read", target: real, named: true });
  const displayName = displayNameOf(real, await realpath(context.directory));
  if ((isInProject ? relative(root, real) : real).split(sep).includes(".git")) {
    throw new ToolError("failed", `"${displayName}" is git's own. Use git itself, with bash, to look into it.`);
  }
  const stats = await stat(real);
  if (stats.isFile()) return { kind: "file", real, displayName, displayPrefix: "", isInProject };
  const displayPrefix = displayName === "." ? "" : `${displayName}/`;
  if (stats.isDirectory()) return { kind: "folder", real, displayName, displayPrefix, isInProject };
  throw new ToolError(
    "failed",
    `"${displayName}" is neither a folder nor a file. Send the path of a folder or a file.`,
  );
}

/** The folder of a start, with the ignore rules of the project's folders above it. */
export async function toFolder({ real }: Start, { worktree }: ToolContext): Promise<Folder> {
  const root = await realpath(worktree);
  const alone: Folder = { path: real, prefix: "", rules: undefined };
  return real !== root && isInside(root, real) ? (below(root, relative(root, real).split(sep)) ?? alone) : alone;
}

/**
 * Undefined when a folder on the way is ignored: whoever names it wants to see what is in it, and the rules that hide it
 * do not count there.
 */
function below(root: string, names: readonly string[]): Folder | undefined {
  let folder: Folder = { path: root, prefix: "", rules: undefined };
  for (const name of names) {
    const rules = rulesIn(folder);
    const path = folder.prefix + name;
    const verdict = verdictOn(path, true, rules);
    if (verdict === "ignored") return undefined;
    const inside = verdict === "unignored" ? insideUnignored(path, rules) : rules;
    folder = { path: join(folder.path, name), prefix: `${path}/`, rules: inside };
  }
  return folder;
}

function rulesIn({ path, prefix, rules }: Folder): IgnoreRules | undefined {
  try {
    return readIgnoreRules(path, readdirSync(path, { withFileTypes: true }), prefix, rules);
  } catch {
    return rules;
  }
}

function displayNameOf(real: string, directory: string): string {
  if (!isInside(directory, real)) return real.replaceAll(sep, "/");
  return relative(directory, real).replaceAll(sep, "/") || ".";
}

/** Names that a rule keeps from being read are not told. */
async function missing(displayName: string, target: string, context: ToolContext): Promise<ToolError> {
  const paths = await similarFiles(target, context.worktree);
  const may = await context.permitted(paths.map((path) => ({ kind: "read", target: path, named: true })));
  const near = paths.filter((_, at) => may[at]).map((path) => quotedPath(displayNameOf(path, context.directory)));
  const next = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "Look for it with glob or list.";
  return new ToolError("failed", `There is nothing at "${displayName}". ${next}`);
}
