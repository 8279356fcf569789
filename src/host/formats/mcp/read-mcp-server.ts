import { messageOf } from "../../../core/error.ts";
import { type McpServer, SERVER_TIMEOUT_MS } from "../../../core/mcp-server.ts";
import type { Tool, ToolContext, ToolReturn } from "../../../core/tool.ts";
import type { Contributions, ExportProblem, FormatHost, ModuleFile } from "../contributions.ts";
import { callTool, endOnAbort } from "./call-server-tool.ts";
import { explainServerFailure, statusOf } from "./explain-server-failure.ts";
import { listServerTools } from "./list-tools.ts";
import { ReconnectingServer } from "./reconnecting-server.ts";
import { ConnectFailure, type Connection } from "./server-connection.ts";
import { type ListedTool, type ToolList, toTools } from "./server-tools.ts";

/** The connection closes when it is idle. `close` closes it at once. */
export interface ServerContributions extends Contributions {
  close(): Promise<void>;
}

/** Connects to an MCP server and lists its tools. Later calls connect again if needed. Never rejects. */
export async function readMcpServer(
  file: ModuleFile & { readonly server: McpServer },
  host: FormatHost,
): Promise<ServerContributions> {
  const reader = new ServerReader(file, host);
  await reader.read();
  return reader;
}

class ServerReader implements ServerContributions {
  readonly about: NonNullable<Contributions["about"]>;
  /** A server may list other tools in another directory. */
  readonly dependsOnHost = true;
  readonly reads: readonly string[];
  readonly #file: ModuleFile & { readonly server: McpServer };
  readonly #config: string;
  readonly #timeoutMs: number;
  readonly #server: ReconnectingServer;
  readonly #log: FormatHost["log"];
  #list: ToolList = { tools: [], problems: [] };
  #refreshing: Promise<void> = Promise.resolve();

  constructor(file: ModuleFile & { readonly server: McpServer }, host: FormatHost) {
    this.#file = file;
    this.#config = file.path.slice(0, -`#${file.name}`.length);
    this.#timeoutMs = file.server.timeoutMs ?? SERVER_TIMEOUT_MS;
    this.#log = (level, message) => host.log(level, `MCP server "${file.name}": ${message}`);
    this.about = { format: "mcp", why: `${this.#config} configures it as an MCP server`, unsupportedFeatures: [] };
    this.reads = [this.#config];
    this.#server = new ReconnectingServer(file.server, {
      cwd: host.cwd,
      timeoutMs: this.#timeoutMs,
      onLine: (line) => this.#log("info", line),
      onListChanged: () => this.#refresh(),
    });
  }

  get tools(): readonly Tool[] {
    return this.#list.tools;
  }

  get problems(): readonly ExportProblem[] {
    return this.#list.problems;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async read(): Promise<void> {
    try {
      this.#list = await this.#server.use((connection) => this.#listTools(connection));
    } catch (error) {
      this.#list = { tools: [], problems: [{ file: this.#file.path, ...this.#explain(error) }] };
      await this.#server.close();
    }
  }

  /** Refreshes run one after another. If one fails, the last list stays. */
  #refresh(): void {
    this.#refreshing = this.#refreshing.then(async () => {
      try {
        this.#list = await this.#server.use((connection) => this.#listTools(connection));
      } catch (error) {
        this.#log("warn", `its tools changed and cannot be listed: ${messageOf(error)}`);
      }
    });
  }

  async #listTools(connection: Connection): Promise<ToolList> {
    const listed = await listServerTools(connection, this.#timeoutMs);
    const version = connection.client.getServerVersion()?.version;
    const from = { file: this.#file, format: "mcp", server: this.#file.name, version } as const;
    const list = toTools(listed, from, (tool, input, context) => this.#call(tool, input, context));
    if (!connection.pages.isFull) return list;
    const message = `This server lists too many tools. Only the first ${listed.length} are served. Only the developer of the server can fix this.`;
    return { ...list, problems: [...list.problems, { file: this.#file.path, code: "bad_definition", message }] };
  }

  #call(listed: ListedTool, input: unknown, context: ToolContext): Promise<ToolReturn> {
    return endOnAbort(context, () => this.#callServer(listed, input, context));
  }

  async #callServer(listed: ListedTool, input: unknown, context: ToolContext): Promise<ToolReturn> {
    const call = (): Promise<ToolReturn> =>
      this.#server.use((connection) => callTool(connection, listed, input, context));
    try {
      return await call().catch((error: unknown) => {
        if (statusOf(error) !== undefined) this.#server.drop();
        // The session has expired, so the tool was not called.
        if (statusOf(error) === 404) return call();
        throw error;
      });
    } catch (error) {
      const isServerFailure = statusOf(error) !== undefined || error instanceof ConnectFailure;
      throw isServerFailure ? new Error(this.#explain(error).message, { cause: error }) : error;
    }
  }

  #explain(error: unknown): ReturnType<typeof explainServerFailure> {
    return explainServerFailure(error, this.#file.server, this.#config, this.#timeoutMs);
  }
}
