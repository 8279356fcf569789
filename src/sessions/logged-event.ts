import type { AgentEvent } from "../core/coding-agent.ts";
import type { NamedCall } from "../core/events.ts";
import type { Content } from "../core/result.ts";
import { isCard } from "../host/protocol/card-check.ts";
import { defined } from "../platform/values/defined.ts";
import { isObject } from "../platform/values/is-object.ts";
import { toUsage } from "./log/to-usage.ts";

/** An event of an agent about what readers of the session get. */
type LoggedAgentEvent = Exclude<AgentEvent, { readonly type: "session.event" | "notice" }>;

/**
 * The event with the fields of its type, and no others. An adapter may pass on what its agent sent: that must not set the time
 * or the position of the event, or fields of another type. Readers of the log rely on the types of texts and of content.
 */
export function toLoggedEvent<E extends LoggedAgentEvent>(event: E): E {
  return named(event) as E;
}

function named(event: LoggedAgentEvent): LoggedAgentEvent {
  switch (event.type) {
    case "message.delta":
    case "thinking.delta":
      return { type: event.type, messageID: textIn(event.messageID), text: textIn(event.text) };
    case "message.end":
      return { type: event.type, messageID: textIn(event.messageID) };
    case "message.complete": {
      const { type, messageID, content, thinking } = event;
      const thought = thinking === undefined ? {} : { thinking: textIn(thinking) };
      return { type, messageID: textIn(messageID), content: contentIn(content), ...thought };
    }
    case "tool.start":
      return {
        ...{ type: event.type, ...callOf(event), input: event.input },
        ...(isCard(event.card) ? defined({ card: event.card }) : {}),
      };
    case "tool.update": {
      const title = event.title === undefined ? {} : { title: textIn(event.title) };
      return { type: event.type, ...callOf(event), ...title, ...defined({ metadata: event.metadata }) };
    }
    case "tool.complete": {
      const { result } = event;
      return { type: event.type, ...callOf(event), result: { ...result, content: contentIn(result.content) } };
    }
    case "tool.failed": {
      const { result } = event;
      const error = { ...result.error, message: textIn(result.error.message) };
      return { type: event.type, ...callOf(event), result: { ...result, content: contentIn(result.content), error } };
    }
    case "usage":
      return { type: event.type, ...defined({ messageID: event.messageID }), ...toUsage(event) };
  }
}

function callOf({ callID, tool, messageID, agent, parentID }: NamedCall): NamedCall {
  const call = { callID: textIn(callID), tool: textIn(tool), messageID: textIn(messageID), agent: textIn(agent) };
  return parentID === undefined ? call : { ...call, parentID: textIn(parentID) };
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The parts that are content. */
function contentIn(value: unknown): readonly Content[] {
  return Array.isArray(value) ? value.filter(isContent) : [];
}

function isContent(part: unknown): boolean {
  if (!isObject(part)) return false;
  const { type, text, mimeType, data, name, url } = part;
  if (type === "text") return typeof text === "string";
  if (type === "image") return typeof data === "string" && typeof mimeType === "string";
  const isOptional = (each: unknown): boolean => each === undefined || typeof each === "string";
  return type === "file" && typeof mimeType === "string" && [data, name, url].every(isOptional);
}
