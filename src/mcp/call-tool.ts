import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { ToolError } from "../core/error.ts";
import { nearest } from "../core/nearest.ts";
import type { ClientRequest } from "./client-request.ts";
import { type ClientTools, unknownTool } from "./client-tools.ts";
import { reportProgress } from "./report-progress.ts";
import type { ServerState } from "./server-state.ts";
import { toCallResult } from "./to-call-result.ts";

export interface CallToolContext {
  readonly state: ServerState;
  readonly tools: ClientTools;
  readonly sessionID: string;
  /** The negotiated protocol version. */
  readonly version: string | undefined;
}

/** Calls a tool for a client. A failed call is a result; only the name of an unknown tool is a protocol error. */
export async function callTool(
  { name: requested, arguments: input = {} }: CallToolRequest["params"],
  request: ClientRequest,
  { state, tools, sessionID, version }: CallToolContext,
): Promise<CallToolResult> {
  const { toolbox, options, outputs } = state;
  const { info } = request;
  const client = { info, sessionID };
  const loading = toolbox.ready();
  if (loading) await loading;
  const status = tools.statusOf(requested, client);
  if (status) return status;
  let resolved = tools.resolve(requested, client);
  const importing = "name" in resolved && !toolbox.has(resolved.name) ? toolbox.ready(requested) : undefined;
  if (importing) {
    // A file that is still being imported may define the tool. Whether it is served to this client is known only afterwards.
    await importing;
    resolved = tools.resolve(requested, client);
  }
  if ("refused" in resolved) return { content: [{ type: "text", text: resolved.refused }], isError: true };
  const { name, outputSchema } = resolved;
  const { id, _meta } = request.context.mcpReq;
  const given = options.callIdKey === undefined ? undefined : _meta?.[options.callIdKey];
  const callID = typeof given === "string" ? given : `${String(id).slice(0, 40)}-${crypto.randomUUID()}`;
  const closeCall = options.calls.open(callID, request);
  try {
    const sessionStart = state.beginSession(sessionID);
    if (sessionStart) await sessionStart;
    const run = toolbox.call({
      name,
      input,
      sessionID,
      callID,
      agent: options.agent ?? info?.name ?? "",
      caller: "mcp",
    });
    request.abortsWith(run);
    if (_meta?.progressToken !== undefined) await reportProgress(run, () => request.context);
    const result = await run.result;
    if (!result.ok && result.error.code === "unknown_tool") {
      throw unknownToolError(requested, result.error, tools.names(client));
    }
    const call = { name, sessionID, callID };
    const { embedBytes } = options;
    const { directory, homes } = toolbox.project;
    return toCallResult(result, {
      call,
      version,
      outputs,
      home: homes.toolwrightHome,
      directory,
      embedBytes,
      outputSchema,
    });
  } finally {
    closeCall();
  }
}

/** The toolbox's error says why the tool is missing. Names that it suggests are replaced by names from this client's list. */
function unknownToolError(requested: string, { message, data }: ToolError, names: readonly string[]): ProtocolError {
  const suggested = (data as { nearest?: readonly string[] } | undefined)?.nearest;
  const hasSuggestions = suggested && (suggested.length > 0 || nearest(requested, names).length > 0);
  return hasSuggestions ? unknownTool(requested, names) : new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
