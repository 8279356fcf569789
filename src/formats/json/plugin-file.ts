import type { JsonSchema } from "../../core/schema.ts";

/** Runs a command, with `{{name}}` for the arguments of the call. */
export interface ShellHandlerConfig {
  readonly type: "shell";
  readonly command: string;
  /** In milliseconds; 30,000 when left out. */
  readonly timeout?: number;
  /** Relative to the project, which it is when left out. */
  readonly cwd?: string;
  /** Lets a value begin a word with "-", as an option does. */
  readonly allowDash?: boolean;
}

/** Sends a request, with `{{name}}` in its address and its headers for arguments of the call. */
export interface HttpHandlerConfig {
  readonly type: "http";
  readonly url: string;
  /** POST when left out. */
  readonly method?: "GET" | "POST" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  /** In milliseconds, for everything together; 10,000 when left out. */
  readonly timeout?: number;
  /** Where requests and redirects may go: `host`, `host:port` or `*.domain`. Anywhere when left out. */
  readonly allowHosts?: readonly string[];
}

/** Reads the file that the argument `path` names, inside one folder. */
export interface FileReadHandlerConfig {
  readonly type: "file-read";
  /** Relative to the project. */
  readonly basePath: string;
  /** In bytes; 1 MB when left out. */
  readonly maxSize?: number;
}

export type HandlerConfig = ShellHandlerConfig | HttpHandlerConfig | FileReadHandlerConfig;

/** One tool of a JSON file. */
export interface PluginToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly handler: HandlerConfig;
}

/** A JSON file of tools. */
export interface PluginConfigFile {
  readonly name: string;
  readonly version?: string;
  readonly tools: readonly PluginToolDefinition[];
}
