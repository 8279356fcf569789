import { existsSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { knownAgents } from "../../src/agents/run/index.ts";
import { ensureBuilt } from "../support/cli.ts";
import { sandbox } from "../support/fixture.ts";
import { openServer, type ServerOptions, type TestServer, TOKEN } from "../support/http-server.ts";
import { head, socketTo } from "../support/http-socket.ts";
import { readEvents } from "../support/sessions-over-http/read-sse.ts";
import { SessionReader } from "../support/sessions-over-http/session-reader.ts";
import {
  eventually,
  freePort,
  TOKEN as SERVER_TOKEN,
  SessionServer,
} from "../support/sessions-over-http/session-server.ts";

ensureBuilt();

const served = (options: ServerOptions = {}): Promise<TestServer> =>
  openServer({}, { ...options, tools: { sessions: "disk", agents: knownAgents } });

async function create({ post }: Pick<TestServer, "post">, prompt: string): Promise<string> {
  return ((await (await post("/api/sessions", { prompt, agent: "demo" })).json()) as { id: string }).id;
}

/** A stream of events that is open until the test ends. Resolves when the response has begun. */
async function stream(server: TestServer, id: string): Promise<{ status: number; close: () => void }> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const response = await server.ask(`/api/sessions/${id}/events`, { signal: stop.signal });
  if (response.status !== 200) await response.text();
  return { status: response.status, close: () => stop.abort() };
}

const openTimers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

describe("[X1] readers of sessions", () => {
  it("of one session, and of all, are limited, and others can come when they leave", async () => {
    const server = await served({ limits: { readersPerSession: 3, readers: 5 } });
    const ids = [await create(server, "say a"), await create(server, "say b")] as const;
    const first = await Promise.all([1, 2, 3].map(() => stream(server, ids[0])));
    expect(first.map(({ status }) => status)).toEqual([200, 200, 200]);
    const more = await server.ask(`/api/sessions/${ids[0]}/events`);
    expect([more.status, more.headers.get("retry-after")]).toEqual([429, "5"]);
    await more.text();
    const second = await Promise.all([1, 2].map(() => stream(server, ids[1])));
    expect(second.map(({ status }) => status)).toEqual([200, 200]);
    expect((await stream(server, ids[1])).status).toBe(503);
    // Readers do not keep other requests from being answered.
    expect((await server.ask(`/api/sessions/${ids[0]}`)).status).toBe(200);
    expect((await server.post(`/api/sessions/${ids[0]}/messages`, { prompt: "say more" })).status).toBe(202);
    first[0]?.close();
    await eventually("there is room", async () => (await stream(server, ids[0])).status === 200);
  });

  it("that open and close in a storm leave nothing behind", async () => {
    const server = await served({ limits: { readersPerSession: 20, readers: 30 } });
    const id = await create(server, "say a");
    const request = head(`GET /api/sessions/${id}/events`, { Connection: "keep-alive" });
    const attempt = async (ms: number | undefined): Promise<void> => {
      const socket = connect(server.port, "127.0.0.1");
      socket.on("error", () => {});
      if (ms === 0) await new Promise((resolve) => socket.once("connect", resolve));
      socket.write(request);
      // From before the request is read to after the response has begun.
      if (ms === 0) await new Promise(setImmediate);
      else if (ms === undefined) await new Promise((resolve) => socket.once("data", resolve).once("close", resolve));
      else await sleep(ms);
      if (Math.random() < 0.5) socket.destroy();
      else socket.resetAndDestroy();
    };
    await attempt(undefined);
    const timers = openTimers();
    for (let round = 0; round < 40; round += 1)
      await Promise.all(Array.from({ length: 15 }, (_, n) => attempt(n < 3 ? undefined : n < 9 ? 0 : n / 2)));
    await eventually(
      "all readers have left",
      async () => {
        const all = await Promise.all(Array.from({ length: 20 }, () => stream(server, id)));
        for (const { close } of all) close();
        return all.every(({ status }) => status === 200);
      },
      5_000,
    );
    await eventually("no timers are left", () => openTimers() <= timers + 5, 10_000);
  });
});

/** A connection that sends a request and never reads the response. */
async function unread(port: number, path: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.pause();
  const authorization = `Bearer ${SERVER_TOKEN}`;
  socket.write(head(`GET ${path}`, { Authorization: authorization, Connection: "keep-alive" }));
  return socket;
}

async function memoryOf(server: SessionServer): Promise<number> {
  const { body } = await server.ask<string>("/metrics");
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(body)?.[1] ?? Number.NaN);
}

