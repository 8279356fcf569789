import { CHARACTERS_PER_TOKEN } from "../../../surfaces/client-limits/token-estimate.ts";
import type { LangChain, Message } from "./langchain-sdk.ts";

/** A summary of the beginning of a conversation. */
export interface Summary {
  readonly text: string;
  /** The id of the first message that is still sent. */
  readonly before: string;
}

const SUMMARY_ID = "summary-";
const IMAGE_TOKENS = 1500;
/** The part of a conversation that is kept, of the context of the model. */
const KEPT = 0.3;
/** The part of the context that the text to summarise may fill. */
const SUMMARISED = 0.6;
/** The maximum length of a result or of arguments in that text; of what was said, four times this. The first one that fits is used. */
const MAX_PARTS = [3_000, 1_000, 300];
/** The maximum length of the last message of the user beside a summary. */
const MAX_REQUEST = 20_000;

const INSTRUCTION = `The conversation above is between a user and a coding agent. It is too long to be sent again, so the agent will continue with your summary instead. Write down everything that it needs:
- what the user asked for, in the user's words where they matter, and what is still to be done
- decisions, and the user's preferences and corrections
- files that were read or changed, with their paths, and what was found out about them
- commands that were run, and results and errors that still matter
- what the agent was doing when the conversation was cut off, and its next step
Write only the summary.`;

/** The messages with the summary in place of those that it covers. */
export function withSummary(messages: readonly Message[], summary: Summary | undefined, sdk: LangChain): Message[] {
  const at = summary === undefined ? -1 : messages.findIndex(({ id }) => id === summary.before);
  if (summary === undefined || at < 0) return [...messages];
  const content = `This is a summary of the conversation so far:\n\n<summary>\n${summary.text}\n</summary>\n\n${lastRequest(messages, at)}`;
  return [new sdk.HumanMessage({ id: `${SUMMARY_ID}${summary.before}`, content }), ...messages.slice(at)];
}

/** The last message of the user must be complete: it is what the agent works on. */
function lastRequest(messages: readonly Message[], at: number): string {
  if (messages.slice(at).some(({ type }) => type === "human")) return "The conversation continues.";
  const last = messages.slice(0, at).findLast(({ type }) => type === "human");
  return `The last message of the user, on which you are working:\n\n${cut(last?.text ?? "", MAX_REQUEST)}`;
}

/** The number of tokens, estimated. */
export function messageTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + tokensOf(message), 0);
}

/**
 * Where to cut: the id of the first message that is kept, so that the rest is about `KEPT` of the context. A result stays with its call.
 * Undefined if there is nothing before it but an earlier summary.
 */
export function firstKept(messages: readonly Message[], contextTokens: number): string | undefined {
  const from = messages[0]?.id?.startsWith(SUMMARY_ID) ? 2 : 1;
  const starts = messages.flatMap(({ type, id }, at) =>
    at >= from && type !== "tool" && id !== undefined ? [at] : [],
  );
  const fitting = starts.find((at) => messageTokens(messages.slice(at)) <= contextTokens * KEPT);
  const at = fitting ?? starts.at(-1);
  return at === undefined ? undefined : messages[at]?.id;
}

/** The request that asks for a summary, as one message: the calls in it need no definitions of tools. */
export function summaryRequest(messages: readonly Message[], sdk: LangChain, contextTokens: number): Message {
  const maxLength = Math.floor(contextTokens * CHARACTERS_PER_TOKEN * SUMMARISED);
  const texts = MAX_PARTS.map((maxPart) => messages.map((message) => toText(message, maxPart)).join("\n\n"));
  const text = texts.find(({ length }) => length <= maxLength) ?? texts.at(-1)?.slice(-maxLength);
  return new sdk.HumanMessage({ content: `<conversation>\n${text}\n</conversation>\n\n${INSTRUCTION}`.toWellFormed() });
}

function toText({ type, text, tool_calls = [], name }: Message, maxPart: number): string {
  if (type === "tool") return `Result of ${name ?? "the call"}: ${cut(text, maxPart)}`;
  const calls = tool_calls.map((call) => `Call of ${call.name}: ${cut(JSON.stringify(call.args), maxPart)}`);
  const said = text === "" ? [] : [`${type === "human" ? "User" : "Agent"}: ${cut(text, maxPart * 4)}`];
  return [...said, ...calls].join("\n");
}

function tokensOf({ content, tool_calls, artifact }: Message): number {
  const parts = typeof content === "string" ? [] : content;
  const text = typeof content === "string" ? content.length : 0;
  const images =
    (Array.isArray(artifact) ? artifact.length : 0) + parts.filter(({ type }) => type === "image_url").length;
  const blocks = parts.filter(({ type }) => type !== "image_url");
  const rest = blocks.length === 0 ? 0 : JSON.stringify(blocks).length;
  const calls = tool_calls === undefined || tool_calls.length === 0 ? 0 : JSON.stringify(tool_calls).length;
  return (text + rest + calls) / CHARACTERS_PER_TOKEN + images * IMAGE_TOKENS;
}

/** The beginning and the end of a text. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const half = Math.floor(maxLength / 2);
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters left out …]\n${text.slice(-half)}`;
}
