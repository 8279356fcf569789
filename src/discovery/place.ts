import type { McpServer } from "../core/mcp-server.ts";
import type { PlaceKind, System } from "../core/tool.ts";

/** One folder in which tool files are looked for. Each is one place for name conflicts. */
export interface Place {
  /** Absolute. A configured place may also be a single file. */
  readonly path: string;
  readonly kind: PlaceKind;
  readonly system: System;
  /** Whether the files belong to the project, so that nothing of them runs before the project is trusted. */
  readonly ofProject: boolean;
  /** The package whose manifest names the files, for a place of the kind "package". */
  readonly plugin?: { readonly name: string; readonly version?: string };
  /** Set where the tools are those of this package. */
  readonly builtin?: true;
}

/** One file that may hold tools. */
export interface ToolFile {
  /** Absolute, as found: links are not resolved, so that people recognise it. */
  readonly file: string;
  /** The name of its default export. */
  readonly name: string;
  readonly place: Place;
  /** Set where this is no file but an MCP server: `file` is then its configuration's path, "#" and its name. */
  readonly server?: McpServer;
}
