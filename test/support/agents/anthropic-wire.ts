import { type Answer, type Offered, type Turn, textOf, type Wire, writeEvents, writeJson } from "./wire.ts";

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
  readonly messages: readonly { content: string | readonly Block[] }[];
}

interface Block {
  readonly type: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
  readonly source?: { readonly data: string };
}

/** The messages API of Anthropic. */
export const ANTHROPIC: Wire = {
  path: /^\/v1\/messages$/,
  offered: (body) => ((body as Body).tools ?? []).filter((tool) => tool.defer_loading !== true).map(toOffered),
  answers: (body) =>
    (body as Body).messages
      .flatMap(({ content }) => (typeof content === "string" ? [] : content))
      .filter(({ type }) => type === "tool_result")
      .map(toAnswer),
  pictures: (body) =>
    (body as Body).messages.flatMap(({ content }) => blocksOf(content).flatMap(({ source }) => source?.data ?? [])),
  speak: (turn, { body, number }, response) => {
    const { model, stream } = body as Body;
    const message = { id: `msg_${number}`, type: "message", role: "assistant", model, ...ending(turn) };
    const block = toBlock(turn, number);
    if (stream) writeEvents(response, toEvents(message, block), true);
    else writeJson(response, { ...message, content: [block] });
  },
};

function toOffered({ name, description = "", input_schema }: NonNullable<Body["tools"]>[number]): Offered {
  return { name, description, schema: input_schema };
}

function toAnswer({ content, is_error }: Block): Answer {
  return { text: textOf(content), ...(is_error ? { failed: true } : {}) };
}

/** Including images in tool results. */
function blocksOf(content: unknown): Block[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: Block) => [block, ...blocksOf(block.content)]);
}

function ending(turn: Turn): object {
  const stop_reason = "call" in turn ? "tool_use" : "end_turn";
  return { stop_reason, stop_sequence: null, usage: { input_tokens: 10, output_tokens: 5 } };
}

type Said = { type: "text"; text: string } | { type: "tool_use"; id: string; name: string; input: object };

function toBlock(turn: Turn, number: number): Said {
  if ("say" in turn) return { type: "text", text: turn.say };
  return { type: "tool_use", id: `toolu_${number}`, name: turn.call, input: turn.input };
}

function toEvents(message: object, block: Said): object[] {
  const { empty, delta } =
    block.type === "text"
      ? { empty: { ...block, text: "" }, delta: { type: "text_delta", text: block.text } }
      : {
          empty: { ...block, input: {} },
          delta: { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
        };
  const { stop_reason, usage } = message as { stop_reason: string; usage: object };
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: empty },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
}
