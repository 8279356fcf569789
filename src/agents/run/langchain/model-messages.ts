import type { Content, ImageContent } from "../../../core/result.ts";
import { isModelImage } from "../../../surfaces/client-limits/model-image.ts";
import { describe, type ModelResult } from "../model-result.ts";
import type { ConversationMessage } from "./conversation.ts";
import type { ContentBlock, LangChain, Message, MessageFields } from "./langchain-sdk.ts";

/** What the log lacks of a message of the model, such as the signature of its thinking. */
export type MessageExtras = Pick<MessageFields, "content" | "additional_kwargs" | "response_metadata">;

/** How the messages of a conversation are built. */
interface MessageParts {
  readonly sdk: LangChain;
  readonly extras: (messageID: string) => MessageExtras | undefined;
  /** The name of a tool for the model. */
  readonly nameOf: (tool: string) => string;
}

/** A conversation of the log as messages for a model: each call is followed by its result. */
export function toMessages(conversation: readonly ConversationMessage[], parts: MessageParts): Message[] {
  const { sdk, extras, nameOf } = parts;
  return conversation.flatMap((message) => {
    const { id } = message;
    if (message.role === "user") return [userMessage(sdk, id, message.content)];
    const { text, calls } = message;
    const tool_calls = calls.map(({ callID, tool, input }) => ({
      id: callID,
      name: nameOf(tool),
      args: toArguments(input),
      type: "tool_call" as const,
    }));
    const more = tool_calls.length === 0 ? undefined : extras(id);
    const answer = new sdk.AIMessage({ id, content: text.toWellFormed(), tool_calls, ...more });
    return [
      answer,
      ...calls.map(({ callID, tool, result }) => toolMessage(sdk, { callID, name: nameOf(tool) }, result)),
    ];
  });
}

export function userMessage(sdk: LangChain, id: string, content: readonly Content[]): Message {
  if (content.every((part) => part.type === "text")) {
    return new sdk.HumanMessage({
      id,
      content: content
        .map(({ text }) => text)
        .join("\n")
        .toWellFormed(),
    });
  }
  return new sdk.HumanMessage({ id, content: content.map(toBlock) });
}

/** The images are kept beside the text: `toRequest` puts them where the provider accepts them. */
export function toolMessage(
  sdk: LangChain,
  { callID, name }: { readonly callID: string; readonly name: string },
  { text, images, failed }: ModelResult,
): Message {
  const status = failed ? "error" : "success";
  const artifact = images.length === 0 ? {} : { artifact: images };
  return new sdk.ToolMessage({ tool_call_id: callID, name, content: text, status, ...artifact });
}

/** Where a provider accepts the images of results: in the result, in a message of the user after it, or nowhere. */
export type ImagePlace = "result" | "user" | "none";

/** The messages as a provider accepts them. */
export function toRequest(messages: readonly Message[], sdk: LangChain, place: ImagePlace): Message[] {
  const request: Message[] = [];
  let waiting: Message[] = [];
  for (const message of messages) {
    if (message.type !== "tool") {
      request.push(...shownToUser(waiting, sdk));
      waiting = [];
      // LangChain sets it to the name of the agent, and some servers refuse a request with names.
      if (message.type === "ai") message.name = undefined;
      request.push(message);
      continue;
    }
    const images = imagesOf(message);
    if (images.length > 0 && place === "user") waiting.push(message);
    request.push(images.length === 0 ? message : withImages(message, images, sdk, place));
  }
  return [...request, ...shownToUser(waiting, sdk)];
}

function withImages(message: Message, images: readonly ImageContent[], sdk: LangChain, place: ImagePlace): Message {
  const { tool_call_id = "", name, content } = message;
  const text = typeof content === "string" ? content : "";
  const lines = place === "user" ? ["[The image follows.]"] : place === "none" ? images.map(describe) : [];
  const blocks = place === "result" ? images.map(toBlock) : [];
  const all = [text, ...lines].filter((line) => line !== "").join("\n");
  return new sdk.ToolMessage({
    tool_call_id,
    ...(name === undefined ? {} : { name }),
    content: blocks.length === 0 ? all : [...(all === "" ? [] : [{ type: "text", text: all }]), ...blocks],
  });
}

function shownToUser(messages: readonly Message[], sdk: LangChain): Message[] {
  if (messages.length === 0) return [];
  const blocks = messages.flatMap((message) => {
    const images = imagesOf(message);
    const text = `${images.length === 1 ? "The image" : "The images"} that the call ${message.tool_call_id} of "${message.name}" returned:`;
    return [{ type: "text", text }, ...images.map(toBlock)];
  });
  return [new sdk.HumanMessage({ content: blocks })];
}

function imagesOf({ artifact }: Message): readonly ImageContent[] {
  return Array.isArray(artifact) ? artifact : [];
}

/** Every provider's package accepts `image_url` with a data URL. */
function toBlock(part: Content): ContentBlock {
  if (part.type === "text") return { type: "text", text: part.text.toWellFormed() };
  if (!isModelImage(part)) return { type: "text", text: describe(part).toWellFormed() };
  return { type: "image_url", image_url: { url: `data:${part.mimeType};base64,${part.data}` } };
}

/** Providers accept only objects as arguments. */
function toArguments(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? (input as Record<string, unknown>) : {};
}
