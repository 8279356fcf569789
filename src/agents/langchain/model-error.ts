import { AgentError } from "../../core/agent-error.ts";
import { messageOf } from "../../core/error.ts";
import type { NamedModel } from "./chat-model.ts";

/** The fields that errors of providers' packages have. */
interface ProviderError {
  readonly name?: unknown;
  readonly status?: unknown;
  readonly statusCode?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly headers?: unknown;
  readonly error?: unknown;
  readonly cause?: unknown;
}

const NETWORK_CODES: ReadonlySet<unknown> = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "ENOTFOUND", "EAI_AGAIN", "EPIPE", "ETIMEDOUT", "ENETUNREACH"],
  ...["EHOSTUNREACH", "UND_ERR_SOCKET", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"],
]);
const NETWORK_NAMES: ReadonlySet<unknown> = new Set([
  "APIConnectionError",
  "APIConnectionTimeoutError",
  "TimeoutError",
]);
/** Limits that waiting does not lift. */
const QUOTA_CODES: ReadonlySet<unknown> = new Set(["insufficient_quota", "billing_error"]);
const DEPTH = 8;

/** Whether the same request may succeed later: rate limits, errors of the server, network. */
export function isTemporary(error: unknown): boolean {
  const chain = causes(error);
  if (chain.some(({ code, type }) => QUOTA_CODES.has(code) || QUOTA_CODES.has(type))) return false;
  const status = statusOf(error);
  if (status !== undefined)
    return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500;
  return chain.some(
    (each) =>
      NETWORK_CODES.has(each.code) ||
      NETWORK_NAMES.has(each.name) ||
      NETWORK_NAMES.has(nameOfClass(each)) ||
      isOverload(each),
  );
}

/** An error that a server sends inside a stream that began with status 200. */
function isOverload({ error, type }: ProviderError): boolean {
  const { type: inner } = innerError(error);
  return [type, inner].some(
    (each) => each === "overloaded_error" || each === "rate_limit_error" || each === "api_error",
  );
}

/** Whether the conversation is too long for the model. */
export function isContextOverflow(error: unknown): boolean {
  return causes(error).some(
    ({ name, code, error: inner }) =>
      name === "ContextOverflowError" ||
      code === "context_length_exceeded" ||
      innerError(inner).code === "context_length_exceeded",
  );
}

/** How long the provider asks to wait, in milliseconds. */
export function retryAfterMs(error: unknown): number | undefined {
  for (const { headers } of causes(error)) {
    const value = headers instanceof Headers ? headers.get("retry-after") : field(headers, "retry-after");
    const seconds = Number(value ?? Number.NaN);
    if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1000;
  }
  return undefined;
}

/** Why a turn has failed, with what to do. */
export function toAgentError(error: unknown, { provider, name, key, baseUrl }: NamedModel): AgentError {
  const own = causes(error).find((each) => AgentError.is(each));
  if (own) return own as unknown as AgentError;
  const status = statusOf(error);
  const said = providerMessage(error);
  const where = baseUrl === undefined ? provider : `${provider} at ${baseUrl}`;
  const options = { cause: error };
  if (status === 401 || status === 403) {
    const what = key === undefined ? "Check its credentials." : `Check the environment variable ${key}.`;
    return new AgentError(
      "unauthorized",
      `The model "${name}" of ${where} refused the key (${status}): ${said} ${what}`,
      options,
    );
  }
  if (isContextOverflow(error)) {
    return new AgentError(
      "model_failed",
      `The conversation is too long for the model "${name}": ${said} Start a new session, or use a model with a larger context.`,
      options,
    );
  }
  if (status === 404) {
    return new AgentError(
      "model_failed",
      `The model "${name}" of ${where} was not found (404): ${said} Check --model and --base-url.`,
      options,
    );
  }
  if (status !== undefined) {
    const again = isTemporary(error) ? "Try again later." : "Check --model and the options of the provider.";
    return new AgentError(
      "model_failed",
      `The model "${name}" of ${where} failed (${status}): ${said} ${again}`,
      options,
    );
  }
  if (isTemporary(error)) {
    return new AgentError(
      "model_failed",
      `The model "${name}" of ${where} cannot be reached: ${said} Check the network and --base-url.`,
      options,
    );
  }
  return new AgentError(
    "model_failed",
    `The model "${name}" of ${where} gave an answer that cannot be used: ${said} Check --model and --base-url.`,
    options,
  );
}

/** The error and its causes. */
function causes(error: unknown): ProviderError[] {
  const chain: ProviderError[] = [];
  for (let each = error; chain.length < DEPTH && typeof each === "object" && each !== null; ) {
    chain.push(each as ProviderError);
    each = (each as ProviderError).cause;
  }
  return chain;
}

function statusOf(error: unknown): number | undefined {
  for (const { status, statusCode } of causes(error)) {
    if (typeof status === "number") return status;
    if (typeof statusCode === "number") return statusCode;
  }
  return undefined;
}

/** What the provider said, as a sentence: its own message, else that of the innermost cause. */
function providerMessage(error: unknown): string {
  const chain = causes(error);
  const said = chain
    .map(({ error: body }) => innerError(body).message)
    .find((message) => typeof message === "string" && message !== "");
  const text =
    (said as string | undefined) ?? messageOf(statusOf(error) === undefined ? (chain.at(-1) ?? error) : error);
  // LangChain adds the address of its own help page to some messages.
  const [first = ""] = text.split("\n\nTroubleshooting URL:");
  const line = first.replace(/\s+/g, " ").trim().slice(0, 500);
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

/** The inner object of the body of an error: `{ "error": { "message", "type", "code" } }`, or that object itself. */
function innerError(body: unknown): { readonly message?: unknown; readonly type?: unknown; readonly code?: unknown } {
  if (typeof body !== "object" || body === null) return {};
  const inner = field(body, "error");
  return (typeof inner === "object" && inner !== null ? inner : body) as { readonly message?: unknown };
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function nameOfClass(value: object): string {
  return value.constructor?.name ?? "";
}
