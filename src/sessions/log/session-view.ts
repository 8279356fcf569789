import type { ApiDurableEvents, ApiLiveEvents, ApiSessionEvent } from "../../core/api-sessions.ts";
import { textOf } from "../../core/result.ts";
import type { Usage } from "../../core/session-log.ts";
import { CallsByID } from "./calls-by-id.ts";
import { ItemList, type ItemListener } from "./item-list.ts";
import type { CallItem, EndItem, QuestionItem, ReplyItem, SessionItem } from "./session-item.ts";
import { sumUsage } from "./sum-usage.ts";

type DurableSessionEvent = Extract<ApiSessionEvent, { readonly id: number }>;

interface SessionViewOptions {
  /** Gets every change of an item. The view then does not keep the results of calls. */
  readonly onChange?: ItemListener;
  /** Whether a question is placed below its call. By default, it is the last item, where a reader sees it. */
  readonly hasQuestionsBelowCalls?: boolean;
}

/** Deeper calls are indented like this one. */
const MAX_DEPTH = 4;

/**
 * Folds the events of a session into the items that a person reads, in the page and in the chat. An event that was applied before, that is of an unknown type
 * or that is incomplete changes nothing, so a resumed stream and a newer server are safe.
 */
export class SessionView {
  readonly #options: SessionViewOptions;
  readonly #list: ItemList;
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

  constructor(options: SessionViewOptions = {}) {
    this.#options = options;
    this.#list = new ItemList(options.onChange);
  }

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
        if (this.turn === "interrupted") this.turn = "idle";
        this.#callStarted(id, data);
        return;
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
    const attachments = content.filter((part) => part.type !== "text");
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

  /** Returns the key of the call. */
  #callStarted(id: number, { at, callID, tool, agent, parentID, input, card }: ApiDurableEvents["tool_use"]): string {
    const parent = parentID === undefined ? undefined : this.#lastCall(parentID);
    const depth = parent ? Math.min(parent.depth + 1, MAX_DEPTH) : 0;
    // Ids of calls may repeat.
    const key = `event ${id}`;
    this.#calls.start(callID, key);
    const call = {
      callID,
      tool: String(tool),
      agent: agent ?? "",
      input,
      depth,
      ...(card === undefined ? {} : { card }),
    };
    const place = parent && this.#placeBelow(parent);
    this.#list.set({ kind: "call", key, position: id, at, ...call, state: "running" }, place);
    return key;
  }

  #lastCall(callID: string): CallItem | undefined {
    return this.#callOf(this.#calls.last(callID));
  }

  #callOf(key = ""): CallItem | undefined {
    const item = this.#list.get(key);
    return item?.kind === "call" ? item : undefined;
  }

  /** Below the call and all calls that it has made. */
  #placeBelow(call: CallItem): number {
    const hasQuestions = this.#options.hasQuestionsBelowCalls === true;
    const isInner = (item: SessionItem): boolean =>
      item.kind === "question" ? hasQuestions : item.kind === "call" && item.depth > call.depth;
    let place = (this.#list.placeOf(call.key) ?? 0) + 1;
    for (let item = this.items[place]; item && isInner(item); item = this.items[place]) place += 1;
    return place;
  }

  #updateCall({ callID, title, metadata }: ApiLiveEvents["tool_update"]): boolean {
    const call = this.#lastCall(callID);
    if (call?.state !== "running") return false;
    const update = { ...(title === undefined ? {} : { title }), ...(metadata === undefined ? {} : { metadata }) };
    this.#list.set({ ...call, update: { ...call.update, ...update } });
    return true;
  }

  /** A result without its call, as the log of an agent that announces calls late has, has an item too. */
  #callEnded(id: number, { result, ...call }: ApiDurableEvents["tool_result"]): void {
    if (typeof result !== "object" || result === null) return;
    let key = this.#calls.end(call.callID);
    if (key === undefined) {
      key = this.#callStarted(id, { ...call, input: undefined });
      this.#calls.end(call.callID);
    }
    const started = this.#callOf(key);
    if (!started) return;
    const ended = { ...started, state: result.ok ? "ok" : "failed" } as const;
    this.#list.set({ ...ended, result });
    if (this.#options.onChange) this.#list.replace(ended);
  }

  #questionAsked(id: number, { at, ...question }: ApiDurableEvents["permission"]): void {
    const key = `question ${question.questionID}`;
    this.#openQuestions.add(question.questionID);
    const call = this.#options.hasQuestionsBelowCalls ? this.#lastCall(question.callID) : undefined;
    const place = call && this.#placeBelow(call);
    this.#list.set({ kind: "question", key, position: id, at, question, state: "open" }, place);
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
        const call = this.#callOf(key);
        if (!call) return [];
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
    this.#streaming.clear();
  }

  /** The text stays visible, because a person may have read it. */
  #loseStreamed(isLost: (messageID: string) => boolean): void {
    for (const [messageID, key] of this.#streaming) {
      const item = this.#list.get(key);
      if (item?.kind === "reply" && isLost(messageID)) this.#list.set({ ...item, state: "lost" });
    }
  }
}
