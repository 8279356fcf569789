import { dataIn, type Offered, type Turn, textOf, type Wire, writeEvents, writeJson } from "./wire.ts";

interface Body {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly Tool[];
  /** For some models, Codex sends the tools as an item of the input. */
  readonly input: readonly { type: string; output?: unknown; tools?: readonly Tool[] }[];
}

interface Tool {
  readonly name?: string;
  readonly description?: string;
  readonly parameters?: unknown;
  /** The tools of a namespace. */
  readonly tools?: readonly Tool[];
}

/** The responses API of OpenAI. A tool in a namespace is named `namespace.name` here. */
export const RESPONSES: Wire = {
  path: /\/responses$/,
  offered: (body) => toolsIn(body as Body).flatMap((tool) => toOffered(tool)),
  answers: (body) =>
    (body as Body).input
      .filter(({ type }) => type === "function_call_output")
      .map(({ output }) => ({ text: textOf(output) })),
  pictures: (body) =>
    (body as Body).input
      .flatMap(({ output }): readonly { image_url?: string }[] => (Array.isArray(output) ? output : []))
      .flatMap(({ image_url }) => (image_url ? [dataIn(image_url)] : [])),
  speak: (turn, { body, number }, response) => {
    const { model, stream } = body as Body;
    const base = { id: `resp_${number}`, object: "response", created_at: 1, model, error: null };
    const item = toItem(turn, number);
    const done = { ...base, status: "completed", output: [item], usage: USAGE };
    if (stream) writeEvents(response, toEvents(base, item, done), true);
    else writeJson(response, done);
  },
};

const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
};

function toolsIn({ tools = [], input }: Body): readonly Tool[] {
  return [...tools, ...input.flatMap((item) => (item.type === "additional_tools" ? (item.tools ?? []) : []))];
}

function toOffered({ name = "", description = "", parameters, tools }: Tool, prefix = ""): Offered[] {
  if (tools) return tools.flatMap((tool) => toOffered(tool, `${prefix}${name}.`));
  return [{ name: `${prefix}${name}`, description, schema: parameters }];
}

function toItem(turn: Turn, number: number): object {
  if ("say" in turn) {
    const content = [{ type: "output_text", text: turn.say, annotations: [] }];
    return { id: `msg_${number}`, type: "message", role: "assistant", status: "completed", content };
  }
  const [name = "", namespace] = turn.call.split(".").reverse();
  const call = { name, ...(namespace ? { namespace } : {}), arguments: JSON.stringify(turn.input) };
  return { id: `fc_${number}`, type: "function_call", status: "completed", call_id: `call_${number}`, ...call };
}

function toEvents(base: object, item: object, done: object): object[] {
  return [
    { type: "response.created", response: { ...base, status: "in_progress", output: [], usage: null } },
    { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: done },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
}
