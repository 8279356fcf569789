import { AgentError, type AgentErrorCode } from "../../../core/agent-error.ts";
import { asSentence } from "../../../platform/text/as-sentence.ts";
import type { ResultMessage, SdkMessage } from "./claude-sdk.ts";

/** The values of `error` of a message that mean that the credentials are refused or missing. */
const CREDENTIAL_ERRORS = ["authentication_failed", "oauth_org_not_allowed", "cloud_credential_error"];

/** The failure of a turn; undefined if it succeeded. `error` is that of the last message. */
export function claudeFailure(
  result: ResultMessage,
  { error, baseUrl }: { readonly error: string | undefined; readonly baseUrl: string | undefined },
): AgentError | undefined {
  const { is_error, subtype, api_error_status: status, errors = [] } = result;
  if (!is_error && subtype === "success") return undefined;
  const said = asSentence(result.result || errors.join(" ") || subtype);
  if (errors.some((each) => each.includes("No conversation found"))) {
    return new AgentError("session_not_found", `Claude no longer has this session: ${said}`);
  }
  if (subtype !== "success") return new AgentError("agent_failed", `Claude has stopped: ${said}`);
  const at = baseUrl === undefined ? "" : ` at ${baseUrl}`;
  const code: AgentErrorCode =
    status === 401 || status === 403 || CREDENTIAL_ERRORS.includes(error ?? "") ? "unauthorized" : "model_failed";
  if (code === "model_failed")
    return new AgentError(code, `Claude got no answer from the model${at}: ${said} ${RETRY}`);
  const answer =
    status === null || status === undefined
      ? "Claude has no credentials"
      : `The API of the model${at} answered ${status}`;
  return new AgentError(code, `${answer}: ${said} ${LOGIN}`);
}

/** Claude Code repeats a request ten times also if the key is wrong. Once is enough: a token may have expired. */
export function retryRefusal(message: SdkMessage, baseUrl: string | undefined): AgentError | undefined {
  if (message.type !== "system" || message.subtype !== "api_retry" || message.attempt < 2) return undefined;
  const { error_status: status, error } = message;
  if (status !== 401 && status !== 403) return undefined;
  const at = baseUrl === undefined ? "" : ` at ${baseUrl}`;
  return new AgentError("unauthorized", `The API of the model${at} answered ${status} (${error}). ${LOGIN}`);
}

const RETRY = "Check the model and its address, and try again.";
const LOGIN = "Set ANTHROPIC_API_KEY to a valid key, or run `claude` and log in with /login.";
