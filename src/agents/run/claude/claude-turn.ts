import type { AgentEvent } from "../../../core/coding-agent.ts";
import { type Content, textOf } from "../../../core/result.ts";
import type { Usage } from "../../../core/session-log.ts";
import { defined } from "../../../platform/values/defined.ts";
import { OwnCalls } from "../own-calls.ts";
import { CallMessages } from "./call-messages.ts";
import { claudeCard } from "./claude-cards.ts";
import type {
  ApiUsage,
  AssistantBlock,
  AssistantMessage,
  ResultMessage,
  SdkMessage,
  StreamMessage,
  SystemMessage,
  ToolResultBlock,
  ToolResultMessage,
} from "./claude-sdk.ts";

/** The tools of a server that the SDK runs in this process are called `mcp__<server>__<tool>`. */
export const SERVER = "toolwright";
export const OUR_PREFIX: string = `mcp__${SERVER}__`;

type Call = Extract<AssistantBlock, { type: "tool_use" }>;
type Retry = Extract<SystemMessage, { subtype: "api_retry" }>;

/** A message of the model that is being streamed. */
interface OpenMessage {
  readonly id: string;
  /** The id that the API gave it. Not every API gives each message another one. */
  readonly apiID: string;
  readonly model: string | undefined;
  readonly blocks: AssistantBlock[];
  usage: ApiUsage;
}

/** Converts the messages of one turn to events. */
export class ClaudeTurn {
  /** The messages of the calls of our tools. */
  readonly calls: CallMessages = new CallMessages();
  /** Why the last message is not one of the model. */
  error: string | undefined;
  readonly #own = new OwnCalls("claude", claudeCard);
  #current: OpenMessage | undefined;
  #retry: Retry | undefined;
  #isCompacting = false;

  /** The caller handles each event before it calls `calls.release()`. */
  read(message: SdkMessage): AgentEvent[] {
    switch (message.type) {
      case "stream_event":
        return message.parent_tool_use_id ? [] : this.#readStream(message.event);
      case "assistant":
        return message.parent_tool_use_id
          ? this.#readSubagent(message, message.parent_tool_use_id)
          : this.#readBlocks(message);
      case "user":
        return this.#readResults(message);
      case "system":
        return this.#readSystem(message);
      case "result":
        return this.#readEnd(message);
      default:
        return [];
    }
  }

