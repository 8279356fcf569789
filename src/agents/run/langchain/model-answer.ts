import { messageOf } from "../../../core/error.ts";
import type { Usage } from "../../../core/session-log.ts";
import { defined } from "../../../platform/values/defined.ts";
import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import type { AiFields, ContentBlock, LangChain, Message, ModelToolCall } from "./langchain-sdk.ts";
import type { MessageExtras } from "./model-messages.ts";

/** A message of the model, ready for the conversation. */
export interface ModelAnswer {
  readonly message: Message;
  readonly text: string;
  readonly thinking: string;
  /** The input of each call by its id. It is text if the model wrote something else than a JSON object. */
  readonly inputs: ReadonlyMap<string, CallInput>;
  /** What must be stored beside the log to send the message again in a later turn. */
  readonly extras?: MessageExtras;
}

interface CallInput {
  readonly input: unknown;
  /** Why the arguments are not valid JSON. */
  readonly problem?: string;
}

interface RawCall {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly args: unknown;
}

/** Parts of a message that its fields `text` and `tool_calls` have too. */
const PLAIN_BLOCKS: ReadonlySet<string> = new Set([
  "text",
  "tool_use",
  "tool_call",
  "input_json_delta",
  "functionCall",
]);
const CALL_KWARGS: ReadonlySet<string> = new Set(["tool_calls", "function_call"]);
/** What a later turn can do without. */
const BRIEF_KWARGS: ReadonlySet<string> = new Set(["refusal", "reasoning_content", "__openai_function_call_ids__"]);

/**
 * Reads what a model has answered. `id` replaces the provider's id, which some servers give to every message: LangGraph
 * overwrites a message by one with the same id. Calls with invalid arguments, which LangChain would drop, are kept.
 */
export function readAnswer(response: Message, id: string, sdk: LangChain): ModelAnswer {
  const inputs = new Map<string, CallInput>();
  const tool_calls = rawCalls(response).map(({ id: callID, name, args }): ModelToolCall => {
    const ownID = callID === undefined || callID === "" || inputs.has(callID) ? `call_${crypto.randomUUID()}` : callID;
    const parsed = parseArguments(args);
    inputs.set(ownID, parsed);
    const isObject = typeof parsed.input === "object" && parsed.input !== null && !Array.isArray(parsed.input);
    return {
      id: ownID,
      name: name === undefined || name === "" ? "unknown" : name,
      args: isObject ? (parsed.input as Record<string, unknown>) : {},
      type: "tool_call",
    };
  });
  const { text, thinking } = streamedText(response);
  const blocks = typeof response.content === "string" ? [] : response.content.filter(({ type }) => !isCall(type));
  const content = typeof response.content === "string" ? response.content : blocks;
  const kwargs = Object.entries(response.additional_kwargs ?? {}).filter(([key]) => !CALL_KWARGS.has(key));
  const fields: AiFields = {
    id,
    content,
    tool_calls,
    additional_kwargs: Object.fromEntries(kwargs),
    ...defined({ response_metadata: response.response_metadata, usage_metadata: response.usage_metadata }),
  };
  const isPlain = kwargs.every(([key]) => BRIEF_KWARGS.has(key)) && blocks.every(({ type }) => PLAIN_BLOCKS.has(type));
  const { additional_kwargs = {}, response_metadata = {} } = fields;
  const extras =
    isPlain || tool_calls.length === 0 ? {} : { extras: { content, additional_kwargs, response_metadata } };
  return { message: new sdk.AIMessage(fields), text, thinking, inputs, ...extras };
}

/** The text and the thinking in a message, or in a part of one while it is streamed. */
export function streamedText(message: Message): { readonly text: string; readonly thinking: string } {
  const reasoning = blocksOf(message).flatMap(({ type, reasoning: text }) =>
    type === "reasoning" && typeof text === "string" ? [text] : [],
  );
  // Servers like OpenAI's that show the thinking of their models do so in this field.
  const { reasoning_content: field } = message.additional_kwargs ?? {};
  const other = reasoning.length === 0 && typeof field === "string" ? field : "";
  return { text: message.text, thinking: reasoning.join("") || other };
}

/** What a request has cost, if the provider says so. */
export function usageOf({ usage_metadata: usage }: Message, model: string): Usage | undefined {
  if (!usage) return undefined;
  const { input_tokens: inputTokens, output_tokens: outputTokens, input_token_details: cache } = usage;
  const cached = { cacheReadTokens: cache?.cache_read, cacheWriteTokens: cache?.cache_creation };
  return { ...defined({ inputTokens, outputTokens, ...cached }), model };
}

function blocksOf(message: Message): readonly ContentBlock[] {
  return tryOrUndefined(() => message.contentBlocks ?? []) ?? [];
}

/**
 * The calls with the arguments as the model wrote them. LangChain completes arguments that end early: a file would be written with half
 * of its content.
 */
function rawCalls(response: Message): RawCall[] {
  const { tool_call_chunks: chunks = [], tool_calls = [], invalid_tool_calls: invalid = [] } = response;
  if (chunks.length > 0) return chunks.map(({ id, name, args }) => ({ id, name, args: args ?? "" }));
  return [...tool_calls, ...invalid].map(({ id, name, args }) => ({ id, name, args }));
}

function parseArguments(args: unknown): CallInput {
  if (typeof args !== "string") return { input: args ?? {} };
  if (args.trim() === "") return { input: {} };
  try {
    return { input: JSON.parse(args) };
  } catch (error) {
    return { input: args, problem: messageOf(error) };
  }
}

function isCall(type: string): boolean {
  return type !== "text" && PLAIN_BLOCKS.has(type);
}
