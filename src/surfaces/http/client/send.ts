export interface ClientOptions {
  /** As `toolwright serve` prints it, such as `http://127.0.0.1:4141`; behind a proxy with its path. */
  readonly url: string | URL;
  /** Not needed in the page of the server, which has a cookie. */
  readonly token?: string | undefined;
  /** `globalThis.fetch` by default. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export interface RequestOptions {
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
}

export interface ServerAddress {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly token: string | undefined;
  readonly fetch: typeof globalThis.fetch | undefined;
}

interface SendOptions {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Throws if the url is not that of a server. */
export function connectionTo({ url, token, fetch }: ClientOptions): ServerAddress {
  const { protocol, origin, pathname, search, hash } = parse(url);
  if (!/^https?:$/.test(protocol) || search !== "" || hash !== "") throw invalidUrl(url);
  return { baseUrl: `${origin}${pathname.replace(/\/+$/, "")}`, token, fetch };
}

/** Rejects if no server answers, or with the reason of the signal if that aborts. */
export async function send(server: ServerAddress, path: string, { signal, ...init }: SendOptions): Promise<Response> {
  const { baseUrl, token, fetch = globalThis.fetch } = server;
  const headers = { ...init.headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  try {
    return await fetch(`${baseUrl}${path}`, { ...init, headers, redirect: "error", signal: signal ?? null });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error(`No server answered at ${baseUrl}. Is "toolwright serve" running there?`, { cause: error });
  }
}

/** The query string of defined values, with its question mark; empty if there is none. */
export function toQuery(values: object): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) if (value !== undefined) query.set(key, String(value));
  return query.size === 0 ? "" : `?${query}`;
}

function parse(url: string | URL): URL {
  try {
    return new URL(url);
  } catch {
    throw invalidUrl(url);
  }
}

/** The query and hash may contain a token and are not repeated. */
function invalidUrl(url: string | URL): TypeError {
  const shown = String(url).replace(/[?#].*$/s, "…");
  return new TypeError(`"${shown}" is not the url of a server. It looks like http://127.0.0.1:4141, without a query.`);
}
