import type { Transport } from "@modelcontextprotocol/client";
import { messageOf } from "../../../core/error.ts";
import type { Format, Tool, ToolContext, ToolReturn } from "../../../core/tool.ts";
import type { Contributions, ExportProblem } from "../contributions.ts";
import type { ExportContext } from "../export-context.ts";
import { callTool, endOnAbort } from "../mcp/call-server-tool.ts";
import { listServerTools } from "../mcp/list-tools.ts";
import { ConnectFailure, type Connection, connectOver } from "../mcp/server-connection.ts";
import { type ListedTool, type ToolList, toTools } from "../mcp/server-tools.ts";
import { StderrTail } from "../mcp/stderr-tail.ts";
import { elicit } from "./elicit.ts";

/** Less than the limit of an import, whose problem would not name the server. */
const TIMEOUT_MS = 8_000;

/** Connects to a server in this process and lists its tools, under their names on the server. Rejects if it does not answer. */
export async function readServerOver(
  transport: Transport,
  at: ExportContext,
  format: Extract<Format, "mcp-module" | "sdk"> = "mcp-module",
): Promise<Contributions> {
  const server = new ModuleServer(at, format);
  await server.read(transport);
  return server;
}

class ModuleServer implements Contributions {
  readonly about: NonNullable<Contributions["about"]>;
  /** A server may list other tools in another directory or environment. */
  readonly dependsOnHost = true;
  readonly #at: ExportContext;
  readonly #format: Format;
  #connection: Connection | undefined;
  #list: ToolList = { tools: [], problems: [] };
  #refreshing: Promise<void> = Promise.resolve();
  #changed: () => void = () => {};

  constructor(at: ExportContext, format: Format) {
    this.#at = at;
    this.#format = format;
    this.about = { format, why: at.why, unsupportedFeatures: [] };
  }

  get tools(): readonly Tool[] {
    return this.#list.tools;
  }

  get problems(): readonly ExportProblem[] {
    return this.#list.problems;
  }

  onChange(listener: () => void): void {
    this.#changed = listener;
  }

  async close(): Promise<void> {
    await this.#connection?.close();
  }

  async read(transport: Transport): Promise<void> {
    const { host, file } = this.#at;
    const options = {
      timeoutMs: TIMEOUT_MS,
      onListChanged: () => this.#refresh(),
      onClose: () => host.log("info", `${file.path}: its MCP server has closed the connection.`),
      elicit: (...[request, signal]: [Parameters<typeof elicit>[0], AbortSignal]) => elicit(request, host, signal),
    };
    try {
      this.#connection = await connectOver(transport, new StderrTail(() => {}), options, "legacy");
    } catch (thrown) {
      const cause = thrown instanceof ConnectFailure ? thrown.cause : thrown;
      throw new Error(`its MCP server does not answer: ${messageOf(cause)}`, { cause: thrown });
    }
    this.#list = await this.#listTools(this.#connection);
  }

  /** Refreshes run one after another. If one fails, the last list stays. */
  #refresh(): void {
    this.#refreshing = this.#refreshing.then(async () => {
      try {
        if (this.#connection) this.#list = await this.#listTools(this.#connection);
        this.#changed();
      } catch (error) {
        this.#at.host.log("warn", `${this.#at.file.path}: its tools changed and cannot be listed: ${messageOf(error)}`);
      }
    });
  }

  async #listTools(connection: Connection): Promise<ToolList> {
    const listed = await listServerTools(connection, TIMEOUT_MS);
    const { file } = this.#at;
    const call = (tool: ListedTool, input: unknown, context: ToolContext): Promise<ToolReturn> =>
      endOnAbort(context, () => callTool(connection, tool, input, context));
    return toTools(listed, { file, format: this.#format, at: this.#at }, call);
  }
}
