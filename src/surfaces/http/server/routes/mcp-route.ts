import type { McpEndpoint } from "../../../mcp/http/mcp-endpoint.ts";
import { readRpcBody, rpcErrorResponse } from "../../../mcp/http/read-rpc-body.ts";
import { SECURITY_HEADERS } from "../../parts/json-response.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";

/** Serves MCP clients of both protocol eras. */
export function handleMcp({ limits, admission, fail }: RouteContext, mcp: McpEndpoint): RouteHandler {
  return async ({ req, env: { incoming, outgoing } }) => {
    if (req.method === "HEAD") {
      const allow = "GET, POST, DELETE";
      return fail({
        code: "method_not_allowed",
        message: `HEAD is not served there. Use ${allow}.`,
        headers: { allow },
      });
    }
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) outgoing.setHeader(name, value);
    if (req.method !== "POST") return mcp.serve(req.raw, undefined, outgoing);
    const body = await readRpcBody(incoming, limits);
    if (body.kind === "invalid") return rpcErrorResponse(fail(body.error).status, body.rpcCode, body.error.message);
    const error = isCall(body.message) ? admission.admit(outgoing) : undefined;
    return error ? fail(error) : mcp.serve(req.raw, body.message, outgoing);
  };
}

/** Only calls are limited. Responses to requests of this server must always be accepted. */
function isCall(message: unknown): boolean {
  return (message as { method?: unknown } | null)?.method === "tools/call";
}
