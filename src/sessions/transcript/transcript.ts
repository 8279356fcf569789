import { type DurableEvent, LOG_VERSION, type QuestionAnswer, type StoredEvent } from "../../core/session-log.ts";
import { unknownEffect } from "../../core/unknown-effect.ts";
import { countText, durationText } from "../../platform/text/amount-text.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { contentParts, jsonPart, outputPart, prosePart } from "./content-parts.ts";
import type { TranscriptItem, TranscriptPart } from "./transcript-item.ts";

type Described = Pick<TranscriptItem, "kind" | "title" | "parts">;
type EventOf<T extends DurableEvent["type"]> = Extract<DurableEvent, { readonly type: T }>;

/**
 * Converts the events of a session, in order, to items for a person. Keeps only the names of open calls and questions. It may
 * begin at any position: calls and questions from before are named by their ids.
 */
export class Transcript {
  readonly #openCalls = new Map<string, string>();
  readonly #openQuestions = new Map<string, string>();

  item(event: StoredEvent): TranscriptItem {
    const { position, at } = event;
    const known = event.v > LOG_VERSION ? unknownEvent(event.type) : tryOrUndefined(() => this.#describe(event));
    return { position, at, ...(known ?? malformedEvent(event)) };
  }

  #describe(event: StoredEvent): Described {
    switch (event.type) {
      case "session.start":
        return sessionStart(event);
      case "message.user":
        return { kind: "user", title: "User", parts: contentParts(event.content, prosePart) };
      case "message.complete":
        return { kind: "model", title: "Model", parts: messageParts(event) };
      case "tool.start":
        this.#openCalls.set(event.callID, event.tool);
        return {
          kind: "call",
          title: callTitle(event),
          parts: event.input === undefined ? [] : [jsonPart(event.input)],
        };
      case "tool.complete":
        this.#openCalls.delete(event.callID);
        return toolComplete(event);
      case "tool.failed":
        this.#openCalls.delete(event.callID);
        return toolFailed(event);
      case "question.asked":
        this.#openQuestions.set(event.questionID, event.tool);
        return questionAsked(event);
      case "question.answered":
        return this.#answered(event);
      case "cancel.requested":
        return { kind: "session", title: this.#cancelTitle(event), parts: plain(event.reason) };
      case "state.set":
        return stateSet(event);
      case "entry.added":
        return { kind: "state", title: `Entry "${event.entry.type}"`, parts: [jsonPart(event.entry)] };
      case "usage":
        return { kind: "state", title: usageTitle(event), parts: [] };
      case "session.idle":
        return { kind: "session", title: event.aborted ? "Turn cancelled" : "Turn ended", parts: [] };
      case "session.error":
        return { kind: "failure", title: `Error${inBrackets(event.code)}`, parts: plain(event.message) };
      case "session.interrupted":
        return this.#interrupted(event);
      default:
        return unknownEvent((event as DurableEvent).type);
    }
  }

  #answered(event: EventOf<"question.answered">): Described {
    const about = this.#openQuestions.get(event.questionID);
    this.#openQuestions.delete(event.questionID);
    const to = about === undefined ? "" : ` for ${about}`;
    const title = event.withdrawn ? `Question${to} withdrawn` : `Answer${to}: ${answerText(event)}`;
    const value = event.value === undefined ? [] : [jsonPart(event.value)];
    return { kind: "answer", title, parts: [...plain(event.reason), ...value] };
  }

  #cancelTitle({ callID }: EventOf<"cancel.requested">): string {
    return callID === undefined ? "Asked to stop" : `Asked to stop ${this.#openCalls.get(callID) ?? `call ${callID}`}`;
  }

  #interrupted({ reason, calls, questions }: EventOf<"session.interrupted">): Described {
    const named = calls.map((id) => this.#openCalls.get(id) ?? `call ${id}`);
    for (const id of calls) this.#openCalls.delete(id);
    for (const id of questions) this.#openQuestions.delete(id);
    const lost =
      named.length === 0 ? [] : plain(`Without a result: ${named.join(", ")}. ${unknownEffect(named.length)}`);
    const unanswered =
      questions.length === 0 ? [] : plain(`Without an answer: ${countText(questions.length, "question")}.`);
    return { kind: "failure", title: "Interrupted", parts: [...plain(reason), ...lost, ...unanswered] };
  }
}

function plain(text: string | undefined): TranscriptPart[] {
  return typeof text !== "string" || text === "" ? [] : [{ kind: "plain", text }];
}

function inBrackets(text: string | undefined): string {
  return text === undefined ? "" : ` (${text})`;
}

