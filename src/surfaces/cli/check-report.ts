import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type HookOnFiles, hooksOnFiles } from "../../calls/hook-files.ts";
import { definitionLine } from "../../catalog/definition-line.ts";
import type { Blocked } from "../../catalog/discovery/tool-file.ts";
import type { ToolInfo } from "../../catalog/registry/registry-entry.ts";
import type { Problem } from "../../core/problem.ts";
import type { Format, ShownTool } from "../../core/tool.ts";
import { isInside } from "../../platform/files/inside.ts";
import { resolveLinks } from "../../platform/files/real-path.ts";
import { textOrEmpty } from "../../platform/files/text-or-empty.ts";
import { shellWord } from "../../platform/text/shell-word.ts";
import { defined } from "../../platform/values/defined.ts";
import type { FileInfo, Toolbox } from "../../toolbox/toolbox.ts";
import type { ClientLimits } from "../client-limits/client-limits.ts";
import { fitTools } from "../client-limits/fit-tools.ts";
import { type Advice, adviceOn } from "./advice.ts";
import { UsageError } from "./args/usage-error.ts";

/** A tool as a model sees it, and advice. */
export interface CheckedTool extends ShownTool, Pick<ToolInfo, "file" | "format"> {
  readonly line?: number;
  readonly warnings: readonly Advice[];
}

/** A file, its format, and its features that do not work here. */
export interface CheckedFile {
  readonly file: string;
  readonly format?: Format;
  readonly why?: string;
  readonly unsupportedFeatures: readonly string[];
  readonly runtime?: "bun";
  readonly tools: readonly string[];
}

/** The changes to tools for one client. */
export interface ClientReport {
  readonly client: string;
  readonly title: string;
  readonly tools: readonly { readonly name: string; readonly sentAs: string; readonly changes: readonly string[] }[];
}

/** The output of `toolwright check --json`. */
export interface CheckReport {
  readonly files: readonly CheckedFile[];
  readonly tools: readonly CheckedTool[];
  readonly problems: readonly Problem[];
  readonly blocked: readonly Blocked[];
  /** Hooks of the settings that run files of the project; not if only some files are checked. */
  readonly hooks: readonly HookOnFiles[];
  /** Present with `--client`. */
  readonly clients?: readonly ClientReport[];
  readonly ok: boolean;
}

/** The files and clients to check. */
interface CheckRequest {
  /** Only these files, and those in these folders; empty for all. */
  readonly files: readonly string[];
  readonly clients: readonly ClientLimits[];
  readonly cwd: string;
}

/** Checks all files, or the named ones. Files of an untrusted project are not checked, and count as failed. */
export function checkReport(toolbox: Toolbox, { files: named, clients, cwd }: CheckRequest): CheckReport {
  const concerns = chosen(named, cwd, toolbox);
  const all = toolbox.list().filter(({ enabled, source }) => enabled && source !== "builtin");
  const tools = all.filter(({ file }) => concerns(file)).map((tool) => checkedTool(tool, all));
  const served = new Set(all.map(({ name, file }) => `${file}\0${name}`));
  const files = toolbox.status.files
    .filter(({ file }) => concerns(file))
    .map((info) => checkedFile(info, (name) => served.has(`${info.file}\0${name}`)));
  const problems = toolbox.problems().filter(({ file }) => concerns(file));
  const blocked = toolbox.status.blocked.flatMap((each) => {
    const waiting = each.files.filter(concerns);
    return waiting.length > 0 ? [{ ...each, files: waiting }] : [];
  });
  return {
    files,
    tools,
    problems,
    blocked,
    hooks: named.length > 0 ? [] : hooksIn(toolbox),
    ...(clients.length > 0 ? { clients: clients.map((client) => clientReport(client, all, concerns)) } : {}),
    ok: problems.length === 0 && blocked.length === 0,
  };
}

/** Hooks do not run files of a project that is not trusted. */
function hooksIn({ project: { trusted, root, settings } }: Toolbox): HookOnFiles[] {
  return trusted ? hooksOnFiles([...settings.hooks.before, ...settings.hooks.after], root) : [];
}

/** Fits all tools, because the name of one depends on the others; reports the checked ones. */
function clientReport(
  client: ClientLimits,
  all: readonly ToolInfo[],
  concerns: (file: string) => boolean,
): ClientReport {
  const fitted = fitTools(all, client).filter(({ tool }) => concerns(tool.file));
  const tools = fitted.map(({ name, tool, changes }) => ({ name, sentAs: tool.name, changes }));
  return { client: client.id, title: client.title, tools };
}

function checkedFile({ file, about, runtime, tools }: FileInfo, isServed: (name: string) => boolean): CheckedFile {
  return {
    file,
    ...(about === undefined ? {} : { format: about.format, why: about.why }),
    unsupportedFeatures: about?.unsupportedFeatures ?? [],
    ...defined({ runtime }),
    tools: tools.filter(isServed),
  };
}

function checkedTool(tool: ToolInfo, all: readonly ToolInfo[]): CheckedTool {
  const { name, file, format, description, inputSchema, outputSchema } = tool;
  const line = definitionLine(tool, textOrEmpty(file));
  return {
    name,
    file,
    ...defined({ line }),
    format,
    description,
    inputSchema,
    ...defined({ outputSchema }),
    warnings: adviceOn(tool, all),
  };
}

/**
 * A filter for the named files, and the files in the named folders. Throws a `UsageError` for a name that is neither a known
 * tool file nor a folder of one.
 */
function chosen(named: readonly string[], cwd: string, toolbox: Toolbox): (file: string) => boolean {
  if (named.length === 0) return () => true;
  const known = [
    ...toolbox.status.files.map(({ file }) => file),
    ...toolbox.list().flatMap(({ file, source }) => (source === "builtin" ? [] : [file])),
    ...toolbox.problems().map(({ file }) => file),
    ...toolbox.status.shadowed.map(({ file }) => file),
    ...toolbox.status.blocked.flatMap(({ files }) => files),
  ].map((file) => resolveLinks(file));
  const wanted = named.map((path) => resolveLinks(resolve(cwd, path)));
  const unknown = named.find((_path, index) => !known.some((file) => isInside(wanted[index] as string, file)));
  if (unknown !== undefined) throw new UsageError(unknownPath(unknown, resolve(cwd, unknown)));
  return (file) => wanted.some((path) => isInside(path, resolveLinks(file)));
}

function unknownPath(named: string, path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return `No such file: ${named}. Check the path.`;
  const option = `--tools-path ${shellWord(path)}`;
  if (!stats.isDirectory()) return `${named} is not in a tools folder. To check it anyway, add: ${option}`;
  return `No tool file was found in ${named}. If it is not a tools folder, add: ${option}`;
}
