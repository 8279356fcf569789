import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ApiSessionEvent } from "../../src/surfaces/http/client/index.ts";
import { codeAgents, saying } from "../support/code-agent.ts";
import { dataOf, openSessions, type SessionServer, untilReaders } from "../support/http-sessions.ts";
import { answersOf } from "../support/openapi.ts";
import { startProgram } from "../support/printing-process.ts";

const TOOLS = ".toolwright/tools";
const FILES = {
  [`${TOOLS}/greet.js`]: `export default { description: "Greets.", args: { name: { type: "string" } }, execute: ({ name }) => "Hello, " + name };`,
  [`${TOOLS}/slow.js`]: `export default { description: "Waits.", args: { ms: { type: "number" } }, async execute({ ms }, { metadata, abort }) {
    metadata({ title: "waiting" });
    await new Promise((done) => { setTimeout(done, ms); abort.addEventListener("abort", done); });
    return "waited";
  } };`,
  [`${TOOLS}/chooses.js`]: `/** @type {import("toolwright").ExtensionFactory} */
module.exports = (pi) => {
    pi.registerTool({
      name: "chooses", label: "Chooses", description: "Opens a dialog.", parameters: { type: "object", properties: {} },
      async execute(id, params, signal, update, ctx) {
        const color = await ctx.ui.select("Which color?", ["red", "blue"]);
        return { content: [{ type: "text", text: "chosen: " + color }] };
      },
    });
  };`,
};
const ALLOW = { permissions: [{ tool: "*", action: "allow" }] };

/** Resolves when a session has a question, to its id. */
async function question({ client }: SessionServer, id: string): Promise<string> {
  for (;;) {
    const [open] = (await client.sessions.get(id)).openQuestions;
    if (open !== undefined) return open;
    await sleep(20);
  }
}

const names = (events: readonly ApiSessionEvent[]): string[] => events.map(({ event }) => event);

