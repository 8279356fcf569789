import type { ContentBlock } from "@modelcontextprotocol/server";
import type { ToolInfo } from "../../catalog/registry/registry-entry.ts";
import type { ShownTool } from "../../core/tool.ts";
import type { ClientIdentity, McpClient } from "./mcp-client.ts";
import type { OpenCalls } from "./open-calls.ts";

/** Adapts tools to a client. Returns one for each tool, in the same order; no tool may depend on the others. Must not throw. */
export type Fit = (tools: readonly ShownTool[], client: ClientIdentity | undefined) => readonly ShownTool[];

export type ResourceData = string | Uint8Array;

interface Described {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}

/** A resource that clients can read by its URI. */
export interface McpResource extends Described {
  readonly uri: string;
  readonly uriTemplate?: never;
  readonly mimeType?: string;
  read(uri: string, client: McpClient): ResourceData | Promise<ResourceData>;
}

/** Resources that clients can read by URIs of one template, such as `notes://{day}`. */
export interface McpResourceTemplate extends Described {
  readonly uriTemplate: string;
  readonly uri?: never;
  readonly mimeType?: string;
  read(
    uri: string,
    variables: Readonly<Record<string, string>>,
    client: McpClient,
  ): ResourceData | Promise<ResourceData>;
  /** Completes the value of a variable. */
  complete?(variable: string, value: string): readonly string[] | Promise<readonly string[]>;
}

export interface McpPromptMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentBlock;
}

/** A prompt that users of a client can select. */
export interface McpPrompt extends Described {
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
  get(
    values: Readonly<Record<string, string>>,
    client: McpClient,
  ): readonly McpPromptMessage[] | Promise<readonly McpPromptMessage[]>;
  /** Completes the value of an argument. */
  complete?(argument: string, value: string): readonly string[] | Promise<readonly string[]>;
}

/** Options of an MCP server. All are optional. */
export interface ProtocolOptions {
  /** Which tools a client is served; by default all but the built-in ones, because agents have their own. */
  readonly includes?: (tool: ToolInfo, client: ClientIdentity | undefined) => boolean;
  readonly fit?: Fit;
  /** The name of the agent in permission rules and in the context of calls; by default the name in `clientInfo`. */
  readonly agent?: string;
  /** Added to `_meta` of each tool. */
  readonly toolMeta?: Readonly<Record<string, unknown>>;
  /** The key in `_meta` of a call with the id that the model gave the call; by default calls get ids of this server. */
  readonly callIdKey?: string;
  readonly resources?: readonly (McpResource | McpResourceTemplate)[];
  readonly prompts?: readonly McpPrompt[];
  /** Whether the first `tools/list` starts watching the tool files; true by default. False if the caller watches them. */
  readonly watches?: boolean;
  /**
   * Until when the first lists for a client wait for tool files, on the clock of `performance.now()`; by default until
   * `Toolbox.ready()` resolves. Files that take longer are listed as last known, and clients are notified when they have loaded.
   */
  readonly listBy?: (client: ClientIdentity | undefined) => number;
  /** Whether to offer the tool "toolwright-status" while tools are blocked or none could be loaded; true by default. */
  readonly offersStatus?: boolean;
  /** Whether all tools are pinned while there are few, see `pinnedTools`; true by default. The setting `tools.pinned` always counts. */
  readonly pinsFew?: boolean;
  /** The running calls, to be shared with `clientApprover`. */
  readonly calls?: OpenCalls;
  /** The number of tools in one result of `tools/list`; 500 by default. */
  readonly pageSize?: number;
  /** The timeout for answers of users; 10 minutes by default. */
  readonly askMs?: number;
  /** Files up to this size are embedded in results, larger ones are linked; 100,000 bytes by default. */
  readonly embedBytes?: number;
  /** The maximum size of a `resources/read` result; 5,000,000 bytes by default. */
  readonly readBytes?: number;
  /** Called with protocol errors, for a log. */
  readonly onError?: (error: Error) => void;
}

/** `ProtocolOptions` with defaults. */
export type ResolvedOptions = Required<Omit<ProtocolOptions, Optional>> & Pick<ProtocolOptions, Optional>;

type Optional = "fit" | "agent" | "toolMeta" | "callIdKey" | "onError" | "listBy";
