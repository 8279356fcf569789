import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Answer, Offered, Turn, Wire } from "./wire.ts";

/** What an agent has told the model in one request of the conversation. */
export interface Heard {
  readonly offered: readonly Offered[];
  readonly answers: readonly Answer[];
  /** In base64. */
  readonly pictures: readonly string[];
}

/** A model that says what a script has for it. */
export interface ScriptedModel {
  readonly origin: string;
  /** The conversation so far. */
  readonly heard: readonly Heard[];
  close(): Promise<void>;
}

/**
 * A model on loopback that speaks one wire. Its turn is told by the number of calls that have been answered, so that an agent
 * which asks the same again hears the same again.
 */
export async function startModel(wire: Wire, turns: readonly Turn[]): Promise<ScriptedModel> {
  const heard: Heard[] = [];
  let number = 0;
  const server = createServer(async (request, response) => {
    const { pathname: path } = new URL(request.url ?? "", "http://model");
    const body = await bodyOf(request);
    if (request.method !== "POST" || !wire.path.test(path)) return refuse(response);
    const offered = wire.offered(body);
    const answers = wire.answers(body);
    if (offered.length > 0) heard.push({ offered, answers, pictures: wire.pictures(body) });
    number += 1;
    wire.speak(possible(turns[answers.length], offered), { path, body, number }, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, heard, close: () => stop(server) };
}

/** A model calls only what it is offered. */
function possible(turn: Turn = { say: "Nothing more." }, offered: readonly Offered[]): Turn {
  if ("say" in turn || offered.some(({ name }) => name === turn.call)) return turn;
  return { say: `There is no ${turn.call}.` };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const said = await text(request);
  try {
    return JSON.parse(said);
  } catch {
    return said;
  }
}

function refuse(response: ServerResponse): void {
  response.writeHead(404, { "content-type": "application/json" });
  response.end('{"error":{"message":"There is nothing here.","type":"not_found_error"}}');
}

async function stop(server: ReturnType<typeof createServer>): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