describe("[S2] a session over HTTP", () => {
  it("is created, streams its turn, and goes on with the next message", async () => {
    const server = await openSessions(FILES, { settings: ALLOW });
    const { sessions } = server.client;
    const { id, ...rest } = await sessions.create({
      agent: "demo",
      prompt: 'say One moment\ncall greet {"name":"Ann"}\nsay Done',
      title: "Greeting",
      tools: ["greet"],
    });
    expect(rest).toEqual({});
    const events = await server.until(id, "completed");
    const durable = events.filter((event) => event.id !== undefined);
    expect(names(durable)).toEqual(["message", "message", "tool_use", "tool_result", "message", "completed"]);
    expect(dataOf(durable, "message").map(({ role, content }) => [role, content])).toEqual([
      ["user", [{ type: "text", text: 'say One moment\ncall greet {"name":"Ann"}\nsay Done' }]],
      ["assistant", [{ type: "text", text: "One moment" }]],
      ["assistant", [{ type: "text", text: "Done" }]],
    ]);
    const [use] = dataOf(durable, "tool_use");
    const [result] = dataOf(durable, "tool_result");
    expect(use).toMatchObject({ tool: "greet", input: { name: "Ann" }, agent: "demo" });
    expect(result).toMatchObject({
      callID: use?.callID,
      result: { ok: true, content: [{ type: "text", text: "Hello, Ann" }] },
    });
    expect(dataOf(durable, "completed")).toEqual([{ text: "Done", at: expect.any(Number) }]);
    const details = await sessions.get(id);
    expect(details).toMatchObject({ status: "idle", title: "Greeting", agent: "demo", tools: ["greet"], grants: [] });
    expect(details).not.toHaveProperty("permissionMode");

    const accepted = await sessions.send(id, "say Again");
    expect(accepted).toEqual({ position: details.position + 1 });
    const more = await server.until(id, "completed", details.position);
    expect(dataOf(more, "message").map(({ content }) => content)).toEqual([
      [{ type: "text", text: "say Again" }],
      [{ type: "text", text: "Again" }],
    ]);
  });

  it("streams deltas and updates without an id, and says what has been streamed to a reader that comes later", async () => {
    const server = await openSessions(FILES, { settings: ALLOW });
    const id = await server.begin("sleep 2000", "say First words", 'call slow {"ms":60000}');
    const first = await server.until(id, "tool_update");
    const live = first.filter((event) => event.id === undefined);
    expect(new Set(names(live))).toEqual(new Set(["message_delta", "tool_update"]));
    const later = await server.until(id, "partial");
    const [partial] = dataOf(later, "partial");
    expect(partial?.calls).toEqual([expect.objectContaining({ tool: "slow", title: "waiting" })]);
    expect(await server.client.sessions.cancel(id, { reason: "enough" })).toEqual({ cancelled: true });
    const rest = await server.until(id, "completed", later.findLast((event) => event.id !== undefined)?.id);
    expect(dataOf(rest, "completed")).toMatchObject([{ aborted: true }]);
    expect(await server.client.sessions.cancel(id)).toEqual({ cancelled: false });
  });

  it("goes on without readers, and two readers get the same events", async () => {
    const server = await openSessions(FILES, { settings: ALLOW });
    const id = await server.begin("sleep 100", "say Unseen");
    const stop = new AbortController();
    const reading = (async () => {
      for await (const { event } of server.client.sessions.events(id, { signal: stop.signal }))
        if (event === "message") stop.abort();
    })();
    await reading;
    const both = await Promise.all([server.until(id, "completed"), server.until(id, "completed")]);
    const durable = both.map((events) => events.filter((event) => event.id !== undefined));
    expect(durable[0]).toEqual(durable[1]);
    expect(dataOf(durable[0] ?? [], "completed")).toMatchObject([{ text: "Unseen" }]);
  });

  it("is neither sent a message nor removed while another process runs it", async () => {
    const server = await openSessions();
    const id = await server.begin("say x");
    await server.until(id, "completed");
    const file = join(server.at.env.TOOLWRIGHT_HOME ?? "", "sessions.db");
    const owner = startProgram("session-owner.ts", { file, project: server.at.project, session: id });
    await owner.until(() => true);
    const running = {
      status: 409,
      code: "conflict",
      message: `Session "${id}" is running. Wait until it ends, or cancel it first: toolwright sessions cancel ${id}`,
    };
    await expect(server.client.sessions.send(id, "say y")).rejects.toMatchObject(running);
    await expect(server.client.sessions.remove(id)).rejects.toMatchObject(running);
    expect(dataOf(await server.until(id, "partial"), "partial")).toMatchObject([{ messages: [{ text: "so far" }] }]);
    owner.signal("SIGKILL");
    await server.until(id, "interrupted");
    await server.client.sessions.send(id, "say z");
    expect((await server.client.sessions.get(id)).status).not.toBe("interrupted");
  }, 60_000);

  it("is refused a second message while a turn runs, and is not removed", async () => {
    const server = await openSessions(FILES, { settings: ALLOW });
    const id = await server.begin("sleep 60000");
    await expect(server.client.sessions.send(id, "say x")).rejects.toMatchObject({
      status: 409,
      code: "conflict",
      message: `A turn of the session "${id}" is running. Wait for its end, or cancel it: toolwright sessions cancel ${id}`,
    });
    await expect(server.client.sessions.remove(id)).rejects.toMatchObject({
      status: 409,
      message: `Session "${id}" is running. Wait until it ends, or cancel it first.`,
    });
    await server.client.sessions.cancel(id);
    await server.until(id, "completed");
    await server.client.sessions.remove(id);
    await expect(server.until(id, "completed")).rejects.toMatchObject({ status: 404 });
  });

  it("is asked to stop one call only if that runs", async () => {
    const server = await openSessions(FILES, { settings: ALLOW });
    const id = await server.begin('call slow {"ms":60000}', "say on");
    const [call] = dataOf(await server.until(id, "tool_use"), "tool_use");
    const { position } = await server.client.sessions.get(id);
    expect(await server.client.sessions.cancel(id, { callID: "another" })).toEqual({ cancelled: false });
    expect(await server.client.sessions.get(id)).toMatchObject({ status: "running", position });
    expect(await server.client.sessions.cancel(id, { callID: call?.callID ?? "" })).toEqual({ cancelled: true });
    const events = await server.until(id, "completed");
    expect(dataOf(events, "tool_result")).toMatchObject([{ result: { error: { code: "aborted" } } }]);
    expect(dataOf(events, "completed")).toMatchObject([{ text: "on" }]);
  });

  it("that does not name an agent has the one of the settings; a mode counts for its calls", async () => {
    const server = await openSessions(FILES, { settings: { agents: { default: "demo" } } });
    const { id } = await server.client.sessions.create({ prompt: 'call greet {"name":"Ann"}', permissionMode: "plan" });
    const events = await server.until(id, "completed");
    expect(dataOf(events, "tool_result")[0]?.result).toMatchObject({ ok: false, error: { code: "denied" } });
    expect(await server.client.sessions.get(id)).toMatchObject({ agent: "demo", permissionMode: "plan" });
    await expect(server.client.sessions.create({ prompt: "x", agent: "none" })).rejects.toMatchObject({ status: 400 });
  });

  it("[P3] has the mode that Claude Code calls bypassPermissions", async () => {
    const server = await openSessions(FILES);
    const { id } = await server.client.sessions.create({
      agent: "demo",
      prompt: 'call greet {"name":"Ann"}',
      permissionMode: "bypassPermissions",
    });
    const events = await server.until(id, "completed");
    expect(dataOf(events, "tool_result")[0]?.result).toMatchObject({ ok: true });
    expect(await server.client.sessions.get(id)).toMatchObject({ permissionMode: "bypass" });
  });

  it("[B14] has the built-in tools that its agent gets over HTTP, in every turn, unless tools are chosen", async () => {
    const lists = codeAgents({
      lister: {
        httpBuiltins: ["git-*"],
        turn: async function* ({ options }) {
          yield* saying(
            options.tools
              .list()
              .map(({ name }) => name)
              .join(" "),
          );
        },
      },
    });
    const server = await openSessions(FILES, { tools: { agents: lists, builtins: true } });
    const { sessions } = server.client;
    const text = async (id: string, after = 0): Promise<string | undefined> =>
      dataOf(await server.until(id, "completed", after), "completed")[0]?.text;
    const { id } = await sessions.create({ agent: "lister", prompt: "x" });
    const own = "chooses greet slow";
    expect(await text(id)).toBe(`chooses git-diff-summary git-status greet slow`);
    await server.toolbox.sessions.detach(id);
    const { position } = await sessions.send(id, "again");
    expect(await text(id, position)).toBe(`chooses git-diff-summary git-status greet slow`);
    const narrowed = await sessions.create({ agent: "lister", prompt: "x", tools: ["gree*", "workspace-info"] });
    expect(await text(narrowed.id)).toBe("greet workspace-info");
    expect((await server.toolbox.sessions.send("code", "x", { agent: "lister" }).result).text).toBe(own);
  });

  it("fails with the message of its agent, as an event", async () => {
    const server = await openSessions({}, { settings: { agents: { programs: { mine: ["/nonexistent/program"] } } } });
    const creating = server.client.sessions.create({ agent: "mine", prompt: "x" });
    const outcome = await creating.then(
      async ({ id }) => dataOf(await server.until(id, "error"), "error")[0]?.message,
      (error: Error) => error.message,
    );
    expect(outcome).toContain("/nonexistent/program");
  });
});

