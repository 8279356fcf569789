import { messageOf } from "../../../core/error.ts";
import type { ToolReturn } from "../../../core/tool.ts";
import type { TemplatePart } from "../../../platform/processes/shell-words.ts";
import { type Handler, type HandlerSetup, type Input, oneTextOf } from "./handler.ts";
import { type HttpRequest, sendRequest } from "./http-request.ts";
import { readResponse } from "./http-response.ts";
import { checkUrlTemplate, fillUrl } from "./http-url.ts";
import { type OmittedArgument, omittedNote } from "./omitted-arguments.ts";
import { placeholderNames, readPlaceholders } from "./placeholders.ts";
import type { HttpHandlerConfig } from "./plugin-file.ts";

const TIMEOUT_MS = 10_000;

/** Sends a request. Arguments without a placeholder become the JSON body, or the query of a GET. */
export function httpHandler(config: HttpHandlerConfig, { fields }: HandlerSetup): Handler {
  const template = readTemplate(config, fields);
  const timeoutMs = config.timeout ?? TIMEOUT_MS;
  const { method } = template;
  return {
    timeoutMs,
    hints: { readOnly: method === "GET", openWorld: true, ...(method === "POST" ? {} : { idempotent: true }) },
    access: (input) => [{ kind: "network", target: toRequest(template, input).url.href }],
    run: (input, { abort, metadata }) => {
      const request = toRequest(template, input);
      const omitted = omittedBy(template, input);
      if (omitted.length > 0) metadata({ title: omittedNote(omitted) });
      return send(request, omitted, timeoutMs, abort);
    },
  };
}

interface RequestTemplate {
  readonly method: string;
  readonly url: readonly TemplatePart[];
  readonly headers: readonly (readonly [name: string, value: readonly TemplatePart[]])[];
  /** The arguments with a placeholder in the URL or in a header. */
  readonly used: ReadonlySet<string>;
  readonly allowHosts?: readonly string[] | undefined;
}

function readTemplate(config: HttpHandlerConfig, fields: ReadonlySet<string>): RequestTemplate {
  const url = readPlaceholders(config.url.trim(), fields, ["handler", "url"]);
  checkUrlTemplate(url);
  const headers = Object.entries(config.headers ?? {}).map(
    ([name, value]) => [name, readPlaceholders(value, fields, ["handler", "headers", name])] as const,
  );
  const used = new Set([url, ...headers.map(([, value]) => value)].flatMap(placeholderNames));
  return { method: config.method ?? "POST", url, headers, used, allowHosts: config.allowHosts };
}

function toRequest({ method, url, headers, used, allowHosts }: RequestTemplate, input: Input): HttpRequest {
  const get = (name: string): string | undefined => oneTextOf(input, name);
  const rest = Object.entries(input).filter(([name]) => !used.has(name));
  const address = fillUrl(url, get);
  if (method === "GET") addQuery(address, rest);
  return {
    method,
    url: address,
    headers: Object.fromEntries(headers.flatMap(([name, value]) => fillHeader(name, value, get))),
    ...(method === "GET" ? {} : { body: JSON.stringify(Object.fromEntries(rest)) }),
    allowHosts,
  };
}

/** A missing argument in a path is an error, in a query or in a header it is left out. */
function omittedBy({ url, headers }: RequestTemplate, input: Input): OmittedArgument[] {
  const missing = (parts: readonly TemplatePart[], effect: string): OmittedArgument[] =>
    [...new Set(placeholderNames(parts))]
      .filter((name) => oneTextOf(input, name) === undefined)
      .map((name) => ({ name, effect }));
  return [
    ...missing(url, "was left out of the URL"),
    ...headers.flatMap(([name, value]) => missing(value, `the header ${name} was left out`)),
  ];
}

/** A list is sent as one parameter per element. */
function addQuery(url: URL, rest: readonly (readonly [string, unknown])[]): void {
  for (const [name, value] of rest) {
    for (const each of [value].flat()) {
      if (each === undefined || each === null) continue;
      url.searchParams.append(name, typeof each === "object" ? JSON.stringify(each) : String(each));
    }
  }
}

/** A header whose argument was not sent is omitted. */
function fillHeader(
  name: string,
  parts: readonly TemplatePart[],
  get: (name: string) => string | undefined,
): [string, string][] {
  const missing = placeholderNames(parts).some((field) => get(field) === undefined);
  if (missing) return [];
  for (const field of placeholderNames(parts)) {
    if (/^[\t\x20-\x7e\x80-\xff]*$/.test(get(field) ?? "")) continue;
    throw new Error(
      `"${field}" is sent in a header and contains characters that are not allowed there. Remove line breaks, control characters and characters beyond Latin-1.`,
    );
  }
  return [[name, parts.map((part) => (typeof part === "string" ? part : get(part.value))).join("")]];
}

/** The time limit covers redirects and the whole response. */
async function send(
  request: HttpRequest,
  omitted: readonly OmittedArgument[],
  timeoutMs: number,
  abort: AbortSignal,
): Promise<ToolReturn> {
  const label = `${request.method} ${request.url.origin}${request.url.pathname}`;
  const timedOut = new Error(
    `${label} was not answered within ${timeoutMs} ms. Try again later, or ask the author of the tool to raise handler.timeout.`,
  );
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(timedOut), timeoutMs);
  try {
    const response = await sendRequest(request, AbortSignal.any([abort, limit.signal]));
    return await readResponse(response, label, omitted);
  } catch (error) {
    if (limit.signal.aborted) throw timedOut;
    throw new Error(`${label} failed: ${whyOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** The error of `fetch` has the reason in its cause. */
function whyOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return messageOf(cause ?? error) || "the connection could not be opened.";
}
