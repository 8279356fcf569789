import { readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { messageOf } from "../../core/error.ts";
import { expandDescription } from "../../core/expand-description.ts";
import type { FormatHost } from "../contributions.ts";
import { ExportError } from "../export-context.ts";

/**
 * The description of a tool: its own, or the text of `<id>.txt`, else `<file>.txt`, beside its file, with variables
 * filled in. What was looked for is added to `reads`, absent files too: they may come to be.
 */
export function readDescription(
  own: unknown,
  at: { readonly id: string; readonly file: string; readonly host: FormatHost; readonly reads: string[] },
): string {
  if (typeof own === "string" && own.trim() !== "") return own;
  const stem = basename(at.file, extname(at.file));
  for (const name of new Set([at.id, stem])) {
    const path = join(dirname(at.file), `${name}.txt`);
    at.reads.push(path);
    const text = readIfThere(path);
    if (text !== undefined) return expand(text, path, at);
  }
  throw new ExportError(
    "bad_definition",
    `"${at.id}" has no description. Add description: "…" to its definition, or write the text into ${at.id}.txt beside the file.`,
  );
}

function readIfThere(path: string): string | undefined {
  try {
    if (!statSync(path).isFile()) throw new Error("it is not an ordinary file");
    return readFileSync(path, "utf8").trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ExportError("bad_definition", `${path} cannot be read: ${messageOf(error)}`);
  }
}

function expand(text: string, path: string, { id, host }: { id: string; host: FormatHost }): string {
  return expandDescription(text, { directory: host.cwd, workspace: host.worktree }, (variable, offset) => {
    const line = text.slice(0, offset).split("\n").length;
    throw new ExportError(
      "bad_definition",
      `The description of "${id}" uses ${variable}, which is not known (${path}, line ${line}). Use \${directory} or \${workspace}, or write the text out.`,
    );
  });
}