  #readStream(event: StreamMessage["event"]): AgentEvent[] {
    if (event.type === "message_start") {
      const { id: apiID, model, usage = {} } = event.message;
      this.#current = { id: crypto.randomUUID(), apiID, model, blocks: [], usage };
      return this.endRetry(true);
    }
    const current = this.#current;
    if (!current) return [];
    if (event.type === "message_delta") current.usage = { ...current.usage, ...withoutNulls(event.usage) };
    if (event.type === "content_block_delta") {
      const { text = "", thinking = "" } = event.delta;
      if (text !== "") return [{ type: "message.delta", messageID: current.id, text }];
      if (thinking !== "") return [{ type: "thinking.delta", messageID: current.id, text: thinking }];
    }
    return event.type === "message_stop" ? this.#complete(current) : [];
  }

  /** Without a stream, the blocks are a whole message. */
  #readBlocks({ message, error }: AssistantMessage): AgentEvent[] {
    this.error = error;
    if (error !== undefined) return [];
    const { id: apiID, model, content } = message;
    if (this.#current?.apiID !== apiID) {
      return this.#complete({ id: crypto.randomUUID(), apiID, model, blocks: [...content], usage: {} });
    }
    this.#current.blocks.push(...content);
    return [];
  }

  #complete({ id: messageID, model, blocks, usage }: OpenMessage): AgentEvent[] {
    this.#current = undefined;
    const text = blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
    const thinking = blocks.map((block) => (block.type === "thinking" ? block.thinking : "")).join("");
    const calls = blocks.filter((block) => block.type === "tool_use");
    const counts = usageOf(usage, model);
    return [
      {
        type: "message.complete",
        messageID,
        content: text === "" ? [] : [{ type: "text", text }],
        ...(thinking === "" ? {} : { thinking }),
      },
      ...(counts ? [{ type: "usage" as const, messageID, ...counts }] : []),
      ...calls.flatMap((call) => this.#announce(call, messageID)),
    ];
  }

  /** Text of sub-agents is not sent, only their calls. They belong to the message that called the sub-agent. */
  #readSubagent({ message }: AssistantMessage, parentID: string): AgentEvent[] {
    const messageID = this.calls.knownMessageOf(parentID);
    if (messageID === undefined) return [];
    const calls = message.content.filter((block) => block.type === "tool_use");
    return calls.flatMap((call) => this.#announce(call, messageID, parentID));
  }

  #announce({ id, name, input }: Call, messageID: string, parentID?: string): AgentEvent[] {
    this.calls.add(id, messageID);
    if (name.startsWith(OUR_PREFIX) || this.#own.has(id)) return [];
    return [this.#own.start(id, { tool: name, messageID, input, ...(parentID === undefined ? {} : { parentID }) })];
  }

  #readResults({ message: { content } }: ToolResultMessage): AgentEvent[] {
    if (typeof content === "string") return [];
    return content.flatMap((block) => {
      if (block.type !== "tool_result" || block.tool_use_id === undefined) return [];
      const content = toContent(block.content);
      if (!block.is_error) return this.#own.end(block.tool_use_id, { content });
      const failed = textOf(content).replace(/^<tool_use_error>(.*)<\/tool_use_error>$/s, "$1");
      return this.#own.end(block.tool_use_id, { content: content.filter(({ type }) => type !== "text"), failed });
    });
  }

  #readSystem(message: SystemMessage): AgentEvent[] {
    if (message.subtype === "api_retry") return this.#startRetry(message);
    if (message.subtype !== "status") return [];
    const { status, compact_result: result, compact_error: errorMessage } = message;
    if (status === "compacting" && !this.#isCompacting) {
      this.#isCompacting = true;
      return [{ type: "session.event", event: { reason: "auto_compaction_start", trigger: "threshold" } }];
    }
    if (result === undefined || !this.#isCompacting) return [];
    this.#isCompacting = false;
    const failed = result === "failed" && errorMessage !== undefined ? { errorMessage } : {};
    const event = { reason: "auto_compaction_end", aborted: false, willRetry: false, ...failed } as const;
    return [{ type: "session.event", event }];
  }

  #startRetry(retry: Retry): AgentEvent[] {
    this.#retry = retry;
    const { attempt, max_retries: maxAttempts, retry_delay_ms: delayMs, error, error_status: status } = retry;
    const errorMessage = status === null ? error : `${status} ${error}`;
    const seconds = Math.max(1, Math.round(delayMs / 1_000));
    return [
      { type: "session.event", event: { reason: "auto_retry_start", attempt, maxAttempts, delayMs, errorMessage } },
      {
        type: "notice",
        message: `The model did not answer (${errorMessage}). Claude tries again in ${seconds} s (${attempt} of ${maxAttempts}).`,
      },
    ];
  }

  /** Nothing if no request is being repeated. */
  endRetry(success: boolean, finalError?: string): AgentEvent[] {
    if (!this.#retry) return [];
    const { attempt } = this.#retry;
    this.#retry = undefined;
    const failed = finalError === undefined ? {} : { finalError };
    return [{ type: "session.event", event: { reason: "auto_retry_end", success, attempt, ...failed } }];
  }

  #readEnd({ is_error, result }: ResultMessage): AgentEvent[] {
    const compaction: AgentEvent[] = this.#isCompacting
      ? [{ type: "session.event", event: { reason: "auto_compaction_end", aborted: true, willRetry: false } }]
      : [];
    return [...compaction, ...this.endRetry(!is_error, is_error ? result : undefined)];
  }
}

function usageOf(usage: ApiUsage, model: string | undefined): Usage | undefined {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = withoutNulls(usage);
  const counts = defined({
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    cacheReadTokens: cache_read_input_tokens,
    cacheWriteTokens: cache_creation_input_tokens,
  });
  return Object.keys(counts).length === 0 ? undefined : { ...counts, ...defined({ model }) };
}

function withoutNulls(usage: ApiUsage = {}): { readonly [K in keyof ApiUsage]: number } {
  return Object.fromEntries(Object.entries(usage).filter(([, count]) => typeof count === "number"));
}

function toContent(content: ToolResultBlock["content"]): Content[] {
  if (content === undefined) return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.flatMap(({ type, text, source }): Content[] => {
    if (type === "text" && text !== undefined) return [{ type: "text", text }];
    if (type !== "image" || source?.data === undefined) return [];
    return [{ type: "image", data: source.data, mimeType: source.media_type ?? "image/png" }];
  });
}
