import type { Client, Transport } from "@modelcontextprotocol/client";
import type { McpServer } from "../../core/mcp-server.ts";
import { VERSION } from "../../core/version.ts";
import { RawToolPages } from "./raw-tool-pages.ts";
import { httpTransport, stdioTransport } from "./server-transports.ts";
import { StderrTail } from "./stderr-tail.ts";

/** What a connection is opened with. */
export interface ConnectOptions {
  /** Where a server is started that says nothing of it. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** What a server that was started writes to its stderr, line by line. */
  onLine(line: string): void;
  /** The list of tools is another one now. */
  onListChanged(): void;
  onClose(): void;
}

/** A server that answers. */
export interface Connection {
  readonly client: Client;
  /** The last that a server which was started has written to its stderr. */
  readonly said: StderrTail;
  readonly pages: RawToolPages;
  close(): Promise<void>;
}

/** A server that could not be reached, and what it has said meanwhile. */
export class ConnectFailure extends Error {
  readonly said: StderrTail;

  constructor(said: StderrTail, cause: unknown) {
    super("The MCP server does not answer", { cause });
    this.said = said;
  }
}

/** Opens a connection, whichever of the protocol's eras the server is of. Rejects with a `ConnectFailure`. */
export async function connect(server: McpServer, options: ConnectOptions): Promise<Connection> {
  if (server.type === "http") return open(server, options, "auto");
  try {
    return await open(server, options, "legacy");
  } catch (failure) {
    // To ask a server of its era before anything else would start it twice each time, and nearly all are of this one.
    if (!(await isRefusal(failure))) throw failure;
    return open(server, options, { pin: "2026-07-28" });
  }
}

type Mode = "legacy" | "auto" | { readonly pin: string };

async function open(server: McpServer, options: ConnectOptions, mode: Mode): Promise<Connection> {
  const said = new StderrTail(options.onLine);
  const transport: Transport =
    server.type === "stdio" ? await stdioTransport(server, options.cwd, said) : await httpTransport(server);
  return connectOver(transport, said, options, mode);
}

/** Opens a connection over a transport that is there already. Rejects with a `ConnectFailure`. */
export async function connectOver(
  transport: Transport,
  said: StderrTail,
  options: Pick<ConnectOptions, "timeoutMs" | "onListChanged" | "onClose">,
  mode: Mode,
): Promise<Connection> {
  const { Client } = await import("@modelcontextprotocol/client");
  const pages = new RawToolPages();
  const client = new Client(
    { name: "toolwright", version: VERSION },
    {
      capabilities: {},
      versionNegotiation: { mode },
      listChanged: { tools: { autoRefresh: false, onChanged: () => options.onListChanged() } },
    },
  );
  // Noise on stdout is passed over; what matters comes as a failed request.
  client.onerror = () => {};
  transport.onmessage = pages.onMessage;
  const close = async (): Promise<void> => {
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
  };
  try {
    await client.connect(transport, { timeout: options.timeoutMs });
  } catch (cause) {
    await close();
    throw new ConnectFailure(said, cause);
  }
  client.onclose = () => options.onClose();
  return { client, said, pages, close };
}

/** Whether the server has answered, and said that it does not know what it was asked. */
async function isRefusal(failure: unknown): Promise<boolean> {
  const { ProtocolError } = await import("@modelcontextprotocol/client");
  return failure instanceof ConnectFailure && ProtocolError.isInstance(failure.cause);
}
