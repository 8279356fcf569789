import { setTimeout as sleep } from "node:timers/promises";
import { knownAgents } from "../../src/agents/run/known-agents.ts";
import { type ApiSessionEvent, type Client, createClient } from "../../src/surfaces/http/client/index.ts";
import { openServer, type ServerOptions, type TestServer, TOKEN } from "./http-server.ts";

/** A server with agents and sessions on disk, and a client of it. */
export interface SessionServer extends TestServer {
  readonly client: Client;
  /** Creates a session of the agent `demo`, which follows a script: see `src/agents/run/demo`. */
  begin(...script: readonly string[]): Promise<string>;
  /** The events of a session after a position, up to the first one of this name. */
  until(id: string, name: ApiSessionEvent["event"], after?: number): Promise<ApiSessionEvent[]>;
}

export async function openSessions(
  files: Record<string, string> = {},
  { tools = {}, limits = {}, ...options }: ServerOptions = {},
): Promise<SessionServer> {
  const server = await openServer(files, {
    ...options,
    // A test that leaves a turn behind must not wait for it.
    limits: { stopTurnsMs: 100, ...limits },
    tools: { agents: knownAgents, sessions: "disk", ...tools },
  });
  const client = createClient({ url: server.url, token: TOKEN });
  return {
    ...server,
    client,
    begin: async (...script) => (await client.sessions.create({ agent: "demo", prompt: script.join("\n") })).id,
    until: (id, name, after) => eventsUntil(client, id, name, after),
  };
}

export async function eventsUntil(
  client: Client,
  id: string,
  name: ApiSessionEvent["event"],
  after = 0,
): Promise<ApiSessionEvent[]> {
  const events: ApiSessionEvent[] = [];
  for await (const event of client.sessions.events(id, { after })) {
    events.push(event);
    if (event.event === name) break;
  }
  return events;
}

/** The data of the events of one name. */
export function dataOf<N extends ApiSessionEvent["event"]>(
  events: readonly ApiSessionEvent[],
  name: N,
): Extract<ApiSessionEvent, { readonly event: N }>["data"][] {
  return events.filter(({ event }) => event === name).map(({ data }) => data as never);
}

/** Resolves when so many event streams of sessions are open. */
export async function untilReaders(count: number, url: string, token: string = TOKEN): Promise<void> {
  const wanted = `\ntoolwright_session_readers ${count}\n`;
  const metrics = async (): Promise<string> =>
    (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text();
  while (!(await metrics()).includes(wanted)) await sleep(10);
}
