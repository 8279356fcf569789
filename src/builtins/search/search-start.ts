import { readdirSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { type Access, type ToolContext, ToolError } from "../../index.ts";
import { absolute } from "../../platform/files/absolute.ts";
import { isMissing, unreadable } from "../../platform/files/file-problems.ts";
import { isInside } from "../../platform/files/inside.ts";
import { similarFiles } from "../../platform/files/similar-files.ts";
import { quotedPath } from "./format-path.ts";
import { type IgnoreRules, readIgnoreRules, verdictOn } from "./ignore-files.ts";
import type { Folder } from "./walk.ts";

/** The folder or file to search. */
export interface Start {
  readonly kind: "folder" | "file";
  /** With all links resolved. */
  readonly real: string;
  /** Its path relative to the directory of the call, or absolute outside of it. */
  readonly displayName: string;
  /** The prefix of paths in the output: empty, or ending with `/`. */
  readonly displayPrefix: string;
  readonly isInProject: boolean;
}

/** Outside the project, only a rule that names the path permits it. */
export function readAccess(path: string | undefined, cwd: string): Access[] {
  return [{ kind: "read", target: absolute(path || ".", cwd), named: true }];
}

/** Resolves the path to search. Throws when it does not exist or may not be searched. */
export async function findStart(path: string | undefined, context: ToolContext): Promise<Start> {
  const target = absolute(path || ".", context.directory);
  const real = await realpath(target).catch(async (error: unknown) => {
    throw isMissing(error) ? await missing(path ?? ".", target, context) : unreadable(path ?? ".", error);
  });
  const root = await realpath(context.worktree);
  const isInProject = isInside(root, real);
  // The pipeline has checked the path and its target. A link may lead elsewhere by now.
  if (real !== target && !isInProject) await context.permit({ kind: "read", target: real, named: true });
  const displayName = displayNameOf(real, await realpath(context.directory));
  if ((isInProject ? relative(root, real) : real).split(sep).includes(".git")) {
    throw new ToolError("failed", `"${displayName}" belongs to git. Inspect it with git commands in bash.`);
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

/** The folder to search, with the ignore rules of the folders above it in the project. */
export async function toFolder({ real }: Start, { worktree }: ToolContext): Promise<Folder> {
  const root = await realpath(worktree);
  const alone: Folder = { path: real, prefix: "", rules: undefined };
  return real !== root && isInside(root, real) ? (below(root, relative(root, real).split(sep)) ?? alone) : alone;
}

/**
 * Undefined when a folder in the path is ignored: an ignored folder that is named is searched, without the rules that
 * ignore it.
 */
function below(root: string, names: readonly string[]): Folder | undefined {
  let folder: Folder = { path: root, prefix: "", rules: undefined };
  for (const name of names) {
    const rules = rulesIn(folder);
    const path = folder.prefix + name;
    if (verdictOn(path, true, rules) === "ignored") return undefined;
    folder = { path: join(folder.path, name), prefix: `${path}/`, rules };
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

/** Does not mention names that permission rules hide. */
async function missing(displayName: string, target: string, context: ToolContext): Promise<ToolError> {
  const paths = await similarFiles(target, context.worktree);
  const may = await context.permitted(paths.map((path) => ({ kind: "read", target: path, named: true })));
  const near = paths.filter((_, at) => may[at]).map((path) => quotedPath(displayNameOf(path, context.directory)));
  const next = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "Look for it with glob or list.";
  return new ToolError("failed", `There is nothing at "${displayName}". ${next}`);
}