describe("[S2][P3] questions of a session", () => {
  it("are answered once, and a rule that is granted for the session can be taken back", async () => {
    const server = await openSessions(FILES);
    const { sessions } = server.client;
    const id = await server.begin('call greet {"name":"Ann"}', 'call greet {"name":"Bob"}');
    const asked = await question(server, id);
    expect((await sessions.get(id)).status).toBe("waiting");
    expect((await sessions.list({ status: "waiting" })).sessions.map((each) => each.id)).toEqual([id]);
    await expect(sessions.answer(id, asked, { allowed: "yes" } as never)).rejects.toMatchObject({
      status: 400,
      message: '"allowed" must be true or false.',
    });
    await sessions.answer(id, asked, { allowed: true, remember: "session" });
    await expect(sessions.answer(id, asked, { allowed: false })).rejects.toMatchObject({
      status: 409,
      message: "This question has been answered already. The first answer counts.",
    });
    const events = await server.until(id, "completed");
    expect(dataOf(events, "permission")).toMatchObject([{ questionID: asked, kind: "permission", tool: "greet" }]);
    expect(dataOf(events, "answer")).toMatchObject([{ questionID: asked, allowed: true, remember: "session" }]);
    expect(dataOf(events, "tool_result").map(({ result }) => result.ok)).toEqual([true, true]);

    const { grants, position } = await sessions.get(id);
    expect(grants).toEqual([{ tool: "greet", match: "undeclared", agent: "demo", action: "allow" }]);
    await sessions.removeGrant(id, grants[0] as (typeof grants)[number]);
    expect((await sessions.get(id)).grants).toEqual([]);
    await sessions.send(id, 'call greet {"name":"Cem"}');
    await sessions.answer(id, await question(server, id), { allowed: false, reason: "Not him." });
    const refused = dataOf(await server.until(id, "completed", position), "tool_result")[0]?.result;
    expect(refused).toMatchObject({
      ok: false,
      error: { code: "denied", message: expect.stringContaining("Not him.") },
    });
  });

  it("cannot be answered through another session", async () => {
    const server = await openSessions(FILES);
    const [first, second] = [await server.begin('call greet {"name":"Ann"}'), await server.begin("say x")];
    const asked = await question(server, first);
    await expect(server.client.sessions.answer(second, asked, { allowed: true })).rejects.toMatchObject({
      status: 404,
      message: "There is no open question with this id. List the open questions, and use the id of one of them.",
    });
    expect((await server.client.sessions.get(first)).openQuestions).toEqual([asked]);
    await server.client.sessions.answer(first, asked, { allowed: true });
    await server.until(first, "completed");
  });

  it("of a sub-agent are answered through the session that delegates, too", async () => {
    const server = await openSessions(FILES, {
      settings: { permissions: [{ tool: "task", action: "allow" }] },
      tools: { builtins: ["task"] },
    });
    const work = { description: "Greet", prompt: 'call greet {"name":"Ann"}', subagent_type: "general" };
    const id = await server.begin(`call task ${JSON.stringify(work)}`);
    const asked = await question(server, id);
    expect(await server.client.sessions.get(id)).toMatchObject({ status: "waiting" });
    const other = await server.begin("say x");
    const answer = (session: string) => server.client.sessions.answer(session, asked, { allowed: true });
    await expect(answer(other)).rejects.toMatchObject({ status: 404 });
    await answer(id);
    await expect(answer(id)).rejects.toMatchObject({
      status: 409,
      message: "This question has been answered already. The first answer counts.",
    });
    const events = await server.until(id, "completed");
    const [call] = dataOf(events, "tool_use");
    expect(dataOf(events, "permission")).toMatchObject([{ questionID: asked, callID: call?.callID, tool: "greet" }]);
    expect(dataOf(events, "answer")).toMatchObject([{ questionID: asked, allowed: true }]);
    await expect(answer(other)).rejects.toMatchObject({ status: 404 });
  });

  it("[B9] [P3] a sub-agent's session keeps its tools when a message or a branch continues it", async () => {
    const reader = { agent: "demo", tools: ["read"], description: "Reads." };
    const server = await openSessions(FILES, { settings: { subagents: { reader } }, tools: { builtins: ["task"] } });
    const { sessions } = server.client;
    const work = { description: "Greet", prompt: "say Hello", subagent_type: "reader" };
    const prompt = `call task ${JSON.stringify(work)}`;
    const { id } = await sessions.create({ agent: "demo", prompt, permissionMode: "bypass" });
    await server.until(id, "completed");
    const sub = (await sessions.list()).sessions.find(({ parent }) => parent?.sessionID === id)?.id ?? "";
    const branch = (await sessions.branch(sub)).id;
    for (const session of [sub, branch]) {
      const { position } = await sessions.get(session);
      await sessions.send(session, 'call greet {"name":"Ann"}');
      const events = await server.until(session, "completed", position);
      expect(JSON.stringify(events)).toContain("is not one of your tools");
    }
  });

  it("include the dialogs of tool files", async () => {
    const server = await openSessions(FILES, { settings: ALLOW });
    const id = await server.begin("call chooses");
    const asked = await question(server, id);
    await expect(server.client.sessions.answer(id, asked, { allowed: true, value: "green" })).rejects.toMatchObject({
      status: 400,
      message: '"value" must be one of the options: "red", "blue".',
    });
    await server.client.sessions.answer(id, asked, { allowed: true, value: "blue" });
    const events = await server.until(id, "completed");
    expect(dataOf(events, "permission")).toMatchObject([
      { kind: "dialog", method: "select", options: ["red", "blue"] },
    ]);
    expect(dataOf(events, "tool_result")[0]?.result.content).toEqual([{ type: "text", text: "chosen: blue" }]);
  });

  it("are withdrawn when the turn is cancelled", async () => {
    const server = await openSessions(FILES);
    const id = await server.begin('call greet {"name":"Ann"}');
    const asked = await question(server, id);
    await server.client.sessions.cancel(id);
    const events = await server.until(id, "completed");
    expect(dataOf(events, "answer")).toMatchObject([{ questionID: asked, allowed: false, withdrawn: true }]);
    await expect(server.client.sessions.answer(id, asked, { allowed: true })).rejects.toMatchObject({
      status: 409,
      message: "This question is no longer open: its call has ended, or another answer has allowed it.",
    });
  });
});

