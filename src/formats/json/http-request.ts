import { refuseBadUrl } from "./http-url.ts";

/** A request as the author and the model made it. */
export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  /** The author's own. They go no further than the host they were written for. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly allowHosts?: readonly string[] | undefined;
}

const MOST_REDIRECTS = 5;

/** Sends a request and follows redirects, each of which must go where the first one might have gone. */
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
    if (hops === MOST_REDIRECTS) throw new Error(`${url.host} redirected more than ${MOST_REDIRECTS} times.`);
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
  if (!next) throw new Error(`${from.host} redirected to what is no address.`);
  try {
    refuseBadUrl(next);
  } catch (error) {
    throw new Error(`${from.host} redirected elsewhere, and that is not followed. ${(error as Error).message}`);
  }
  return next;
}

function refuseOtherHost(url: URL, allowHosts: readonly string[] | undefined): void {
  if (allowHosts === undefined || allowHosts.some((pattern) => admits(pattern.toLowerCase(), url))) return;
  throw new Error(
    `${url.host} is not among the hosts that this tool may reach: ${allowHosts.join(", ") || "none"}. Use one of these, or have it added to handler.allowHosts.`,
  );
}

/** `host` or `*.domain`, for everything below the domain, on any port; with `:port` on that one. */
function admits(pattern: string, url: URL): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return [url.hostname, `${url.hostname}:${port}`].some((host) =>
    pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) && host.length >= pattern.length : host === pattern,
  );
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
