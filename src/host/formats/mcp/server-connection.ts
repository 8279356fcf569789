import type { Client, ElicitRequest, ElicitResult, Transport } from "@modelcontextprotocol/client";
import type { McpServer } from "../../../core/mcp-server.ts";
import { VERSION } from "../../../core/version.ts";
import { RawToolPages } from "./raw-tool-pages.ts";
import { httpTransport, stdioTransport } from "./server-transports.ts";
import { StderrTail } from "./stderr-tail.ts";

export interface ConnectOptions {
  /** The working directory of a server whose configuration names none. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Receives each line of the server's stderr. */
  onLine(line: string): void;
  onListChanged(): void;
  onClose(): void;
  /** Answers questions of the server to the user. Without it, the server cannot ask. */
  readonly elicit?: (request: ElicitRequest, signal: AbortSignal) => Promise<ElicitResult>;
}

/** An open connection. */
export interface Connection {
  readonly client: Client;
  readonly stderr: StderrTail;
  readonly pages: RawToolPages;
  close(): Promise<void>;
}

/** A failed attempt to connect, with the last output of the server. */
export class ConnectFailure extends Error {
  readonly stderr: StderrTail;

  constructor(stderr: StderrTail, cause: unknown) {
    super("The MCP server does not answer", { cause });
    this.stderr = stderr;
  }
}

/** Connects with the version of the protocol that the server supports. Rejects with a `ConnectFailure`. */
export async function connect(server: McpServer, options: ConnectOptions): Promise<Connection> {
  if (server.type === "http") return open(server, options, "auto");
  try {
    return await open(server, options, "legacy");
  } catch (failure) {
    // Tried second, because detecting the version first would start every server twice, and nearly all are legacy.
    if (!(await isProtocolError(failure))) throw failure;
    return open(server, options, { pin: "2026-07-28" });
  }
}

type Mode = "legacy" | "auto" | { readonly pin: string };

async function open(server: McpServer, options: ConnectOptions, mode: Mode): Promise<Connection> {
  const stderr = new StderrTail(options.onLine);
  const transport: Transport =
    server.type === "stdio" ? await stdioTransport(server, options.cwd, stderr) : await httpTransport(server);
  return connectOver(transport, stderr, options, mode);
}

/** Connects over `transport`. Rejects with a `ConnectFailure`. */
export async function connectOver(
  transport: Transport,
  stderr: StderrTail,
  options: Pick<ConnectOptions, "timeoutMs" | "onListChanged" | "onClose" | "elicit">,
  mode: Mode,
): Promise<Connection> {
  const { Client } = await import("@modelcontextprotocol/client");
  const pages = new RawToolPages();
  const client = new Client(
    { name: "toolwright", version: VERSION },
    {
      capabilities: options.elicit ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode },
      listChanged: { tools: { autoRefresh: false, onChanged: () => options.onListChanged() } },
    },
  );
  const { elicit } = options;
  if (elicit) client.setRequestHandler("elicitation/create", (request, { mcpReq }) => elicit(request, mcpReq.signal));
  // Invalid lines on stdout are ignored. Real failures reject a request.
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
    throw new ConnectFailure(stderr, cause);
  }
  client.onclose = () => options.onClose();
  return { client, stderr, pages, close };
}

/** Whether the server responded with a protocol error. */
async function isProtocolError(failure: unknown): Promise<boolean> {
  const { ProtocolError } = await import("@modelcontextprotocol/client");
  return failure instanceof ConnectFailure && ProtocolError.isInstance(failure.cause);
}
