import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type ErrorResponse, sendErrorResponse } from "../../parts/error-response.ts";
import { partsOf } from "../../parts/guards/token-guard.ts";
import type { Login } from "../../parts/login.ts";
import { type ContentEncoding, type EncodedFile, PageFiles } from "./page-files.ts";

/** The headers of the page and its files. There is no inline script or style, and nothing is loaded from elsewhere. */
const HEADERS: OutgoingHttpHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** The views of the page, which reads the rest of the path itself. */
const VIEW = /^\/(?:(?:tools|sessions|calls|agents|permissions)(?:\/.*)?)?$/;
/** The paths of the API. A browser that opens one of them gets the response of the API. */
const API = /^\/(?:api|mcp|metrics|openapi\.json|healthz)(?:\/.*)?$/;
const FILE = /^\/(?:assets\/.*|[\w-]+\.(?:html|ico|png|svg|txt))$/;

interface PageOptions {
  readonly folder: string;
  readonly login: Login;
}

/**
 * Serves the page and its files, which contain no data and need no token. These requests do not reach the routes of the API:
 * a router may read a path such as `/tools/../api/tools` in another way.
 */
export class Page {
  readonly #files: PageFiles;
  readonly #login: Login;

  constructor({ folder, login }: PageOptions) {
    this.#files = new PageFiles(folder);
    this.#login = login;
  }

  /** Whether a request is for the page or one of its files, or from a browser that opens an unknown address. */
  handles(incoming: IncomingMessage): boolean {
    const { method } = incoming;
    const { path } = partsOf(incoming);
    const isKnown = VIEW.test(path) || FILE.test(path);
    const isUnknown = path.startsWith("/") && !API.test(path);
    return (method === "GET" || method === "HEAD") && (isKnown || (isUnknown && acceptsHtml(incoming)));
  }

  async respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { path, query } = partsOf(incoming);
    const isFile = FILE.test(path);
    const token = isFile ? null : new URLSearchParams(query).get("token");
    if (token !== null) return this.#logIn(token, { path, query }, incoming, outgoing);
    const encoding = encodingFor(incoming);
    const file = isFile ? await this.#files.get(path, encoding) : undefined;
    if (file) return send(file, { encoding, status: 200 }, incoming, outgoing);
    if (isFile && !acceptsHtml(incoming)) return sendErrorResponse(noFile(path), outgoing);
    const index = await this.#files.index(encoding);
    if (!index) return sendNotBuilt(outgoing);
    // The page says that there is no such address.
    send(index, { encoding, status: VIEW.test(path) ? 200 : 404 }, incoming, outgoing);
  }

  /** Redirects to the same address without the token, so that it is not in the history, nor in a bookmark. */
  #logIn(
    token: string,
    { path, query }: { readonly path: string; readonly query: string },
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): void {
    const outcome = this.#login.check(token);
    if (outcome === "too many") return sendErrorResponse(this.#login.tooMany, outgoing);
    const rest = new URLSearchParams(query);
    rest.delete("token");
    // Another path could lead to another host: `//example.com`.
    const target = VIEW.test(path) ? path : "/";
    const location = `${target}${rest.size > 0 ? `?${rest}` : ""}${outcome === "wrong" ? "#wrong-token" : ""}`;
    const cookie = outcome === "right" ? { "set-cookie": this.#login.cookie.set(incoming) } : {};
    outgoing
      .writeHead(303, { ...HEADERS, ...cookie, "cache-control": "no-store", location, "content-length": 0 })
      .end();
  }
}

function send(
  { bytes, type, etag, isHashed }: EncodedFile,
  { encoding, status }: { readonly encoding: ContentEncoding; readonly status: 200 | 404 },
  { headers, method }: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const isIndex = type.startsWith("text/html");
  const caching = isIndex ? "no-store" : isHashed ? "max-age=31536000, immutable" : "no-cache";
  const common = { ...HEADERS, "cache-control": caching, vary: "accept-encoding", ...(isIndex ? {} : { etag }) };
  if (!isIndex && headers["if-none-match"]?.includes(etag)) return void outgoing.writeHead(304, common).end();
  const encoded = encoding === "identity" ? {} : { "content-encoding": encoding };
  outgoing.writeHead(status, { ...common, ...encoded, "content-type": type, "content-length": bytes.length });
  outgoing.end(method === "HEAD" ? undefined : bytes);
}

/** Browsers say so when they open an address, and not when a page loads a file. */
function acceptsHtml({ headers: { accept = "" } }: IncomingMessage): boolean {
  return accept.includes("text/html");
}

function noFile(path: string): ErrorResponse {
  return { code: "not_found", message: `There is no file ${JSON.stringify(path)}. Reload the page.` };
}

/** The encoding that the client accepts. Preferences among them are ignored. */
function encodingFor({ headers }: IncomingMessage): ContentEncoding {
  const accepted = String(headers["accept-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((each) => each.replaceAll(" ", ""))
    .filter((each) => !/;q=0(?:\.0*)?$/.test(each))
    .map((each) => each.split(";")[0]);
  return accepted.includes("br") ? "br" : accepted.includes("gzip") ? "gzip" : "identity";
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<title>Toolwright</title>
<h1>The page is not built</h1>
<p>The server runs, and its API can be used. To build the page, run <code>npm run build</code> in the folder of Toolwright, then reload.</p>
</html>
`;

function sendNotBuilt(outgoing: ServerResponse): void {
  const headers = { "cache-control": "no-store", "content-type": "text/html; charset=utf-8" };
  outgoing.writeHead(503, { ...HEADERS, ...headers, "content-length": Buffer.byteLength(NOT_BUILT) }).end(NOT_BUILT);
}
