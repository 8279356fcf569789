import type { McpServer } from "../../core/mcp-server.ts";
import type { OpencodePlugin } from "../../core/plugin-config.ts";
import type { PlaceKind, System } from "../../core/tool.ts";

/** A folder that is searched for tool files. Of two tools with one name, the one in the higher location is served. */
export interface ToolLocation {
  /** Absolute. A configured location may also be a single file. */
  readonly path: string;
  readonly kind: PlaceKind;
  readonly system: System;
  /** Whether the files belong to the project. If so, none of them runs before the project is trusted. */
  readonly ofProject: boolean;
  /** The name of the tool file of each subfolder. If set, no other file is a tool file. */
  readonly entryFile?: string;
  /** The package whose manifest names the files, for a location of the kind "package". */
  readonly plugin?: { readonly name: string; readonly version?: string };
  /** Set if the files are plugins of OpenCode. */
  readonly opencodePlugin?: OpencodePlugin;
  /** Set for the built-in tools. */
  readonly builtin?: true;
}

/** The systems whose folders hold JSON tools and nothing else. */
const ONLY_JSON_TOOLS: ReadonlySet<System> = new Set(["aynd", "qraftbox"]);

/** Whether every JSON file of a location should define tools. */
export function holdsOnlyJsonTools({ system, kind }: ToolLocation): boolean {
  return kind === "global" && ONLY_JSON_TOOLS.has(system);
}

/** Tool files and MCP servers of an untrusted project. They are not run. */
export interface Blocked {
  readonly directory: string;
  readonly files: readonly string[];
  /** The command that unblocks them. It works in any directory. */
  readonly fix: string;
}

/** One file that may hold tools, or one MCP server. */
export interface ToolFile {
  /** Absolute. Links are not resolved, so that users recognise the path. An MCP server has its config file, "#" and its name. */
  readonly file: string;
  /** The name of its default export. */
  readonly name: string;
  readonly location: ToolLocation;
  /** Set if a location of the user has the same real file, and so the location of a project is a link to it. */
  readonly isOfUser?: true;
  readonly server?: McpServer;
}
