import type { FormatInfo } from "../core/format-info.ts";
import type { McpServer } from "../core/mcp-server.ts";
import type { Problem } from "../core/problem.ts";
import type { JsonSchema } from "../core/schema.ts";
import type { Format, Hints, Limits, PlaceKind, Source, System, Tool } from "../core/tool.ts";
import type { Stamped } from "../files/stamp.ts";

/** A file to load, and what discovery knows of it. */
export interface HostFile {
  /** Its path. An MCP server stands in no file of its own: it is the configuration's path, "#" and its name. */
  readonly file: string;
  /** The name of its default export. */
  readonly name: string;
  readonly source: Source;
  readonly place: PlaceKind;
  readonly system: System;
  readonly plugin?: { readonly name: string; readonly version?: string };
  /** The server to connect to, where this is one. */
  readonly server?: McpServer;
  /** Set once it is known that the file cannot run elsewhere. */
  readonly runtime?: "bun";
}

/** What a file is to be read as: code of its author's or of ours, a list of tools, or a server to connect to. */
export type FileContent = "module" | "builtin" | "json" | "mcp";

export function contentOf({ file, server, source }: Pick<HostFile, "file" | "server" | "source">): FileContent {
  if (server) return "mcp";
  if (source === "builtin") return "builtin";
  return isJson(file) ? "json" : "module";
}

function isJson(file: string): boolean {
  return file.endsWith(".json");
}

/** Whether a file holds none of its author's code, so that it can be read anew without a new process. */
export function hasNoCode({ file, server }: Pick<HostFile, "file" | "server">): boolean {
  return server !== undefined || isJson(file);
}

/** What is known of a tool without its code: plain JSON. */
export interface ToolManifest {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** What the data of its results is, where the author says so. */
  readonly outputSchema?: JsonSchema;
  readonly format: Format;
  readonly exportName?: string;
  readonly pluginName?: string;
  readonly pluginVersion?: string;
  readonly limits: Limits;
  readonly hints: Hints;
  /** Whether a call can say what it touches before it runs. */
  readonly declaresAccess: boolean;
  /** False for a tool that is not offered to the agents which other agents hand work to. */
  readonly subagents?: boolean;
  /** The providers and models that it is for, as wildcards. */
  readonly providers?: readonly string[];
  /** Whether the author draws it for terminals. */
  readonly renders?: boolean;
}

/** A tool as other tools are told of it. */
export interface ServedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/** Stands for no file: previews wait in hosts, and the tool that resolves them is wherever they are. */
export const PREVIEWS_FILE = "toolwright:pending";

/** The tool that applies or discards a preview which another tool has made. Shown only while one waits. */
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
  /** What is wrong if the file has held tools before; if not, it is none of ours. */
  readonly problemsIfHadTools?: readonly Problem[];
  /** Every file that this depends on, itself first. */
  readonly imports: readonly Stamped[];
  readonly about?: FormatInfo;
  /** The directory for which a function of the author's made the definitions; they hold for no other. */
  readonly onlyForDirectory?: string;
  /** What it does to the calls of all tools. */
  readonly hooks?: readonly ("before" | "after")[];
  /** Whether it wants to be told of sessions. */
  readonly followsSessions?: boolean;
  readonly runtime?: "bun";
  /** What else than the files that it depends on may have made its import fail: see `transientFailure` in the loader. */
  readonly transientFailure?: "unresolved" | "threw";
  /** Its import was begun and had not ended when this was noted: nothing else is known of it yet. */
  readonly unfinished?: true;
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
    ...(tool.providers === undefined ? {} : { providers: tool.providers }),
    ...(tool.render === undefined ? {} : { renders: true }),
    ...(exportName === undefined ? {} : { exportName }),
    ...(pluginName === undefined ? {} : { pluginName }),
    ...(pluginVersion === undefined ? {} : { pluginVersion }),
  };
}

/** A file with one bad tool among good ones, or beside hooks, is served; a file with nothing that works is not. */
export function isBroken({ tools, hooks = [], problems, problemsIfHadTools = [] }: FileManifest): boolean {
  return tools.length + hooks.length === 0 && problems.length + problemsIfHadTools.length > 0;
}
