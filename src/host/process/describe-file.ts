import type { CommandDeclaration } from "../../core/file-command.ts";
import type { Problem } from "../../core/problem.ts";
import type { Tool } from "../../core/tool.ts";
import { expandDescription } from "../../platform/text/expand-description.ts";
import type { Contributions } from "../formats/contributions.ts";
import { returnsNothing } from "../loader/returns-nothing.ts";
import { MAX_DEPTH } from "../protocol/checks.ts";
import { type FileManifest, type HostFile, type ToolManifest, toManifest } from "../protocol/manifest.ts";
import { faultInTool } from "../protocol/validate-manifest.ts";

/** A file that was read, with the tools and problems that are reported of it. */
interface ReadFile {
  readonly file: HostFile;
  readonly from: Contributions;
  readonly tools: readonly Tool[];
  readonly problems: readonly Problem[];
  readonly imports: FileManifest["imports"];
}

interface Directories {
  readonly cwd: string;
  readonly worktree: string;
}

/** What the serving process gets to know about a file. */
export function describeFile({ file, from, tools, problems, imports }: ReadFile, at: Directories): FileManifest {
  const hooks = hooksOf(from);
  const commands = commandsOf(from);
  const described = tools.map((tool) => withVariables(tool, at));
  const isForDirectory = from.dependsOnHost || described.some((tool, index) => tool !== tools[index]);
  const { manifests, faults } = sendable(described, file.file);
  const follows = from.onSession !== undefined || tools.some((tool) => tool.onSession !== undefined);
  return {
    file: file.file,
    tools: manifests,
    problems: faults.length > 0 ? [...problems, ...faults] : problems,
    ...(from.problemsIfToolsExpected ? { problemsIfToolsExpected: from.problemsIfToolsExpected } : {}),
    imports,
    ...(from.about ? { about: from.about } : {}),
    ...(isForDirectory ? { onlyForDirectory: at.cwd } : {}),
    ...(hooks.length > 0 ? { hooks } : {}),
    ...(commands.length > 0 ? { commands } : {}),
    ...(follows ? { followsSessions: true } : {}),
    ...(from.onChange ? { announces: true } : {}),
    ...(file.runtime ? { runtime: file.runtime } : {}),
  };
}

export function hooksOf({ hooks }: Contributions): ("before" | "after")[] {
  return (["before", "after"] as const).filter((kind) => hooks?.[kind] !== undefined);
}

export function commandsOf({ commands = [] }: Contributions): CommandDeclaration[] {
  return commands.map(({ name, description }) => ({ name, ...(description === undefined ? {} : { description }) }));
}

/** Replaces variables in a description, such as the text of an imported `.txt` file. Servers describe their own tools. */
function withVariables(tool: Tool, { cwd, worktree }: Directories): Tool {
  if (!tool.description.includes("${") || tool.origin.format === "mcp") return tool;
  const description = expandDescription(tool.description, { directory: cwd, workspace: worktree });
  return description === tool.description ? tool : { ...tool, description };
}

/** Leaves out tools whose definition cannot be sent, and adds a problem for each. */
function sendable(tools: readonly Tool[], file: string): { manifests: ToolManifest[]; faults: Problem[] } {
  const manifests: ToolManifest[] = [];
  const faults: Problem[] = [];
  for (const tool of tools) {
    const manifest = toManifest(tool);
    const fault = faultInTool(manifest);
    if (fault === undefined) manifests.push(withAdvice(tool, manifest));
    else faults.push({ file, code: "bad_definition", message: unsendable(tool.name, fault), tool: tool.name });
  }
  return { manifests, faults };
}

function withAdvice({ authorFunction }: Tool, manifest: ToolManifest): ToolManifest {
  return authorFunction && returnsNothing(authorFunction) ? { ...manifest, returnsNothing: true } : manifest;
}

function unsendable(tool: string, field: string): string {
  return `"${tool}": its "${field}" is not plain data, or nested more than ${MAX_DEPTH} levels deep. Correct it in the definition.`;
}
