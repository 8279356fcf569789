import type { Tool } from "../../core/tool.ts";
import { jsonSchema } from "../../schema/json-schema.ts";
import { type ExportAt, toProblem } from "../export-at.ts";
import { callTool } from "../mcp/call-server-tool.ts";
import { LastLines } from "../mcp/last-lines.ts";
import { listTools } from "../mcp/list-tools.ts";
import { type Connection, connectOver } from "../mcp/server-connection.ts";
import { memoryTransports } from "../mcp/server-transports.ts";
import type { ExportProblem, FromFile } from "../module.ts";
import { fromAnnotations } from "./annotations.ts";
import { foreignOutput, foreignTool } from "./foreign-tool.ts";

/** What createSdkMcpServer() of the Claude Agent SDK gives back: an MCP server that runs where it was made. */
interface SdkServer {
  readonly instance: { connect(transport: unknown): Promise<void> };
}

const ANSWER_MS = 10_000;

/** The tools of such a server, under the names that they have in it. Rejects when it does not answer. */
export async function fromSdkServer({ instance }: SdkServer, at: ExportAt): Promise<FromFile> {
  const [near, far] = memoryTransports();
  await instance.connect(far);
  const options = { timeoutMs: ANSWER_MS, onListChanged: () => {}, onClose: () => {} };
  const connection = await connectOver(near, new LastLines(() => {}), options, "legacy");
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

async function toTool(listed: Listed, connection: Connection, at: ExportAt): Promise<Tool> {
  const { name, description, inputSchema, annotations } = listed;
  return foreignTool(
    {
      format: "sdk",
      ownName: name,
      description,
      input: jsonSchema({ ...inputSchema }),
      output: await foreignOutput(listed.outputSchema),
      hints: fromAnnotations(annotations),
      run: (input, context) => callTool(connection, listed, input, context),
    },
    { ...at, member: name },
  );
}
