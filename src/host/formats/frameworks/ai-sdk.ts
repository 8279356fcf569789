import type { Tool, ToolContext } from "../../../core/tool.ts";
import { buildTool, readDeclaredInput } from "../build-tool.ts";
import type { ModuleFile } from "../contributions.ts";
import { type ExportContext, ExportError } from "../export-context.ts";
import { readAiSdkInput, readAiSdkOutput } from "./ai-sdk-schema.ts";
import { askIfNeeded } from "./approval.ts";
import { installedMajor } from "./installed-major.ts";
import { fromModelOutput } from "./model-output.ts";
import { lastYielded, plainResult, structuredResult } from "./result-parts.ts";

/** The return value of `tool()` and `dynamicTool()` of the AI SDK. It has `parameters` before version 5. */
interface AiSdkTool {
  readonly type?: unknown;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly parameters?: unknown;
  readonly needsApproval?: unknown;
  execute?(input: unknown, options: unknown): unknown;
  toModelOutput?(output: unknown): unknown;
  experimental_toToolResultContent?(output: unknown): unknown;
}

export async function readAiSdkTool(definition: AiSdkTool, at: ExportContext): Promise<Tool> {
  const { description, title } = definition;
  if (typeof definition.execute !== "function")
    throw new ExportError("bad_definition", missingExecute(definition, at.name));
  const output = await readAiSdkOutput(definition.outputSchema);
  const show = resultMapper(definition, at.file, output !== undefined);
  return buildTool(
    {
      format: "ai-sdk",
      description,
      input: await readDeclaredInput(definition, ["inputSchema", "parameters"], at.name, readAiSdkInput),
      output,
      ...(typeof title === "string" ? { hints: { title } } : {}),
      run: async (input, context, call) => {
        const options = optionsOf(context);
        await askIfNeeded(definition.needsApproval, { tool: at.name, input, context }, [input, options]);
        const returned = await lastYielded(await definition.execute?.(input, options), call);
        return show(returned, input, context.callID);
      },
      authorFunction: definition.execute,
    },
    at,
  );
}

function missingExecute({ type }: AiSdkTool, name: string): string {
  if (type === "provider" || type === "provider-defined") {
    return `"${name}" is run by the provider of a model, so it cannot be served. Pass it to the AI SDK directly.`;
  }
  return `"${name}" has no execute function, so only a client could run it. Add async execute(input) { … }.`;
}

/** The second argument of `execute` in the AI SDK, in addition to the context of every tool. */
interface Options extends ToolContext {
  readonly toolCallId: string;
  readonly abortSignal: AbortSignal;
}

function optionsOf(context: ToolContext): Options {
  return { ...context, toolCallId: context.callID, abortSignal: context.abort };
}

type ResultMapper = (output: unknown, input: unknown, toolCallId: string) => Promise<unknown>;

/** With an output schema, programs get the output itself and models get `toModelOutput`. */
function resultMapper(definition: AiSdkTool, file: ModuleFile, isDeclared: boolean): ResultMapper {
  const show = modelOutputMapper(definition, file);
  if (!isDeclared) return show ?? (async (output) => plainResult(output));
  return async (output, input, toolCallId) => {
    const shown = await show?.(output, input, toolCallId);
    return structuredResult(output, typeof shown === "object" && shown !== null ? shown : undefined);
  };
}

function modelOutputMapper(definition: AiSdkTool, file: ModuleFile): ResultMapper | undefined {
  if (definition.toModelOutput) {
    // Version 6 changed the argument. The installed version counts, else the newest.
    const takesOutput = (installedMajor(file, "ai") ?? Number.POSITIVE_INFINITY) < 6;
    return async (output, input, toolCallId) =>
      fromModelOutput(await definition.toModelOutput?.(takesOutput ? output : { toolCallId, input, output }));
  }
  if (definition.experimental_toToolResultContent) {
    return async (output) =>
      fromModelOutput({ type: "content", value: definition.experimental_toToolResultContent?.(output) });
  }
  return undefined;
}
