import type { IncomingMessage } from "node:http";
import type { ErrorResponse } from "../../http/parts/error-response.ts";
import { type BodyLimits, readJson } from "../../http/parts/read-json.ts";

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

type RpcBody =
  | { readonly kind: "message"; readonly message: unknown }
  | { readonly kind: "invalid"; readonly error: ErrorResponse; readonly rpcCode: number };

/** Reads the body of a POST of an MCP client: one message. Never rejects. */
export async function readRpcBody(incoming: IncomingMessage, limits: BodyLimits): Promise<RpcBody> {
  const body = await readJson(incoming, limits);
  if (body.kind === "invalid") return { ...body, rpcCode: PARSE_ERROR };
  const { value: message } = body;
  if (message === undefined) return invalid("The body is missing. Send one message as JSON.", PARSE_ERROR);
  if (Array.isArray(message)) return invalid(NO_BATCHES, INVALID_REQUEST);
  return { kind: "message", message };
}

const NO_BATCHES = "Batches are not part of the protocol: send one message per request.";

function invalid(message: string, rpcCode: number): RpcBody {
  return { kind: "invalid", error: { code: "bad_request", message }, rpcCode };
}

export function rpcErrorResponse(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status });
}
