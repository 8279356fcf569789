import type { Tool } from "../../../core/tool.ts";
import { jsonSchema } from "../../schema/json-schema.ts";
import { buildTool, readAdvisoryOutput } from "../build-tool.ts";
import type { Contributions, ExportProblem } from "../contributions.ts";
import { type ExportContext, toProblem } from "../export-context.ts";
import { callTool } from "../mcp/call-server-tool.ts";
import { listServerTools } from "../mcp/list-tools.ts";
import { type Connection, connectOver } from "../mcp/server-connection.ts";
import { memoryTransports } from "../mcp/server-transports.ts";
import { StderrTail } from "../mcp/stderr-tail.ts";
import { fromAnnotations } from "./annotations.ts";

/** The return value of createSdkMcpServer() of the Claude Agent SDK: an MCP server in this process. */
interface SdkServer {
  readonly instance: { connect(transport: unknown): Promise<void> };
}

const TIMEOUT_MS = 10_000;

/** Reads the tools of the server, under their names on it. Rejects if the server does not respond. */
export async function readSdkServer({ instance }: SdkServer, at: ExportContext): Promise<Contributions> {
  const [near, far] = memoryTransports();
  await instance.connect(far);
  const options = { timeoutMs: TIMEOUT_MS, onListChanged: () => {}, onClose: () => {} };
  const connection = await connectOver(near, new StderrTail(() => {}), options, "legacy");
  const tools: Tool[] = [];
  const problems: ExportProblem[] = [];
  for (const listed of await listServerTools(connection, TIMEOUT_MS)) {
    try {
      tools.push(await toTool(listed as Listed, connection, at));
    } catch (thrown) {
      problems.push(toProblem(thrown, at));
    }
  }
  return { tools, problems, about: { format: "sdk", why: at.why, unsupportedFeatures: [] } };
}

interface Listed extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly description?: unknown;
  readonly inputSchema: object;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
}

async function toTool(listed: Listed, connection: Connection, at: ExportContext): Promise<Tool> {
  const { name, description, inputSchema, annotations } = listed;
  return buildTool(
    {
      format: "sdk",
      ownName: name,
      description,
      input: jsonSchema({ ...inputSchema }),
      output: await readAdvisoryOutput(listed.outputSchema),
      hints: fromAnnotations(annotations),
      run: (input, context) => callTool(connection, listed, input, context),
    },
    { ...at, member: name },
  );
}
