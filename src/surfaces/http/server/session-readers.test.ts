import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createMemoryStore } from "../../../sessions/store/memory-store.ts";
import { CallLimiter } from "./call-limiter.ts";
import { DEFAULT_LIMITS } from "./http-limits.ts";
import { SessionReaders } from "./session-readers.ts";

/** A request of a client that reads nothing, and its response. */
async function unread(): Promise<{ client: Socket; outgoing: ServerResponse }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  const [, outgoing] = (await once(server, "request")) as [unknown, ServerResponse];
  return { client, outgoing };
}

test("[S2] a client that has left before its stream or its call begins is not counted", async () => {
  const store = createMemoryStore({ project: "/" });
  const { id } = await store.create({ directory: "/" });
  const { client, outgoing } = await unread();
  client.destroy();
  await once(outgoing, "close");
  const readers = new SessionReaders(DEFAULT_LIMITS);
  void readers.serve(outgoing, { store, sessionID: id, after: 0, last: 1, place: () => undefined });
  await sleep(10);
  expect(readers.count).toBe(0);
  const calls = new CallLimiter(DEFAULT_LIMITS);
  expect(calls.admit(outgoing)).toMatchObject({ code: "bad_request" });
  expect(calls.running).toBe(0);
});

test("[S2] nothing is written to a stream that has ended and is not read", async () => {
  const store = createMemoryStore({ project: "/" });
  const { id } = await store.create({ directory: "/" });
  const { outgoing } = await unread();
  const errors: unknown[] = [];
  outgoing.on("error", (error) => errors.push(error));
  const readers = new SessionReaders({ ...DEFAULT_LIMITS, heartbeatMs: 5 });
  void readers.serve(outgoing, { store, sessionID: id, after: 0, last: 1, place: () => undefined });
  for (let n = 0; n < 20_000 && outgoing.writableLength === 0; n += 1) {
    const content = [{ type: "text", text: "x".repeat(30_000) }] as const;
    await store.append(id, [{ type: "message.complete", messageID: `m${n}`, content }]);
    await sleep(0);
  }
  expect([outgoing.writableLength > 0, outgoing.writableNeedDrain]).toEqual([true, false]);
  await store.remove(id);
  await sleep(20);
  expect([outgoing.writableEnded, outgoing.writableFinished]).toEqual([true, false]);
  readers.sendPlace({ sessionID: id, position: 1 });
  await sleep(20);
  expect(errors).toEqual([]);
});
