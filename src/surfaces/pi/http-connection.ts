import { LineSplitter } from "../../platform/text/line-splitter.ts";
import { isObject } from "../../platform/values/is-object.ts";
import type { McpRequestOptions, ServerConnection, ServerListener } from "./mcp-connection.ts";

type Message = Readonly<Record<string, unknown>>;

/** A connection to an MCP server over HTTP. It needs no packages, because it runs in the process of pi. */
export class HttpConnection implements ServerConnection {
  readonly #url: string;
  readonly #listener: ServerListener;
  readonly #closed = new AbortController();
  #sessionID: string | undefined;
  #lastId = 0;

  constructor(url: string, listener: ServerListener) {
    this.#url = url;
    this.#listener = listener;
  }

  async request(method: string, params: object, { signal, meta }: McpRequestOptions = {}): Promise<Message> {
    const id = ++this.#lastId;
    const message = { id, method, params: meta ? { ...params, _meta: meta(id) } : params };
    const response = await this.#post(message, signal);
    this.#sessionID ??= response.headers.get("mcp-session-id") ?? undefined;
    for await (const answer of messagesIn(response)) {
      if (answer.id === id && answer.method === undefined) return resultOf(answer);
      this.#receive(answer);
    }
    throw new Error(`Toolwright has not answered "${method}" (HTTP ${response.status}).`);
  }

  notify(method: string, params: object = {}): void {
    const sent = this.#post({ method, params }).then((response) => response.arrayBuffer());
    sent.then(() => (method === "notifications/initialized" ? this.#listen() : undefined)).catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed.abort();
  }

  /** Reads the messages that belong to no request, until the connection is closed. */
  async #listen(): Promise<void> {
    const response = await fetch(this.#url, { headers: this.#headers(), signal: this.#closed.signal });
    for await (const message of messagesIn(response)) this.#receive(message);
  }

  #post(message: object, signal: AbortSignal = this.#closed.signal): Promise<Response> {
    const headers = { ...this.#headers(), "content-type": "application/json" };
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    return fetch(this.#url, { method: "POST", headers, body, signal: AbortSignal.any([signal, this.#closed.signal]) });
  }

  #headers(): Record<string, string> {
    const session = this.#sessionID === undefined ? {} : { "mcp-session-id": this.#sessionID };
    return { accept: "application/json, text/event-stream", ...session };
  }

  #receive({ method, params }: Message): void {
    if (typeof method === "string") this.#listener.notified(method, isObject(params) ? params : {});
  }
}

function resultOf({ result, error }: Message): Message {
  if (isObject(error)) throw new Error(String(error.message));
  return isObject(result) ? result : {};
}

/** The messages of a response: one, or those of an event stream. */
async function* messagesIn(response: Response): AsyncGenerator<Message> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    const message: unknown = await response.json();
    if (isObject(message)) yield message;
    return;
  }
  const lines = new LineSplitter();
  for await (const bytes of response.body ?? []) {
    for (const line of lines.push(bytes)) {
      if (!line.startsWith("data: ")) continue;
      const message: unknown = JSON.parse(line.slice("data: ".length));
      if (isObject(message)) yield message;
    }
  }
}
