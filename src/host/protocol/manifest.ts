import type { CommandDeclaration } from "../../core/file-command.ts";
import type { FormatInfo } from "../../core/format-info.ts";
import type { McpServer } from "../../core/mcp-server.ts";
import type { OpencodePlugin } from "../../core/plugin-config.ts";
import type { Problem } from "../../core/problem.ts";
import type { JsonSchema } from "../../core/schema.ts";
import type {
  Hints,
  Limits,
  Origin,
  PlaceKind,
  ShownTool,
  Source,
  System,
  Tool,
  ToolAudience,
} from "../../core/tool.ts";
import type { Stamped } from "../../platform/files/stamp.ts";
import { defined } from "../../platform/values/defined.ts";

/** A file to load, as discovery found it. */
export interface HostFile {
  /** Its path. For an MCP server: the path of the configuration, "#" and the name of the server. */
  readonly file: string;
  /** The name of its default export. */
  readonly name: string;
  readonly source: Source;
  readonly place: PlaceKind;
  readonly system: System;
  readonly plugin?: { readonly name: string; readonly version?: string };
  /** Set for plugins of OpenCode. */
  readonly opencodePlugin?: OpencodePlugin;
  /** The MCP server to connect to. Other files have none. */
  readonly server?: McpServer;
  /** Set if the file needs Bun. */
  readonly runtime?: "bun";
}

/** What a file contains: a module of an author, a built-in tool, JSON tools, or an MCP server. */
type FileContent = "module" | "builtin" | "json" | "mcp";

export function contentOf({ file, server, source }: Pick<HostFile, "file" | "server" | "source">): FileContent {
  if (server) return "mcp";
  if (source === "builtin") return "builtin";
  return isJson(file) ? "json" : "module";
}

function isJson(file: string): boolean {
  return file.endsWith(".json");
}

/** Whether a file holds no authors' code: it can be read again in the same process. */
export function hasNoCode({ file, server }: Pick<HostFile, "file" | "server">): boolean {
  return server !== undefined || isJson(file);
}

/** What a tool declares, as plain JSON. */
export interface ToolManifest
  extends ShownTool,
    ToolAudience,
    Pick<Origin, "format" | "exportName" | "pluginName" | "pluginVersion"> {
  readonly limits: Limits;
  readonly hints: Hints;
  /** Whether the tool declares what a call will access before it runs. */
  readonly declaresAccess: boolean;
  /** Whether it has a renderer for terminals. */
  readonly renders?: boolean;
  /** Whether its function surely returns no value. */
  readonly returnsNothing?: boolean;
}

/** A tool as other tools see it. */
export interface ServedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/**
 * A preview is a change that a tool has shown but not made (`pushPendingAction`). It stays in the memory of its
 * host until the tool "resolve" applies or discards it. This is the file name of that tool; no such file exists.
 */
export const PREVIEWS_FILE = "toolwright:pending";

/** Listed only while the session has a preview. */
export const RESOLVE: ToolManifest = {
  name: "resolve",
  description:
    'Applies or discards the newest pending preview. Call it after a tool has said that a preview waits: with "apply" to carry it out, with "discard" to drop it.',
  inputSchema: {
    type: "object",
    properties: {
      action: { type: "string", enum: ["apply", "discard"], description: "What to do with the preview" },
      reason: { type: "string", description: "Why, in one sentence" },
    },
    required: ["action", "reason"],
  },
  format: "tool",
  limits: {},
  hints: {},
  declaresAccess: false,
};

export const NO_PREVIEW = "No pending action to resolve. Nothing to apply or discard.";

/** What one file declared when it was loaded. */
export interface FileManifest {
  readonly file: string;
  readonly tools: readonly ToolManifest[];
  readonly problems: readonly Problem[];
  /**
   * Replace `problems` where tools are expected: an earlier version of the file had some, the user names the file, or it is a JSON
   * file in a folder of JSON tools. Elsewhere it is not a tool file.
   */
  readonly problemsIfToolsExpected?: readonly Problem[];
  /** Every file that it imports, itself first. */
  readonly imports: readonly Stamped[];
  readonly about?: FormatInfo;
  /** Set if an author's function created the definitions: they apply only to this directory. */
  readonly onlyForDirectory?: string;
  /** Its hooks around the calls of all tools. */
  readonly hooks?: readonly ("before" | "after")[];
  /** The commands that it registers for people. */
  readonly commands?: readonly CommandDeclaration[];
  /** Whether it handles session events. */
  readonly followsSessions?: boolean;
  /** Whether it may declare other tools at any time, not only while it runs. */
  readonly announces?: boolean;
  readonly runtime?: "bun";
  /** Set if the import may succeed later although no import has changed: see `transientFailure` in the loader. */
  readonly transientFailure?: "unresolved" | "threw";
  /** Its import had not ended when this was stored, or it may end otherwise next time. The rest of the manifest is empty. */
  readonly unfinished?: true;
  /** Set by the cache if this version could not be read: the hooks of the last one that could. */
  readonly lastHooks?: FileManifest["hooks"];
}

export function toManifest(tool: Tool): ToolManifest {
  const { format, exportName, pluginName, pluginVersion } = tool.origin;
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.input.json,
    ...(tool.output === undefined ? {} : { outputSchema: tool.output.json }),
    format,
    limits: tool.limits,
    hints: tool.hints,
    declaresAccess: tool.access !== undefined,
    ...(tool.subagents === false ? { subagents: false } : {}),
    ...(tool.delegates ? { delegates: true } : {}),
    ...(tool.providers === undefined ? {} : { providers: tool.providers }),
    ...(tool.render === undefined ? {} : { renders: true }),
    ...defined({ exportName, pluginName, pluginVersion }),
  };
}

/** Whether a file has problems and neither tools nor hooks nor commands. */
export function isBroken({
  tools,
  hooks = [],
  commands = [],
  problems,
  problemsIfToolsExpected = [],
}: FileManifest): boolean {
  return tools.length + hooks.length + commands.length === 0 && problems.length + problemsIfToolsExpected.length > 0;
}

/** Problems of a whole file or of a whole export: what else it would have declared is unknown. */
const UNREAD: ReadonlySet<Problem["code"]> = new Set([
  "unreadable",
  "syntax",
  "import_failed",
  "import_timeout",
  "needs_bun",
  "init_failed",
  "plugin_failed",
  "not_a_tool",
]);

/** Whether the file, or a part of it, was not read: it may have hooks that the manifest lacks. */
export function mayLackHooks(manifest: FileManifest): boolean {
  return manifest.unfinished === true || isBroken(manifest) || manifest.problems.some(({ code }) => UNREAD.has(code));
}

/** Whether a file was imported, and exports nothing that is known as a tool or as a function to call. */
export function isNoTool({ problems, problemsIfToolsExpected = [] }: FileManifest): boolean {
  return [...problems, ...problemsIfToolsExpected].every(({ code }) => code === "not_a_tool");
}
