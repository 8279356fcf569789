import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import type { Content } from "../../core/result.ts";
import type { JsonSchema } from "../../core/schema.ts";
import { packageNameOf } from "../../platform/text/package-name.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import { isModelImage } from "../client-limits/model-image.ts";
import {
  type AdaptedResult,
  type AdaptedTool,
  type AgentView,
  adaptTools,
  dataUrl,
  markedText,
} from "./adapted-tools.ts";
import { fitToApi } from "./library-limits.ts";

/** The artifact of a tool message: the result as the tool returned it, with all attachments. */
export interface LangChainArtifact {
  readonly content: readonly Content[];
  readonly data?: unknown;
}

/** The parts of a LangChain tool that this package sets. Its type in LangChain is `DynamicStructuredTool`. */
interface StructuredTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  call(...args: unknown[]): Promise<unknown>;
}

/** The settings that LangChain passes with a call. */
interface CallConfig {
  readonly toolCall?: { readonly id?: string };
  readonly signal?: AbortSignal;
  readonly configurable?: { readonly thread_id?: unknown };
  /** Writes to the stream "custom" of LangGraph. */
  readonly writer?: (chunk: unknown) => void;
}

/** The classes of `@langchain/core` that are used. */
interface LangChain {
  readonly DynamicStructuredTool: new (fields: object) => StructuredTool;
  readonly ToolMessage: new (fields: object) => object;
}

/**
 * The enabled tools for `createAgent`, `bindTools` and `ToolNode` of LangChain. Needs `@langchain/core`. The tools are of its class
 * `DynamicStructuredTool`; their type is `never`, since each version of LangChain declares its own.
 */
export async function toLangChainTools(toolbox: Toolbox, view: AgentView = {}): Promise<never[]> {
  const [{ DynamicStructuredTool }, { ToolMessage }] = await Promise.all([
    importLibrary<Pick<LangChain, "DynamicStructuredTool">>("@langchain/core/tools", toolbox),
    importLibrary<Pick<LangChain, "ToolMessage">>("@langchain/core/messages", toolbox),
  ]);
  const ToolboxTool = unvalidated(DynamicStructuredTool);
  const tools = adaptTools(toolbox, view, { fit: fitToApi(view.provider), carries: isModelImage });
  return tools.map((tool) => new ToolboxTool(fieldsOf(tool, ToolMessage)) as never);
}

/**
 * LangChain validates input against the schema, and its error does not say what is wrong. The pipeline validates with the author's
 * own schema. The model is shown `schema` of the tool itself.
 */
function unvalidated(Base: LangChain["DynamicStructuredTool"]): LangChain["DynamicStructuredTool"] {
  return class extends Base {
    override call(...args: unknown[]): Promise<unknown> {
      return super.call.apply(Object.create(this, { schema: { value: {} } }), args);
    }
  };
}

function fieldsOf(tool: AdaptedTool, ToolMessage: LangChain["ToolMessage"]): object {
  const { name, description, inputSchema: schema } = tool;
  const func = async (input: unknown, _manager: unknown, config: CallConfig = {}): Promise<unknown> => {
    const { toolCall, signal, configurable, writer } = config;
    const sessionID = typeof configurable?.thread_id === "string" ? configurable.thread_id : undefined;
    const run = tool.call(input, { callID: toolCall?.id, sessionID, signal });
    if (writer) {
      const { callID } = run;
      for await (const update of run.updates()) writer({ type: "tool.update", tool: name, callID, ...update });
    }
    const result = await run.result;
    const artifact = toArtifact(result);
    if (result.ok) return [toContent(result), artifact];
    const content = markedText(result);
    if (toolCall?.id === undefined) throw new Error(result.text);
    return [new ToolMessage({ name, tool_call_id: toolCall.id, status: "error", content, artifact }), artifact];
  };
  return { name, description, schema, func, responseFormat: "content_and_artifact" };
}

function toArtifact({ returned: content, data }: AdaptedResult): LangChainArtifact {
  return { content, ...(data === undefined ? {} : { data }) };
}

function toContent({ text, content }: AdaptedResult): string | object[] {
  if (!content.some(isModelImage)) return text;
  return content.map((part) => (isModelImage(part) ? { type: "image_url", image_url: { url: dataUrl(part) } } : part));
}

/**
 * Imports a module that the program of the user has installed: as that program resolves it, else as this package does, else from
 * the project of the toolbox if it is trusted. Rejects with the command that installs it.
 */
async function importLibrary<T>(module: string, toolbox: Pick<Toolbox, "project">): Promise<T> {
  const { directory, trusted } = toolbox.project;
  const program = tryOrUndefined(() => dirname(realpathSync(process.argv[1] ?? "")));
  const file =
    (program && (await resolveFrom(program, module))) ??
    tryOrUndefined(() => import.meta.resolve(module)) ??
    (trusted ? await resolveFrom(directory, module) : undefined);
  if (file === undefined)
    throw new Error(`${packageNameOf(module)} is not installed. Run: npm install ${packageNameOf(module)}`);
  return (await import(file)) as T;
}

async function resolveFrom(folder: string, module: string): Promise<string | undefined> {
  const { ResolverFactory } = await import("oxc-resolver");
  const { path } = new ResolverFactory({ conditionNames: ["node", "import"] }).sync(folder, module);
  return path && pathToFileURL(path).href;
}
