import {
  type CallToolResult,
  type Tool as McpTool,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { nearest } from "../core/nearest.ts";
import type { JsonSchema } from "../core/schema.ts";
import type { Hints } from "../core/tool.ts";
import { identityOf, type ToolInfo } from "../registry/registry-entry.ts";
import type { Toolbox } from "../toolbox/toolbox.ts";
import type { ClientIdentity } from "./mcp-client.ts";
import { PINNED_META, pinnedTools } from "./pinned-tools.ts";
import type { ResolvedOptions, ShownTool } from "./server-options.ts";
import { STATUS_TOOL, statusResult, statusTool } from "./status-tool.ts";

/** The client and session that tools are listed for. */
export interface ToolListContext {
  readonly info: ClientIdentity | undefined;
  readonly sessionID: string;
}

/** The tool that a name referred to when it was listed. */
interface ListedTool {
  readonly name: string;
  readonly identity: string;
  readonly outputSchema?: JsonSchema | undefined;
}

/** A tool, and the same tool as it is sent to the client. */
interface FittedTool {
  readonly tool: ToolInfo;
  readonly shown: ShownTool;
}

/** The tools that one connection serves, under the names and schemas that its client was sent. */
export class ClientTools {
  readonly #toolbox: Toolbox;
  readonly #options: ResolvedOptions;
  /** The last list that was sent. */
  #lastList: readonly FittedTool[] = [];
  /** `#lastList` by listed name. Built on first use. */
  #listedByName: ReadonlyMap<string, ListedTool> | undefined;

  constructor(toolbox: Toolbox, options: ResolvedOptions) {
    this.#toolbox = toolbox;
    this.#options = options;
  }

  /** One page of the list, sorted by name. Throws for an invalid cursor. */
  list(client: ToolListContext, cursor: string | undefined): { tools: McpTool[]; nextCursor?: string } {
    const after = cursor === undefined ? undefined : nameIn(cursor);
    const all = this.#fittedTools(client);
    this.#lastList = all;
    this.#listedByName = undefined;
    const rest = after === undefined ? all : all.filter(({ shown }) => shown.name > after);
    const page = rest.slice(0, this.#options.pageSize);
    const isPinned = pinnedTools(this.#toolbox.project.settings.tools.pinned, all.length, this.#options);
    const tools = page.map(({ shown, tool }) => toMcpTool(shown, tool.hints, this.#metaOf(isPinned(tool.name))));
    const last = tools.at(-1);
    if (rest.length > page.length && last) return { tools, nextCursor: cursorAfter(last.name) };
    const status = this.#status(all);
    return { tools: status ? [...tools, status] : tools };
  }

  /** The result of the status tool, if the name means it. It can be called even if it is no longer listed. */
  statusOf(requested: string, client: ToolListContext): CallToolResult | undefined {
    if (requested !== STATUS_TOOL || !this.#options.offersStatus || this.#toolbox.has(requested)) return undefined;
    return statusResult(this.#toolbox, this.names(client));
  }

  #metaOf(isPinned: boolean): McpTool["_meta"] {
    const { toolMeta } = this.#options;
    if (!isPinned) return toolMeta;
    return toolMeta === undefined ? PINNED_META : { ...PINNED_META, ...toolMeta };
  }

  #status(all: readonly FittedTool[]): McpTool | undefined {
    if (!this.#options.offersStatus || all.some(({ shown }) => shown.name === STATUS_TOOL)) return undefined;
    return statusTool(this.#toolbox);
  }

  /**
   * The name in the toolbox for a name that the client sent, and the output schema that the client was sent. Throws a protocol
   * error for a tool that is not served to this client.
   */
  resolve(
    requested: string,
    client: ToolListContext,
  ): { name: string; outputSchema?: JsonSchema | undefined } | { refused: string } {
    this.#listedByName ??= new Map(this.#lastList.map((each) => [each.shown.name, toListedTool(each)]));
    const listed = this.#listedByName.get(requested) ?? this.#findByFittedName(requested, client);
    const name = listed?.name ?? requested;
    const tool = this.#toolbox.get(name);
    if (tool && !this.#options.includes(tool, client.info)) throw unknownTool(requested, this.names(client));
    if (tool && listed && listed.identity !== identityOf(tool)) {
      return { refused: `"${requested}" now means another tool than when the tools were listed. List them again.` };
    }
    return { name, outputSchema: listed ? listed.outputSchema : this.#outputSchemaOf(tool, client) };
  }

  /** The names that the client is sent. */
  names(client: ToolListContext): string[] {
    return this.#fittedTools(client).map(({ shown }) => shown.name);
  }

  /** For a client that has not listed the tools on this connection. */
  #outputSchemaOf(tool: ToolInfo | undefined, { info }: ToolListContext): JsonSchema | undefined {
    if (tool?.outputSchema === undefined) return undefined;
    return (this.#options.fit?.([tool], info)[0] ?? tool).outputSchema;
  }

  /** For a client that knows a fitted name from an earlier connection. */
  #findByFittedName(requested: string, client: ToolListContext): ListedTool | undefined {
    if (!this.#options.fit || this.#toolbox.has(requested)) return undefined;
    const found = this.#fittedTools(client).find(({ shown }) => shown.name === requested);
    return found && toListedTool(found);
  }

  #fittedTools({ info, sessionID }: ToolListContext): FittedTool[] {
    const tools = this.#toolbox
      .list({ agent: this.#options.agent ?? info?.name ?? "", sessionID })
      .filter((tool) => this.#options.includes(tool, info));
    const fitted = this.#options.fit?.(tools, info) ?? tools;
    return tools
      .map((tool, index) => ({ tool, shown: fitted[index] ?? tool }))
      .sort((a, b) => (a.shown.name < b.shown.name ? -1 : 1));
  }
}

/** The protocol error for a tool that does not exist, with the nearest names. */
export function unknownTool(name: string, names: readonly string[]): ProtocolError {
  const near = nearest(name, names).map((each) => `"${each}"`);
  const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "List the tools to see all names.";
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${name}". ${hint}`);
}

/** Adds `type: "object"` to an input schema without it: clients reject the whole list otherwise. */
export function toMcpTool(
  { name, description, inputSchema, outputSchema }: ShownTool,
  hints: Hints,
  meta: McpTool["_meta"],
): McpTool {
  const schema = inputSchema.type === "object" ? inputSchema : { ...inputSchema, type: "object" };
  const annotations = toAnnotations(hints);
  return {
    name,
    ...(hints.title === undefined ? {} : { title: hints.title }),
    description,
    inputSchema: schema as McpTool["inputSchema"],
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as NonNullable<McpTool["outputSchema"]> }),
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}

function toAnnotations({
  title,
  readOnly,
  destructive,
  idempotent,
  openWorld,
}: Hints): NonNullable<McpTool["annotations"]> {
  return {
    ...(title === undefined ? {} : { title }),
    ...(readOnly === undefined ? {} : { readOnlyHint: readOnly }),
    ...(destructive === undefined ? {} : { destructiveHint: destructive }),
    ...(idempotent === undefined ? {} : { idempotentHint: idempotent }),
    ...(openWorld === undefined ? {} : { openWorldHint: openWorld }),
  };
}

function toListedTool({ shown, tool }: FittedTool): ListedTool {
  return { name: tool.name, identity: identityOf(tool), outputSchema: shown.outputSchema };
}

const CURSOR = "after:";

/** A cursor holds the last name of the page before, so that it stays valid when tools are added or removed. */
function cursorAfter(name: string): string {
  return Buffer.from(`${CURSOR}${name}`).toString("base64url");
}

function nameIn(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString();
  if (text.startsWith(CURSOR)) return text.slice(CURSOR.length);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "This cursor is not valid. List from the beginning.");
}
