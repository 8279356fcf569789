import type { LangChain, Message } from "./langchain-sdk.ts";

/** A summary of the beginning of a conversation. */
export interface Summary {
  readonly text: string;
  /** The id of the first message that is still sent. */
  readonly before: string;
}

/** A rough value for all languages and providers. */
const CHARACTERS_PER_TOKEN = 3.5;
const IMAGE_TOKENS = 1500;
/** The part of a conversation that is kept, of the context of the model. */
const KEPT = 0.3;
/** The maximum length of one message in the text that is summarised. */
const MAX_PART = 3000;
/** The maximum length of that text if the context of the model is not known. */
const MAX_TEXT = 200_000;

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
  return [new sdk.HumanMessage({ id: `summary-${summary.before}`, content }), ...messages.slice(at)];
}

/** The last message of the user must be complete: it is what the agent works on. */
function lastRequest(messages: readonly Message[], at: number): string {
  if (messages.slice(at).some(({ type }) => type === "human")) return "The conversation continues.";
  const last = messages.slice(0, at).findLast(({ type }) => type === "human");
  return `The last message of the user, on which you are working:\n\n${cut(last?.text ?? "", MAX_PART * 4)}`;
}

/** The number of tokens, estimated. */
export function estimateTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + tokensOf(message), 0);
}

/**
 * Where to cut: the id of the first message that is kept, so that the rest is about `KEPT` of the context. A result stays with its call.
 * Undefined if there is nothing that can be summarised.
 */
export function firstKept(messages: readonly Message[], contextTokens: number): string | undefined {
  const starts = messages.flatMap(({ type, id }, at) => (at > 0 && type !== "tool" && id !== undefined ? [at] : []));
  const fitting = starts.find((at) => estimateTokens(messages.slice(at)) <= contextTokens * KEPT);
  return messages[fitting ?? starts.at(-1) ?? 0]?.id === messages[0]?.id
    ? undefined
    : messages[fitting ?? starts.at(-1) ?? 0]?.id;
}

/** The request that asks for a summary, as one message: the calls in it need no definitions of tools. */
export function summaryRequest(
  messages: readonly Message[],
  sdk: LangChain,
  contextTokens: number | undefined,
): Message {
  const text = messages.map(toText).join("\n\n");
  const maxLength = contextTokens === undefined ? MAX_TEXT : Math.floor(contextTokens * CHARACTERS_PER_TOKEN * 0.6);
  const kept = text.length <= maxLength ? text : `[The beginning was left out.]\n${text.slice(-maxLength)}`;
  return new sdk.HumanMessage({ content: `<conversation>\n${kept}\n</conversation>\n\n${INSTRUCTION}`.toWellFormed() });
}

function toText(message: Message): string {
  const { type, text, tool_calls = [], name } = message;
  if (type === "tool") return `Result of ${name ?? "the call"}: ${cut(text, MAX_PART)}`;
  const calls = tool_calls.map((call) => `Call of ${call.name}: ${cut(JSON.stringify(call.args), MAX_PART)}`);
  const said = text === "" ? [] : [`${type === "human" ? "User" : "Agent"}: ${cut(text, MAX_PART * 4)}`];
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
