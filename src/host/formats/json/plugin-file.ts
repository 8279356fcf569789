import type { ShownTool } from "../../../core/tool.ts";

/** Runs a command. `{{name}}` is replaced with an argument of the call. */
export interface ShellHandlerConfig {
  readonly type: "shell";
  readonly command: string;
  /** In milliseconds. Default: 30,000. */
  readonly timeout?: number;
  /** Relative to the project. Default: the project. */
  readonly cwd?: string;
  /** Allows values that start with "-", which a command may read as options. */
  readonly allowDash?: boolean;
}

/** Sends a request. `{{name}}` in the URL and the headers is replaced with an argument of the call. */
export interface HttpHandlerConfig {
  readonly type: "http";
  readonly url: string;
  /** Default: POST. */
  readonly method?: "GET" | "POST" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  /** In milliseconds, for all redirects and the response. Default: 10,000. */
  readonly timeout?: number;
  /** The hosts of requests and redirects: `host`, `host:port` or `*.domain`. Default: every host. */
  readonly allowHosts?: readonly string[];
}

/** Reads the file at the argument `path`, inside one folder. */
export interface FileReadHandlerConfig {
  readonly type: "file-read";
  /** Relative to the project. */
  readonly basePath: string;
  /** In bytes. Default: 1 MB. */
  readonly maxSize?: number;
}

export type HandlerConfig = ShellHandlerConfig | HttpHandlerConfig | FileReadHandlerConfig;

export type PluginHandlerType = HandlerConfig["type"];

/** One tool of a JSON file. */
export interface PluginToolDefinition extends Omit<ShownTool, "outputSchema"> {
  readonly handler: HandlerConfig;
}

/** A JSON file of tools. */
export interface PluginConfigFile {
  readonly name: string;
  readonly version?: string;
  readonly tools: readonly PluginToolDefinition[];
}
