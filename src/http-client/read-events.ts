/** One server-sent event. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Reads a stream of server-sent events until it ends. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  // An event may be large and come in many pieces: they are put together once, when it is whole.
  let pieces: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      if (text === "") continue;
      const endsOne = `${pieces.at(-1)?.at(-1) ?? ""}${text}`.includes("\n\n");
      pieces.push(text);
      if (!endsOne) continue;
      const blocks = pieces.join("").split("\n\n");
      const rest = blocks.pop() ?? "";
      pieces = rest === "" ? [] : [rest];
      yield* blocks.flatMap(toEvents);
    }
  } finally {
    // Whoever stops reading wants no more of it.
    await reader.cancel().catch(() => {});
  }
}

/** Comments, which only keep a connection alive, are no events. */
function toEvents(block: string): ServerEvent[] {
  const lines = block.split("\n");
  const valuesOf = (field: string): string[] =>
    lines.flatMap((line) => (line.startsWith(`${field}: `) ? [line.slice(field.length + 2)] : []));
  const data = valuesOf("data");
  return data.length > 0 ? [{ event: valuesOf("event")[0] ?? "message", data: data.join("\n") }] : [];
}
