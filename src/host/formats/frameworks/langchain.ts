import { messageOf } from "../../../core/error.ts";
import type { Schema } from "../../../core/schema.ts";
import type { CallContext, Tool } from "../../../core/tool.ts";
import { libraryOf } from "../../schema/dialect.ts";
import { buildTool, readDeclaredInput } from "../build-tool.ts";
import { type ExportContext, ExportError } from "../export-context.ts";
import { passRawInput } from "./checked-input.ts";
import { filePart, plainResult, textParts } from "./result-parts.ts";

/** A `StructuredTool` of LangChain, or the return value of its `tool()`. */
interface LangChainTool {
  readonly name: string;
  readonly description?: unknown;
  readonly schema: unknown;
  invoke(input: unknown, config: unknown): unknown;
}

export async function readLangChainTool(definition: LangChainTool, at: ExportContext): Promise<Tool> {
  const { name, description } = definition;
  return buildTool(
    {
      format: "langchain",
      ownName: name,
      description,
      input: await inputOf(definition),
      run: async (input, _context, call) => fromMessage(await definition.invoke(input, configOf(name, input, call))),
    },
    at,
  );
}

export async function readLangChainClass(type: new () => LangChainTool, at: ExportContext): Promise<Tool> {
  if (type.length > 0) {
    throw new ExportError(
      "bad_definition",
      `"${at.name}" is a class whose constructor takes arguments. Export an instance: export default new ${type.name}(…).`,
    );
  }
  return readLangChainTool(create(type, at.name), at);
}

function create(type: new () => LangChainTool, name: string): LangChainTool {
  try {
    return new type();
  } catch (thrown) {
    throw new ExportError("init_failed", `The constructor of "${name}" failed: ${messageOf(thrown)}`);
  }
}

/** LangChain parses the input with schemas of libraries, but only validates it with a JSON Schema. */
async function inputOf(definition: LangChainTool): Promise<Schema> {
  const input = await readDeclaredInput(definition, ["schema"], definition.name);
  return libraryOf(definition.schema) === undefined ? input : passRawInput(input);
}

interface Config {
  readonly signal: AbortSignal;
  readonly configurable: Readonly<Record<string, unknown>>;
  readonly toolCall: Readonly<Record<string, unknown>>;
  readonly callbacks: readonly unknown[];
  writer(chunk: unknown): void;
}

/** With a `toolCall`, LangChain returns a message that separates content and artifact. */
function configOf(name: string, input: unknown, { author, partial }: CallContext): Config {
  const { sessionID, messageID, callID, agent, directory, worktree } = author;
  const show = (chunk: unknown): void => partial(chunk);
  return {
    signal: author.abort,
    configurable: { thread_id: sessionID, sessionID, messageID, callID, agent, directory, worktree },
    toolCall: { type: "tool_call", id: callID, name, args: input },
    callbacks: [{ handleToolEvent: show }],
    writer: show,
  };
}

interface Message {
  readonly content: unknown;
  readonly artifact?: unknown;
  readonly status?: unknown;
}

function fromMessage(returned: unknown): unknown {
  if (!isMessage(returned)) return plainResult(returned);
  const { content, artifact, status } = returned;
  const parts = Array.isArray(content) ? content.map(fromBlock) : textParts(String(content));
  return { content: parts, ...(artifact === undefined ? {} : { details: artifact }), isError: status === "error" };
}

function isMessage(returned: unknown): returned is Message {
  return typeof returned === "object" && returned !== null && "tool_call_id" in returned && "content" in returned;
}

const FILE_BLOCKS = new Set<unknown>(["image", "audio", "video", "file", "image_url"]);

/** Converts a content block of any version of LangChain. */
function fromBlock(block: Record<string, unknown>): unknown {
  const { type, image_url: image, data, url } = block;
  if (!FILE_BLOCKS.has(type)) return block;
  if (type !== "image_url") {
    const mimeType = block.mimeType ?? block.mime_type ?? (type === "image" ? "image/*" : undefined);
    return filePart({ mimeType, name: block.filename ?? block.name, data, url });
  }
  const address = typeof image === "object" && image !== null ? (image as { url?: unknown }).url : image;
  return filePart({ url: address, ...(String(address).startsWith("data:") ? {} : { mimeType: "image/*" }) });
}
