import { dataIn, type Turn, textOf, type Wire, writeEvents, writeJson } from "./wire.ts";

interface Body {
  readonly model: string;
  readonly stream?: boolean;
  /** A tool without `function` is one of the agent's own, with a grammar instead of a schema. */
  readonly tools?: readonly { function?: { name: string; description?: string; parameters?: unknown } }[];
  readonly messages: readonly { role: string; content: unknown }[];
}

interface Part {
  readonly image_url?: { readonly url: string };
}

/** The chat completions API of OpenAI. */
export const CHAT: Wire = {
  path: /\/chat\/completions$/,
  offered: (body) =>
    ((body as Body).tools ?? []).flatMap(({ function: tool }) =>
      tool ? [{ name: tool.name, description: tool.description ?? "", schema: tool.parameters }] : [],
    ),
  answers: (body) =>
    (body as Body).messages.filter(({ role }) => role === "tool").map(({ content }) => ({ text: textOf(content) })),
  pictures: (body) =>
    (body as Body).messages
      .flatMap(({ content }): readonly Part[] => (Array.isArray(content) ? content : []))
      .flatMap(({ image_url }) => (image_url ? [dataIn(image_url.url)] : [])),
  speak: (turn, { body, number }, response) => {
    const { model, stream } = body as Body;
    const head = { id: `chatcmpl-${number}`, created: 1, model };
    if (stream) writeEvents(response, toChunks(head, turn, number));
    else writeJson(response, toCompletion(head, turn, number));
  },
};

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function toCompletion(head: object, turn: Turn, number: number): object {
  const message = { role: "assistant", ...toMessage(turn, number) };
  const choices = [{ index: 0, finish_reason: reason(turn), message }];
  return { ...head, object: "chat.completion", choices, usage: USAGE };
}

function toChunks(head: object, turn: Turn, number: number): unknown[] {
  const chunk = (delta: object, finish_reason: string | null = null): object => ({
    ...head,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason }],
  });
  return [
    chunk({ role: "assistant", content: "" }),
    chunk(toMessage(turn, number)),
    chunk({}, reason(turn)),
    { ...head, object: "chat.completion.chunk", choices: [], usage: USAGE },
    "[DONE]",
  ];
}

function toMessage(turn: Turn, number: number): object {
  if ("say" in turn) return { content: turn.say };
  const called = { name: turn.call, arguments: JSON.stringify(turn.input) };
  return { content: null, tool_calls: [{ index: 0, id: `call_${number}`, type: "function", function: called }] };
}

function reason(turn: Turn): string {
  return "call" in turn ? "tool_calls" : "stop";
}
