import { AgentError } from "../../../core/agent-error.ts";
import { errorText } from "./acp-process.ts";

/** The code of ACP for a request that needs a login first. */
const AUTH_REQUIRED = -32_000;
const NOT_FOUND = -32_002;

/** Translates an error that the agent has answered a request with. Agents report errors of the model's API as text. */
export function toAgentError(agent: string, error: unknown): AgentError {
  if (AgentError.is(error)) return error;
  const text = errorText(error);
  const { code } = (error ?? {}) as { code?: unknown };
  const options = { cause: error };
  if (code === AUTH_REQUIRED || isUnauthorized(text) || isOfModel(text)) return modelError(agent, text, options);
  return new AgentError("agent_failed", `${agent} failed: ${text}`, options);
}

/** A failure of the model, or of its provider. */
export function modelError(agent: string, text: string, options: { cause?: unknown } = {}): AgentError {
  if (isUnauthorized(text)) return new AgentError("unauthorized", unauthorized(agent, text), options);
  return new AgentError("model_failed", `The model of ${agent} failed: ${text}`, options);
}

/** Whether the agent says that it does not have a session. */
export function isSessionMissing(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return (
    code === NOT_FOUND ||
    /not found|no rollout found|unknown session|no (?:such )?session|does not exist/i.test(errorText(error))
  );
}

function isUnauthorized(text: string): boolean {
  return /\b40[13]\b|unauthori[sz]ed|forbidden|api[ _-]?key|authenticat/i.test(text);
}

function isOfModel(text: string): boolean {
  return /\b[45]\d\d\b|stream|provider|model|network|connect|fetch|response|request failed|api error|json/i.test(text);
}

function unauthorized(agent: string, text: string): string {
  return `The provider of the model refused the credentials of ${agent}: ${text}. ${LOGINS[agent] ?? "Log in with the agent's own program, or set the variable with your key."}`;
}

const LOGINS: Readonly<Record<string, string>> = {
  codex: "Log in with `codex login`, or set OPENAI_API_KEY and --base-url.",
  gemini: "Set GEMINI_API_KEY, or log in with `gemini`.",
  goose: "Run `goose configure`, or set OPENAI_API_KEY and --base-url.",
  pi: "Log in with `pi`, then `/login`, or set the key of your provider, such as ANTHROPIC_API_KEY.",
};
