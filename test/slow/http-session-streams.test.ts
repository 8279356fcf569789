import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ApiSessionEvent, createClient } from "../../src/surfaces/http/client/index.ts";
import { readEvents } from "../../src/surfaces/http/client/read-events.ts";
import { TOKEN } from "../support/http-server.ts";
import { dataOf, openSessions, type SessionServer, untilReaders } from "../support/http-sessions.ts";
import { random } from "../support/random.ts";
import { ROUNDS } from "../support/rounds.ts";

/** Appends messages to a session. */
async function append({ toolbox }: SessionServer, id: string, from: number, to: number, size = 10): Promise<void> {
  const store = await toolbox.sessions.store();
  for (let n = from; n <= to; n += 1) {
    const content = [{ type: "text", text: `${n} ${"x".repeat(size)}` }] as const;
    await store.append(id, [{ type: "message.complete", messageID: `m${n}`, content }]);
  }
}

async function newSession({ toolbox, at }: SessionServer): Promise<string> {
  const store = await toolbox.sessions.store();
  return (await store.create({ directory: at.project })).id;
}

/** A connection that reads nothing unless it is resumed. */
async function unread({ port }: SessionServer, path: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").pause();
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`);
  return socket;
}

describe("[S2] an event stream resumes without a gap or a double", () => {
  it("after the header Last-Event-ID, and after ?after=", async () => {
    const server = await openSessions();
    const id = await newSession(server);
    await append(server, id, 1, 9);
    const read = async (query: string, headers: Record<string, string> = {}): Promise<(string | undefined)[]> => {
      const { body } = await server.ask(`/api/sessions/${id}/events${query}`, { headers });
      const ids: (string | undefined)[] = [];
      for await (const event of readEvents(body as ReadableStream<Uint8Array>)) {
        ids.push(event.id);
        if (event.id === "10") break;
      }
      return ids;
    };
    const all = ["2", "3", "4", "5", "6", "7", "8", "9", "10"];
    expect(await read("")).toEqual(all);
    expect(await read("?after=0")).toEqual(all);
    expect(await read("", { "last-event-id": "" })).toEqual(all);
    expect(await read("?after=7")).toEqual(["8", "9", "10"]);
    expect(await read("?after=2", { "last-event-id": "8" })).toEqual(["9", "10"]);
    expect(await read(`?after=8&token=${TOKEN}`)).toEqual(["9", "10"]);
  });

  it("when connections are cut at random", async () => {
    const server = await openSessions();
    const id = await newSession(server);
    const next = random(1);
    const last = ROUNDS * 10;
    /** Cuts the bodies of its responses after some bytes. */
    const cutting: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      let left = Math.floor(next() * 2_000);
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          if (chunk.length <= left) controller.enqueue(chunk);
          else {
            controller.enqueue(chunk.subarray(0, left));
            controller.error(new Error("The connection was cut."));
          }
          left -= chunk.length;
        },
      });
      return new Response(response.body?.pipeThrough(cut) ?? null, response);
    };
    const clients = [1, 2, 3].map(() => createClient({ url: server.url, token: TOKEN, fetch: cutting }));
    const states: string[] = [];
    const reading = clients.map(async (client) => {
      const ids: number[] = [];
      for await (const event of client.sessions.events(id, { onConnection: (state) => states.push(state) })) {
        if (event.id === undefined) continue;
        ids.push(event.id);
        if (event.id === last + 1) break;
      }
      return ids;
    });
    await append(server, id, 1, last, 50);
    const expected = Array.from({ length: last }, (_, index) => index + 2);
    for (const ids of await Promise.all(reading)) expect(ids).toEqual(expected);
    expect(states.filter((state) => state === "lost").length).toBeGreaterThan(3);
  }, 120_000);

  it("for readers that are too slow: they miss only what is not stored, and little is buffered for them", async () => {
    const server = await openSessions();
    const id = await newSession(server);
    const store = await server.toolbox.sessions.store();
    const socket = await unread(server, `/api/sessions/${id}/events`);
    await untilReaders(1, server.url);
    const before = process.memoryUsage().rss;
    // More than fits into the buffers of the connection and of the session together.
    for (let n = 1; n <= 60; n += 1) {
      await append(server, id, n, n, 500_000);
      store.publish(id, { type: "message.delta", messageID: `d${n}`, text: "y".repeat(50_000) });
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
    let text = "";
    socket.setEncoding("utf8").on("data", (more: string) => {
      text += more;
    });
    socket.resume();
    while (!text.includes("id: 61\n") || !text.includes("event: partial")) await sleep(50);
    expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, place]) => Number(place))).toEqual(
      Array.from({ length: 60 }, (_, index) => index + 2),
    );
    // What was streamed meanwhile is in one event.
    expect([...text.matchAll(/^event: partial$/gm)].length).toBeLessThan(5);
  }, 60_000);
});

describe("[S2][X1] readers", () => {
  it("are limited, for each session and in total, and are not calls", async () => {
    const limits = { readersPerSession: 2, readers: 3, calls: 1 };
    const server = await openSessions({}, { limits });
    const [first, second] = [await newSession(server), await newSession(server)];
    const open = (id: string): Promise<Socket> => unread(server, `/api/sessions/${id}/events`);
    const status = async (id: string): Promise<[number, string]> => {
      const stop = new AbortController();
      const response = await server.ask(`/api/sessions/${id}/events`, { signal: stop.signal });
      const body = response.status === 200 ? "" : ((await response.json()) as { error: { message: string } });
      stop.abort();
      return [response.status, typeof body === "string" ? body : body.error.message];
    };
    const sockets = [await open(first), await open(first)];
    await untilReaders(2, server.url);
    expect(await status(first)).toEqual([
      429,
      "The session has 2 readers, which is the limit. Close one, then try again.",
    ]);
    sockets.push(await open(second));
    await untilReaders(3, server.url);
    expect(await status(second)).toEqual([
      503,
      "Sessions have 3 readers in total, which is the limit. Close one, then try again.",
    ]);
    // The only call that may run is free.
    expect((await server.post("/api/sessions", { agent: "demo", prompt: "say x" })).status).toBe(201);
    for (const socket of sockets) socket.destroy();
    await untilReaders(0, server.url);
    expect((await status(first))[0]).toBe(200);
  });

  it("that leave at once are not counted", async () => {
    const server = await openSessions({}, { limits: { readersPerSession: 3, readers: 3 } });
    const id = await newSession(server);
    for (let round = 0; round < ROUNDS * 3; round += 1) {
      const socket = await unread(server, `/api/sessions/${id}/events`);
      if (round % 3 > 0) await sleep(round % 3);
      socket.destroy();
    }
    await untilReaders(0, server.url);
    const stop = new AbortController();
    for (let n = 0; n < 3; n += 1) {
      const { status } = await server.ask(`/api/sessions/${id}/events`, { signal: stop.signal });
      expect(status).toBe(200);
    }
    stop.abort();
  });

  it("get heartbeats, and keep nothing open after they have left", async () => {
    const server = await openSessions({}, { limits: { heartbeatMs: 30 } });
    const id = await newSession(server);
    const socket = await unread(server, `/api/sessions/${id}/events`);
    let text = "";
    socket.setEncoding("utf8").on("data", (more: string) => {
      text += more;
    });
    socket.resume();
    while (text.split(": alive\n\n").length < 4) await sleep(10);
    expect(text).toContain("content-type: text/event-stream");
    expect(text).toContain("cache-control: no-store");
    socket.destroy();
    await untilReaders(0, server.url);
  });

  it("end when the session is removed, and the client says why", async () => {
    const server = await openSessions();
    const id = await newSession(server);
    await append(server, id, 1, 1);
    const reading = (async () => {
      const events: ApiSessionEvent[] = [];
      for await (const event of server.client.sessions.events(id)) {
        events.push(event);
        await server.client.sessions.remove(id);
      }
    })();
    await expect(reading).rejects.toMatchObject({
      name: "RequestRefused",
      status: 404,
      message: `There is no session ${JSON.stringify(id)} in this project. GET /api/sessions lists the sessions.`,
    });
  });
});

describe("[S2] the client's events", () => {
  it("reject at once if the server cannot be reached, refuses the token, or does not know the session", async () => {
    const server = await openSessions();
    const first = async (client: ReturnType<typeof createClient>, id: string): Promise<unknown> => {
      for await (const event of client.sessions.events(id)) return event;
      return undefined;
    };
    await expect(first(createClient({ url: "http://127.0.0.1:1", token: TOKEN }), "x")).rejects.toThrow(
      'No server answered at http://127.0.0.1:1. Is "toolwright serve" running there?',
    );
    await expect(first(createClient({ url: server.url, token: "wrong-token-for-tests" }), "x")).rejects.toMatchObject({
      status: 401,
    });
    await expect(first(server.client, "x")).rejects.toMatchObject({ status: 404 });
  });

  it("wait for a server that is busy or not there yet, if asked to, but not if it refuses", async () => {
    const server = await openSessions();
    const id = await newSession(server);
    await append(server, id, 1, 1);
    const busy = JSON.stringify({ error: { code: "busy", message: "Too many readers." } });
    for (const status of [undefined, 408, 429, 503]) {
      const tried: string[] = [];
      const late: typeof fetch = async (input, init) => {
        tried.push("try");
        if (tried.length > 1) return fetch(input, init);
        if (status === undefined) throw new TypeError("fetch failed");
        return new Response(busy, { status });
      };
      const client = createClient({ url: server.url, token: TOKEN, fetch: late });
      const onConnection = (state: "open" | "lost"): void => void tried.push(state);
      for await (const event of client.sessions.events(id, { untilReached: true, onConnection }))
        if (event.id === 2) break;
      expect(tried).toEqual(["try", "lost", "try", "open"]);
    }
    const unknown = server.client.sessions.events("x", { untilReached: true })[Symbol.asyncIterator]().next();
    await expect(unknown).rejects.toMatchObject({ status: 404 });
  });

  it("end without an error when the signal fires: before, while connected, and while the server is away", async () => {
    const server = await openSessions();
    const id = await newSession(server);
    await append(server, id, 1, 1);
    for (const when of ["before", "connected", "away"]) {
      const stop = new AbortController();
      if (when === "before") stop.abort();
      const events: ApiSessionEvent[] = [];
      const onConnection = (state: "open" | "lost"): void => {
        if (state === "lost") setTimeout(() => stop.abort(), 50);
      };
      for await (const event of server.client.sessions.events(id, { signal: stop.signal, onConnection })) {
        events.push(event);
        if (when === "connected") stop.abort();
        if (when === "away") void server.server.stop();
      }
      expect(dataOf(events, "message")).toHaveLength(when === "before" ? 0 : 1);
    }
  });
});
