import {
  dataIn,
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
  readonly tools?: readonly Tool[];
  /** For some models, Codex sends the tools as an item of the input. */
  readonly input: string | readonly Input[];
}

interface Input {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly call_id?: string;
  readonly output?: unknown;
  readonly tools?: readonly Tool[];
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
  items: (body) => inputOf(body).flatMap(toItems),
  pictures: (body) =>
    inputOf(body)
      .flatMap(({ content, output }): readonly { image_url?: string }[] =>
        [content, output].flatMap((each) => (Array.isArray(each) ? each : [])),
      )
      .flatMap(({ image_url }) => (image_url ? [dataIn(image_url)] : [])),
  speak: (reply, { body, number }, response) => {
    const { model, stream } = body as Body;
    const base = { id: `resp_${number}`, object: "response", created_at: 1, model, error: null };
    const output = toOutput(reply, number);
    const done = { ...base, status: "completed", output, usage: USAGE };
    if (stream) writeEvents(response, toEvents(base, output, done), true);
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

function inputOf(body: unknown): readonly Input[] {
  const { input } = body as Body;
  return typeof input === "string" ? [{ role: "user", content: input }] : input;
}

function toolsIn(body: Body): readonly Tool[] {
  const { tools = [] } = body;
  return [...tools, ...inputOf(body).flatMap((item) => (item.type === "additional_tools" ? (item.tools ?? []) : []))];
}

function toOffered({ name = "", description = "", parameters, tools }: Tool, prefix = ""): Offered[] {
  if (tools) return tools.flatMap((tool) => toOffered(tool, `${prefix}${name}.`));
  return [{ name: `${prefix}${name}`, description, schema: parameters }];
}

function toItems({ type, role, content, call_id, output }: Input): Item[] {
  if (type === "function_call_output") {
    return [{ answer: { text: textOf(output) }, ...(call_id ? { callID: call_id } : {}) }];
  }
  return role === "user" ? [{ user: textOf(content) }] : [];
}

type Output = { readonly id: string } & (
  | { readonly type: "message"; readonly content: readonly { readonly text: string }[] }
  | { readonly type: "function_call" }
);

function toOutput({ text, calls }: Reply, number: number): Output[] {
  const content = [{ type: "output_text", text: text ?? "", annotations: [] }];
  const message = { id: `msg_${number}`, type: "message", role: "assistant", status: "completed", content } as const;
  return [
    ...(text === undefined ? [] : [message]),
    ...calls.map(({ id, call, input }) => {
      const [name = "", namespace] = call.split(".").reverse();
      const called = { name, ...(namespace ? { namespace } : {}), arguments: JSON.stringify(input) };
      return { id: `fc_${id}`, type: "function_call", status: "completed", call_id: id, ...called } as const;
    }),
  ];
}

function toEvents(base: object, output: readonly Output[], done: object): object[] {
  return [
    { type: "response.created", response: { ...base, status: "in_progress", output: [], usage: null } },
    ...output.flatMap((item, output_index) => [
      { type: "response.output_item.added", output_index, item: { ...item, ...begun(item), status: "in_progress" } },
      ...deltas(item).map((delta) => ({
        type: "response.output_text.delta",
        item_id: item.id,
        output_index,
        content_index: 0,
        delta,
      })),
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: "response.completed", response: done },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
}

function begun(item: Output): object {
  return item.type === "message" ? { content: [] } : {};
}

function deltas(item: Output): string[] {
  return item.type === "message" ? piecesOf(item.content[0]?.text ?? "") : [];
}
