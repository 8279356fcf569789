import { nearest } from "../../platform/text/nearest.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import {
  type AdaptedCall,
  type AdaptedResult,
  type AdaptedTool,
  type AgentView,
  adaptTools,
  type CarriedContent,
  dataUrl,
  failureOf,
  isImageOrPdf,
  markedText,
} from "./adapted-tools.ts";
import { fitToApi } from "./library-limits.ts";

/**
 * A function tool for the packages of OpenAI. It is a function of the Responses API, a function tool of `@openai/agents`, and its
 * property `function`, which is not enumerable and therefore not sent, is one for `chat.completions.runTools()`.
 */
export interface OpenAiTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: OpenAiParameters;
  /** The API changes a schema in strict mode, and rejects most of them. */
  readonly strict: false;
  /** Calls the tool, for the Responses API. Never rejects. */
  call(args: string, options?: OpenAiCallOptions): Promise<OpenAiOutput>;
  /** Calls the tool, for `@openai/agents`. Never rejects. */
  invoke(
    runContext: unknown,
    args: string,
    details?: { readonly toolCall?: { readonly callId: string }; readonly signal?: AbortSignal },
  ): Promise<string | AgentsPart[]>;
  needsApproval(): Promise<boolean>;
  isEnabled(): Promise<boolean>;
  readonly function: ChatFunction;
}

/** A JSON Schema of an object, as `@openai/agents` types it. */
interface OpenAiParameters {
  [keyword: string]: unknown;
  type: "object";
  properties: Record<string, Record<string, never>>;
  required: string[];
  additionalProperties: true;
}

interface OpenAiCallOptions {
  readonly callID?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The `output` of a `function_call_output` of the Responses API. */
export type OpenAiOutput = string | OpenAiPart[];

type OpenAiPart =
  | { type: "input_text"; text: string }
  | { type: "input_image"; image_url: string; detail: "auto" }
  | { type: "input_file"; filename: string; file_data: string };

type AgentsPart =
  | { type: "text"; text: string }
  | { type: "image"; image: { data: string; mediaType: string } }
  | { type: "file"; file: { data: string; mediaType: string; filename: string } };

interface ChatFunction extends Pick<OpenAiTool, "name" | "description" | "parameters" | "strict"> {
  function(args: string, runner: { readonly controller: AbortController }): Promise<string>;
}

/** An item of `response.output`. Items of other types than "function_call" are ignored. */
export interface OpenAiOutputItem {
  readonly type: string;
  readonly name?: string | null;
  readonly arguments?: unknown;
  readonly call_id?: string | null;
}

/** An item of the next `input` of the Responses API. */
export interface OpenAiCallOutput {
  type: "function_call_output";
  call_id: string;
  output: OpenAiOutput;
}

/** The enabled tools for the Responses API, for agents of `@openai/agents`, and for `chat.completions.runTools()`. */
export function toOpenAiTools(toolbox: Toolbox, view: AgentView = {}): OpenAiTool[] {
  const { provider = "openai" } = view;
  return adaptTools(toolbox, { ...view, provider }, { fit: fitToApi(provider), carries: isImageOrPdf }).map(
    toOpenAiTool,
  );
}

/**
 * Runs the function calls in the output of a response, at the same time, and returns their results in the same order: the items
 * to add to the input of the next request. Never rejects.
 */
export function runOpenAiCalls(
  tools: readonly OpenAiTool[],
  output: readonly OpenAiOutputItem[],
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<OpenAiCallOutput[]> {
  const calls = output.filter(({ type }) => type === "function_call");
  return Promise.all(
    calls.map(async ({ name, arguments: args, call_id }): Promise<OpenAiCallOutput> => {
      const callID = call_id ?? "";
      const tool = tools.find((each) => each.name === name);
      const result = tool?.call(String(args ?? ""), { callID, signal }) ?? unknownTool(name ?? "", tools);
      return { type: "function_call_output", call_id: callID, output: await result };
    }),
  );
}

/** The API rejects the next request if a call has no output. */
function unknownTool(name: string, tools: readonly OpenAiTool[]): string {
  const [near] = nearest(
    name,
    tools.map((tool) => tool.name),
  );
  return `Error: There is no tool "${name}".${near === undefined ? "" : ` Did you mean "${near}"?`}`;
}

function toOpenAiTool(tool: AdaptedTool): OpenAiTool {
  const { name, description } = tool;
  const parameters = tool.inputSchema as OpenAiParameters;
  const declared = { name, description, parameters, strict: false } as const;
  const adapted = {
    type: "function" as const,
    ...declared,
    call: async (args: string, options: OpenAiCallOptions = {}) =>
      toOutput(await run(tool, args, options), toOpenAiPart),
    invoke: async (...[, args, details]: Parameters<OpenAiTool["invoke"]>) =>
      toOutput(await run(tool, args, { callID: details?.toolCall?.callId, signal: details?.signal }), toAgentsPart),
    needsApproval: async () => false,
    isEnabled: async () => true,
  };
  const called: ChatFunction = {
    ...declared,
    function: async (args, { controller }) =>
      markedText(await run(tool, args, { signal: controller.signal, textOnly: true })),
  };
  return Object.defineProperty(adapted, "function", { value: called }) as OpenAiTool;
}

/** The model writes arguments as JSON text. */
async function run(tool: AdaptedTool, args: string, call: AdaptedCall): Promise<AdaptedResult> {
  const input = tryOrUndefined(() => (args.trim() === "" ? {} : JSON.parse(args)));
  if (input !== undefined) return tool.call(input, call).result;
  return failureOf(`The arguments of "${tool.name}" are not valid JSON. Send them again as one JSON object.`);
}

function toOutput<Part>(result: AdaptedResult, toPart: (part: CarriedContent) => Part): string | Part[] {
  const isText = result.content.every(({ type }) => type === "text");
  return isText || !result.ok ? markedText(result) : result.content.map(toPart);
}

function toOpenAiPart(part: CarriedContent): OpenAiPart {
  if (part.type === "text") return { type: "input_text", text: part.text };
  if (part.type === "image") return { type: "input_image", image_url: dataUrl(part), detail: "auto" };
  return { type: "input_file", filename: part.name ?? "file.pdf", file_data: dataUrl(part) };
}

function toAgentsPart(part: CarriedContent): AgentsPart {
  if (part.type === "text") return { type: "text", text: part.text };
  const { data, mimeType: mediaType } = part;
  if (part.type === "image") return { type: "image", image: { data, mediaType } };
  return { type: "file", file: { data, mediaType, filename: part.name ?? "file.pdf" } };
}
