import type { ApiDurableEvents, ApiLiveEvents, ApiSessionEvent } from "./api-sessions.ts";
import { CallsByID } from "./calls-by-id.ts";
import { ItemList } from "./item-list.ts";
import { type Content, textOf } from "./result.ts";
import type { CallItem, EndItem, QuestionItem, ReplyItem, SessionItem } from "./session-item.ts";
import type { Usage } from "./session-log.ts";
import { sumUsage } from "./sum-usage.ts";

type DurableSessionEvent = Extract<ApiSessionEvent, { readonly id: number }>;

const NOT_STARTED = { kind: "call", input: undefined, depth: 0 } as const;

/** Deeper calls are indented like this one. */
const MAX_DEPTH = 4;

/**
 * Folds the events of a session into the rows that a person reads. An event that was applied before, that is of an unknown type
 * or that is incomplete changes nothing, so a resumed stream and a newer server are safe.
 */
export class SessionView {
  readonly #list = new ItemList();
  /** The keys of messages that were streamed and are not stored yet, by message id. */
  readonly #streaming = new Map<string, string>();
  readonly #openQuestions = new Set<string>();
  /** The keys of the rows of calls. */
  readonly #calls = new CallsByID<string>();
  #turnUsage: Usage = {};
  #turnBegan: number | undefined;
  #streamed = 0;

  /** The position of the last stored event: the stream is resumed after it. */
  position = 0;
  turn: "running" | "idle" | "error" | "interrupted" = "idle";
  /** The place of the turn in the queue, counted from 1; 0 if it does not wait; undefined if the stream has not said. */
  queuePosition: number | undefined;
  usage: Usage = {};

  get items(): readonly SessionItem[] {
    return this.#list.items;
  }

