import type { Update } from "../../core/events.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import {
  type AdaptedResult,
  type AdaptedTool,
  type AgentView,
  adaptTools,
  type CarriedContent,
  isImageOrPdf,
} from "./adapted-tools.ts";
import { fitToApi } from "./library-limits.ts";

/** The output of a call in the AI SDK: progress as preliminary results, then the result. It is plain JSON. */
export type AiSdkOutput =
  | ({ readonly type: "update" } & Update)
  | { readonly type: "result"; readonly content: readonly CarriedContent[]; readonly data?: unknown };

/** A dynamic tool of the AI SDK. */
export interface AiSdkTool {
  readonly type: "dynamic";
  readonly description: string;
  readonly title?: string;
  /** A schema of the AI SDK. Its type is `never`, since the AI SDK declares it with a symbol of its own. */
  readonly inputSchema: never;
  /** Throws an error with the message for the model if the call fails: the AI SDK makes a tool error of it. */
  execute(
    input: unknown,
    options: { readonly toolCallId: string; readonly abortSignal?: AbortSignal | undefined },
  ): AsyncIterable<AiSdkOutput>;
  toModelOutput(options: { readonly output: unknown }): AiSdkModelOutput;
}

/** The output of a call, as the AI SDK sends it to the model. */
export type AiSdkModelOutput =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "content"; readonly value: AiSdkPart[] };

type AiSdkPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "file";
      readonly mediaType: string;
      readonly data: { readonly type: "data"; readonly data: string };
      readonly filename?: string;
    };

/** The enabled tools for `generateText`, `streamText` and agents of the AI SDK, by name. */
export function toAiSdkTools(toolbox: Toolbox, view: AgentView = {}): Record<string, AiSdkTool> {
  const tools = adaptTools(toolbox, view, { fit: fitToApi(view.provider), carries: isImageOrPdf });
  return Object.fromEntries(tools.map((tool) => [tool.name, toAiSdkTool(tool)]));
}

function toAiSdkTool(tool: AdaptedTool): AiSdkTool {
  const { title, description, inputSchema } = tool;
  return {
    type: "dynamic",
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: toAiSdkSchema(inputSchema) as never,
    execute: (input, { toolCallId, abortSignal }) => execute(tool, input, toolCallId, abortSignal),
    toModelOutput: ({ output }) => toModelOutput(output as AiSdkOutput),
  };
}

/** The value that `jsonSchema()` of the AI SDK returns, without validation: the pipeline validates. */
function toAiSdkSchema(jsonSchema: object): object {
  return { [Symbol.for("vercel.ai.schema")]: true, _type: undefined, jsonSchema, validate: undefined };
}

async function* execute(
  tool: AdaptedTool,
  input: unknown,
  callID: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<AiSdkOutput> {
  const run = tool.call(input, { callID, signal });
  for await (const update of run.updates()) yield { type: "update", ...update };
  yield toOutput(await run.result);
}

function toOutput({ ok, text, content, data }: AdaptedResult): AiSdkOutput {
  if (!ok) throw new Error(text);
  return { type: "result", content, ...(data === undefined ? {} : { data }) };
}

function toModelOutput(output: AiSdkOutput): AiSdkModelOutput {
  if (output.type === "update") return { type: "text", value: output.title ?? "" };
  const { content } = output;
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  if (texts.length === content.length) return { type: "text", value: texts.join("\n") };
  return { type: "content", value: content.map(toPart) };
}

function toPart(part: CarriedContent): AiSdkPart {
  if (part.type === "text") return part;
  const filename = part.type === "file" && part.name !== undefined ? { filename: part.name } : {};
  return { type: "file", mediaType: part.mimeType, data: { type: "data", data: part.data }, ...filename };
}