describe("[S2] sessions", () => {
  it("are listed in pages, by status and by search, without those of other projects", async () => {
    const server = await openSessions();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift(await server.begin(`say number ${n}`));
    for (const id of ids) await server.until(id, "completed");
    const { sessions } = server.client;
    const first = await sessions.list({ limit: 3 });
    const second = await sessions.list({ limit: 3, cursor: first.next as string });
    expect([first.sessions.length, second.sessions.length, second.next]).toEqual([3, 2, undefined]);
    expect(new Set([...first.sessions, ...second.sessions].map(({ id }) => id))).toEqual(new Set(ids));
    expect((await sessions.list({ search: "NUMBER 3" })).sessions).toMatchObject([{ title: "say number 3" }]);
    expect((await sessions.list({ status: "running" })).sessions).toEqual([]);
    expect(first.sessions[0]).not.toHaveProperty("project");
  });

  it("are branched, and the branch goes on by itself", async () => {
    const server = await openSessions();
    const { sessions } = server.client;
    const id = await server.begin("say One");
    const { id: end } = (await server.until(id, "completed")).at(-1) ?? {};
    await sessions.send(id, "say Two");
    await server.until(id, "completed", end);
    const branch = await sessions.branch(id, end === undefined ? {} : { at: end });
    expect(await sessions.get(branch.id)).toMatchObject({ branchOf: { sessionID: id, position: end }, status: "idle" });
    await sessions.send(branch.id, "say Three");
    const events = await server.until(branch.id, "completed", end);
    expect(dataOf(events, "completed")).toMatchObject([{ text: "Three" }]);
    expect(dataOf(await server.until(branch.id, "completed"), "completed")).toMatchObject([{ text: "One" }]);
    expect((await sessions.get(id)).position).toBeLessThan((await sessions.get(branch.id)).position + 1);
  });

  it("are exported as a file", async () => {
    const server = await openSessions();
    const id = await server.begin("say <b>bold</b>");
    await server.until(id, "completed");
    const { position } = await server.client.sessions.get(id);
    const lines = (await server.client.sessions.export(id)).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).position)).toEqual(Array.from({ length: position }, (_, n) => n + 1));
    const response = await server.ask(`/api/sessions/${id}/export?format=markdown`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-disposition": `attachment; filename="session-${id}.md"`,
      "content-type": "text/markdown; charset=utf-8",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
    const markdown = await response.text();
    expect(markdown).toContain(`- **Session:** ${id}`);
    expect(markdown).not.toContain("<b>");
  });

  it("wait in a queue with a place, which readers see", async () => {
    const server = await openSessions(FILES, { settings: { agents: { maxTurns: 1 } }, limits: { queuedTurns: 2 } });
    const { sessions } = server.client;
    const running = await server.begin("sleep 60000");
    const second = await sessions.create({ agent: "demo", prompt: "say Two" });
    const third = await sessions.create({ agent: "demo", prompt: "say Three" });
    expect([second.queuePosition, third.queuePosition]).toEqual([1, 2]);
    expect(await sessions.get(third.id)).toMatchObject({ status: "running", queuePosition: 2 });
    expect(dataOf(await server.until(third.id, "queued"), "queued")).toEqual([{ position: 2 }]);
    await expect(sessions.create({ agent: "demo", prompt: "say Four" })).rejects.toMatchObject({
      status: 503,
      code: "busy",
      message: "2 messages wait for their turn, which is the limit. Try again when one has ended.",
    });
    const reading = server.until(third.id, "completed");
    await untilReaders(1, server.url);
    const metrics = await (await server.ask("/metrics")).text();
    expect(metrics.match(/^toolwright_(?:turns|session_readers).*/gm)).toEqual([
      'toolwright_turns{state="running"} 1',
      'toolwright_turns{state="waiting"} 2',
      "toolwright_session_readers 1",
    ]);
    await sessions.cancel(second.id);
    expect(dataOf(await server.until(second.id, "completed"), "completed")).toMatchObject([{ aborted: true }]);
    await sessions.cancel(running);
    expect(dataOf(await reading, "queued").map(({ position }) => position)).toEqual([2, 1, 0]);
    expect(dataOf(await reading, "completed")).toMatchObject([{ text: "Three" }]);
  });
  it("wait in a queue that does not grow beyond its limit, however many are created at once", async () => {
    const server = await openSessions(FILES, { settings: { agents: { maxTurns: 1 } }, limits: { queuedTurns: 2 } });
    const creating = Array.from({ length: 20 }, () => server.begin("sleep 60000"));
    const refused = (await Promise.allSettled(creating)).filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(17);
    expect(refused).toContainEqual({ status: "rejected", reason: expect.objectContaining({ code: "busy" }) });
    const { sessions } = await server.client.sessions.list();
    expect(sessions.map(({ queuePosition = 0 }) => queuePosition).toSorted()).toEqual([0, 1, 2]);
  });
});

