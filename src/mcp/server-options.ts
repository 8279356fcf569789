import type { ContentBlock } from "@modelcontextprotocol/server";
import type { JsonSchema } from "../core/schema.ts";
import type { ToolInfo } from "../registry/entry.ts";
import type { ClientIdentity, McpClient } from "./mcp-client.ts";
import type { OpenCalls } from "./open-calls.ts";

/** A tool as a client is shown it. */
export interface ShownTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Where it is left out, results of the tool have no structured content either. */
  readonly outputSchema?: JsonSchema;
}

/** Makes tools fit for a client: one for each, in the same order, whichever others there are. Must not throw. */
export type Fit = (tools: readonly ShownTool[], client: ClientIdentity | undefined) => readonly ShownTool[];

/** Text, or bytes. */
export type ResourceData = string | Uint8Array;

interface Described {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}

/** Something that clients can read by its address. */
export interface McpResource extends Described {
  readonly uri: string;
  readonly uriTemplate?: never;
  readonly mimeType?: string;
  read(uri: string, client: McpClient): ResourceData | Promise<ResourceData>;
}

/** Things that clients can read by addresses of one form: `notes://{day}`. */
export interface McpResourceTemplate extends Described {
  readonly uriTemplate: string;
  readonly uri?: never;
  readonly mimeType?: string;
  read(
    uri: string,
    variables: Readonly<Record<string, string>>,
    client: McpClient,
  ): ResourceData | Promise<ResourceData>;
  /** What a variable may be, given the beginning of it. */
  complete?(variable: string, value: string): readonly string[] | Promise<readonly string[]>;
}

export interface McpPromptMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentBlock;
}

/** A prompt that users of a client can pick. */
export interface McpPrompt extends Described {
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
  get(
    values: Readonly<Record<string, string>>,
    client: McpClient,
  ): readonly McpPromptMessage[] | Promise<readonly McpPromptMessage[]>;
  /** What an argument may be, given the beginning of it. */
  complete?(argument: string, value: string): readonly string[] | Promise<readonly string[]>;
}

/** What is served beside the tools, and how. Everything has a default. */
export interface ProtocolOptions {
  /** Which tools a client is served; by default all but the built-in ones, which clients have their own of. */
  readonly includes?: (tool: ToolInfo, client: ClientIdentity | undefined) => boolean;
  readonly fit?: Fit;
  readonly resources?: readonly (McpResource | McpResourceTemplate)[];
  readonly prompts?: readonly McpPrompt[];
  /** Whether the first list begins to watch the files; true by default. False is for whoever watches them already. */
  readonly watches?: boolean;
  /** The calls that are under way: shared with the approver that asks the clients that made them. */
  readonly calls?: OpenCalls;
  /** Tools in one answer to `tools/list`; 500 by default. */
  readonly pageSize?: number;
  /** How long a person may think about a question; 10 minutes by default. */
  readonly askMs?: number;
  /** Files of results up to this size travel in the result; larger ones are left to be read. 100,000 bytes by default. */
  readonly embedBytes?: number;
  /** The most that one `resources/read` answers with; 5,000,000 bytes by default. */
  readonly readBytes?: number;
  /** Told of what goes wrong in the protocol, for a log. */
  readonly onError?: (error: Error) => void;
}

/** The same with every default filled in. */
export type Served = Required<Omit<ProtocolOptions, "fit" | "onError">> & Pick<ProtocolOptions, "fit" | "onError">;
