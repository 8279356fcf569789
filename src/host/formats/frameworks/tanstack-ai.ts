import type { Tool, ToolContext } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import { buildTool, readAdvisoryOutput, readDeclaredInput } from "../build-tool.ts";
import { type ExportContext, ExportError } from "../export-context.ts";
import { askIfNeeded } from "./approval.ts";
import { filePart, plainResult, structuredResult } from "./result-parts.ts";

/** What `toolDefinition()` of TanStack AI returns, or its `server()` or `client()`. */
interface TanStackTool {
  readonly __toolSide: string;
  readonly name: string;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly needsApproval?: unknown;
  execute?(input: unknown, context: unknown): unknown;
}

export async function readTanStackTool(definition: TanStackTool, at: ExportContext): Promise<Tool> {
  const { name, description } = definition;
  const { execute } = definition;
  if (definition.__toolSide !== "server" || typeof execute !== "function") {
    throw new ExportError("bad_definition", whyNotServed(definition), name);
  }
  const output = await readAdvisoryOutput(definition.outputSchema);
  const { inputSchema } = definition;
  return buildTool(
    {
      format: "tanstack-ai",
      ownName: name,
      description,
      // Every definition has this field.
      input: await readDeclaredInput(inputSchema === undefined ? {} : { inputSchema }, ["inputSchema"], name),
      output,
      run: async (input, context) => {
        await askIfNeeded(definition.needsApproval, { tool: name, input, context }, [input]);
        const returned: unknown = await execute.call(definition, input, contextOf(context));
        return output === undefined ? toResult(returned) : structuredResult(returned);
      },
      authorFunction: execute,
    },
    at,
  );
}

function whyNotServed({ __toolSide: side, name }: TanStackTool): string {
  if (side === "definition") {
    return `"${name}" is a definition without a function. Export what its server() returns: export const ${identifier(name)} = definition.server(async (args) => { … }).`;
  }
  if (side === "client") {
    return `"${name}" is a tool for the browser, so it cannot be served. Export what server() of its definition returns.`;
  }
  return `"${name}" has no function. Pass it to server() of its definition: definition.server(async (args) => { … }).`;
}

function identifier(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : "tool";
}

/** The second argument of `execute` in TanStack AI, in addition to the context of every tool. */
function contextOf(context: ToolContext): object {
  return {
    ...context,
    toolCallId: context.callID,
    abortSignal: context.abort,
    context: undefined,
    emitCustomEvent: (title: unknown, value: unknown) =>
      context.metadata({ title: String(title), metadata: isObject(value) ? value : { value } }),
  };
}

const PARTS = new Set<unknown>(["text", "image", "audio", "video", "document"]);

/** A list of content parts is content. */
function toResult(returned: unknown): unknown {
  const parts = Array.isArray(returned) && returned.length > 0 ? (returned as unknown[]) : [];
  const isPart = (part: unknown): boolean => isObject(part) && PARTS.has(part.type);
  return parts.length > 0 && parts.every(isPart) ? { content: parts.map(fromPart) } : plainResult(returned);
}

function fromPart(part: unknown): unknown {
  if (!isObject(part)) return part;
  if (typeof part.content === "string") return { type: "text", text: part.content };
  const { source } = part;
  if (!isObject(source)) return part;
  const { value, mimeType = part.type === "image" ? "image/*" : undefined } = source;
  return filePart({ mimeType, ...(source.type === "url" ? { url: value } : { data: value }) });
}