function unknownEvent(type: string): Described {
  return { kind: "session", title: `Event "${type}", which this version does not know`, parts: [] };
}

/** A store checks only the fields that it uses itself. */
function malformedEvent(event: StoredEvent): Described {
  return { kind: "session", title: `Event "${event.type}" with invalid fields`, parts: [jsonPart(event)] };
}

function sessionStart({ directory, agent, model, title, parent }: EventOf<"session.start">): Described {
  const details = [
    ...(title === undefined ? [] : [`Title: ${title}`]),
    ...(agent === undefined ? [] : [`Agent: ${agent}`]),
    ...(model === undefined ? [] : [`Model: ${model}`]),
    ...(parent === undefined ? [] : [`Task of session ${parent.sessionID}, call ${parent.callID}`]),
  ];
  return { kind: "session", title: `Session started in ${directory}`, parts: plain(details.join("\n")) };
}

function messageParts({ content, thinking = "" }: EventOf<"message.complete">): TranscriptPart[] {
  const thought: TranscriptPart[] = thinking.trim() === "" ? [] : [{ kind: "thinking", text: thinking }];
  return [...thought, ...contentParts(content, prosePart)];
}

function callTitle({ tool, parentID }: EventOf<"tool.start">): string {
  return parentID === undefined ? `Call of ${tool}` : `Call of ${tool}, by call ${parentID}`;
}

function toolComplete({ tool, result }: EventOf<"tool.complete">): Described {
  const title = `Result of ${tool} (${durationText(result.notes.durationMs)})`;
  return { kind: "result", title, parts: contentParts(result.content, outputPart) };
}

/** The text of a failed call often repeats its message. */
function toolFailed({ tool, result }: EventOf<"tool.failed">): Described {
  const { error, notes } = result;
  const content = result.content.filter((part) => part.type !== "text" || part.text !== error.message);
  return {
    kind: "failure",
    title: `${tool} failed: ${error.code} (${durationText(notes.durationMs)})`,
    parts: [...plain(error.message), ...contentParts(content, outputPart)],
  };
}

function questionAsked(event: EventOf<"question.asked">): Described {
  if (event.kind === "permission") {
    const patterns = event.request?.patterns ?? [];
    const about = patterns.length === 0 ? [] : plain(patterns.join("\n"));
    return { kind: "question", title: `Question about ${event.tool}`, parts: [...plain(event.reason), ...about] };
  }
  const { tool, reason, message, options = [], placeholder } = event;
  return {
    kind: "question",
    title: `Question of ${tool}`,
    parts: [...plain(reason), ...plain(message), ...plain(placeholder), ...plain(options.join("\n"))],
  };
}

function answerText({ allowed, remember }: QuestionAnswer): string {
  if (!allowed) return "no";
  if (remember === undefined) return "yes";
  return remember === "session" ? "yes, for this session" : "yes, always";
}

function stateSet({ of, key, value }: EventOf<"state.set">): Described {
  if (of === "session" && key === "title" && typeof value === "string")
    return { kind: "state", title: `Title: ${value}`, parts: [] };
  if (of === "agent" && key === "session") return agentLink(value);
  const named = of === "session" ? SESSION_VALUES.get(key) : undefined;
  const name = named ?? `Value ${JSON.stringify(key)}`;
  if (value === undefined) return { kind: "state", title: `${name} deleted`, parts: [] };
  return { kind: "state", title: `${name} set`, parts: [jsonPart(value)] };
}

/** Which session of an agent runs this one: an `AgentLink`. */
function agentLink(value: unknown): Described {
  const { agent, id } = (value ?? {}) as { readonly agent?: unknown; readonly id?: unknown };
  return { kind: "state", title: `Runs in ${String(agent)}, session ${String(id)}`, parts: [] };
}

const SESSION_VALUES: ReadonlyMap<string, string> = new Map([
  ["title", "Title"],
  ["activeTools", "Tools of the session"],
  ["grants", "Permission rules of the session"],
]);

function usageTitle(usage: EventOf<"usage">): string {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd, model } = usage;
  const amounts = [
    counted(inputTokens, "input tokens"),
    counted(outputTokens, "output tokens"),
    counted(cacheReadTokens, "tokens read from the cache"),
    counted(cacheWriteTokens, "tokens written to the cache"),
    costUsd === undefined ? undefined : `$${costUsd.toFixed(4)}`,
    model,
  ].filter((amount) => amount !== undefined);
  return amounts.length === 0 ? "Usage" : `Usage: ${amounts.join(", ")}`;
}

function counted(amount: number | undefined, unit: string): string | undefined {
  return amount === undefined ? undefined : `${amount.toLocaleString("en")} ${unit}`;
}
