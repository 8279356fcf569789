import { messageOf } from "../../core/error.ts";
import { type McpServer, SERVER_TIMEOUT_MS } from "../../core/mcp-server.ts";
import type { CallContext, Tool, ToolReturn } from "../../core/tool.ts";
import { untilAborted } from "../../core/until-aborted.ts";
import type { Contributions, ExportProblem, FormatHost, ModuleFile } from "../contributions.ts";
import { callTool } from "./call-server-tool.ts";
import { explainFailure, statusOf } from "./explain-server-failure.ts";
import { listTools } from "./list-tools.ts";
import { ReconnectingServer } from "./reconnecting-server.ts";
import { ConnectFailure, type Connection } from "./server-connection.ts";
import { type ListedTool, type ToolList, toTools } from "./server-tools.ts";

/** What a server gives. Its connection closes by itself when it is not used; `close` does it at once. */
export interface ServerContributions extends Contributions {
  close(): Promise<void>;
}

/** The tools of an MCP server, which is connected to now, and later whenever one of them is called. Never rejects. */
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
  /** Servers may look at where they run. */
  readonly dependsOnHost = true;
  readonly reads: readonly string[];
  readonly #file: ModuleFile & { readonly server: McpServer };
  readonly #config: string;
  readonly #timeoutMs: number;
  readonly #link: ReconnectingServer;
  readonly #log: FormatHost["log"];
  #list: ToolList = { tools: [], problems: [] };
  #listing: Promise<void> = Promise.resolve();

  constructor(file: ModuleFile & { readonly server: McpServer }, host: FormatHost) {
    this.#file = file;
    this.#config = file.path.slice(0, -`#${file.name}`.length);
    this.#timeoutMs = file.server.timeoutMs ?? SERVER_TIMEOUT_MS;
    this.#log = (level, message) => host.log(level, `MCP server "${file.name}": ${message}`);
    this.about = { format: "mcp", why: `it is an MCP server that ${this.#config} names`, unsupportedFeatures: [] };
    this.reads = [this.#config];
    this.#link = new ReconnectingServer(file.server, {
      cwd: host.cwd,
      timeoutMs: this.#timeoutMs,
      onLine: (line) => this.#log("info", line),
      onListChanged: () => this.#listAgain(),
    });
  }

  get tools(): readonly Tool[] {
    return this.#list.tools;
  }

  get problems(): readonly ExportProblem[] {
    return this.#list.problems;
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  async read(): Promise<void> {
    try {
      this.#list = await this.#link.use((connection) => this.#listed(connection));
    } catch (error) {
      this.#list = { tools: [], problems: [{ file: this.#file.path, ...this.#explain(error) }] };
      await this.#link.close();
    }
  }

  /** One after another. A list that cannot be had leaves the last one standing. */
  #listAgain(): void {
    this.#listing = this.#listing.then(async () => {
      try {
        this.#list = await this.#link.use((connection) => this.#listed(connection));
      } catch (error) {
        this.#log("warn", `its tools have changed and cannot be listed: ${messageOf(error)}`);
      }
    });
  }

  async #listed(connection: Connection): Promise<ToolList> {
    const listed = await listTools(connection, this.#timeoutMs);
    const version = connection.client.getServerVersion()?.version;
    const list = toTools(listed, this.#file, version, (tool, input, context) => this.#call(tool, input, context));
    if (!connection.pages.isFull) return list;
    const message = `The list of tools of this server is too long: the first ${listed.length} count, and the others are left out. Only a change of the server can mend this.`;
    return { ...list, problems: [...list.problems, { file: this.#file.path, code: "bad_definition", message }] };
  }

  /** A server that is slow to connect, or deaf to a cancellation, does not hold up the one who cancels. */
  async #call(listed: ListedTool, input: unknown, context: CallContext): Promise<ToolReturn> {
    const answer = await untilAborted(context.abort, () => this.#answer(listed, input, context));
    context.abort.throwIfAborted();
    return answer;
  }

  async #answer(listed: ListedTool, input: unknown, context: CallContext): Promise<ToolReturn> {
    const call = (): Promise<ToolReturn> =>
      this.#link.use((connection) => callTool(connection, listed, input, context));
    try {
      return await call().catch((error: unknown) => {
        if (statusOf(error) !== undefined) this.#link.drop();
        // The session has ended, so that nothing was run.
        if (statusOf(error) === 404) return call();
        throw error;
      });
    } catch (error) {
      const isOfServer = statusOf(error) !== undefined || error instanceof ConnectFailure;
      throw isOfServer ? new Error(this.#explain(error).message, { cause: error }) : error;
    }
  }

  #explain(error: unknown): ReturnType<typeof explainFailure> {
    return explainFailure(error, this.#file.server, this.#config, this.#timeoutMs);
  }
}
