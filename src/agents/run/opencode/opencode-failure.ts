import { AgentError } from "../../../core/agent-error.ts";
import { asSentence } from "../../../platform/text/as-sentence.ts";
import type { OpencodeError } from "./opencode-sdk.ts";

/** The failure of a turn, from the error that OpenCode reports. */
export function opencodeFailure({ name, data = {} }: OpencodeError, baseUrl: string | undefined): AgentError {
  const { message = name, statusCode, providerID } = data;
  const api = baseUrl === undefined ? `The API of ${providerID ?? "the model's provider"}` : `The API at ${baseUrl}`;
  const said = asSentence(message);
  if (name === "ProviderAuthError" || statusCode === 401 || statusCode === 403) {
    const answered = statusCode === undefined ? `${api} cannot be used` : `${api} answered ${statusCode}`;
    const todo =
      baseUrl === undefined
        ? "Log in with `opencode auth login`, or set the variable with the provider's key."
        : "Set OPENAI_API_KEY to a valid key.";
    return new AgentError("unauthorized", `${answered}: ${said} ${todo}`);
  }
  if (statusCode !== undefined) {
    return new AgentError("model_failed", `${api} answered ${statusCode}: ${said} Check the model and its address.`);
  }
  if (/model not found/i.test(message)) {
    return new AgentError("model_failed", `${said} \`opencode models\` lists the models that OpenCode knows.`);
  }
  return new AgentError("model_failed", `OpenCode could not use the answer of the model: ${said}`);
}

/** A model that OpenCode has tried too often. */
export function tooManyRetries(attempts: number, message: string, baseUrl: string | undefined): AgentError {
  const api = baseUrl === undefined ? "The model" : `The API at ${baseUrl}`;
  return new AgentError(
    "model_failed",
    `${api} has failed ${attempts} times: ${message} Check the model and its address, and try again.`,
  );
}