it("[S1][S2] the OpenAPI document describes every response of sessions", async () => {
  const server = await openSessions(FILES, { settings: { agents: { maxTurns: 1 } } });
  const check = await answersOf(server);
  const blocking = await server.begin("sleep 60000");
  const created = await server.post("/api/sessions", {
    agent: "demo",
    prompt: 'call greet {"name":"Ann"}',
    tools: ["g*"],
  });
  const { id } = (await created.clone().json()) as { id: string };
  const at = `/api/sessions/${id}`;
  await check("/api/sessions", "post", created);
  await check("/api/sessions", "post", await server.post("/api/sessions", {}));
  await check("/api/sessions", "get", await server.ask("/api/sessions?limit=1"));
  await check("/api/sessions", "get", await server.ask("/api/sessions?limit=x"));
  await check("/api/sessions/{id}", "get", await server.ask(at));
  await check("/api/sessions/{id}", "get", await server.ask("/api/sessions/none"));
  await check("/api/sessions/{id}/messages", "post", await server.post(`${at}/messages`, { prompt: "say x" }));
  await check("/api/sessions/{id}", "delete", await server.ask(at, { method: "DELETE" }));
  await check("/api/sessions/{id}/cancel", "post", await server.post(`/api/sessions/${blocking}/cancel`, {}));
  const questionPath = `${at}/questions/${await question(server, id)}`;
  const answer = (): Promise<Response> => server.post(questionPath, { allowed: true, remember: "session" });
  await check("/api/sessions/{id}/questions/{question}", "post", await server.post(questionPath, {}));
  await check("/api/sessions/{id}/questions/{question}", "post", await answer());
  await check("/api/sessions/{id}/questions/{question}", "post", await answer());
  await server.until(id, "completed");
  await check("/api/sessions/{id}", "get", await server.ask(at));
  const { grants } = await server.client.sessions.get(id);
  await check("/api/sessions/{id}/grants/remove", "post", await server.post(`${at}/grants/remove`, grants[0]));
  await check("/api/sessions/{id}/grants/remove", "post", await server.post(`${at}/grants/remove`, grants[0]));
  const branched = await server.ask(`${at}/branch`, { method: "POST" });
  await check("/api/sessions/{id}/branch", "post", branched.clone());
  const branch = `/api/sessions/${((await branched.json()) as { id: string }).id}`;
  await check("/api/sessions/{id}/branch", "post", await server.post(`${branch}/branch`, { at: 99 }));
  await check("/api/sessions/{id}", "get", await server.ask(branch));
  await check("/api/sessions/{id}/export", "get", await server.ask("/api/sessions/none/export"));
  await check("/api/sessions/{id}/events", "get", await server.ask(`${at}/events?after=999`));
  await check("/api/sessions/{id}/messages", "post", await server.post(`${at}/messages`, { prompt: "say x" }));
  await server.until(id, "completed", (await server.client.sessions.get(id)).position - 3);
  await check("/api/sessions/{id}", "delete", await server.ask(branch, { method: "DELETE" }));
});
