import { dataIn, type Item, piecesOf, type Reply, textOf, type Wire, writeEvents, writeJson } from "./wire.ts";

interface Body {
  readonly model: string;
  readonly stream?: boolean;
  /** A tool without `function` is one of the agent's own, with a grammar instead of a schema. */
  readonly tools?: readonly { function?: { name: string; description?: string; parameters?: unknown } }[];
  readonly messages: readonly { role: string; content: unknown; tool_call_id?: string }[];
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
  items: (body) =>
    (body as Body).messages.flatMap(({ role, content, tool_call_id }): Item[] => {
      if (role === "user") return [{ user: textOf(content) }];
      if (role !== "tool") return [];
      return [{ answer: { text: textOf(content) }, ...(tool_call_id ? { callID: tool_call_id } : {}) }];
    }),
  pictures: (body) =>
    (body as Body).messages
      .flatMap(({ content }): readonly Part[] => (Array.isArray(content) ? content : []))
      .flatMap(({ image_url }) => (image_url ? [dataIn(image_url.url)] : [])),
  speak: (reply, { body, number }, response) => {
    const { model, stream } = body as Body;
    const head = { id: `chatcmpl-${number}`, created: 1, model };
    if (stream) writeEvents(response, toChunks(head, reply));
    else writeJson(response, toCompletion(head, reply));
  },
};

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function toCompletion(head: object, reply: Reply): object {
  const message = { role: "assistant", content: reply.text ?? null, ...toCalls(reply) };
  const choices = [{ index: 0, finish_reason: reason(reply), message }];
  return { ...head, object: "chat.completion", choices, usage: USAGE };
}

export function toChunks(head: object, reply: Reply): unknown[] {
  const chunk = (delta: object, finish_reason: string | null = null): object => ({
    ...head,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason }],
  });
  return [
    chunk({ role: "assistant", content: "" }),
    ...(reply.text === undefined ? [] : piecesOf(reply.text).map((content) => chunk({ content }))),
    ...(reply.calls.length > 0 ? [chunk({ content: null, ...toCalls(reply) })] : []),
    chunk({}, reason(reply)),
    { ...head, object: "chat.completion.chunk", choices: [], usage: USAGE },
    "[DONE]",
  ];
}

function toCalls({ calls }: Reply): object {
  if (calls.length === 0) return {};
  return {
    tool_calls: calls.map(({ id, call, input }, index) => ({
      index,
      id,
      type: "function",
      function: { name: call, arguments: JSON.stringify(input) },
    })),
  };
}

function reason({ calls }: Reply): string {
  return calls.length > 0 ? "tool_calls" : "stop";
}
