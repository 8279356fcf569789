import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type ApiSessionEvent, type Client, createClient } from "../../src/surfaces/http/client/index.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { readyServe } from "../support/http-command.ts";
import { dataOf, eventsUntil, openSessions, untilReaders } from "../support/http-sessions.ts";

/** Reports again and again: a reader that comes late gets the first report as a part of "partial". */
const SLOW = `export default { description: "Waits.", async execute(_, { metadata }) {
  for (let n = 0; n < 1_000; n += 1) {
    metadata({ title: "waiting " + n });
    await new Promise((done) => setTimeout(done, 60));
  }
} };`;

async function serving(at: Sandbox): Promise<{ client: Client; server: Awaited<ReturnType<typeof readyServe>> }> {
  const server = await readyServe(at, [], { TOOLWRIGHT_TOKEN: "the-same-token-each-time" });
  return { client: createClient(server), server };
}

describe("[S3] a session outlives its server", () => {
  it("killed: it is interrupted at the next start, names the calls, and goes on", async () => {
    const at = sandbox({ "slow.js": SLOW });
    const first = await serving(at);
    const { id } = await first.client.sessions.create({
      agent: "demo",
      prompt: "say Before\ncall slow",
      permissionMode: "bypass",
    });
    const seen = await eventsUntil(first.client, id, "tool_update");
    const [use] = dataOf(seen, "tool_use");
    first.server.child.kill("SIGKILL");
    await first.server.ended;

    const second = await serving(at);
    const last = seen.findLast((event) => event.id !== undefined)?.id;
    // Nothing has asked for sessions: the server looks at its start.
    const events = await eventsUntil(second.client, id, "interrupted", last);
    expect(dataOf(events, "interrupted")).toEqual([
      {
        reason: "The process that ran this session ended.",
        calls: [use?.callID],
        questions: [],
        at: expect.any(Number),
      },
    ]);
    expect(await second.client.sessions.get(id)).toMatchObject({ status: "interrupted", permissionMode: "bypass" });
    const before = await second.client.sessions.export(id);
    for (const event of seen) if (event.id !== undefined) expect(before).toContain(`"position":${event.id},`);
    const { position } = await second.client.sessions.send(id, "say After");
    const rest = await eventsUntil(second.client, id, "completed", position - 1);
    expect(dataOf(rest, "completed")).toMatchObject([{ text: "After" }]);
    expect(await second.client.sessions.get(id)).toMatchObject({ status: "idle" });
  }, 60_000);

  it("restarted while a client reads: the client goes on by itself", async () => {
    const at = sandbox();
    const first = await serving(at);
    const port = new URL(first.server.url).port;
    const { id } = await first.client.sessions.create({ agent: "demo", prompt: "say One" });
    const texts: (string | undefined)[] = [];
    const reading = (async () => {
      for await (const { event, data } of first.client.sessions.events(id)) {
        if (event !== "completed") continue;
        texts.push(data.text);
        if (texts.length === 2) break;
      }
    })();
    while (texts.length < 1) await sleep(20);
    first.server.child.kill("SIGKILL");
    await first.server.ended;
    const again = await readyServe(at, ["--port", port], { TOOLWRIGHT_TOKEN: "the-same-token-each-time" });
    await createClient(again).sessions.send(id, "say Two");
    await reading;
    expect(texts).toEqual(["One", "Two"]);
  }, 60_000);

  it("stopped: the server waits for the turn and says so, and refuses new work", async () => {
    const at = sandbox();
    const { client, server } = await serving(at);
    const { id } = await client.sessions.create({ agent: "demo", prompt: "sleep 4000\nsay Done" });
    await eventsUntil(client, id, "message");
    const reading = eventsUntil(client, id, "completed");
    await untilReaders(1, server.url, server.token);
    server.child.kill("SIGTERM");
    expect(await server.untilSaid("\n")).toBe(
      "toolwright: Stopping: the running turn of an agent has 10 seconds to end. Press Ctrl-C again to stop now.\n",
    );
    await expect(client.sessions.create({ agent: "demo", prompt: "say x" })).rejects.toMatchObject({
      status: 503,
      code: "stopping",
      message: "The server is stopping. Try again when it has been restarted.",
    });
    expect(dataOf(await reading, "completed")).toMatchObject([{ text: "Done" }]);
    expect((await server.ended).code).toBe(0);
  }, 60_000);
});

describe("[S3] stopping a server in a program", () => {
  it("accepts answers and cancellations, so that turns can end", async () => {
    const tool = `export default { description: "x", execute: () => "ran" };`;
    const { client, server, toolbox } = await openSessions(
      { ".toolwright/tools/plain.js": tool },
      { limits: { stopTurnsMs: 20_000 } },
    );
    const { id } = await client.sessions.create({ agent: "demo", prompt: "call plain" });
    const { id: other } = await client.sessions.create({ agent: "demo", prompt: "sleep 60000" });
    const [asked] = dataOf(await eventsUntil(client, id, "permission"), "permission");
    const heard: string[] = [];
    const page = (async () => {
      for await (const { event } of client.events()) heard.push(event);
    })().catch(() => {});
    await expect.poll(() => heard).toContain("hello");
    const stopped = server.stop();
    await client.sessions.answer(id, asked?.questionID ?? "", { allowed: true });
    await client.sessions.cancel(other);
    await stopped;
    await page;
    // An open page follows the turns to their end.
    expect(heard).toContain("answer");
    const store = await toolbox.sessions.store();
    expect([(await store.get(id))?.status, (await store.get(other))?.status]).toEqual(["idle", "idle"]);
  });

  it("interrupts turns that take too long, and readers get that before their streams end", async () => {
    const { client, server, toolbox } = await openSessions(
      {},
      { limits: { stopTurnsMs: 200 }, settings: { agents: { maxTurns: 1 } } },
    );
    const { id } = await client.sessions.create({ agent: "demo", prompt: "say Before\nsleep 60000" });
    const { id: queued } = await client.sessions.create({ agent: "demo", prompt: "say Never" });
    expect(server.turns).toBe(2);
    const lost = new AbortController();
    const onConnection = (state: "open" | "lost"): void => void (state === "lost" && lost.abort());
    const read = async (which: string): Promise<ApiSessionEvent[]> => {
      const events: ApiSessionEvent[] = [];
      for await (const event of client.sessions.events(which, { signal: lost.signal, onConnection }))
        events.push(event);
      return events;
    };
    const reading = [read(id), read(queued)];
    await untilReaders(2, server.origin);
    const stopping = server.stop();
    await expect(client.sessions.create({ agent: "demo", prompt: "say x" })).rejects.toMatchObject({
      status: 503,
      code: "stopping",
    });
    await stopping;
    const reason =
      "The program that ran this session was stopped before the turn had ended. Send a message to continue.";
    for (const events of await Promise.all(reading))
      expect(dataOf(events, "interrupted")).toEqual([{ reason, calls: [], questions: [], at: expect.any(Number) }]);
    const store = await toolbox.sessions.store();
    expect((await store.get(id))?.status).toBe("interrupted");
    expect((await store.get(queued))?.status).toBe("interrupted");
  });
});
