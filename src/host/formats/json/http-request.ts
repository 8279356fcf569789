import { refuseBadUrl } from "./http-url.ts";

export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  /** From the JSON file. Not sent to another origin after a redirect. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly allowHosts?: readonly string[] | undefined;
}

const MAX_REDIRECTS = 5;

/** Sends a request and follows redirects. The rules for the URL apply to each redirect. */
export async function sendRequest(request: HttpRequest, signal: AbortSignal): Promise<Response> {
  let { url, method, headers, body } = request;
  for (let hops = 0; ; hops++) {
    refuseOtherHost(url, request.allowHosts);
    const response = await fetch(url, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...lowerCase(headers) },
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      signal,
    });
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    if (location === null) return response;
    await response.body?.cancel();
    if (hops === MAX_REDIRECTS) throw new Error(`${url.host} redirected more than ${MAX_REDIRECTS} times.`);
    const next = redirected(url, location);
    if (next.origin !== url.origin) headers = {};
    if (response.status === 303 || (response.status < 303 && method === "POST")) {
      method = "GET";
      body = undefined;
    }
    url = next;
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function redirected(from: URL, location: string): URL {
  const next = URL.parse(location, from.href);
  if (!next) throw new Error(`${from.host} redirected to an invalid URL.`);
  try {
    refuseBadUrl(next);
  } catch (error) {
    throw new Error(`${from.host} sent a redirect that is not followed. ${(error as Error).message}`);
  }
  return next;
}

function refuseOtherHost(url: URL, allowHosts: readonly string[] | undefined): void {
  if (allowHosts === undefined || allowHosts.some((pattern) => matchesHost(pattern.toLowerCase(), url))) return;
  throw new Error(
    `${url.host} is not a host that this tool may reach. Allowed: ${allowHosts.join(", ") || "none"}. Use one of these, or ask the author of the tool to add it to handler.allowHosts.`,
  );
}

/** The patterns are `host`, `host:port` and `*.domain`. Without a port, all ports match. */
function matchesHost(pattern: string, url: URL): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return [url.hostname, `${url.hostname}:${port}`].some((host) =>
    pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) && host.length >= pattern.length : host === pattern,
  );
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
