import type { CallContext, ToolReturn } from "../../core/tool.ts";
import type { Connection } from "./server-connection.ts";
import type { ListedTool } from "./server-tools.ts";

/** The pipeline limits the time of a call, not this. */
const NO_LIMIT_MS = 2_147_483_647;

/** Calls a tool of a server. Its answer is passed on as it is; rejects with the server's own words. */
export async function callTool(
  { client, said }: Connection,
  listed: ListedTool,
  input: unknown,
  context: CallContext,
): Promise<ToolReturn> {
  const name = String(listed.name);
  const inputSchema = listed.inputSchema as { type: "object" };
  try {
    return await client.callTool(
      { name, arguments: input as Record<string, unknown> },
      {
        // Without its output schema: whether the server keeps to that is checked like what any other tool gives.
        toolDefinition: { name, inputSchema },
        signal: context.abort,
        timeout: NO_LIMIT_MS,
        onprogress: ({ message, progress, total }) =>
          context.metadata({
            ...(message === undefined ? {} : { title: message }),
            metadata: { progress, ...(total === undefined ? {} : { total }) },
          }),
      },
    );
  } catch (error) {
    if (!isClosed(error)) throw error;
    const words = said.text === "" ? "" : ` It said:\n${said.text}`;
    throw new Error(`The MCP server ended during the call. It is started anew for the next one.${words}`, {
      cause: error,
    });
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "CONNECTION_CLOSED";
}
