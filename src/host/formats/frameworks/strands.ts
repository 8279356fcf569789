import type { Schema } from "../../../core/schema.ts";
import type { CallContext, Tool } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import { libraryOf } from "../../schema/dialect.ts";
import { buildTool, readDeclaredInput, readInputSchema } from "../build-tool.ts";
import type { ExportContext } from "../export-context.ts";
import { passRawInput } from "./checked-input.ts";
import { filePart, plainResult } from "./result-parts.ts";
import { needsAgent, sessionValues, storeOf } from "./session-values.ts";

/** The return value of `tool()` of Strands Agents, or a `FunctionTool`. */
interface StrandsTool {
  readonly name: string;
  readonly toolSpec: { readonly name: string; readonly description?: unknown; readonly inputSchema?: unknown };
  /** The Zod schema of `tool()`. */
  readonly _inputSchema?: unknown;
  stream?(context: object): AsyncGenerator<unknown, unknown>;
  invoke?(input: unknown, context: object): unknown;
}

export async function readStrandsTool(definition: StrandsTool, at: ExportContext): Promise<Tool> {
  const { name, description } = definition.toolSpec;
  return buildTool(
    {
      format: "strands",
      ownName: name,
      description,
      input: await inputOf(definition),
      run: async (input, _context, call) => {
        const context = toolContext(name, input, { call, at });
        if (typeof definition.stream === "function") return fromStream(definition.stream(context), call);
        return plainResult(await definition.invoke?.(input, context));
      },
    },
    at,
  );
}

/** Tools with a Zod schema parse their input themselves. */
async function inputOf({ toolSpec, _inputSchema: schema }: StrandsTool): Promise<Schema> {
  const hasFields = isObject(schema) && isObject(schema.shape);
  if (!hasFields || libraryOf(schema) === undefined) {
    return readDeclaredInput(toolSpec, ["inputSchema"], toolSpec.name);
  }
  return passRawInput(await readInputSchema(schema, toolSpec.name, "inputSchema"));
}

function toolContext(
  name: string,
  input: unknown,
  { call, at }: { readonly call: CallContext; readonly at: ExportContext },
): object {
  const { callID, sessionID, abort, agent, messages } = call.author;
  const values = sessionValues(at.host, "strands", sessionID);
  return {
    ...call.author,
    toolUse: { name, toolUseId: callID, input },
    agent: { id: agent, name: agent, messages, appState: storeOf(values), cancelSignal: abort },
    invocationState: {},
    cancelSignal: abort,
    ...needsAgent("Strands", ["interrupt"]),
  };
}

/** Yielded values are progress. The result is the value that the generator returns. */
async function fromStream(stream: AsyncGenerator<unknown, unknown>, call: CallContext): Promise<unknown> {
  for (;;) {
    const step = await stream.next();
    if (step.done) return fromResult(step.value);
    call.partial(isObject(step.value) && "data" in step.value ? step.value.data : step.value);
  }
}

/** Strands converts errors of the author's code to results. */
function fromResult(result: unknown): unknown {
  if (!isObject(result) || !Array.isArray(result.content)) return plainResult(result);
  const isError = result.status === "error";
  if (isError && result.error instanceof Error) throw result.error;
  return { content: result.content.map(fromBlock), isError };
}

/** Media are instances of classes, or plain objects with one key. */
function fromBlock(block: unknown): unknown {
  if (!isObject(block)) return block;
  if (typeof block.text === "string") return { type: "text", text: block.text };
  if ("json" in block) return { type: "text", text: JSON.stringify(unwrapped(block.json)) };
  const [kind = "", media] = isObject(block.source) ? [String(block.type), block] : (Object.entries(block)[0] ?? []);
  if (!isObject(media) || !isObject(media.source)) return { type: "text", text: JSON.stringify(block) };
  const { format, name, source } = media;
  const mimeType = /^image/.test(kind) ? `image/${format}` : /^video/.test(kind) ? `video/${format}` : undefined;
  return filePart({ mimeType, name, data: source.bytes, url: source.url });
}

/** Strands wraps lists, because some providers accept only objects. */
function unwrapped(json: unknown): unknown {
  return isObject(json) && Object.keys(json).join() === "$value" ? json.$value : json;
}
