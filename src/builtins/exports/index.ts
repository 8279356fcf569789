/** `toolwright/builtins`: each built-in tool as a value, for programs and tool files. Its code is loaded by its `init`. */
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { Tool } from "../../index.ts";
import { builtinFiles } from "../../platform/files/package-files.ts";
import { expandDescription } from "../../platform/text/expand-description.ts";

export const bash: Tool.Info = builtin("bash");
export const edit: Tool.Info = builtin("edit");
export const fileReader: Tool.Info = builtin("file-reader");
export const gitDiffSummary: Tool.Info = builtin("git-diff-summary");
export const gitStatus: Tool.Info = builtin("git-status");
export const glob: Tool.Info = builtin("glob");
export const grep: Tool.Info = builtin("grep");
export const list: Tool.Info = builtin("list");
export const read: Tool.Info = builtin("read");
export const task: Tool.Info = builtin("task");
export const todoread: Tool.Info = builtin("todoread");
export const todowrite: Tool.Info = builtin("todowrite");
export const webfetch: Tool.Info = builtin("webfetch");
export const workspaceInfo: Tool.Info = builtin("workspace-info");
export const write: Tool.Info = builtin("write");

/** The tool with the text of its description. Both are in files of this package. */
function builtin(name: string): Tool.Info {
  return Tool.define(name, async (init) => {
    const file = builtinFiles()(name);
    const module: { readonly default: Tool.Info } = await import(/* @vite-ignore */ pathToFileURL(file).href);
    const description = await readFile(file.replace(/\.\w+$/, ".txt"), "utf8");
    return { ...(await module.default.init(init)), description: expandDescription(description.trim(), init) };
  }) as Tool.Info;
}
