import { AgentError } from "../../../core/agent-error.ts";
import type { AgentEvent } from "../../../core/coding-agent.ts";
import { messageOf } from "../../../core/error.ts";
import type { Content } from "../../../core/result.ts";
import { EventQueue } from "../event-queue.ts";
import { OwnCalls } from "../own-calls.ts";
import { opencodeCard, opencodeData } from "./opencode-cards.ts";
import { opencodeFailure, tooManyRetries } from "./opencode-failure.ts";
import type { OpencodeError, OpencodeEvent, OpencodeMessage, OpencodePart, OpencodeToolPart } from "./opencode-sdk.ts";

/** OpenCode itself does not give up. */
const MAX_ATTEMPTS = 4;

/** A part of a message whose text is streamed. */
interface StreamedPart {
  readonly type: "text" | "reasoning";
  text: string;
  isComplete: boolean;
}

interface TurnOptions {
  /** The ids of the messages of all turns of the session. Events of an aborted turn may arrive in the next one. */
  readonly messageIDs: Set<string>;
  readonly baseUrl: string | undefined;
  /** Our name of a tool of ours, from the name that the model sees. */
  ourName(tool: string): string | undefined;
  /** Whether the session runs no turn, according to OpenCode itself. Never rejects. */
  isIdle(): Promise<boolean>;
  /** Called for each call of a tool of ours, when its input is known. */
  onOurCall(call: { callID: string; messageID: string; name: string; input: unknown }): void;
  /** Called when OpenCode has ended such a call, perhaps without sending it. */
  onOurCallEnd(callID: string): void;
}

/** Events after which a request to the model has an answer. */
const FROM_MODEL: ReadonlySet<AgentEvent["type"]> = new Set(["message.delta", "thinking.delta", "tool.start"] as const);

