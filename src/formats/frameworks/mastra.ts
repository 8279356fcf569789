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

/** What `createTool()` of Mastra gives back. */
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

/** A tool of Mastra. Since version 1 it parses its input itself; before, it was given what had been parsed. */
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
        const given = mastraContext(context);
        await askIfNeeded(approval, { tool: id, input, context }, [input, given]);
        const output: unknown = await (isOld
          ? definition.execute({ ...given, context: input }, given)
          : definition.execute(input, given));
        return shown(definition, output, declared !== undefined);
      },
    },
    at,
  );
}

const MARK = Symbol.for("mastra.core.tool.Tool");

/**
 * Since version 1 the input is the first argument, and instances carry a mark. Before, there was one object that held
 * the input as `context`. A plain object was made by no version: it is read as the present one.
 */
function isBeforeVersion1(definition: object): boolean {
  return !isPlainObject(definition) && !(MARK in definition);
}

/** What Mastra lets a server tell its tools with each request; here it is empty. */
class RequestContext extends Map<string, unknown> {
  get all(): Record<string, unknown> {
    return Object.fromEntries(this);
  }
}

/** What an `execute` of Mastra is told of a call, beside what every tool is told. */
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

async function shown(definition: MastraTool, output: unknown, isDeclared: boolean): Promise<unknown> {
  if (isRefusal(output)) throw new Error(output.message);
  if (!definition.toModelOutput) return isDeclared ? structuredResult(output) : plainResult(output);
  const words = fromModelOutput(await definition.toModelOutput(output));
  return isDeclared && typeof words === "object" && words !== null ? structuredResult(output, words) : words;
}

/** Mastra returns, and does not throw, what it finds wrong with an input or an output. */
function isRefusal(output: unknown): output is { message: string } {
  if (typeof output !== "object" || output === null || !("validationErrors" in output)) return false;
  const { error, message } = output as { error?: unknown; message?: unknown };
  return error === true && typeof message === "string";
}
