/** Where a server is, and how it is spoken to. */
export interface ClientOptions {
  /** As `toolwright serve` prints it: `http://127.0.0.1:4141`; behind a proxy, with the path that leads to it. */
  readonly url: string | URL;
  readonly token: string;
  /** By default the one that there is. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** A server that can be asked. */
export interface Connection {
  /** Its address, without a slash at its end. */
  readonly base: string;
  readonly token: string;
  readonly fetch: typeof globalThis.fetch | undefined;
}

/** One request to it. */
export interface Sent {
  readonly method?: "POST";
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Throws where the url is none of a server. */
export function connectionTo({ url, token, fetch }: ClientOptions): Connection {
  const { protocol, origin, pathname, search, hash } = parse(url);
  if (!/^https?:$/.test(protocol) || search !== "" || hash !== "") throw noServer(url);
  return { base: `${origin}${pathname.replace(/\/+$/, "")}`, token, fetch };
}

/** Rejects where nothing answers, or, with the reason of the signal, where that fires. */
export async function send(server: Connection, path: string, { signal, ...sent }: Sent): Promise<Response> {
  const { base, token, fetch = globalThis.fetch } = server;
  const headers = { ...sent.headers, authorization: `Bearer ${token}` };
  try {
    return await fetch(`${base}${path}`, { ...sent, headers, redirect: "error", signal: signal ?? null });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error(`Nothing answered at ${base}. Is "toolwright serve" running there?`, { cause: error });
  }
}

function parse(url: string | URL): URL {
  try {
    return new URL(url);
  } catch {
    throw noServer(url);
  }
}

/** A token may stand in what comes behind the path: it is not repeated. */
function noServer(url: string | URL): TypeError {
  const shown = String(url).replace(/[?#].*$/s, "…");
  return new TypeError(`"${shown}" is not the url of a server. It looks like http://127.0.0.1:4141, without a query.`);
}
