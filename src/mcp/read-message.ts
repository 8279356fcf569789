import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { isObject } from "../core/is-object.ts";
import { isDeeper } from "../core/json-levels.ts";

/** What one line holds: a message, or why it holds none and what to answer. */
export type ReadMessage = { readonly kind: "message"; readonly message: JSONRPCMessage } | BadMessage;

export interface BadMessage {
  readonly kind: "bad";
  readonly id: string | number | null;
  readonly code: number;
  readonly reason: string;
}

/** Deeper than anything that means something, and far from what would exhaust a stack. */
const DEEPEST = 500;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** Reads one line. Never throws. */
export function readMessage(line: string): ReadMessage {
  const value = parse(line);
  if (value === undefined) return bad(null, PARSE_ERROR, "This line is not JSON.");
  if (Array.isArray(value))
    return bad(null, INVALID_REQUEST, "Batches are not part of the protocol: send one message per line.");
  if (!isObject(value) || value.jsonrpc !== "2.0")
    return bad(null, INVALID_REQUEST, 'A message is an object with "jsonrpc": "2.0".');
  const id = isId(value.id) ? value.id : null;
  if (line.length > DEEPEST * 2 && isDeeper(value, DEEPEST)) {
    return bad(id, INVALID_REQUEST, `This message is nested more than ${DEEPEST} levels deep.`);
  }
  const fault = faultOf(value);
  return fault === undefined ? { kind: "message", message: value as JSONRPCMessage } : bad(id, INVALID_REQUEST, fault);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Answers to our own requests are only looked at: there is nobody to tell that one is wrong. */
function faultOf({ id, method, params, result, error }: Record<string, unknown>): string | undefined {
  if (method === undefined) return isObject(result) || isObject(error) ? undefined : '"method" is missing.';
  if (typeof method !== "string") return '"method" is a text.';
  if (id !== undefined && !isId(id)) return '"id" is a text or a whole number.';
  return params === undefined || isObject(params) ? undefined : '"params" is an object.';
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function bad(id: string | number | null, code: number, reason: string): ReadMessage {
  return { kind: "bad", id, code, reason };
}
