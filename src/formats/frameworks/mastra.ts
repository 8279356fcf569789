import type { ToolContext } from "../../authoring/tool-function.ts";
import { isPlainObject } from "../../core/is-object.ts";
import type { CallContext, Tool } from "../../core/tool.ts";
import { buildTool, readAdvisoryOutput, readInputSchema } from "../build-tool.ts";
import type { ExportContext } from "../export-context.ts";
import { authorContext } from "../toolwright/read-tool.ts";
import { fromAnnotations } from "./annotations.ts";
import { askIfNeeded } from "./approval.ts";
import { passRawInput } from "./checked-input.ts";
import { fromModelOutput } from "./model-output.ts";
import { plainResult, structuredResult } from "./result-parts.ts";

/** The return value of `createTool()` of Mastra. */
interface MastraTool {
  readonly id: string;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly requireApproval?: unknown;
  readonly needsApprovalFn?: unknown;
  readonly mcp?: { readonly annotations?: unknown };
  execute(input: unknown, context: unknown): unknown;
  toModelOutput?(output: unknown): unknown;
}

/** Since version 1, Mastra tools parse their input themselves. Older ones expect parsed input. */
export async function readMastraTool(definition: MastraTool, at: ExportContext): Promise<Tool> {
  const { id, title, description, inputSchema, mcp } = definition;
  const approval = definition.needsApprovalFn ?? definition.requireApproval;
  const isOld = isBeforeVersion1(definition);
  const schema = await readInputSchema(inputSchema, id, "inputSchema");
  const declared = await readAdvisoryOutput(definition.outputSchema);
  return buildTool(
    {
      format: "mastra",
      ownName: id,
      description,
      input: isOld ? schema : passRawInput(schema),
      output: declared,
      hints: { ...(typeof title === "string" ? { title } : {}), ...fromAnnotations(mcp?.annotations) },
      run: async (input, context) => {
        const mastra = mastraContext(context);
        await askIfNeeded(approval, { tool: id, input, context }, [input, mastra]);
        const output: unknown = await (isOld
          ? definition.execute({ ...mastra, context: input }, mastra)
          : definition.execute(input, mastra));
        return toResult(definition, output, declared !== undefined);
      },
    },
    at,
  );
}

const TOOL_MARKER = Symbol.for("mastra.core.tool.Tool");

/**
 * Since version 1, the input is the first argument, and instances have a marker symbol. Before, the only argument was an
 * object with the input as `context`. A plain object is not an instance of any version, and read as the current one.
 */
function isBeforeVersion1(definition: object): boolean {
  return !isPlainObject(definition) && !(TOOL_MARKER in definition);
}

/** The request context of Mastra. Always empty in Toolwright. */
class RequestContext extends Map<string, unknown> {
  get all(): Record<string, unknown> {
    return Object.fromEntries(this);
  }
}

/** The context of `execute` in Mastra, in addition to the context of every tool. */
interface MastraContext extends Omit<ToolContext, "messages" | "agent"> {
  readonly agent: Readonly<Record<string, unknown>>;
  readonly mastra: undefined;
  readonly abortSignal: AbortSignal;
  readonly threadId: string;
  readonly requestContext: RequestContext;
  readonly runtimeContext: RequestContext;
  readonly writer: { write(chunk: unknown): Promise<void>; custom(chunk: unknown): Promise<void> };
}

function mastraContext(context: CallContext): MastraContext {
  const { messages, agent, ...rest } = authorContext(context);
  const values = new RequestContext();
  const write = async (chunk: unknown): Promise<void> => context.partial(chunk);
  return {
    ...rest,
    agent: { agentId: agent, toolCallId: context.callID, messages, threadId: context.sessionID },
    mastra: undefined,
    abortSignal: context.abort,
    threadId: context.sessionID,
    requestContext: values,
    runtimeContext: values,
    writer: { write, custom: write },
  };
}

async function toResult(definition: MastraTool, output: unknown, isDeclared: boolean): Promise<unknown> {
  if (isValidationError(output)) throw new Error(output.message);
  if (!definition.toModelOutput) return isDeclared ? structuredResult(output) : plainResult(output);
  const modelOutput = fromModelOutput(await definition.toModelOutput(output));
  return isDeclared && typeof modelOutput === "object" && modelOutput !== null
    ? structuredResult(output, modelOutput)
    : modelOutput;
}

/** Mastra returns validation errors instead of throwing them. */
function isValidationError(output: unknown): output is { message: string } {
  if (typeof output !== "object" || output === null || !("validationErrors" in output)) return false;
  const { error, message } = output as { error?: unknown; message?: unknown };
  return error === true && typeof message === "string";
}
