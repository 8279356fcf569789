import { AgentError, type AgentErrorCode } from "../../../../core/agent-error.ts";
import type { ApiErrorCode } from "../../../../core/api.ts";
import { SessionError, type SessionErrorCode } from "../../../../core/session-store.ts";
import type { ErrorResponse } from "../../parts/error-response.ts";

/** The response to an error of a session or of its agent. Undefined for another error, which is one of the server. */
export function sessionRefusal(error: unknown): ErrorResponse | undefined {
  return SessionError.is(error) || AgentError.is(error) ? refusalOf(error) : undefined;
}

/** The response to an error with the code of a session or of its agent. */
export function refusalOf({ code, message }: { readonly code: string; readonly message: string }): ErrorResponse {
  return { code: CODES[code as keyof typeof CODES] ?? "sessions_unavailable", message };
}

/** Other errors are those of the store, which the client cannot correct. */
const CODES: Partial<Record<SessionErrorCode | AgentErrorCode | "failed", ApiErrorCode>> = {
  invalid_answer: "bad_request",
  invalid_event: "bad_request",
  invalid_position: "bad_request",
  invalid_session_id: "not_found",
  question_not_found: "not_found",
  session_not_found: "not_found",
  session_removed: "not_found",
  question_closed: "conflict",
  conflict: "conflict",
  owned: "conflict",
  session_exists: "conflict",
  superseded: "conflict",
  stopping: "stopping",
  too_large: "too_large",
  unknown_agent: "bad_request",
  not_installed: "bad_request",
  unsupported: "bad_request",
  rules_not_saved: "failed",
  not_started: "failed",
  unauthorized: "failed",
  model_failed: "failed",
  no_answer: "failed",
  agent_failed: "failed",
  failed: "failed",
};
