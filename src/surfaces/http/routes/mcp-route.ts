import { SECURITY_HEADERS } from "../json-response.ts";
import type { McpEndpoint } from "../mcp-endpoint.ts";
import { readJson } from "../read-json.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

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
    const body = await readJson(incoming, limits);
    if (body.kind === "invalid") return rpcError(fail(body.error).status, PARSE_ERROR, body.error.message);
    if (body.value === undefined) return rpcError(400, PARSE_ERROR, "The body is missing. Send one message as JSON.");
    if (Array.isArray(body.value)) return rpcError(400, INVALID_REQUEST, NO_BATCHES);
    const error = isCall(body.value) ? admission.admit(outgoing) : undefined;
    return error ? fail(error) : mcp.serve(req.raw, body.value, outgoing);
  };
}

/** Only calls are limited. Responses to requests of this server must always be accepted. */
function isCall(message: unknown): boolean {
  return (message as { method?: unknown } | null)?.method === "tools/call";
}

const NO_BATCHES = "Batches are not part of the protocol: send one message per request.";

function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status });
}
