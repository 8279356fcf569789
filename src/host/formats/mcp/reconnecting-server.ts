import type { McpServer } from "../../../core/mcp-server.ts";
import { type Connection, type ConnectOptions, connect } from "./server-connection.ts";

/** How long an unused connection stays open. */
const IDLE_MS = 60_000;

/** An MCP server that is connected on first use, disconnected when idle, and connected again when needed. */
export class ReconnectingServer {
  readonly #server: McpServer;
  readonly #options: Omit<ConnectOptions, "onClose">;
  readonly #idleMs: number;
  #current: SharedConnection | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(server: McpServer, options: Omit<ConnectOptions, "onClose">, idleMs: number = IDLE_MS) {
    this.#server = server;
    this.#options = options;
    this.#idleMs = idleMs;
  }

  /** Rejects with a `ConnectFailure`, or with the error of `work`. */
  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    this.#current ??= this.#open();
    const shared = this.#current;
    shared.users += 1;
    try {
      return await work(await shared.connection);
    } finally {
      shared.users -= 1;
      if (shared.users === 0) this.#startIdleTimer(shared);
    }
  }

  /** The next use opens a new connection. Work that uses the current one can finish. */
  drop(): void {
    const shared = this.#current;
    this.#current = undefined;
    if (shared?.users === 0) end(shared);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const shared = this.#current;
    this.#current = undefined;
    await (await shared?.connection.catch(() => undefined))?.close();
  }

  #open(): SharedConnection {
    const clear = (): void => {
      if (this.#current === shared) this.#current = undefined;
    };
    const connection = connect(this.#server, { ...this.#options, onClose: clear });
    const shared: SharedConnection = { connection, users: 0 };
    connection.catch(clear);
    return shared;
  }

  #startIdleTimer(shared: SharedConnection): void {
    if (this.#current !== shared) {
      end(shared);
      return;
    }
    this.#timer = setTimeout(() => this.drop(), this.#idleMs);
    this.#timer.unref();
  }
}

interface SharedConnection {
  readonly connection: Promise<Connection>;
  users: number;
}

function end({ connection }: SharedConnection): void {
  void connection.then((open) => open.close()).catch(() => {});
}
