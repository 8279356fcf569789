import type { McpServer } from "../../core/mcp-server.ts";
import { type Connection, type ConnectOptions, connect } from "./server-connection.ts";

/** How long a connection that nobody uses is kept. */
const IDLE_MS = 60_000;

/** The way to a server: connected while it is used and a little longer, and anew after it has gone. */
export class ReconnectingServer {
  readonly #server: McpServer;
  readonly #options: Omit<ConnectOptions, "onClose">;
  readonly #idleMs: number;
  #current: Use | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(server: McpServer, options: Omit<ConnectOptions, "onClose">, idleMs: number = IDLE_MS) {
    this.#server = server;
    this.#options = options;
    this.#idleMs = idleMs;
  }

  /** Rejects with a `ConnectFailure`, or with what the work rejects with. */
  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    this.#current ??= this.#open();
    const use = this.#current;
    use.users += 1;
    try {
      return await work(await use.connection);
    } finally {
      use.users -= 1;
      if (use.users === 0) this.#rest(use);
    }
  }

  /** The next use connects anew. Whoever uses the connection now may go on. */
  drop(): void {
    const use = this.#current;
    this.#current = undefined;
    if (use?.users === 0) end(use);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const use = this.#current;
    this.#current = undefined;
    await (await use?.connection.catch(() => undefined))?.close();
  }

  #open(): Use {
    const forget = (): void => {
      if (this.#current === use) this.#current = undefined;
    };
    const connection = connect(this.#server, { ...this.#options, onClose: forget });
    const use: Use = { connection, users: 0 };
    connection.catch(forget);
    return use;
  }

  #rest(use: Use): void {
    if (this.#current !== use) {
      end(use);
      return;
    }
    this.#timer = setTimeout(() => this.drop(), this.#idleMs);
    this.#timer.unref();
  }
}

interface Use {
  readonly connection: Promise<Connection>;
  users: number;
}

function end({ connection }: Use): void {
  void connection.then((open) => open.close()).catch(() => {});
}
