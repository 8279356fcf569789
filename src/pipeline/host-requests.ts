import type { AskRequest, DeclaredAccess, Delegated, Delegation } from "../core/tool.ts";
import { untilAborted } from "../core/until-aborted.ts";
import type { HostRequest, HostResponse } from "../protocol/messages.ts";
import type { Call } from "./call.ts";
import type { Answer } from "./permission-answer.ts";

/** Who meets what running calls need. */
export interface HostRequestHandlers {
  readonly ask: (call: Call, request: AskRequest) => Promise<Answer>;
  readonly permitMore: (call: Call, access: DeclaredAccess) => Promise<Answer>;
  readonly permitted: (call: Call, access: readonly DeclaredAccess[]) => readonly boolean[];
  readonly state: {
    get(sessionID: string, key: string): unknown;
    set(sessionID: string, key: string, value: unknown): void;
  };
  /** May reject; its message is for the model. */
  readonly delegate: (call: Call, work: Delegation) => Promise<Delegated>;
}

/** Answers whatever a tool asks of the process that serves it while it runs. May reject: that is a no. */
export function createHostRequestHandler(
  options: HostRequestHandlers,
): (call: Call, need: HostRequest) => Promise<HostResponse> {
  return async (call, need) => {
    const { sessionID } = call.context;
    switch (need.kind) {
      // The clock stands while a person thinks.
      case "ask":
        return toResponse(await call.clock.pausedFor(() => options.ask(call, need.request)));
      case "permit":
        return toResponse(await call.clock.pausedFor(() => options.permitMore(call, need.access)));
      case "permitted":
        return { ok: true, value: options.permitted(call, need.access) };
      case "get":
        return { ok: true, value: options.state.get(sessionID, need.key) };
      case "set":
        return keep(need, (key, value) => options.state.set(sessionID, key, value));
      case "delegate": {
        const done = await untilAborted(call.signal, () => options.delegate(call, need.work));
        return done ? { ok: true, value: done } : { ok: false, code: "aborted", message: "The call was cancelled." };
      }
    }
  };
}

/** What one key may hold, as JSON. */
const MAX_KEPT = 1_000_000;

/** It is kept in the process that serves everybody, so it may not be large. */
function keep({ key, value }: HostRequest & { kind: "set" }, set: (key: string, value: unknown) => void): HostResponse {
  const size = key.length + (value === undefined ? 0 : JSON.stringify(value).length);
  if (size > MAX_KEPT) {
    const message = `What is kept for a session under one key may have at most ${MAX_KEPT} characters as JSON, and this has ${size}. Write it to a file, and keep the file's path.`;
    return { ok: false, code: "failed", message };
  }
  set(key, value);
  return { ok: true };
}

function toResponse(answer: Answer): HostResponse {
  return answer.allowed ? { ok: true } : { ok: false, code: "denied", message: answer.reason };
}
