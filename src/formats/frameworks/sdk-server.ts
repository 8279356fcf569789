import type { Tool } from "../../core/tool.ts";
import { jsonSchema } from "../../schema/json-schema.ts";
import { buildTool, readAdvisoryOutput } from "../build-tool.ts";
import type { Contributions, ExportProblem } from "../contributions.ts";
import { type ExportContext, toProblem } from "../export-context.ts";
import { callTool } from "../mcp/call-server-tool.ts";
import { listTools } from "../mcp/list-tools.ts";
import { type Connection, connectOver } from "../mcp/server-connection.ts";
import { memoryTransports } from "../mcp/server-transports.ts";
import { StderrTail } from "../mcp/stderr-tail.ts";
import { fromAnnotations } from "./annotations.ts";

/** What createSdkMcpServer() of the Claude Agent SDK gives back: an MCP server that runs where it was made. */
interface SdkServer {
  readonly instance: { connect(transport: unknown): Promise<void> };
}

const ANSWER_MS = 10_000;

/** The tools of such a server, under the names that they have in it. Rejects when it does not answer. */
export async function readSdkServer({ instance }: SdkServer, at: ExportContext): Promise<Contributions> {
  const [near, far] = memoryTransports();
  await instance.connect(far);
  const options = { timeoutMs: ANSWER_MS, onListChanged: () => {}, onClose: () => {} };
  const connection = await connectOver(near, new StderrTail(() => {}), options, "legacy");
  const tools: Tool[] = [];
  const problems: ExportProblem[] = [];
  for (const listed of await listTools(connection, ANSWER_MS)) {
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
