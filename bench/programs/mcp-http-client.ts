import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Launch, McpClient } from "./mcp-stdio-client.ts";

/** The line that a server prints when it is ready. */
interface Ready {
  readonly url: string;
  readonly token?: string;
}

/** A minimal HTTP client: keep-alive connections, one request at a time on each. */
export async function connectHttp({ command, args, ...options }: Launch): Promise<McpClient> {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
  const { url, token } = await readyLine(child);
  const { hostname, port, pathname, host } = new URL(url);
  const idle: Connection[] = [];
  const all: Connection[] = [];
  let session = "";
  let ids = 0;
  const post = async (message: object): Promise<Answer> => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    const head = [
      `POST ${pathname} HTTP/1.1`,
      `Host: ${host}`,
      "Content-Type: application/json",
      "Accept: application/json, text/event-stream",
      "MCP-Protocol-Version: 2025-11-25",
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
      ...(session === "" ? [] : [`Mcp-Session-Id: ${session}`]),
    ];
    // The server closes idle connections.
    let connection = idle.pop();
    while (connection?.isClosed) connection = idle.pop();
    connection ??= open();
    const answer = await connection.ask(`${head.join("\r\n")}\r\n\r\n${body}`);
    idle.push(connection);
    if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.body}`);
    session ||= /^mcp-session-id: *(\S+)/im.exec(answer.head)?.[1] ?? "";
    return answer;
  };
  const open = (): Connection => {
    const connection = new Connection(connect(Number(port), hostname).setNoDelay());
    all.push(connection);
    return connection;
  };
  return {
    pid: child.pid ?? 0,
    async request(method, params) {
      ids += 1;
      const { body } = await post({ id: ids, method, params });
      const { result, error } = JSON.parse(messageIn(body)) as { result?: Record<string, unknown>; error?: object };
      if (!result) throw new Error(JSON.stringify(error));
      return result;
    },
    notify: async (method) => void (await post({ method })),
    async close() {
      for (const connection of all) connection.end();
      const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
      child.kill("SIGTERM");
      const killTimer = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await ended;
      clearTimeout(killTimer);
    },
  };
}

async function readyLine({ stdout }: ChildProcess): Promise<Ready> {
  for await (const line of createInterface({ input: stdout as Readable })) {
    if (line.startsWith("{")) return JSON.parse(line) as Ready;
  }
  throw new Error("The server ended before it was ready.");
}

/** The response may be an event stream with one event. */
function messageIn(body: string): string {
  const data = body.startsWith("{") ? body : body.split("\n").find((line) => line.startsWith("data: {"));
  return data === undefined ? body : data.replace(/^data: /, "");
}

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** A connection with one request at a time. */
class Connection {
  readonly #socket: Socket;
  #text = "";
  #answered: PromiseWithResolvers<Answer> = Promise.withResolvers();

  constructor(socket: Socket) {
    this.#socket = socket;
    // No request is waiting yet.
    this.#answered.promise.catch(() => {});
    socket.setEncoding("latin1").on("data", (text: unknown) => this.#read(String(text)));
    socket.on("close", () => this.#answered.reject(new Error(`The connection was closed after: ${this.#text}`)));
    socket.on("error", (error) => this.#answered.reject(error));
  }

  get isClosed(): boolean {
    return this.#socket.destroyed || this.#socket.readableEnded;
  }

  ask(request: string): Promise<Answer> {
    this.#answered = Promise.withResolvers();
    this.#socket.write(request);
    return this.#answered.promise;
  }

  end(): void {
    this.#answered.promise.catch(() => {});
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.#text += text;
    const end = this.#text.indexOf("\r\n\r\n");
    if (end < 0) return;
    const head = this.#text.slice(0, end);
    const body = bodyOf(head, this.#text.slice(end + 4));
    if (body === undefined) return;
    this.#text = "";
    this.#answered.resolve({ status: Number(head.slice(9, 12)), head, body });
  }
}

/** The body, or undefined if it is incomplete. */
function bodyOf(head: string, rest: string): string | undefined {
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length !== undefined) return rest.length >= Number(length) ? rest.slice(0, Number(length)) : undefined;
  if (!/^transfer-encoding: *chunked/im.test(head)) return "";
  return rest.endsWith("0\r\n\r\n") ? rest.replace(/(^|\r\n)[0-9a-f]+\r\n/gi, "") : undefined;
}
