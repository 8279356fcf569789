import type { Tool, ToolContext } from "../../../core/tool.ts";
import { buildTool, readDeclaredInput } from "../build-tool.ts";
import type { ExportContext } from "../export-context.ts";
import { plainResult } from "../frameworks/result-parts.ts";
import { needsAgent } from "../frameworks/session-values.ts";

/** A custom tool of Roo Code. */
interface RooTool {
  readonly name: string;
  readonly description?: unknown;
  readonly parameters?: unknown;
  execute(args: unknown, context: object): unknown;
}

export async function readRooTool(definition: RooTool, at: ExportContext): Promise<Tool> {
  const { name, description } = definition;
  return buildTool(
    {
      format: "roo",
      ownName: name,
      description,
      input: await readDeclaredInput(definition, ["parameters"], name),
      run: async (input, context) => plainResult(await definition.execute(input, contextOf(context))),
      authorFunction: definition.execute,
    },
    at,
  );
}

/** The second argument of `execute` in Roo Code, in addition to the context of every tool. */
function contextOf(context: ToolContext): object {
  const { sessionID, agent, directory, abort } = context;
  const task = {
    taskId: sessionID,
    cwd: directory,
    workspacePath: directory,
    get abort() {
      return abort.aborted;
    },
    say: async (type: unknown, text: unknown) =>
      context.metadata({ title: String(text ?? type), metadata: { type, text } }),
    ...needsAgent("Roo Code", ["ask", "submitUserMessage", "approveAsk", "denyAsk", "abortTask", "condenseContext"]),
  };
  return { ...context, mode: agent || "code", task };
}