describe("[X1] clients that do not read", () => {
  it("neither fill the memory of the server, nor delay others, while a session streams", async ({ annotate }) => {
    const server = new SessionServer(sandbox(), await freePort());
    onTestFinished(() => server.kill());
    await server.start();
    const prompt = `say ${"word ".repeat(180_000)}`;
    const { id } = (await server.post<{ readonly id: string }>("/api/sessions", { prompt, agent: "demo" })).body;
    const talk = async (turns: number): Promise<void> => {
      for (let turn = 0; turn < turns; turn += 1) {
        await ended(server, id);
        expect((await server.post(`/api/sessions/${id}/messages`, { prompt })).status).toBe(202);
      }
      await ended(server, id);
    };
    const reader = new SessionReader(server, id);
    onTestFinished(() => reader.close());
    await talk(10);
    const before = await memoryOf(server);
    const { position } = (await server.ask<{ readonly position: number }>(`/api/sessions/${id}`)).body;
    const port = Number(new URL(server.url).port);
    const path = `/api/sessions/${id}/events?after=${position}`;
    const sockets = await Promise.all(Array.from({ length: 90 }, () => unread(port, path)));
    let highest = before;
    const measuring = setInterval(async () => {
      highest = Math.max(highest, await memoryOf(server).catch(() => 0));
    }, 200);
    onTestFinished(() => clearInterval(measuring));
    await talk(30);
    await eventually("the other reader gets the end", () => {
      return reader.durable.filter(({ event }) => event === "completed").length === 41;
    });
    clearInterval(measuring);
    const bytes = reader.seen
      .filter(({ id: at = 0 }) => at > position)
      .reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);
    const grown = (highest - before) / 1e6;
    await annotate(`90 unread streams of ${(bytes / 1e6).toFixed(0)} MB: ${grown.toFixed(0)} MB more memory`);
    expect(bytes).toBeGreaterThan(50e6);
    expect(grown).toBeLessThan(500);
    for (const socket of sockets) socket.destroy();
    // Those who were left behind can catch up.
    const late = new SessionReader(server, id);
    onTestFinished(() => late.close());
    await eventually("a late reader gets all", () => late.lastID === reader.lastID);
    expect(late.durable.map(({ id: at }) => at)).toEqual(reader.durable.map(({ id: at }) => at));
  });

  it("get all stored events when they read at last", async () => {
    const server = await served();
    const id = await create(server, `${"say word\ncall missing-tool {}\n".repeat(400)}say the end`);
    const response = await server.ask(`/api/sessions/${id}/events`);
    await eventually("it is idle", async () => {
      return (await (await server.toolbox.sessions.store()).get(id))?.status === "idle";
    });
    const seen: number[] = [];
    for await (const event of readEvents(response.body as ReadableStream<Uint8Array>)) {
      if (event.id !== undefined) seen.push(event.id);
      if (event.event === "completed") break;
    }
    const log = await (await server.toolbox.sessions.store()).read(id, 0, 10_000);
    const hidden = ["session.start", "state.set", "entry.added", "cancel.requested"];
    expect(seen).toEqual(log.filter(({ type }) => !hidden.includes(type)).map(({ position }) => position));
  });
});

async function ended(server: SessionServer, id: string): Promise<void> {
  await eventually(`${id} is idle`, async () => {
    return (await server.ask<{ status: string }>(`/api/sessions/${id}`)).body.status === "idle";
  });
}

describe("[X1] thousands of connections", () => {
  it("are refused beyond the limit, and the server goes on when they are gone", async () => {
    const server = await served({ limits: { connections: 300, readers: 200, readersPerSession: 200 } });
    const id = await create(server, "say a");
    const sockets: Socket[] = [];
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    let closed = 0;
    let began = 0;
    const request = head(`GET /api/sessions/${id}/events`, { Connection: "keep-alive" });
    for (let batch = 0; batch < 20; batch += 1) {
      await Promise.all(
        Array.from({ length: 100 }, async () => {
          const socket = connect(server.port, "127.0.0.1");
          sockets.push(socket);
          socket.on("error", () => {}).on("close", () => (closed += 1));
          socket.once("data", (data: Buffer) => {
            if (data.toString("latin1").startsWith("HTTP/1.1 200")) began += 1;
          });
          socket.write(request);
          await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
        }),
      );
    }
    await eventually("the others are refused", () => closed >= 1_700);
    expect(began).toBeLessThanOrEqual(200);
    for (const socket of sockets) socket.destroy();
    await eventually("the server answers", async () => {
      const response = await server.ask(`/api/sessions/${id}`).catch(() => undefined);
      return response?.status === 200;
    });
    expect((await stream(server, id)).status).toBe(200);
  });
});

it("[S3] turns beyond the limit wait in a queue that clients see, and all of them end", async () => {
  const server = await served({ settings: { agents: { maxTurns: 3 } } });
  const ids = await Promise.all(Array.from({ length: 12 }, (_, n) => create(server, `sleep 200\nsay ${n}`)));
  const lists = (await (await server.ask("/api/sessions?limit=50")).json()) as {
    sessions: { id: string; queuePosition?: number }[];
  };
  const places = lists.sessions.flatMap(({ queuePosition }) => queuePosition ?? []).toSorted((a, b) => a - b);
  expect(places).toEqual(places.map((_, index) => index + 1));
  expect(places.length).toBeGreaterThan(0);
  await Promise.all(
    ids.map(async (id) => {
      const response = await fetch(`${server.url}/api/sessions/${id}/events?token=${TOKEN}`);
      for await (const event of readEvents(response.body as ReadableStream<Uint8Array>))
        if (event.event === "completed") return;
    }),
  );
});

