import { createRequire } from "node:module";
import type { ToolContext } from "../../authoring/tool-function.ts";
import type { CallContext, Tool } from "../../core/tool.ts";
import { buildTool } from "../build-tool.ts";
import type { ModuleFile } from "../contributions.ts";
import { type ExportContext, ExportError } from "../export-context.ts";
import { authorContext } from "../toolwright/read-tool.ts";
import { aiSdkOutput, aiSdkSchema } from "./ai-sdk-schema.ts";
import { askIfNeeded } from "./approval.ts";
import { fromModelOutput } from "./model-output.ts";
import { lastYielded, plainResult, structuredResult } from "./result-parts.ts";

/** What `tool()` and `dynamicTool()` of the AI SDK give back; `parameters` before version 5. */
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

/** A tool of the AI SDK. */
export async function readAiSdkTool(definition: AiSdkTool, at: ExportContext): Promise<Tool> {
  const { description, title, inputSchema, parameters } = definition;
  if (typeof definition.execute !== "function") throw new ExportError("bad_definition", whyNot(definition, at.name));
  const output = await aiSdkOutput(definition.outputSchema);
  const show = resultMapper(definition, at.file, output !== undefined);
  return buildTool(
    {
      format: "ai-sdk",
      description,
      input: await aiSdkSchema(inputSchema ?? parameters, at.name),
      output,
      ...(typeof title === "string" ? { hints: { title } } : {}),
      run: async (input, context) => {
        const options = optionsOf(context);
        await askIfNeeded(definition.needsApproval, { tool: at.name, input, context }, [input, options]);
        const returned = await lastYielded(await definition.execute?.(input, options), context);
        return show(returned, input, context.callID);
      },
    },
    at,
  );
}

function whyNot({ type }: AiSdkTool, name: string): string {
  if (type === "provider" || type === "provider-defined") {
    return `"${name}" is run by the provider of a model, not by this file. Give it to the AI SDK directly; it cannot be served from here.`;
  }
  return `"${name}" has no execute: it is meant for a client that runs it itself. Add async execute(input) { … }.`;
}

/** What an `execute` of the AI SDK is told of a call, beside what every tool is told. */
interface Options extends ToolContext {
  readonly toolCallId: string;
  readonly abortSignal: AbortSignal;
}

function optionsOf(context: CallContext): Options {
  return { ...authorContext(context), toolCallId: context.callID, abortSignal: context.abort };
}

type ResultMapper = (output: unknown, input: unknown, toolCallId: string) => Promise<unknown>;

/** Where the output is declared, programs get it as it is, whatever a model is shown of it. */
function resultMapper(definition: AiSdkTool, file: ModuleFile, isDeclared: boolean): ResultMapper {
  const show = shownAs(definition, file);
  if (!isDeclared) return show ?? (async (output) => plainResult(output));
  return async (output, input, toolCallId) => {
    const shown = await show?.(output, input, toolCallId);
    return structuredResult(output, typeof shown === "object" && shown !== null ? shown : undefined);
  };
}

function shownAs(definition: AiSdkTool, file: ModuleFile): ResultMapper | undefined {
  if (definition.toModelOutput) {
    const takesOutput = majorOfAi(file) < 6;
    return async (output, input, toolCallId) =>
      fromModelOutput(await definition.toModelOutput?.(takesOutput ? output : { toolCallId, input, output }));
  }
  if (definition.experimental_toToolResultContent) {
    return async (output) =>
      fromModelOutput({ type: "content", value: definition.experimental_toToolResultContent?.(output) });
  }
  return undefined;
}

/** Version 6 changed what `toModelOutput` is given; a file is written for the version beside it, else for the newest. */
function majorOfAi(file: ModuleFile): number {
  try {
    const { version } = createRequire(file.path)("ai/package.json") as { version: string };
    return Number.parseInt(version, 10);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
