import type { PermitAnswer } from "../core/coding-agent.ts";
import { messageOf } from "../core/error.ts";
import type { HostRequest, HostResponse } from "../host/protocol/messages.ts";
import { untilAborted } from "../platform/waiting/until-aborted.ts";
import type { Call, CallSession } from "./call.ts";
import type { CallPermissions } from "./call-permissions.ts";
import { ALLOWABLE } from "./failures.ts";

/** Answers a request of a running tool to the serving process, other than calls of tools. A rejection counts as a no. */
export async function answerHostRequest(
  call: Call,
  request: Exclude<HostRequest, { kind: "call" }>,
  permissions: CallPermissions,
): Promise<HostResponse> {
  const { session, agents } = call.scope;
  switch (request.kind) {
    // The clock is paused while a person thinks.
    case "ask":
      return toResponse(await call.clock.pausedFor(() => permissions.ask(call, request.request)));
    case "permit":
      return toResponse(await call.clock.pausedFor(() => permissions.permitUndeclared(call, request.access)));
    case "permitted":
      return { ok: true, value: permissions.permitted(call, request.access) };
    case "permitted-below":
      return { ok: true, value: permissions.permittedBelow(call, request.folder) };
    case "get":
      return { ok: true, value: session.get(request.key) };
    case "set":
      return await store(request, session);
    case "delegate": {
      const done = await untilAborted(call.signal, () => agents.delegate(call, request.work));
      return done ? { ok: true, value: done } : { ok: false, code: "aborted", message: "The call was cancelled." };
    }
  }
}

/** The largest value that one key may hold, as characters of JSON: it is stored in the serving process. */
const MAX_STORED = 1_000_000;

async function store({ key, value }: HostRequest & { kind: "set" }, session: CallSession): Promise<HostResponse> {
  const size = key.length + (value === undefined ? 0 : JSON.stringify(value).length);
  if (size > MAX_STORED) {
    const message = `A session state value may have at most ${MAX_STORED} characters as JSON, and this one has ${size}. Write it to a file, and store the path of the file.`;
    return { ok: false, code: "failed", message };
  }
  try {
    await session.set(key, value);
    return { ok: true };
  } catch (error) {
    return { ok: false, code: "failed", message: messageOf(error) };
  }
}

function toResponse(answer: PermitAnswer): HostResponse {
  if (answer.allowed) return { ok: true };
  const { reason, allowable } = answer;
  return { ok: false, code: "denied", message: reason, ...(allowable ? ALLOWABLE : {}) };
}
