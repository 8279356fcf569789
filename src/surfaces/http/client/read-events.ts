/** One server-sent event. */
export interface ServerEvent {
  readonly event: string;
  readonly id?: string;
  readonly data: string;
}

/** Reads a stream of server-sent events until it ends. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  // A large event arrives in many chunks, which are joined once, at its end.
  let chunks: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      if (text === "") continue;
      const endsEvent = `${chunks.at(-1)?.at(-1) ?? ""}${text}`.includes("\n\n");
      chunks.push(text);
      if (!endsEvent) continue;
      const blocks = chunks.join("").split("\n\n");
      const rest = blocks.pop() ?? "";
      chunks = rest === "" ? [] : [rest];
      yield* blocks.flatMap(toEvents);
    }
  } finally {
    // The consumer may have stopped before the end.
    await reader.cancel().catch(() => {});
  }
}

/** A block without data, such as a heartbeat comment, is not an event. */
function toEvents(block: string): ServerEvent[] {
  const lines = block.split("\n");
  const valuesOf = (field: string): string[] =>
    lines.flatMap((line) => (line.startsWith(`${field}: `) ? [line.slice(field.length + 2)] : []));
  const data = valuesOf("data");
  const [id] = valuesOf("id");
  const place = id === undefined ? {} : { id };
  return data.length > 0 ? [{ event: valuesOf("event")[0] ?? "message", ...place, data: data.join("\n") }] : [];
}
