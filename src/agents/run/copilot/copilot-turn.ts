import type { AgentEvent } from "../../../core/coding-agent.ts";
import { defined } from "../../../platform/values/defined.ts";
import { EventQueue } from "../event-queue.ts";
import { OwnCalls } from "../own-calls.ts";
import { copilotCard } from "./copilot-cards.ts";
import { copilotFailure, reportedError } from "./copilot-failure.ts";
import type { CopilotSdkEvent } from "./copilot-sdk.ts";

/** The runtime gives up after this many attempts. */
const MAX_ATTEMPTS = 5;

interface StartedCall {
  readonly tool: string;
  readonly input: unknown;
}

/** Translates the events of one turn. */
export class CopilotTurn {
  readonly queue: EventQueue = new EventQueue();
  /** Fires when the turn is over. */
  readonly over: AbortController = new AbortController();
  isAborted = false;
  readonly #baseUrl: string | undefined;
  readonly #isOurs: (tool: string) => boolean;
  readonly #own = new OwnCalls("copilot", copilotCard);
  readonly #calls = new Map<string, StartedCall>();
  /** The calls of tools of ours that run or have run. The runtime may call a tool before it reports the start of the call. */
  readonly #run = new Set<string>();
  /** Our ids of messages, by those of Copilot. */
  readonly #messageIDs = new Map<string, string>();
  /** The messages of calls. */
  readonly #callers = new Map<string, string>();
  /** The id of a message of which only thinking is known. */
  #thinkingID: string | undefined;
  #messageID: string | undefined;
  #failure: (CopilotSdkEvent & { readonly type: "session.error" })["data"] | undefined;
  #reported: string | undefined;
  #attempts = 0;

  constructor(options: { readonly baseUrl: string | undefined; readonly isOurs: (tool: string) => boolean }) {
    this.#baseUrl = options.baseUrl;
    this.#isOurs = options.isOurs;
  }

  /** Marks a call of a tool of ours as run. Returns the id of the message that has it. */
  begin(callID: string): string | undefined {
    this.#run.add(callID);
    return this.#callers.get(callID) ?? this.#messageID;
  }

  /** The name and the input of a call. */
  call(callID: string | undefined): StartedCall | undefined {
    return callID === undefined ? undefined : this.#calls.get(callID);
  }

