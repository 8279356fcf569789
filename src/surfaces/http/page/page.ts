import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { sendErrorResponse } from "../../../http/error-response.ts";
import { partsOf } from "../../../http/guards/token-guard.ts";
import type { Login } from "../../../http/login.ts";
import { type EncodedFile, type Encoding, PageFiles } from "./page-files.ts";

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
const FILE = /^\/(?:assets\/.*|[\w-]+\.(?:html|ico|png|svg|txt))$/;

export interface PageOptions {
  /** The folder of the built page. */
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

  /** Whether a request is for the page or one of its files. */
  handles(method: string, path: string): boolean {
    return (method === "GET" || method === "HEAD") && (VIEW.test(path) || FILE.test(path));
  }

  async respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { path, query } = partsOf(incoming);
    const isView = VIEW.test(path);
    const token = isView ? new URLSearchParams(query).get("token") : null;
    if (token !== null) return this.#logIn(token, { path, query }, incoming, outgoing);
    const encoding = encodingFor(incoming);
    const file = await (isView ? this.#files.index(encoding) : this.#files.get(path, encoding));
    if (file) return send(file, encoding, incoming, outgoing);
    if (isView) return sendNotBuilt(outgoing);
    sendErrorResponse(
      { code: "not_found", message: `There is no file ${JSON.stringify(path)}. Reload the page.` },
      outgoing,
    );
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
    const location = `${path}${rest.size > 0 ? `?${rest}` : ""}${outcome === "wrong" ? "#wrong-token" : ""}`;
    const cookie = outcome === "right" ? { "set-cookie": this.#login.cookie.set(incoming) } : {};
    outgoing
      .writeHead(303, { ...HEADERS, ...cookie, "cache-control": "no-store", location, "content-length": 0 })
      .end();
  }
}

function send(
  { bytes, type, etag, isHashed }: EncodedFile,
  encoding: Encoding,
  { headers, method }: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const isIndex = type.startsWith("text/html");
  const caching = isIndex ? "no-store" : isHashed ? "max-age=31536000, immutable" : "no-cache";
  const common = { ...HEADERS, "cache-control": caching, vary: "accept-encoding", ...(isIndex ? {} : { etag }) };
  if (!isIndex && headers["if-none-match"]?.includes(etag)) return void outgoing.writeHead(304, common).end();
  const encoded = encoding === "identity" ? {} : { "content-encoding": encoding };
  outgoing.writeHead(200, { ...common, ...encoded, "content-type": type, "content-length": bytes.length });
  outgoing.end(method === "HEAD" ? undefined : bytes);
}

/** The encoding that the client accepts. Preferences among them are ignored. */
function encodingFor({ headers }: IncomingMessage): Encoding {
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
