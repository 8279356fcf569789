import { describe, expect, it } from "vitest";
import { readEvents, type ServerEvent } from "./read-events.ts";

const TEXT =
  ': alive\n\nevent: a\ndata: {"é":"\u{1f680}"}\n\ndata: plain\n\nid: 12\nevent: c\ndata: {}\n\n: alive\n\nevent: b\ndata: 1\ndata: 2\n\nevent: half';

const EVENTS = [
  { event: "a", data: '{"é":"\u{1f680}"}' },
  { event: "message", data: "plain" },
  { event: "c", id: "12", data: "{}" },
  { event: "b", data: "1\n2" },
];

describe("events of a stream", () => {
  it.each([1, 2, 3, 7, 1000])("[S1] are the same in chunks of %i bytes", async (size) => {
    expect(await read(inPieces(new TextEncoder().encode(TEXT), size))).toEqual(EVENTS);
  });

  it("[S1] may be large", async () => {
    const data = "x".repeat(30_000_000);
    const bytes = new TextEncoder().encode(`event: result\ndata: ${data}\n\n`);
    const [event] = await read(inPieces(bytes, 16_384));
    expect(event?.data.length).toBe(data.length);
  });
});

async function read(body: ReadableStream<Uint8Array>): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

function inPieces(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + size));
      at += size;
    },
  });
}
