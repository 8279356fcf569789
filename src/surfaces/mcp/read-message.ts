import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { isDeeperThan } from "../../platform/json/json-levels.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";

/** The message in a line, or the error to answer with. */
type ReadMessage = { readonly kind: "message"; readonly message: JSONRPCMessage } | BadMessage;

export interface BadMessage {
  readonly kind: "bad";
  readonly id: string | number | null;
  readonly code: number;
  readonly reason: string;
}

/** More than any real message has, and far less than overflows the stack. */
const MAX_DEPTH = 500;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** Parses one line. Never throws. */
export function readMessage(line: string): ReadMessage {
  const value = parse(line);
  if (value === undefined) return bad(null, PARSE_ERROR, "This line is not JSON.");
  if (Array.isArray(value))
    return bad(null, INVALID_REQUEST, "Batches are not part of the protocol: send one message per line.");
  if (!isObject(value) || value.jsonrpc !== "2.0")
    return bad(null, INVALID_REQUEST, 'A message is an object with "jsonrpc": "2.0".');
  const id = isId(value.id) ? value.id : null;
  if (line.length > MAX_DEPTH * 2 && isDeeperThan(value, MAX_DEPTH)) {
    return bad(id, INVALID_REQUEST, `This message is nested more than ${MAX_DEPTH} levels deep.`);
  }
  const fault = faultOf(value);
  return fault === undefined ? { kind: "message", message: value as JSONRPCMessage } : bad(id, INVALID_REQUEST, fault);
}

function parse(line: string): unknown {
  return tryOrUndefined(() => JSON.parse(line));
}

/** Responses are barely checked: JSON-RPC has no way to report an error in a response. */
function faultOf({ id, method, params, result, error }: Record<string, unknown>): string | undefined {
  if (method === undefined) return isObject(result) || isObject(error) ? undefined : '"method" is missing.';
  if (typeof method !== "string") return '"method" must be a string.';
  if (id !== undefined && !isId(id)) return '"id" must be a string or an integer.';
  return params === undefined || isObject(params) ? undefined : '"params" must be an object.';
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function bad(id: string | number | null, code: number, reason: string): ReadMessage {
  return { kind: "bad", id, code, reason };
}