it('[S3] turns that wait for answers do not keep others from running, also after "agents.idleMs"', async () => {
  const file = { ".toolwright/tools/greet.ts": 'export default { description: "Greets.", execute: () => "Hi!" };' };
  const settings = { agents: { maxTurns: 2, idleMs: 100 } };
  const server = await openServer(file, { settings, tools: { sessions: "disk", agents: knownAgents } });
  const prompt = "call greet {}";
  const asking = await Promise.all(Array.from({ length: 6 }, () => create(server, prompt)));
  const questions = async (): Promise<{ questionID: string; sessionID: string }[]> =>
    ((await (await server.ask("/api/questions")).json()) as { questions: { questionID: string; sessionID: string }[] })
      .questions;
  await eventually("all ask", async () => (await questions()).length === asking.length);
  const ids = await Promise.all(Array.from({ length: 4 }, (_, n) => create(server, `sleep 50\nsay ${n}`)));
  await eventually("others end", async () => (await Promise.all(ids.map((id) => hasEnded(server, id)))).every(Boolean));
  expect(await Promise.all(asking.map((id) => hasEnded(server, id)))).toEqual(asking.map(() => false));
  for (const { questionID } of await questions())
    expect((await server.post(`/api/questions/${questionID}`, { allowed: false })).status).toBe(200);
  await eventually("all end", async () => (await Promise.all(asking.map((id) => hasEnded(server, id)))).every(Boolean));
});

it.each(["application/json", "text/event-stream"])(
  "[S3] a call whose session cannot be written is refused with 503, and does not run (%s)",
  async (accept) => {
    const file = {
      ".toolwright/tools/mark.ts": `import { writeFileSync } from "node:fs";
        export default { description: "Marks.", execute: () => writeFileSync("marked", "") };`,
    };
    const settings = { sessions: { maxMb: 1 } };
    const server = await openServer(file, { settings, tools: { sessions: "disk" } });
    const store = await server.toolbox.sessions.store();
    await store.create({ id: "s", directory: server.at.project });
    const fill = async (): Promise<void> => {
      for (;;) await store.append("s", [{ type: "session.idle", text: "x".repeat(20_000) }]);
    };
    await expect(fill()).rejects.toMatchObject({ code: "store_full" });
    for (const bytes of [5_000, 500, 50]) {
      const add = (): Promise<number> => store.append("s", [{ type: "session.idle", text: "x".repeat(bytes) }]);
      for (let isFull = false; !isFull; )
        isFull = await add().then(
          () => false,
          () => true,
        );
    }
    const body = { sessionID: "s", input: { text: "x".repeat(10_000) } };
    const response = await server.post("/api/tools/mark/run", body, {
      headers: { accept, "content-type": "application/json" },
    });
    expect([response.status, await response.json()]).toEqual([
      503,
      {
        error: {
          code: "sessions_unavailable",
          message:
            "The tool was not called, because its session could not be written. The stored sessions have reached their limit of 1 MB (the setting sessions.maxMb), and all others are in use. Nothing was stored. Remove sessions, or set a larger limit. Tools without a session still work.",
        },
      },
    ]);
    expect(existsSync(join(server.at.project, "marked"))).toBe(false);
    expect((await server.post("/api/tools/mark/run", {})).status).toBe(200);
  },
);

async function hasEnded({ ask }: TestServer, id: string): Promise<boolean> {
  const { status } = (await (await ask(`/api/sessions/${id}`)).json()) as { status: string };
  return status === "idle";
}

it("[X1] many unfinished bodies take little memory, and less when they end", async ({ annotate }) => {
  const server = new SessionServer(sandbox(), await freePort());
  onTestFinished(() => server.kill());
  await server.start();
  const port = Number(new URL(server.url).port);
  const before = await memoryOf(server);
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${SERVER_TOKEN}` };
  const large = head("POST /api/sessions", { ...headers, "Content-Length": "3900000" });
  const small = head("POST /api/sessions", { ...headers, "Transfer-Encoding": "chunked" });
  const sockets = await Promise.all(Array.from({ length: 150 }, () => socketTo(port)));
  for (const [index, socket] of sockets.entries()) {
    socket.on("error", () => {}).resume();
    // Chunks of one byte, of which each would be an object.
    socket.write(index % 10 === 0 ? small + "1\r\nx\r\n".repeat(100_000) : `${large}{"${"x".repeat(3_500_000)}`);
  }
  let most = before;
  for (let round = 0; round < 40; round += 1) {
    most = Math.max(most, await memoryOf(server).catch(() => 0));
    await sleep(50);
  }
  for (const socket of sockets) socket.destroy();
  await annotate(`${Math.round((most - before) / 1e6)} MB for 150 unfinished bodies`);
  expect(most - before).toBeLessThan(250_000_000);
});