  get openQuestions(): readonly QuestionItem[] {
    return [...this.#openQuestions].flatMap((id) => {
      const item = this.#list.get(`question ${id}`);
      return item?.kind === "question" ? [item] : [];
    });
  }

  get status(): "running" | "waiting" | "idle" | "error" | "interrupted" {
    if (this.#openQuestions.size > 0) return "waiting";
    return this.#calls.hasOpen ? "running" : this.turn;
  }

  /** The row of an item. */
  placeOf(key: string): number | undefined {
    return this.#list.placeOf(key);
  }

  /** The row of the last item that begins at or before a position in the log. */
  placeAt(position: number): number {
    return this.items.findLastIndex((item) => item.position > 0 && item.position <= position);
  }

  /** Returns whether anything has changed. */
  apply(event: ApiSessionEvent): boolean {
    if (typeof event.data !== "object" || event.data === null) return false;
    if (event.id === undefined) return this.#applyLive(event);
    if (event.id <= this.position) return false;
    this.position = event.id;
    this.#applyDurable(event);
    return true;
  }

  #applyDurable({ event, id, data }: DurableSessionEvent): void {
    switch (event) {
      case "message":
        return data.role === "user" ? this.#userMessage(id, data) : this.#reply(id, data);
      case "tool_use":
        return this.#callStarted(id, data);
      case "tool_result":
        return this.#callEnded(id, data);
      case "permission":
        return this.#questionAsked(id, data);
      case "answer":
        return this.#questionAnswered(data);
      case "usage":
        this.#turnUsage = sumUsage(this.#turnUsage, data);
        this.usage = sumUsage(this.usage, data);
        return;
      case "completed":
        return this.#end(id, data.at, { outcome: data.aborted ? "aborted" : "completed", message: "" });
      case "error":
        return this.#end(id, data.at, {
          outcome: "error",
          message: data.message,
          ...(data.code === undefined ? {} : { code: data.code }),
        });
      case "interrupted":
        return this.#interrupted(id, data);
    }
  }

  #applyLive(event: Exclude<ApiSessionEvent, DurableSessionEvent>): boolean {
    switch (event.event) {
      case "message_delta":
        return this.#delta(event.data);
      case "tool_update":
        return this.#updateCall(event.data);
      case "partial":
        return this.#replaceStreamed(event.data);
      case "queued":
        this.queuePosition = event.data.position;
        return true;
      default:
        return false;
    }
  }

  #userMessage(id: number, { at, content }: ApiDurableEvents["message"]): void {
    this.#list.set({ kind: "user", key: `event ${id}`, position: id, at, content: content ?? [] });
    this.turn = "running";
    this.#turnBegan = at;
    this.#turnUsage = {};
  }

  /** A message without text, such as one that only calls tools, has no row. */
  #reply(id: number, { at, messageID, content = [], thinking = "" }: ApiDurableEvents["message"]): void {
    const key = this.#streaming.get(messageID) ?? `event ${id}`;
    this.#streaming.delete(messageID);
    const text = textOf(content);
    const attachments = content.filter((part: Content) => part.type !== "text");
    if (text.trim() === "" && thinking.trim() === "" && attachments.length === 0) return this.#list.remove(key);
    this.#list.set({ kind: "reply", key, position: id, at, messageID, text, thinking, attachments, state: "stored" });
  }

  #delta({ messageID, text = "", thinking = "" }: ApiLiveEvents["message_delta"]): boolean {
    if (text === "" && thinking === "") return false;
    const known = this.#streamedMessage(messageID);
    this.#list.set({ ...known, text: known.text + text, thinking: known.thinking + thinking });
    return true;
  }

  #streamedMessage(messageID: string): ReplyItem {
    const key = this.#streaming.get(messageID) ?? `streamed ${++this.#streamed}`;
    this.#streaming.set(messageID, key);
    const known = this.#list.get(key);
    if (known?.kind === "reply") return { ...known, state: "streaming" };
    const empty = { text: "", thinking: "", attachments: [] };
    return { kind: "reply", key, position: 0, at: 0, messageID, ...empty, state: "streaming" };
  }

  /** A message that is no longer streamed is lost, unless its stored event follows. */
  #replaceStreamed({ messages = [], calls = [] }: ApiLiveEvents["partial"]): boolean {
    const streamed = new Set(messages.map(({ messageID }) => messageID));
    this.#loseStreamed((messageID) => !streamed.has(messageID));
    for (const { messageID, text = "", thinking = "" } of messages) {
      this.#list.set({ ...this.#streamedMessage(messageID), text, thinking });
    }
    for (const call of calls) this.#updateCall(call);
    return true;
  }

  #callStarted(id: number, { at, callID, tool, agent, parentID, input }: ApiDurableEvents["tool_use"]): void {
    const parent = parentID === undefined ? undefined : this.#lastCall(parentID);
    const depth = parent?.kind === "call" ? Math.min(parent.depth + 1, MAX_DEPTH) : 0;
    const place = parent?.kind === "call" ? this.#placeAfter(parent) : undefined;
    // Ids of calls may repeat.
    const key = `event ${id}`;
    this.#calls.start(callID, key);
    if (this.turn === "interrupted") this.turn = "idle";
    const call = { callID, tool: String(tool), agent: agent ?? "", input, depth };
    this.#list.set({ kind: "call", key, position: id, at, ...call, state: "running" }, place);
  }

  #lastCall(callID: string): SessionItem | undefined {
    return this.#list.get(this.#calls.last(callID) ?? "");
  }

  /** Below the call and all calls that it has made. */
  #placeAfter(parent: CallItem): number {
    let place = (this.#list.placeOf(parent.key) ?? 0) + 1;
    for (; place < this.items.length; place += 1) {
      const item = this.items[place];
      if (item?.kind !== "call" || item.depth <= parent.depth) break;
    }
    return place;
  }

  #updateCall({ callID, title, metadata }: ApiLiveEvents["tool_update"]): boolean {
    const call = this.#lastCall(callID);
    if (call?.kind !== "call" || call.state !== "running") return false;
    const update = { ...(title === undefined ? {} : { title }), ...(metadata === undefined ? {} : { metadata }) };
    this.#list.set({ ...call, update: { ...call.update, ...update } });
    return true;
  }

  /** A result without its call, as the log of an agent that announces calls late has, has a row too. */
  #callEnded(id: number, { at, callID, tool, agent, result }: ApiDurableEvents["tool_result"]): void {
    if (typeof result !== "object" || result === null) return;
    const known = this.#list.get(this.#calls.end(callID) ?? "");
    const started: Omit<CallItem, "state"> =
      known?.kind === "call" ? known : { ...NOT_STARTED, key: `event ${id}`, position: id, at, callID, tool, agent };
    this.#list.set({ ...started, state: result.ok ? "ok" : "failed", result });
  }

  #questionAsked(id: number, { at, ...question }: ApiDurableEvents["permission"]): void {
    const key = `question ${question.questionID}`;
    this.#openQuestions.add(question.questionID);
    this.#list.set({ kind: "question", key, position: id, at, question, state: "open" });
  }

  #questionAnswered(answer: ApiDurableEvents["answer"]): void {
    this.#openQuestions.delete(answer.questionID);
    const item = this.#list.get(`question ${answer.questionID}`);
    if (item?.kind !== "question") return;
    this.#list.set({ ...item, state: answer.withdrawn ? "withdrawn" : "answered", answer });
  }

  #interrupted(id: number, { at, reason, calls = [], questions = [] }: ApiDurableEvents["interrupted"]): void {
    const unknownCalls = calls.flatMap((callID) => {
      return this.#calls.endAll(callID).flatMap((key) => {
        const call = this.#list.get(key);
        if (call?.kind !== "call") return [];
        this.#list.set({ ...call, state: "unknown" });
        return [call.tool];
      });
    });
    for (const questionID of questions) {
      this.#openQuestions.delete(questionID);
      const item = this.#list.get(`question ${questionID}`);
      if (item?.kind === "question") this.#list.set({ ...item, state: "interrupted" });
    }
    this.#end(id, at, { outcome: "interrupted", message: reason, unknownCalls });
  }

  #end(
    id: number,
    at: number,
    end: Pick<EndItem, "outcome" | "message"> & Partial<Pick<EndItem, "code" | "unknownCalls">>,
  ): void {
    const began = this.#turnBegan;
    const duration = began === undefined ? {} : { durationMs: Math.max(0, at - began) };
    const usage = this.#turnUsage;
    this.#list.set({ kind: "end", key: `event ${id}`, position: id, at, unknownCalls: [], ...end, ...duration, usage });
    this.turn = end.outcome === "error" || end.outcome === "interrupted" ? end.outcome : "idle";
    this.queuePosition = undefined;
    this.#turnBegan = undefined;
    this.#turnUsage = {};
    this.#loseStreamed(() => true);
  }

  /** The text stays visible, because a person may have read it. */
  #loseStreamed(isLost: (messageID: string) => boolean): void {
    for (const [messageID, key] of this.#streaming) {
      const item = this.#list.get(key);
      if (item?.kind === "reply" && isLost(messageID)) this.#list.set({ ...item, state: "lost" });
    }
  }
}
