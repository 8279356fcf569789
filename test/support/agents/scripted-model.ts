import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Answer, answersIn, type Offered, type SpokenTo, type Turn, toReply, type Wire } from "./wire.ts";

/** One request of an agent to the model. */
export interface Heard {
  readonly offered: readonly Offered[];
  readonly answers: readonly Answer[];
  /** In base64. */
  readonly pictures: readonly string[];
}

/** A model that follows a script. */
export interface ScriptedModel {
  readonly origin: string;
  /** The requests so far. */
  readonly heard: readonly Heard[];
  /** Forgets the requests so far. */
  forget(): void;
  close(): Promise<void>;
}

/** Starts a model on loopback. The number of call results in a request selects the turn, so a repeated request gets the same turn. */
export async function startModel(wire: Wire, turns: readonly Turn[]): Promise<ScriptedModel> {
  const heard: Heard[] = [];
  const served = await serveModel(wire, (request, response) => {
    const { body, number } = request;
    const offered = wire.offered(body);
    const answers = answersIn(wire, body);
    if (offered.length > 0) heard.push({ offered, answers, pictures: wire.pictures(body) });
    wire.speak(toReply(possible(turns[answers.length], offered), number), request, response);
  });
  return { ...served, heard, forget: () => void heard.splice(0) };
}

/** Serves the API of a model on loopback. */
export async function serveModel(
  wire: Wire,
  answer: (request: SpokenTo, response: ServerResponse) => void,
): Promise<Pick<ScriptedModel, "origin" | "close">> {
  let number = 0;
  const server = createServer(async (request, response) => {
    const { pathname: path } = new URL(request.url ?? "", "http://model");
    const body = await bodyOf(request);
    if (request.method !== "POST" || !wire.path.test(path)) return refuse(response);
    number += 1;
    answer({ path, body, number }, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, close: () => stop(server) };
}

/** The turn, or a message if the called tool is not in the request. */
export function possible(turn: Turn = { say: "Nothing more." }, offered: readonly Offered[]): Turn {
  const calls = "calls" in turn ? turn.calls : "call" in turn ? [turn] : [];
  const missing = calls.find(({ call }) => !offered.some(({ name }) => name === call));
  return missing ? { say: `There is no ${missing.call}.` } : turn;
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
  response.end('{"error":{"message":"Not found.","type":"not_found_error"}}');
}

async function stop(server: ReturnType<typeof createServer>): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
