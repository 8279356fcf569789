import type { ToolContext } from "../../../authoring/tool-function.ts";
import type { Schema } from "../../../core/schema.ts";
import type { CallContext, Tool } from "../../../core/tool.ts";
import { isPlainObject } from "../../../platform/values/is-object.ts";
import { buildTool, readAdvisoryOutput, readDeclaredInput } from "../build-tool.ts";
import type { ModuleFile } from "../contributions.ts";
import type { ExportContext } from "../export-context.ts";
import { fromAnnotations } from "./annotations.ts";
import { askIfNeeded } from "./approval.ts";
import { passRawInput } from "./checked-input.ts";
import { installedMajor } from "./installed-major.ts";
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
  const { id, title, description, mcp } = definition;
  const approval = definition.needsApprovalFn ?? definition.requireApproval;
  const isOld = isBeforeVersion1(definition, at.file);
  const schema = await inputOf(definition, at.source);
  const declared = await readAdvisoryOutput(definition.outputSchema);
  return buildTool(
    {
      format: "mastra",
      ownName: id,
      description,
      input: isOld ? schema : passRawInput(schema),
      output: declared,
      hints: { ...(typeof title === "string" ? { title } : {}), ...fromAnnotations(mcp?.annotations) },
      run: async (input, context, call) => {
        const mastra = mastraContext(context, call);
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
 * Since version 1, the input is the first argument. Before, the first argument was an object with the input as `context`.
 * The installed version decides, except that current instances have a marker symbol.
 */
function isBeforeVersion1(definition: MastraTool, file: ModuleFile): boolean {
  if (TOOL_MARKER in definition) return false;
  const major = installedMajor(file, "@mastra/core");
  if (major !== undefined) return major < 1;
  return !isPlainObject(definition) || takesContext(definition.execute);
}

/** Whether the first parameter is destructured and has a field `context`, as only files for version 0 write it. */
function takesContext(execute: unknown): boolean {
  const text = Function.prototype.toString.call(execute);
  const fields = /^[^{(]*\(\s*\{([^}]*)\}/.exec(text)?.[1] ?? "";
  return /(?:^|[\s,])context(?=[\s,:=]|$)/.test(fields);
}

/**
 * Every instance has the field `inputSchema`. Whether its author wrote one is visible only in the source, between the calls
 * that create this tool and the next one.
 */
async function inputOf(definition: MastraTool, source: string): Promise<Schema> {
  const { id, inputSchema } = definition;
  const isWritten = isPlainObject(definition) || /\binputSchema\s*[:,}]/.test(creationOf(id, source));
  return readDeclaredInput(isWritten ? definition : inputSchema ? { inputSchema } : {}, ["inputSchema"], id);
}

function creationOf(id: string, source: string): string {
  const parts = source.split(/(?=\bcreateTool\b|\bnew\s+Tool\b)/);
  return parts.find((part) => [`"${id}"`, `'${id}'`, `\`${id}\``].some((literal) => part.includes(literal))) ?? "";
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

function mastraContext(context: ToolContext, { partial }: CallContext): MastraContext {
  const { messages, agent, ...rest } = context;
  const values = new RequestContext();
  const write = async (chunk: unknown): Promise<void> => partial(chunk);
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