  /** The id of the last call of a tool. */
  lastCallOf(tool: string): string | undefined {
    return [...this.#calls].findLast(([, call]) => call.tool === tool)?.[0];
  }

  end(error?: unknown): void {
    this.over.abort();
    this.queue.end(error);
  }

  handle(event: CopilotSdkEvent): void {
    this.queue.push(...this.#translate(event));
    if (event.type !== "session.idle") return;
    const reported = this.#reported;
    this.end(this.#failure && copilotFailure(this.#failure, { reported, baseUrl: this.#baseUrl }));
  }

  #translate(event: CopilotSdkEvent): AgentEvent[] {
    switch (event.type) {
      case "assistant.message_delta": {
        if (event.agentId !== undefined) return [];
        const { messageId, deltaContent: text } = event.data;
        return text === "" ? [] : [{ type: "message.delta", messageID: this.#idOf(messageId), text }];
      }
      case "assistant.reasoning_delta": {
        if (event.agentId !== undefined) return [];
        this.#thinkingID ??= crypto.randomUUID();
        return [{ type: "thinking.delta", messageID: this.#thinkingID, text: event.data.deltaContent }];
      }
      case "assistant.message":
        return this.#message(event);
      case "assistant.usage": {
        const { model, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = event.data;
        const usage = defined({ model, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens });
        return [{ type: "usage", ...usage }];
      }
      case "tool.execution_start":
        return this.#start(event.data);
      case "tool.execution_partial_result":
        return this.#own.update(event.data.toolCallId, { metadata: { output: event.data.partialOutput } });
      case "tool.execution_complete":
        return this.#complete(event.data);
      case "session.compaction_start": {
        const trigger = event.data.trigger === "context_limit_retry" ? "overflow" : "threshold";
        return [{ type: "session.event", event: { reason: "auto_compaction_start", trigger } }];
      }
      case "session.compaction_complete": {
        const { error } = event.data;
        const errorMessage = error === undefined ? {} : { errorMessage: error };
        const ended = { reason: "auto_compaction_end", aborted: false, willRetry: false, ...errorMessage } as const;
        return [{ type: "session.event", event: ended }];
      }
      case "session.warning":
        return [{ type: "notice", message: event.data.message }];
      case "model.call_failure":
        this.#reported = reportedError(event.data.errorMessage);
        return [];
      case "model.turn_retry": {
        this.#attempts += 1;
        const attempts = { attempt: this.#attempts, maxAttempts: MAX_ATTEMPTS, delayMs: 0 };
        const errorMessage = this.#reported ?? event.data.reason ?? "";
        return [{ type: "session.event", event: { reason: "auto_retry_start", ...attempts, errorMessage } }];
      }
      case "session.error":
        this.#failure = event.data;
        return this.#endRetries(event.data.message);
      default:
        return [];
    }
  }

  #message({ agentId, data }: CopilotSdkEvent & { readonly type: "assistant.message" }): AgentEvent[] {
    const { messageId, content, reasoningText, toolRequests = [] } = data;
    // A sub-agent's calls belong to the message that has started it.
    const messageID = agentId === undefined ? this.#idOf(messageId) : this.#messageID;
    for (const { toolCallId } of toolRequests) if (messageID !== undefined) this.#callers.set(toolCallId, messageID);
    if (agentId !== undefined || messageID === undefined) return [];
    this.#messageID = messageID;
    const thinking = reasoningText === undefined || reasoningText === "" ? {} : { thinking: reasoningText };
    const parts = content === "" ? [] : [{ type: "text", text: content } as const];
    return [...this.#endRetries(), { type: "message.complete", messageID, content: parts, ...thinking }];
  }

  #endRetries(finalError?: string): AgentEvent[] {
    const attempt = this.#attempts;
    this.#attempts = 0;
    if (attempt === 0) return [];
    const error = finalError === undefined ? {} : { finalError };
    const event = { reason: "auto_retry_end", success: finalError === undefined, attempt, ...error } as const;
    return [{ type: "session.event", event }];
  }

  #start({ toolCallId, toolName: tool, arguments: input }: StartData): AgentEvent[] {
    this.#calls.set(toolCallId, { tool, input });
    if (this.#isOurs(tool)) return [];
    return [this.#own.start(toolCallId, { tool, input, messageID: this.#callerOf(toolCallId) })];
  }

  /** A call of a tool of ours that the runtime has refused itself, because of its arguments, is recorded as one of its own. */
  #complete({ toolCallId, success, result, error }: CompleteData): AgentEvent[] {
    const call = this.#calls.get(toolCallId);
    const content = result && result.content !== "" ? [{ type: "text", text: result.content } as const] : [];
    const failed = success ? {} : { failed: error?.message ?? "The call failed." };
    const isRefused = call && this.#isOurs(call.tool) && !this.#run.has(toolCallId);
    const { tool = "", input } = call ?? {};
    const started = isRefused
      ? [this.#own.start(toolCallId, { tool, input, messageID: this.#callerOf(toolCallId) })]
      : [];
    return [...started, ...this.#own.end(toolCallId, { content, ...failed })];
  }

  #callerOf(callID: string): string {
    return this.#callers.get(callID) ?? this.#messageID ?? "";
  }

  #idOf(messageId: string): string {
    const known = this.#messageIDs.get(messageId);
    if (known !== undefined) return known;
    const id = this.#thinkingID ?? messageId;
    this.#thinkingID = undefined;
    this.#messageIDs.set(messageId, id);
    return id;
  }
}

type StartData = (CopilotSdkEvent & { readonly type: "tool.execution_start" })["data"];
type CompleteData = (CopilotSdkEvent & { readonly type: "tool.execution_complete" })["data"];
