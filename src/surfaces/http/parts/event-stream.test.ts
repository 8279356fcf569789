import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { EventStream } from "./event-stream.ts";

/** A response whose client reads nothing until its socket is resumed. */
async function unread(): Promise<{ outgoing: ServerResponse; socket: Socket }> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
  onTestFinished(() => void socket.destroy());
  socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const outgoing = await new Promise<ServerResponse>((resolve) => server.once("request", (_, each) => resolve(each)));
  return { outgoing, socket };
}

it("[S1][X1] keeps only the latest update for a client that does not read, and all other events", async () => {
  const { outgoing, socket } = await unread();
  const events = new EventStream(outgoing, 60_000);
  events.sendWithNext("start", 0);
  const text = "x".repeat(100_000);
  let mostUnsent = 0;
  for (let step = 1; step <= 1000; step += 1) {
    events.sendLatest("news", { step, text });
    mostUnsent = Math.max(mostUnsent, outgoing.writableLength);
    await setImmediate();
  }
  expect(mostUnsent).toBeLessThan(1_000_000);
  events.send("last", 1);
  events.end();
  let read = "";
  socket.setEncoding("utf8").on("data", (more: string) => {
    read += more;
  });
  socket.resume();
  await new Promise((resolve) => socket.once("close", resolve));
  const steps = [...read.matchAll(/"step":(\d+)/g)].map(([, step]) => Number(step));
  expect(steps.length).toBeLessThan(1000);
  expect(steps.at(-1)).toBe(1000);
  expect(read).toContain("event: start\ndata: 0\n\nevent: news\n");
  expect(read).toContain("event: last\ndata: 1\n\n");
});

it("[M2][X1] resolves waitForDrain when the client has read, or has disconnected", async () => {
  const { outgoing, socket } = await unread();
  const events = new EventStream(outgoing, 60_000);
  const text = "x".repeat(1_000_000);
  const told: string[] = [];
  const fill = async (): Promise<void> => {
    while (!outgoing.writableNeedDrain) {
      await events.waitForDrain();
      events.send("message", text);
      await setImmediate();
    }
    void events.waitForDrain().then(() => told.push("room"));
    await setImmediate();
  };
  await fill();
  expect(told).toEqual([]);
  const drained = new Promise((resolve) => outgoing.once("drain", resolve));
  socket.resume();
  await drained;
  await setImmediate();
  expect(told).toEqual(["room"]);
  socket.pause();
  await fill();
  expect(told).toEqual(["room"]);
  const closed = new Promise((resolve) => outgoing.once("close", resolve));
  socket.destroy();
  await closed;
  await setImmediate();
  expect(told).toEqual(["room", "room"]);
});

it("[S1] sends nothing before the first event, so that another response is still possible", async () => {
  const { outgoing, socket } = await unread();
  const events = new EventStream(outgoing, 60_000);
  events.sendWithNext("start", 0);
  events.stop();
  expect(events.hasBegun).toBe(false);
  outgoing.writeHead(404).end("another answer");
  const read = await new Promise<string>((resolve) => socket.setEncoding("utf8").once("data", resolve).resume());
  expect(read).toMatch(/^HTTP\/1\.1 404 [\s\S]*another answer/);
});
