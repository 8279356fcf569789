import { AgentError } from "../../../core/agent-error.ts";
import { messageOf } from "../../../core/error.ts";
import { SessionError } from "../../../core/session-store.ts";
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
  if (statusOf(error) === 413) return true;
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

/** Why a model request has failed. Sentences for a person. */
interface RequestFailure {
  readonly code: "unauthorized" | "model_failed";
  readonly problem: string;
  /** What to do. */
  readonly advice: string;
}

export function describeFailure(error: unknown, { provider, name, key, baseUrl }: NamedModel): RequestFailure {
  const status = statusOf(error);
  const said = providerMessage(error);
  const model = `The model "${name}" of ${baseUrl === undefined ? provider : `${provider} at ${baseUrl}`}`;
  const failed = (problem: string, advice: string): RequestFailure => ({ code: "model_failed", problem, advice });
  if (status === 401 || status === 403) {
    const advice = key === undefined ? "Check its credentials." : `Check the environment variable ${key}.`;
    return { code: "unauthorized", problem: `${model} refused the key (${status}): ${said}`, advice };
  }
  if (isContextOverflow(error)) {
    const advice = "Start a new session, or use a model with a larger context.";
    return failed(`The conversation is too long for the model "${name}": ${said}`, advice);
  }
  if (status === 404) return failed(`${model} was not found (404): ${said}`, "Check --model and --base-url.");
  if (status !== undefined) {
    const advice = isTemporary(error) ? "Try again later." : "Check --model and the options of the provider.";
    return failed(`${model} failed (${status}): ${said}`, advice);
  }
  if (isTemporary(error)) return failed(`${model} cannot be reached: ${said}`, "Check the network and --base-url.");
  return failed(`${model} gave an answer that cannot be used: ${said}`, "Check --model and --base-url.");
}

/** Why a turn has failed. LangChain wraps errors that are thrown inside it. */
export function toTurnFailure(error: unknown, model: NamedModel): Error {
  const own = causes(error).find((each) => AgentError.is(each) || SessionError.is(each));
  if (own) return own as Error;
  const { code, problem, advice } = describeFailure(error, model);
  return new AgentError(code, `${problem} ${advice}`, { cause: error });
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
