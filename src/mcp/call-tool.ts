import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { ToolError } from "../core/error.ts";
import { nearest } from "../core/nearest.ts";
import type { Exchange } from "./exchange.ts";
import { reportProgress } from "./send-progress.ts";
import type { Shared } from "./shared.ts";
import { toCallResult } from "./to-content.ts";
import { type ToolView, unknown } from "./tool-view.ts";

/** What a call is made in. */
export interface CallSite {
  readonly shared: Shared;
  readonly view: ToolView;
  readonly sessionID: string;
  /** The version of the protocol that was agreed on. */
  readonly version: string | undefined;
}

/** Calls a tool for a client. A call that fails is a result; only a tool that nobody has is an error of the protocol. */
export async function callTool(
  { name: asked, arguments: input = {} }: CallToolRequest["params"],
  exchange: Exchange,
  { shared, view, sessionID, version }: CallSite,
): Promise<CallToolResult> {
  const { toolbox, options, kept } = shared;
  const { info } = exchange;
  const viewer = { info, sessionID };
  const reading = toolbox.ready();
  if (reading) await reading;
  let resolved = view.resolve(asked, viewer);
  const arrival = "name" in resolved && !toolbox.has(resolved.name) ? toolbox.ready(asked) : undefined;
  if (arrival) {
    // A file that is still being imported may bring it, and only then is it known whether this client may have it.
    await arrival;
    resolved = view.resolve(asked, viewer);
  }
  if ("refused" in resolved) return { content: [{ type: "text", text: resolved.refused }], isError: true };
  const { name, output } = resolved;
  const { id, _meta } = exchange.round.mcpReq;
  const callID = `${String(id).slice(0, 40)}-${crypto.randomUUID()}`;
  const forget = options.calls.open(callID, exchange);
  try {
    const beginning = shared.beginSession(sessionID);
    if (beginning) await beginning;
    const run = toolbox.call({ name, input, sessionID, callID, agent: info?.name ?? "" });
    exchange.stops(run);
    if (_meta?.progressToken !== undefined) await reportProgress(run, () => exchange.round);
    const result = await run.result;
    if (!result.ok && result.error.code === "unknown_tool") throw unknownTool(asked, result.error, view.names(viewer));
    const call = { name, sessionID, callID };
    const { embedBytes } = options;
    const { directory, homes } = toolbox.project;
    return toCallResult(result, { call, version, kept, home: homes.toolwrightHome, directory, embedBytes, output });
  } finally {
    forget();
  }
}

/** The toolbox knows why; but where it only guesses at names, they must be those that this client is shown. */
function unknownTool(asked: string, { message, data }: ToolError, names: readonly string[]): ProtocolError {
  const guessed = (data as { nearest?: readonly string[] } | undefined)?.nearest;
  const isBetter = guessed && (guessed.length > 0 || nearest(asked, names).length > 0);
  return isBetter ? unknown(asked, names) : new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
