import type { ToolContext, ToolReturn } from "../../../core/tool.ts";
import { MAX_DELAY_MS } from "../../../platform/waiting/max-delay.ts";
import { untilAborted } from "../../../platform/waiting/until-aborted.ts";
import type { Connection } from "./server-connection.ts";
import type { ListedTool } from "./server-tools.ts";

/** Calls a tool of a server and returns its result unchanged. Rejects with the error of the server. */
export async function callTool(
  { client, stderr }: Connection,
  listed: ListedTool,
  input: unknown,
  context: ToolContext,
): Promise<ToolReturn> {
  const name = String(listed.name);
  const inputSchema = listed.inputSchema as { type: "object" };
  try {
    return await client.callTool(
      { name, arguments: input as Record<string, unknown> },
      {
        // No output schema: the pipeline checks the result, as for every other tool.
        toolDefinition: { name, inputSchema },
        signal: context.abort,
        // The pipeline limits the time of a call.
        timeout: MAX_DELAY_MS,
        onprogress: ({ message, progress, total }) =>
          context.metadata({
            ...(message === undefined ? {} : { title: message }),
            metadata: { progress, ...(total === undefined ? {} : { total }) },
          }),
      },
    );
  } catch (error) {
    if (!isClosed(error)) throw error;
    const output = stderr.text === "" ? "" : ` Its last output:\n${stderr.text}`;
    throw new Error(`The MCP server exited during the call. The next call starts it again.${output}`, {
      cause: error,
    });
  }
}

/** A cancelled call ends at once, even if the server does not react to the cancellation. */
export async function endOnAbort({ abort }: ToolContext, call: () => Promise<ToolReturn>): Promise<ToolReturn> {
  const answer = await untilAborted(abort, call);
  abort.throwIfAborted();
  return answer;
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "CONNECTION_CLOSED";
}
