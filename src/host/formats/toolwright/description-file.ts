import { readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { messageOf } from "../../../core/error.ts";
import { expandDescription } from "../../../platform/text/expand-description.ts";
import type { FormatHost } from "../contributions.ts";
import { ExportError } from "../export-context.ts";

/**
 * The description in the definition, else the text of `<id>.txt` or `<file>.txt` in the folder of the file, with variables
 * replaced. Each path that was tried is added to `reads`, since a missing file may be created later.
 */
export function readDescription(
  description: unknown,
  at: { readonly id: string; readonly file: string; readonly host: FormatHost; readonly reads: string[] },
): string {
  if (typeof description === "string" && description.trim() !== "") return description;
  const stem = basename(at.file, extname(at.file));
  for (const name of new Set([at.id, stem])) {
    const path = join(dirname(at.file), `${name}.txt`);
    at.reads.push(path);
    const text = readIfExists(path);
    if (text !== undefined) return expand(text, path, at);
  }
  throw new ExportError(
    "bad_definition",
    `"${at.id}" has no description. Add description: "…" to its definition, or write it to ${at.id}.txt in the folder of the file.`,
  );
}

function readIfExists(path: string): string | undefined {
  try {
    if (!statSync(path).isFile()) throw new Error("it is not a regular file");
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
      `The description of "${id}" uses the unknown variable ${variable} (${path}, line ${line}). Use \${directory} or \${workspace}, or write the text without a variable.`,
    );
  });
}
