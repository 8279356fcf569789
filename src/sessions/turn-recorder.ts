import { ALLOWABLE } from "../calls/failures.ts";
import type { AgentEvent } from "../core/coding-agent.ts";
import { textOf } from "../core/result.ts";
import type { SessionEvent } from "../core/session.ts";
import type { DurableEvent, LiveEvent, Usage } from "../core/session-log.ts";
import { sumUsage } from "./log/sum-usage.ts";
import { toLoggedEvent } from "./logged-event.ts";

/** Where the events of a turn go. */
interface TurnLog {
  append(event: DurableEvent): Promise<void>;
  publish(event: LiveEvent): void;
  /** Notifies tool files. */
  tell(event: SessionEvent): void;
  /** Shows a sentence to the person who uses the agent. */
  notice(message: string): void;
}

interface OpenMessage {
  text: string;
  thinking: string;
}

type OwnStart = DurableEvent & { readonly type: "tool.start" };

/** Records the events of one turn. It completes what the agent leaves open: messages that end early, calls of its own tools. */
export class TurnRecorder {
  /** The sum of the turn. */
  usage: Usage = {};
  readonly #log: TurnLog;
  readonly #messages = new Map<string, OpenMessage>();
  readonly #calls = new Map<string, { readonly start: OwnStart; readonly startedAt: number }>();
  /** Calls of the agent's own tools that a rule could have allowed. The agent reports only that they failed. */
  readonly #allowable = new Set<string>();
  #text = "";
  #messageID: string;

  /** `messageID` is that of the prompt: calls belong to it until the agent sends a message. */
  constructor(log: TurnLog, messageID: string) {
    this.#log = log;
    this.#messageID = messageID;
  }

  /** The last message of the agent, or the prompt. */
  get messageID(): string {
    return this.#messageID;
  }

  /** Calls belong to this prompt until the agent sends a message. */
  beginPrompt(messageID: string): void {
    this.#messageID = messageID;
  }

  /** The last text of the model. */
  get text(): string {
    return this.#text;
  }

  /** The call was refused as `ALLOWABLE`. */
  markAllowable(callID: string): void {
    this.#allowable.add(callID);
  }

  /** Whether a tool of the agent's own runs. */
  get hasOpenCalls(): boolean {
    return this.#calls.size > 0;
  }

  /** Resolves when the event is stored, if it is one that is. */
  async record(given: AgentEvent): Promise<void> {
    const event = given.type === "session.event" || given.type === "notice" ? given : toLoggedEvent(given);
    switch (event.type) {
      case "message.delta":
      case "thinking.delta":
        this.#messageID = event.messageID;
        this.#grow(event.messageID, event.type === "message.delta" ? "text" : "thinking", event.text);
        return this.#log.publish(event);
      case "message.complete":
        return this.#complete(event);
      case "message.end":
        return this.#completeStreamed(event.messageID);
      case "tool.start":
        return this.#start(event);
      case "tool.update":
        return this.#log.publish(event);
      case "tool.complete":
      case "tool.failed":
        this.#calls.delete(event.callID);
        return this.#log.append(this.#allowable.has(event.callID) ? withAllowable(event) : event);
      case "usage":
        this.usage = sumUsage(this.usage, event);
        return this.#log.append(event);
      case "session.event":
        return this.#log.tell(event.event);
      case "notice":
        return this.#log.notice(event.message);
    }
  }

  /** Completes the messages and ends the calls that the agent has left open. */
  async finish(): Promise<void> {
    for (const messageID of [...this.#messages.keys()]) await this.#completeStreamed(messageID);
    for (const { start, startedAt } of [...this.#calls.values()]) {
      this.#calls.delete(start.callID);
      await this.#log.append(unfinished(start, performance.now() - startedAt));
    }
  }

  /** A call with the id of one that is open ends that one: its own end could not be told from that of the new call. */
  async #start(event: OwnStart): Promise<void> {
    const open = this.#calls.get(event.callID);
    this.#calls.set(event.callID, { start: event, startedAt: performance.now() });
    if (open) await this.#log.append(unfinished(open.start, performance.now() - open.startedAt));
    await this.#log.append(event);
  }

  #grow(messageID: string, part: keyof OpenMessage, text: string): void {
    const open = this.#messages.get(messageID) ?? { text: "", thinking: "" };
    open[part] += text;
    this.#messages.set(messageID, open);
  }

  #completeStreamed(messageID: string): Promise<void> {
    const { text, thinking } = this.#messages.get(messageID) ?? { text: "", thinking: "" };
    const content = text === "" ? [] : [{ type: "text", text } as const];
    return this.#complete({ type: "message.complete", messageID, content, ...(thinking === "" ? {} : { thinking }) });
  }

  #complete(event: DurableEvent & { readonly type: "message.complete" }): Promise<void> {
    this.#messages.delete(event.messageID);
    this.#messageID = event.messageID;
    const text = textOf(event.content);
    if (text !== "") this.#text = text;
    return this.#log.append(event);
  }
}

function withAllowable<E extends DurableEvent & { readonly type: "tool.complete" | "tool.failed" }>(event: E): E {
  const { result } = event;
  return result.ok ? event : { ...event, result: { ...result, error: { ...result.error, data: ALLOWABLE } } };
}

function unfinished(start: OwnStart, durationMs: number): DurableEvent {
  const { callID, tool, messageID, agent } = start;
  const message = "The turn ended before the agent reported the result of this call.";
  const error = { code: "aborted", message } as const;
  const notes = { durationMs: Math.round(durationMs) };
  return { type: "tool.failed", callID, tool, messageID, agent, result: { ok: false, content: [], error, notes } };
}
