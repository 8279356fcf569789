import {
  type CallToolRequest,
  type CallToolResult,
  type Tool as McpTool,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { identityOf, type ToolInfo } from "../../catalog/registry/registry-entry.ts";
import type { ToolError } from "../../core/error.ts";
import type { JsonSchema } from "../../core/schema.ts";
import type { ShownTool } from "../../core/tool.ts";
import { nearest } from "../../platform/text/nearest.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import type { ClientRequest } from "./client-request.ts";
import { PINNED_META, pinnedTools } from "./pinned-tools.ts";
import type { ResolvedOptions } from "./server-options.ts";
import { STATUS_TOOL, statusResult, statusTool } from "./status-tool.ts";
import { toMcpTool } from "./to-mcp-tool.ts";
import type { ConnectedTools, StartedRun, ToolListContext } from "./tool-source.ts";

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

/** The tools of a toolbox under the names and schemas that one client was sent. */
export class ClientTools implements ConnectedTools {
  readonly #toolbox: Toolbox;
  readonly #options: ResolvedOptions;
  readonly #beginSession: (sessionID: string) => Promise<void> | undefined;
  #lastList: readonly FittedTool[] = [];
  /** `#lastList` by listed name. Built on first use. */
  #listedByName: ReadonlyMap<string, ListedTool> | undefined;

  /** `beginSession` runs the session handlers of tool files. It returns a promise while they run. */
  constructor(
    toolbox: Toolbox,
    options: ResolvedOptions,
    beginSession: (sessionID: string) => Promise<void> | undefined,
  ) {
    this.#toolbox = toolbox;
    this.#options = options;
    this.#beginSession = beginSession;
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

  async start(
    { name: requested, arguments: input = {} }: CallToolRequest["params"],
    request: ClientRequest,
    client: ToolListContext,
  ): Promise<StartedRun | { readonly result: CallToolResult }> {
    const toolbox = this.#toolbox;
    const { agent, callIdKey, calls } = this.#options;
    const { info, sessionID } = client;
    // A name that only this client was sent is unknown to the toolbox, and waits for the first reading of all files.
    const reading = toolbox.ready(requested);
    if (reading) await reading;
    const status = this.#statusOf(requested, client);
    if (status) return { result: status };
    const resolved = this.#resolve(requested, client);
    if ("refused" in resolved) {
      return { result: { content: [{ type: "text", text: resolved.refused }], isError: true } };
    }
    const { name, outputSchema } = resolved;
    const { id, _meta } = request.context.mcpReq;
    const given = callIdKey === undefined ? undefined : _meta?.[callIdKey];
    const callID = typeof given === "string" ? given : `${String(id).slice(0, 40)}-${crypto.randomUUID()}`;
    const ended = calls.open(callID, request);
    try {
      const sessionStart = this.#beginSession(sessionID);
      if (sessionStart) await sessionStart;
      const from = agent ?? info?.name ?? "";
      const run = toolbox.call({ name, input, sessionID, callID, agent: from, caller: "mcp" });
      return { run, name, outputSchema, ended };
    } catch (error) {
      ended();
      throw error;
    }
  }

  /** The toolbox's error says why the tool is missing. Names that it suggests are replaced by names from this client's list. */
  unknownTool(requested: string, { message, data }: ToolError, client: ToolListContext): ProtocolError {
    const names = this.#names(client);
    const suggested = (data as { nearest?: readonly string[] } | undefined)?.nearest;
    const hasSuggestions = suggested && (suggested.length > 0 || nearest(requested, names).length > 0);
    return hasSuggestions ? unknownTool(requested, names) : new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }

  /** The result of the status tool, if the name means it. It can be called even if it is no longer listed. */
  #statusOf(requested: string, client: ToolListContext): CallToolResult | undefined {
    if (requested !== STATUS_TOOL || !this.#options.offersStatus || this.#toolbox.has(requested)) return undefined;
    return statusResult(this.#toolbox, this.#names(client));
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
  #resolve(
    requested: string,
    client: ToolListContext,
  ): { name: string; outputSchema?: JsonSchema | undefined } | { refused: string } {
    this.#listedByName ??= new Map(this.#lastList.map((each) => [each.shown.name, toListedTool(each)]));
    const listed = this.#listedByName.get(requested) ?? this.#findByFittedName(requested, client);
    const name = listed?.name ?? requested;
    const tool = this.#toolbox.get(name);
    if (tool && !this.#options.includes(tool, client.info)) throw unknownTool(requested, this.#names(client));
    if (tool && listed && listed.identity !== identityOf(tool)) {
      return { refused: `"${requested}" now means another tool than when the tools were listed. List them again.` };
    }
    return { name, outputSchema: listed ? listed.outputSchema : this.#outputSchemaOf(tool, client) };
  }

  #names(client: ToolListContext): string[] {
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

function unknownTool(name: string, names: readonly string[]): ProtocolError {
  const near = nearest(name, names).map((each) => `"${each}"`);
  const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "List the tools to see all names.";
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${name}". ${hint}`);
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
