import { type ChildProcess, spawn } from "node:child_process";
import { LineSplitter } from "../../platform/text/line-splitter.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import type { McpRequestOptions, ServerConnection, ServerListener } from "./mcp-connection.ts";

/** The command of an MCP server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

interface Pending {
  readonly resolve: (result: Readonly<Record<string, unknown>>) => void;
  readonly reject: (error: Error) => void;
}

const STDERR_CHARACTERS = 2_000;
/** How long a server may take to end itself after its input is closed. */
const END_MS = 2_000;

/** A running MCP server on stdio: JSON-RPC messages, one per line. */
export class ServerProcess implements ServerConnection {
  readonly #child: ChildProcess;
  readonly #listener: ServerListener;
  readonly #pending = new Map<number, Pending>();
  readonly #exited: Promise<void>;
  #lastId = 0;
  /** The end of its output on stderr. Explains why it never answered. */
  #stderr = "";
  #hasAnswered = false;
  #failure: Error | undefined;

  constructor({ command, args, env }: ServerCommand, cwd: string, listener: ServerListener) {
    this.#listener = listener;
    const stdio = ["pipe", "pipe", "pipe"] as const;
    this.#child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: [...stdio], windowsHide: true });
    this.#child.stdin?.on("error", () => {});
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_CHARACTERS);
    });
    eachLine(this.#child, (line) => this.#receive(line));
    this.#exited = new Promise((resolve) => {
      this.#child.once("error", (error: NodeJS.ErrnoException) =>
        this.#fail(`${command} cannot be started (${error.code ?? error.message}).`, resolve),
      );
      // "close" comes after the last line of output.
      this.#child.once("close", (code, signal) =>
        this.#fail(
          `The server of Toolwright has ended (${signal ?? `code ${code}`}). The next call starts it again.`,
          resolve,
        ),
      );
    });
  }

  get hasEnded(): boolean {
    return this.#failure !== undefined;
  }

  /** Rejects with the server's message, when the server ends, or when `signal` fires: then the server is told. */
  request(
    method: string,
    params: object,
    { signal, meta }: McpRequestOptions = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = ++this.#lastId;
    return new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
      const abort = (): void => {
        this.notify("notifications/cancelled", { requestId: id, reason: "The user cancelled the call." });
        this.#pending.get(id)?.reject(new Error("The call was cancelled."));
        this.#pending.delete(id);
      };
      const done = (): void => signal?.removeEventListener("abort", abort);
      this.#pending.set(id, {
        resolve: (result) => {
          done();
          resolve(result);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      });
      this.#send({ id, method, params: meta ? { ...params, _meta: meta(id) } : params });
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    });
  }

  notify(method: string, params: object = {}): void {
    this.#send({ method, params });
  }

  /** Closes the input, which ends the server, and kills it if that takes too long. Never rejects. */
  async close(): Promise<void> {
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), END_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  #send(message: object): void {
    if (this.#failure === undefined) this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #receive(line: string): void {
    const message = parsed(line);
    if (!isObject(message)) return;
    const { id, method, params, result, error } = message;
    const given = isObject(params) ? params : {};
    if (typeof method === "string" && (typeof id === "string" || typeof id === "number"))
      this.#answer(id, method, given);
    else if (typeof method === "string") this.#listener.notified(method, given);
    else if (typeof id === "number") this.#settle(id, result, error);
  }

  #answer(id: string | number, method: string, params: Readonly<Record<string, unknown>>): void {
    this.#listener.requested(method, params).then(
      (result) => this.#send({ id, result }),
      (error: unknown) => this.#send({ id, error: { code: -32_601, message: String(error) } }),
    );
  }

  #settle(id: number, result: unknown, error: unknown): void {
    this.#hasAnswered = true;
    const waiting = this.#pending.get(id);
    this.#pending.delete(id);
    if (isObject(error)) waiting?.reject(new Error(String(error.message)));
    else waiting?.resolve(isObject(result) ? result : {});
  }

  #fail(reason: string, resolve: () => void): void {
    resolve();
    if (this.#failure) return;
    const said = this.#hasAnswered ? "" : this.#stderr.trim();
    const text = said === "" ? reason : `${reason} It printed: ${said}`;
    this.#failure = new Error(text);
    for (const { reject } of this.#pending.values()) reject(this.#failure);
    this.#pending.clear();
    this.#listener.ended(text);
  }
}

function eachLine({ stdout }: ChildProcess, use: (line: string) => void): void {
  const lines = new LineSplitter();
  stdout?.on("data", (bytes: Buffer) => {
    for (const line of lines.push(bytes)) if (line.trim() !== "") use(line);
  });
}

function parsed(line: string): unknown {
  return tryOrUndefined(() => JSON.parse(line));
}
