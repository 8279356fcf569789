import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { head } from "./http-socket.ts";

/** The bytes that a client sends before it closes its connection. The server has the tools `slow`, which waits, and `loud`, which also reports progress. */
export interface ClosingCase {
  readonly title: string;
  /** Whether a call runs before the connection is closed. */
  readonly runs: boolean;
  send(socket: Socket): Promise<void>;
}

const KEEP = { Connection: "keep-alive", "Content-Type": "application/json" };
const LARGE = JSON.stringify({ input: { text: "x".repeat(1_000_000) } });

function call(tool: string, headers: Record<string, string> = {}, body = "{}"): string {
  const length = { "Content-Length": String(body.length) };
  return head(`POST /api/tools/${tool}/run`, { ...KEEP, ...length, ...headers }) + body;
}

const get = (path: string): string => head(`GET ${path}`, { Connection: "keep-alive" });

function sending(title: string, ...texts: string[]): ClosingCase {
  return { title, runs: true, send: async (socket) => void socket.write(texts.join("")) };
}

function sendingPart(title: string, ...texts: string[]): ClosingCase {
  return { ...sending(title, ...texts), runs: false };
}

const SLOW = call("slow");

/** In each of these at least one call is running, or waits for its body, when the connection is closed. */
export const CLOSING_CASES: readonly ClosingCase[] = [
  sending("a call", SLOW),
  sending("a streamed call", call("slow", { Accept: "text/event-stream" })),
  sending("a call with a large body", call("slow", {}, LARGE)),
  sending("a call whose sender waits to be asked for the body", call("slow", { Expect: "100-continue" })),
  sendingPart("a call, half of its body sent", call("slow", {}, LARGE).slice(0, 500_000)),
  sendingPart("a call, its body in chunks without an end", head("POST /api/tools/slow/run", chunked()), "2\r\n{}\r\n"),
  sending("a call after an answer on the same connection", get("/healthz"), SLOW),
  sending("a call after a refused call on the same connection", call("slow", { Host: "evil.example" }), SLOW),
  sending("3 calls", SLOW.repeat(3)),
  sending("300 calls", SLOW.repeat(300)),
  sending("300 streamed calls", call("slow", { Accept: "text/event-stream" }).repeat(300)),
  sending("a call and 12 requests with large answers", SLOW, get("/openapi.json").repeat(12)),
  sending("a call and 300 requests", SLOW, get("/healthz").repeat(300)),
  sending("a call and a call with a large body", SLOW, call("slow", {}, LARGE)),
  sending("a call and half of a large body", SLOW, call("slow", {}, LARGE).slice(0, 500_000)),
  sending("a call and a refused call with a large body", SLOW, call("slow", { Authorization: "" }, LARGE)),
  sending("a call and a body in chunks", SLOW, head("POST /mcp", chunked()), `${"f4240"}\r\n${"x".repeat(1e6)}\r\n`),
  sending("a call and a large body where none is read", SLOW, head("GET /api/tools", lengthOf(LARGE)), LARGE),
  sending("a call and half of a head", SLOW, SLOW.slice(0, 30)),
  { title: "a streamed call that is not read", runs: true, send: (socket) => unread(socket, "") },
  // The server ends this connection itself, which a client that does not read does not notice.
  { title: "a streamed call that is not read, and a request", runs: false, send: (socket) => unread(socket, SLOW) },
];

/** The ways in which a client can close its connection. */
export const CLOSINGS: readonly (readonly [how: string, close: (socket: Socket) => void])[] = [
  ["closed", (socket) => void socket.destroy()],
  ["half closed", (socket) => void socket.end()],
  ["reset", (socket) => void socket.resetAndDestroy()],
];

/** Long enough for the server to fill the socket buffers of the connection. */
const FULL_MS = 4_000;

async function unread(socket: Socket, behind: string): Promise<void> {
  socket.pause().write(call("loud", { Accept: "text/event-stream" }));
  await sleep(FULL_MS);
  if (behind !== "") socket.write(behind);
}

function chunked(): Record<string, string> {
  return { ...KEEP, "Transfer-Encoding": "chunked" };
}

function lengthOf(body: string): Record<string, string> {
  return { ...KEEP, "Content-Length": String(body.length) };
}
