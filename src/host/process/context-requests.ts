import { ToolError } from "../../core/error.ts";
import type {
  AskRequest,
  CallContext,
  DeclaredAccess,
  Delegated,
  Delegation,
  InnerCallOptions,
  InnerResult,
  ToolContext,
} from "../../core/tool.ts";
import type { HostRequest, HostResponse } from "../protocol/messages.ts";
import { plainJson } from "../protocol/plain-json.ts";

/** The functions of a call's context that the serving process answers. */
type ContextRequests = Pick<CallContext, "callBuiltin"> &
  Pick<ToolContext, "ask" | "permit" | "permitted" | "permittedBelow" | "state" | "delegate">;

type Send = (request: HostRequest, options?: InnerCallOptions) => Promise<HostResponse>;

/** Creates the functions of a tool's context that ask the serving process. Values of authors are converted to plain JSON. */
export function contextRequests(send: Send): ContextRequests {
  const value = async (request: HostRequest, options?: InnerCallOptions): Promise<unknown> => {
    const response = await send(request, options);
    if (response.ok) return response.value;
    throw new ToolError(response.code, response.message);
  };
  return {
    ask: async (request) => void (await value({ kind: "ask", request: plainRequest(request) })),
    permit: async (access) => void (await value({ kind: "permit", access: plainAccess(access) })),
    permitted: async (access) =>
      (await value({ kind: "permitted", access: access.map(plainAccess) })) as readonly boolean[],
    permittedBelow: async (folder) => (await value({ kind: "permitted-below", folder: String(folder) })) === true,
    state: {
      get: (key) => value({ kind: "get", key: String(key) }),
      set: async (key, kept) => void (await value({ kind: "set", key: String(key), ...plainValue(kept) })),
    },
    delegate: async (work) => (await value({ kind: "delegate", work: plainWork(work) })) as Delegated,
    callBuiltin: async (tool, input, options) =>
      (await value({ kind: "call", tool, input: plainJson(input) ?? {} }, options)) as InnerResult,
  };
}

function plainRequest(request: unknown): AskRequest {
  const { permission, patterns, always, metadata } = fieldsOf(request);
  if (typeof permission !== "string" || !areTexts(patterns ?? []) || !areTexts(always ?? [])) {
    throw new TypeError("ask() needs { permission: string, patterns: string[] } to say what it asks for.");
  }
  const shown = typeof metadata === "object" && !Array.isArray(metadata) ? metadata : { metadata };
  const plain = { permission, patterns: patterns ?? [], always: always ?? [], metadata: shown ?? {} };
  return plainJson(plain) as AskRequest;
}

function areTexts(list: unknown): boolean {
  return Array.isArray(list) && list.every((each) => typeof each === "string");
}

const KINDS: readonly unknown[] = ["read", "write", "execute", "network"];

function plainAccess(access: unknown): DeclaredAccess {
  const { kind, target, named } = fieldsOf(access);
  if (!KINDS.includes(kind) || typeof target !== "string") {
    throw new TypeError('permit() needs { kind: "read" | "write" | "execute" | "network", target: string }.');
  }
  return { kind: kind as DeclaredAccess["kind"], target, ...(named === true ? { named } : {}) };
}

function plainWork(work: unknown): Delegation {
  const { description, prompt, agent, sessionID } = fieldsOf(work);
  if (typeof prompt !== "string" || typeof agent !== "string") {
    throw new TypeError("delegate() needs { description: string, prompt: string, agent: string }.");
  }
  const session = sessionID === undefined ? {} : { sessionID: String(sessionID) };
  return { description: String(description ?? ""), prompt, agent, ...session };
}

function plainValue(value: unknown): { value?: unknown } {
  const plain = plainJson(value);
  return plain === undefined ? {} : { value: plain };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return (value ?? {}) as Record<string, unknown>;
}
