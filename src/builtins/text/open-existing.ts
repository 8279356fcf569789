import { readdir, readlink } from "node:fs/promises";
import { basename, isAbsolute, join, relative } from "node:path";
import { type ToolContext, ToolError } from "../../index.ts";
import { notAFile } from "../../platform/files/file-problems.ts";
import { isInside } from "../../platform/files/inside.ts";
import { type Guard, type OpenFile, type Opening, openToRead } from "../../platform/files/open-file.ts";
import { lookalikeFiles, similarFiles } from "../../platform/files/similar-files.ts";
import { formatPath, quotedPath } from "../search/format-path.ts";

export interface NamedFile {
  /** The path as the model wrote it. */
  readonly displayName: string;
  /** The absolute path that the call has declared. */
  readonly path: string;
  readonly guard: Guard;
}

/** Opens an existing file. Throws with suggestions when there is none. */
export async function openExisting(file: NamedFile, context: ToolContext): Promise<OpenFile> {
  const opening = await openOrLookalike(file, context);
  if (opening.kind === "file") return opening;
  if (opening.kind === "missing") throw await missingError(file, context);
  if (opening.what === "folder") throw await folderError(file.displayName, opening.real, context);
  throw notAFile(file.displayName, opening.what);
}

async function openOrLookalike({ displayName, path, guard }: NamedFile, { worktree }: ToolContext): Promise<Opening> {
  const opening = await openToRead(path, displayName, guard);
  if (opening.kind !== "missing") return opening;
  const [alike, ...others] = await lookalikeFiles(path, worktree);
  return alike === undefined || others.length > 0 ? opening : openToRead(alike, displayName, guard);
}

async function missingError({ displayName, path }: NamedFile, context: ToolContext): Promise<ToolError> {
  const near = await visible(await similarFiles(path, context.worktree), context);
  const names = near.map((each) => quotedPath(displayPath(each, displayName, context)));
  const next = names.length > 0 ? `Did you mean ${joinWords(names, "or")}?` : "Use glob to find it.";
  const target = await readlink(path).catch(() => undefined);
  const what =
    target === undefined
      ? `There is no file "${displayName}".`
      : `"${displayName}" is a link to "${target}", which is missing.`;
  return new ToolError("failed", `${what} ${next}`);
}

/** Leaves out paths that permission rules hide. */
async function visible(paths: readonly string[], context: ToolContext): Promise<string[]> {
  const may = await context.permitted(paths.map((target) => ({ kind: "read", target, named: true })));
  return paths.filter((_, index) => may[index]);
}

const MAX_ENTRIES = 10;

async function folderError(displayName: string, real: string, context: ToolContext): Promise<ToolError> {
  const entries = await readdir(real, { withFileTypes: true }).catch(() => []);
  const folders = new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name));
  const names = entries.map(({ name }) => name).sort();
  const seen = await visible(
    names.slice(0, MAX_ENTRIES).map((name) => join(real, name)),
    context,
  );
  const shown = seen.map((path) => basename(path)).map((name) => formatPath(folders.has(name) ? `${name}/` : name));
  const more = names.length > MAX_ENTRIES ? [`${names.length - MAX_ENTRIES} more`] : [];
  const holds = names.length === 0 ? " It is empty." : "";
  const inside = shown.length > 0 ? ` It contains ${joinWords([...shown, ...more], "and")}.` : holds;
  return new ToolError("failed", `"${displayName}" is a folder, not a file.${inside} Use list to see all of it.`);
}

/** Formats a path as the model does: absolute, or relative to the directory of the call. */
export function displayPath(path: string, displayName: string, { directory, worktree }: ToolContext): string {
  return isAbsolute(displayName) || !isInside(worktree, path) ? path : relative(directory, path);
}

/** "a, b and c" */
export function joinWords(words: readonly string[], and: string): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${and} ${words.at(-1)}`;
}
