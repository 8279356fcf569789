import {
  type Answer,
  type Item,
  type Offered,
  piecesOf,
  type Reply,
  textOf,
  type Wire,
  writeEvents,
  writeJson,
} from "./wire.ts";

interface Body {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly {
    name: string;
    description?: string;
    input_schema?: unknown;
    /** The API hides the tool from the model until the model finds it with a search. */
    defer_loading?: boolean;
  }[];
  readonly messages: readonly { role: string; content: string | readonly Block[] }[];
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
  readonly source?: { readonly data: string };
}

/** The messages API of Anthropic. */
export const ANTHROPIC: Wire = {
  path: /^\/v1\/messages$/,
  offered: (body) => ((body as Body).tools ?? []).filter((tool) => tool.defer_loading !== true).map(toOffered),
  items: (body) =>
    (body as Body).messages
      .filter(({ role }) => role === "user")
      .flatMap(({ content }) => (typeof content === "string" ? [{ user: content }] : content.flatMap(toItems))),
  pictures: (body) =>
    (body as Body).messages.flatMap(({ content }) => blocksOf(content).flatMap(({ source }) => source?.data ?? [])),
  speak: (reply, { body, number }, response) => {
    const { model, stream } = body as Body;
    const message = { id: `msg_${number}`, type: "message", role: "assistant", model, ...ending(reply) };
    const content = toBlocks(reply);
    if (stream) writeEvents(response, toEvents(message, content), true);
    else writeJson(response, { ...message, content });
  },
};

function toOffered({ name, description = "", input_schema }: NonNullable<Body["tools"]>[number]): Offered {
  return { name, description, schema: input_schema };
}

function toItems(block: Block): Item[] {
  if (block.type === "text") return [{ user: block.text ?? "" }];
  if (block.type !== "tool_result") return [];
  return [{ answer: toAnswer(block), ...(block.tool_use_id ? { callID: block.tool_use_id } : {}) }];
}

function toAnswer({ content, is_error }: Block): Answer {
  return { text: textOf(content), ...(is_error ? { failed: true } : {}) };
}

/** Including images in tool results. */
function blocksOf(content: unknown): Block[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: Block) => [block, ...blocksOf(block.content)]);
}

function ending({ calls }: Reply): object {
  const stop_reason = calls.length > 0 ? "tool_use" : "end_turn";
  return { stop_reason, stop_sequence: null, usage: { input_tokens: 10, output_tokens: 5 } };
}

type Said = { type: "text"; text: string } | { type: "tool_use"; id: string; name: string; input: object };

function toBlocks({ text, calls }: Reply): Said[] {
  return [
    ...(text === undefined ? [] : [{ type: "text", text } as const]),
    ...calls.map(({ id, call, input }) => ({ type: "tool_use", id, name: call, input }) as const),
  ];
}

function toEvents(message: object, content: readonly Said[]): object[] {
  const { stop_reason, usage } = message as { stop_reason: string; usage: object };
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    ...content.flatMap(blockEvents),
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
}

function blockEvents(block: Said, index: number): object[] {
  const content_block = block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
  const deltas =
    block.type === "text"
      ? piecesOf(block.text).map((text) => ({ type: "text_delta", text }))
      : [{ type: "input_json_delta", partial_json: JSON.stringify(block.input) }];
  return [
    { type: "content_block_start", index, content_block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}