/** Translates the events of one turn. */
export class OpencodeTurn {
  readonly queue: EventQueue = new EventQueue();
  /** Fires when the turn is over. */
  readonly over: AbortController = new AbortController();
  /** Whether OpenCode has the prompt, or soon will. */
  isSent = false;
  readonly #options: TurnOptions;
  readonly #own = new OwnCalls("opencode", opencodeCard);
  /** The messages of the model. */
  readonly #messages = new Set<string>();
  readonly #openMessages = new Set<string>();
  readonly #parts = new Map<string, StreamedPart>();
  readonly #finished = new Set<string>();
  #model: string | undefined;
  #isBusy = false;
  #failure: OpencodeError | undefined;
  /** The attempt of a request that is being repeated. */
  #retry: number | undefined;

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  end(error?: unknown): void {
    this.over.abort();
    const finalError = error === undefined ? {} : { finalError: messageOf(error) };
    this.queue.push(...this.#completeAll(), ...this.#endRetry({ success: false, ...finalError }));
    this.queue.end(error);
  }

  handle(event: OpencodeEvent): void {
    const events = this.#translate(event);
    const hasAnswer = events.some(({ type }) => FROM_MODEL.has(type));
    this.queue.push(...(hasAnswer ? this.#endRetry({ success: true }) : []), ...events);
  }

  /** OpenCode does not say that a repeated request has succeeded: its model says something. */
  #endRetry(end: { readonly success: boolean; readonly finalError?: string }): AgentEvent[] {
    const attempt = this.#retry;
    this.#retry = undefined;
    return attempt === undefined
      ? []
      : [{ type: "session.event", event: { reason: "auto_retry_end", attempt, ...end } }];
  }

  #translate(event: OpencodeEvent): AgentEvent[] {
    switch (event.type) {
      case "message.updated":
        return this.#message(event.properties.info);
      case "message.part.updated":
        return this.#messages.has(event.properties.part.messageID) ? this.#part(event.properties.part) : [];
      case "message.part.delta": {
        const { messageID, partID, field, delta } = event.properties;
        const part = this.#parts.get(partID);
        return part && !part.isComplete && field === "text" ? this.#stream(messageID, part, delta) : [];
      }
      case "session.status":
        return this.#status(event.properties.status);
      case "session.error": {
        const { error } = event.properties;
        if (error && error.name !== "MessageAbortedError") this.#failure = error;
        return [];
      }
      case "session.compacted":
        return [{ type: "session.event", event: { reason: "auto_compaction_end", aborted: false, willRetry: false } }];
      default:
        return [];
    }
  }

  /**
   * Events of an earlier turn may still arrive: this one is over when it has begun and then ended. OpenCode may report the end of
   * an earlier turn twice, also after this one has begun, so OpenCode is asked.
   */
  #status(status: (OpencodeEvent & { type: "session.status" })["properties"]["status"]): AgentEvent[] {
    if (status.type === "busy") this.#isBusy = true;
    if (status.type === "idle" && this.#isBusy) void this.#endIfIdle();
    if (status.type !== "retry") return [];
    const { attempt, message: errorMessage, next } = status;
    if (attempt > MAX_ATTEMPTS) {
      this.end(tooManyRetries(attempt, errorMessage, this.#options.baseUrl));
      return [];
    }
    this.#retry = attempt;
    const delayMs = Math.max(0, next - Date.now());
    const event = { reason: "auto_retry_start", attempt, maxAttempts: MAX_ATTEMPTS, delayMs, errorMessage } as const;
    return [{ type: "session.event", event }];
  }

  async #endIfIdle(): Promise<void> {
    if (!(await this.#options.isIdle())) return;
    this.end(this.#failure && opencodeFailure(this.#failure, this.#options.baseUrl));
  }

  /**
   * A message is complete when the next one begins. OpenCode writes events with a delay, so that an event may already have the
   * time of completion while others with the text follow. A summary is the message of a compaction, not of the conversation.
   */
  #message({ id, role, modelID, summary }: OpencodeMessage): AgentEvent[] {
    if (role !== "assistant" || summary === true || this.#options.messageIDs.has(id)) return [];
    this.#options.messageIDs.add(id);
    const earlier = this.#completeAll();
    this.#messages.add(id);
    this.#openMessages.add(id);
    this.#model = modelID;
    return earlier;
  }

  #completeAll(): AgentEvent[] {
    const ended = [...this.#openMessages];
    this.#openMessages.clear();
    return ended.map((messageID) => ({ type: "message.end", messageID }));
  }

  #part(part: OpencodePart): AgentEvent[] {
    switch (part.type) {
      case "text":
      case "reasoning": {
        const streamed = this.#parts.get(part.id) ?? { type: part.type, text: "", isComplete: false };
        this.#parts.set(part.id, streamed);
        // Before its end, it may have text that the next events repeat. At its end, it has no white space at its ends.
        if (part.time?.end === undefined || streamed.isComplete) return [];
        streamed.isComplete = true;
        const isRest = part.text.startsWith(streamed.text);
        return isRest ? this.#stream(part.messageID, streamed, part.text.slice(streamed.text.length)) : [];
      }
      case "tool":
        return this.#tool(part);
      case "step-finish": {
        if (this.#finished.has(part.id)) return [];
        this.#finished.add(part.id);
        const { tokens, cost: costUsd } = part;
        const counts = { inputTokens: tokens.input, outputTokens: tokens.output };
        const cache = { cacheReadTokens: tokens.cache.read, cacheWriteTokens: tokens.cache.write };
        const model = this.#model === undefined ? {} : { model: this.#model };
        return [{ type: "usage", messageID: part.messageID, ...counts, ...cache, costUsd, ...model }];
      }
      case "compaction":
        return [{ type: "session.event", event: { reason: "auto_compaction_start", trigger: "threshold" } }];
      default:
        return [];
    }
  }

  #stream(messageID: string, part: StreamedPart, text: string): AgentEvent[] {
    if (!this.#openMessages.has(messageID) || text === "") return [];
    part.text += text;
    return [{ type: part.type === "text" ? "message.delta" : "thinking.delta", messageID, text }];
  }

  #tool(part: OpencodeToolPart & { readonly messageID: string }): AgentEvent[] {
    const { callID, tool, messageID, state } = part;
    if (state.status === "pending" || this.#announce(part)) return [];
    const started =
      this.#own.has(callID) || this.#finished.has(callID)
        ? []
        : [this.#own.start(callID, { tool, messageID, input: state.input })];
    if (state.status === "running") return started;
    this.#finished.add(callID);
    if (state.status === "error") return [...started, ...this.#own.end(callID, { content: [], failed: state.error })];
    const text: Content[] = state.output === "" ? [] : [{ type: "text", text: state.output }];
    return [
      ...started,
      ...this.#own.end(callID, { content: [...text, ...images(state.attachments)], ...opencodeData(state.metadata) }),
    ];
  }

  /** False if the tool is not ours. */
  #announce({ callID, tool, state, messageID }: OpencodeToolPart & { readonly messageID: string }): boolean {
    const name = this.#options.ourName(tool);
    if (name === undefined) return false;
    if (state.status === "running") this.#options.onOurCall({ callID, messageID, name, input: state.input });
    else if (state.status !== "pending") this.#options.onOurCallEnd(callID);
    return true;
  }
}

function images(attachments: readonly { readonly mime: string; readonly url: string }[] = []): Content[] {
  return attachments.flatMap(({ mime, url }): Content[] => {
    const [, data] = /^data:image\/[^;,]+;base64,(.+)$/s.exec(url) ?? [];
    return data === undefined ? [] : [{ type: "image", data, mimeType: mime }];
  });
}

/** The turn of a server that has ended. */
export function serverEnded(message: string): AgentError {
  return new AgentError("agent_failed", message);
}
