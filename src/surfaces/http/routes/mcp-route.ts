import { readJson } from "../read-json.ts";
import { SAFE_HEADERS } from "../refusal.ts";
import type { Routes } from "./routes.ts";

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** The Model Context Protocol, in both of its eras. */
export const mcpRoutes: Routes = (app, { mcp, limits, admission, refuse }) => {
  if (!mcp) return;
  app.on(["GET", "POST", "DELETE"], "/mcp", async ({ req, env: { incoming, outgoing } }) => {
    if (req.method === "HEAD") {
      const allow = "GET, POST, DELETE";
      return refuse({
        code: "method_not_allowed",
        message: `HEAD is not served there. Use ${allow}.`,
        headers: { allow },
      });
    }
    for (const [name, value] of Object.entries(SAFE_HEADERS)) outgoing.setHeader(name, value);
    if (req.method !== "POST") return mcp.serve(req.raw, undefined, outgoing);
    const body = await readJson(incoming, limits);
    if (body.kind === "refused") return rpcError(refuse(body.refusal).status, PARSE_ERROR, body.refusal.message);
    if (body.value === undefined) return rpcError(400, PARSE_ERROR, "The body is missing. Send one message as JSON.");
    if (Array.isArray(body.value)) return rpcError(400, INVALID_REQUEST, NO_BATCHES);
    const refusal = isCall(body.value) ? admission.admit(outgoing) : undefined;
    return refusal ? refuse(refusal) : mcp.serve(req.raw, body.value, outgoing);
  });
};

/** Whether a message makes something run. The rest, answers to our own questions above all, must always come through. */
function isCall(message: unknown): boolean {
  return (message as { method?: unknown } | null)?.method === "tools/call";
}

const NO_BATCHES = "Batches are not part of the protocol: send one message per request.";

function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status });
}
