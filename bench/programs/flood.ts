/** `node bench/programs/flood.ts NAME PORT TOKEN`: sends a flood to a server until it is killed. */
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

interface Server {
  readonly port: number;
  readonly token: string;
}

/** What a flood sends to the server. */
type Flood = (server: Server) => Promise<void>;

const FLOODS: Readonly<Record<string, Flood>> = {
  /** An input with 100,000 keys, again and again. */
  "many-keys": (server) => posting(server, 1, runOf("open", manyKeys())),
  /** A list with 500,000 numbers. */
  "long-list": (server) => posting(server, 1, runOf("open", { list: new Array(500_000).fill(7) })),
  /** A text of 3 MB with many values that look like secrets. */
  secrets: (server) =>
    posting(server, 1, runOf("open", { text: "token=sk-abcdefghijklmnopqrstuvwxyz012345 ".repeat(75_000) })),
  /** A prompt of nearly 1 MB for the demo agent. */
  prompts: (server) =>
    posting(server, 1, ["/api/sessions", JSON.stringify({ agent: "demo", prompt: "say a\n".repeat(160_000) })]),
  /** 150 bodies that do not end. */
  "unfinished-bodies": unfinishedBodies,
  /** More questions than turns may run, and nobody answers. */
  "unanswered-questions": (server) =>
    posting(server, 40, ["/api/sessions", JSON.stringify({ agent: "demo", prompt: "call open {}" })], 40),
};

const [name = "", port = "", token = ""] = process.argv.slice(2);
await FLOODS[name]?.({ port: Number(port), token });

/** Sends the request over so many connections, one after another. */
async function posting(
  server: Server,
  connections: number,
  [path, body]: readonly [string, string],
  atMost = Number.POSITIVE_INFINITY,
): Promise<void> {
  let left = atMost;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await post(server, path, body).catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
}

async function unfinishedBodies({ port, token }: Server): Promise<void> {
  const head =
    `POST /api/tools/open/run HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n` +
    "Content-Type: application/json\r\nContent-Length: 3900000\r\n\r\n";
  for (let index = 0; index < 150; index += 1) {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    socket.resume().write(`${head}{"${"x".repeat(3_500_000)}`);
    await sleep(5);
  }
}

async function post({ port, token }: Server, path: string, body: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body,
  });
  await response.text();
}

function runOf(tool: string, input: object): readonly [string, string] {
  return [`/api/tools/${tool}/run`, JSON.stringify({ input })];
}

function manyKeys(): object {
  return Object.fromEntries(Array.from({ length: 100_000 }, (_, key) => [`key${key}`, key]));
}
