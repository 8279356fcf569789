import { AgentError } from "../../../core/agent-error.ts";
import { asSentence } from "../../../platform/text/as-sentence.ts";
import type { SessionErrorData } from "./copilot-sdk.ts";

const NO_LOGIN = /No GitHub OAuth token|not (?:logged|signed) in/i;

/** The failure of a turn. `reported` is the last error of the model's API, if Copilot has told it. */
export function copilotFailure(
  { message, errorType, statusCode }: SessionErrorData,
  { reported, baseUrl }: { readonly reported: string | undefined; readonly baseUrl: string | undefined },
): AgentError {
  const isRefused = statusCode === 401 || statusCode === 403 || errorType === "authentication";
  if (baseUrl === undefined && (isRefused || NO_LOGIN.test(message))) {
    const answer = isRefused ? `GitHub has refused the credentials of Copilot: ${asSentence(message)}` : "";
    return new AgentError("unauthorized", `${answer === "" ? "Copilot has no credentials." : answer} ${LOGIN}`);
  }
  const api = baseUrl === undefined ? "The model" : `The API at ${baseUrl}`;
  const said = asSentence(reported ?? message);
  if (isRefused) return new AgentError("unauthorized", `${api} answered ${statusCode}: ${said} ${KEY}`);
  const answered =
    statusCode === undefined ? `${api} gave no answer that Copilot can use` : `${api} answered ${statusCode}`;
  return new AgentError("model_failed", `${answered}: ${said} Check the model and its address, and try again.`);
}

const LOGIN =
  "Log in with `copilot login` (npm install -g @github/copilot), or set COPILOT_GITHUB_TOKEN. To use another model, set OPENAI_API_KEY, --base-url and --model.";
const KEY = "Set OPENAI_API_KEY to a valid key.";

/** The message in the error of a model's API, which is JSON: an object or a string. */
export function reportedError(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(text);
    const message = typeof value === "string" ? value : value?.message;
    return typeof message === "string" && message !== "" ? message : text;
  } catch {
    return text;
  }
}
