/** A server-sent event with its id. */
export interface SseEvent {
  readonly id: number | undefined;
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events as the HTML standard says. Throws at lines that our server never sends, so that a test does not depend
 * on the tolerance of a client. An event that was cut off is not passed on.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<SseEvent> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = toEvent(block);
      if (event) yield event;
    }
  }
}

function toEvent(block: string): SseEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    if (line.startsWith(":")) continue;
    const [, name, value] = /^(id|event|data|retry): (.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`Not a line of an event: ${JSON.stringify(line)}`);
    if (fields.has(name)) throw new Error(`Two fields ${name}: ${JSON.stringify(block)}`);
    fields.set(name, value);
  }
  const data = fields.get("data");
  if (data === undefined) return undefined;
  const id = fields.get("id");
  if (id !== undefined && !/^[1-9]\d*$/.test(id)) throw new Error(`Not a position: ${id}`);
  return { id: id === undefined ? undefined : Number(id), event: fields.get("event") ?? "message", data };
}
