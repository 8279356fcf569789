import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSessions, type SessionServer } from "../support/http-sessions.ts";

/** The status and the message of a response. */
async function answered(response: Promise<Response>): Promise<[number, string]> {
  const { status, ...rest } = await response.then(async (each) => ({ status: each.status, body: await each.json() }));
  return [status, (rest.body as { error?: { message: string } }).error?.message ?? JSON.stringify(rest.body)];
}

type Row = readonly [body: unknown, status: number, message: string];

async function expectRows(server: SessionServer, path: string, rows: readonly Row[]): Promise<void> {
  for (const [body, status, message] of rows) {
    expect([JSON.stringify(body)?.slice(0, 100), ...(await answered(server.post(path, body)))]).toEqual([
      JSON.stringify(body)?.slice(0, 100),
      status,
      message,
    ]);
  }
}

const NEW_FIELDS = "Fields: prompt, agent, model, cwd, permissionMode, tools, title.";
const SHORT = "must be a string of 1 to 200 characters, without control characters.";
const TOOLS = 'must be a list of at most 1000 names of tools, such as ["read", "grep*"].';
const MODES = '"permissionMode" must be one of "default", "acceptEdits", "plan", "bypass", "bypassPermissions".';

describe("[S2][X1] POST /api/sessions refuses", () => {
  it("wrong bodies, and creates no session", async () => {
    const server = await openSessions({}, { limits: { promptBytes: 1_000 } });
    const good = { prompt: "say x", agent: "demo" };
    const object = 'The body must be an object: { "prompt": "…", "agent": "NAME" }.';
    const known = "claude, copilot, codex, demo, gemini, goose, opencode, langchain, pi";
    await expectRows(server, "/api/sessions", [
      [[], 400, object],
      ["text", 400, object],
      [null, 400, object],
      [{}, 400, '"prompt" is missing. Send { "prompt": "…", "agent": "NAME" }.'],
      [{ ...good, prompt: undefined }, 400, '"prompt" is missing. Send { "prompt": "…", "agent": "NAME" }.'],
      [{ ...good, prompt: 1 }, 400, '"prompt" must be a string.'],
      [{ ...good, prompt: ["x"] }, 400, '"prompt" must be a string.'],
      [{ ...good, prompt: "" }, 400, '"prompt" is empty. Write what the agent should do.'],
      [{ ...good, prompt: " \n\t" }, 400, '"prompt" is empty. Write what the agent should do.'],
      [
        { ...good, prompt: "ä".repeat(501) },
        413,
        "The prompt has 1002 bytes, and the limit is 1000. Write the text to a file of the project, and name the file in the prompt.",
      ],
      [{ ...good, promt: "x" }, 400, `There is no field "promt". ${NEW_FIELDS}`],
      [{ ...good, toString: "x" }, 400, `There is no field "toString". ${NEW_FIELDS}`],
      [{ ...good, id: "mine" }, 400, `There is no field "id". ${NEW_FIELDS}`],
      [{ ...good, agent: 1 }, 400, `"agent" ${SHORT}`],
      [{ ...good, agent: "" }, 400, `"agent" ${SHORT}`],
      [{ ...good, agent: "x".repeat(201) }, 400, `"agent" ${SHORT}`],
      [
        { ...good, agent: "dmo" },
        400,
        `There is no agent "dmo". Did you mean "demo"? Known agents: ${known}. To use another one that speaks the Agent Client Protocol, set its command: "agents": { "programs": { "dmo": ["PROGRAM", "ARGUMENT"] } } in your settings.`,
      ],
      [
        { prompt: "x" },
        400,
        'No agent is named. Name one (--agent, or the option "agent"), or set "agents": { "default": "NAME" } in your settings.',
      ],
      [{ ...good, model: {} }, 400, `"model" ${SHORT}`],
      [{ ...good, title: "two\nlines" }, 400, `"title" ${SHORT}`],
      [{ ...good, permissionMode: "yolo" }, 400, MODES],
      [{ ...good, permissionMode: null }, 400, MODES],
      [{ ...good, permissionMode: ["plan"] }, 400, MODES],
      [{ ...good, tools: "read" }, 400, `"tools" ${TOOLS}`],
      [{ ...good, tools: [1] }, 400, `"tools" ${TOOLS}`],
      [{ ...good, tools: [""] }, 400, `"tools" ${TOOLS}`],
      [{ ...good, tools: new Array(1_001).fill("x") }, 400, `"tools" ${TOOLS}`],
    ]);
    const { status, json } = await server
      .post("/api/sessions", { ...good, agent: "claude" })
      .then(async (each) => ({ status: each.status, json: (await each.json()) as { error: { message: string } } }));
    expect([status, json.error.message]).toEqual([400, expect.stringContaining("npm install")]);
    expect((await server.client.sessions.list()).sessions).toEqual([]);
  });

  it("bodies that are not JSON, or too large", async () => {
    const server = await openSessions();
    const send = (body: string, type = "application/json"): Promise<[number, string]> =>
      answered(server.ask("/api/sessions", { method: "POST", body, headers: { "content-type": type } }));
    expect(await send("{")).toEqual([400, "The body is not valid JSON. Send one JSON object."]);
    expect(await send('{"__proto__":{}}')).toEqual([400, 'The key "__proto__" is not allowed. Remove it.']);
    expect(await send("prompt=x", "application/x-www-form-urlencoded")).toEqual([
      415,
      'Send the body as JSON, with "Content-Type: application/json".',
    ]);
    expect(await send(JSON.stringify({ prompt: "x".repeat(5_000_000), agent: "demo" }))).toEqual([
      413,
      "The body is larger than 4000000 bytes, the limit. Send less.",
    ]);
    expect((await send(JSON.stringify({ prompt: "x".repeat(1_000_001), agent: "demo" })))[0]).toBe(413);
  });

  it("directories outside of the project", async () => {
    const server = await openSessions();
    const { project, root } = server.at;
    mkdirSync(join(root, "project-two"));
    mkdirSync(join(root, "other"));
    mkdirSync(join(project, "packages", "a"), { recursive: true });
    writeFileSync(join(project, "file.txt"), "");
    symlinkSync(join(root, "other"), join(project, "out"));
    symlinkSync("..", join(project, "up"));
    symlinkSync("self", join(project, "self"));
    symlinkSync(join(project, "packages"), join(project, "in"));
    const inside = `"cwd" must be a directory of the served project: ${JSON.stringify(project)}, or one in it.`;
    const absolute = `"cwd" must be an absolute path, such as ${JSON.stringify(project)}.`;
    const refused: [string | number | null, string][] = [
      [root, inside],
      ["/", inside],
      [join(root, "project-two"), inside],
      [`${project}/../other`, inside],
      [`${project}/packages/../../project-two`, inside],
      [join(project, "out"), inside],
      [join(project, "up"), inside],
      [`${project}/up/other`, inside],
      [join(project, "self"), inside],
      [join(project, "missing"), inside],
      ["/missing", inside],
      ["/etc", inside],
      [join(project, "file.txt"), '"cwd" must be a directory, and this is a file.'],
      [`${project}/file.txt/x`, inside],
      [`${project}\0`, '"cwd" must not contain a NUL character.'],
      [".", absolute],
      ["packages", absolute],
      ["../other", absolute],
      ["~", absolute],
      [`file://${project}`, absolute],
      ["", '"cwd" must be an absolute path.'],
      [1, '"cwd" must be an absolute path.'],
      [null, '"cwd" must be an absolute path.'],
    ];
    await expectRows(
      server,
      "/api/sessions",
      refused.map(([cwd, message]) => [{ prompt: "say x", agent: "demo", cwd }, 400, message] as const),
    );
    expect((await server.client.sessions.list()).sessions).toEqual([]);
    const allowed: [string | undefined, string][] = [
      [undefined, project],
      [project, project],
      [`${project}/`, project],
      [`${project}/packages/../packages/a`, join(project, "packages", "a")],
      [`${project}/in/a`, join(project, "packages", "a")],
    ];
    for (const [cwd, directory] of allowed) {
      const { id } = await server.client.sessions.create({
        prompt: "say x",
        agent: "demo",
        ...(cwd === undefined ? {} : { cwd }),
      });
      expect((await server.client.sessions.get(id)).directory).toBe(directory);
      await server.until(id, "completed");
    }
  });
});

describe("[S2][X1] requests about a session refuse", () => {
  it("unknown sessions, with every method and path", async () => {
    const server = await openSessions();
    const missing = (id: string): [number, string] => [
      404,
      `There is no session ${JSON.stringify(id)} in this project. GET /api/sessions lists the sessions.`,
    ];
    for (const id of ["nothing", "default", "%2e%2e%2fx", "../x", "a\u0000b", "x".repeat(201), "é", "%"]) {
      const at = `/api/sessions/${encodeURIComponent(id)}`;
      const rule = { tool: "x", action: "allow" };
      expect(await answered(server.ask(at))).toEqual(missing(id));
      expect(await answered(server.ask(`${at}/events`))).toEqual(missing(id));
      expect(await answered(server.ask(`${at}/export`))).toEqual(missing(id));
      expect(await answered(server.ask(at, { method: "DELETE" }))).toEqual(missing(id));
      expect(await answered(server.post(`${at}/messages`, { prompt: "x" }))).toEqual(missing(id));
      expect(await answered(server.post(`${at}/cancel`, {}))).toEqual(missing(id));
      expect(await answered(server.post(`${at}/branch`, {}))).toEqual(missing(id));
      expect(await answered(server.post(`${at}/questions/x`, { allowed: true }))).toEqual(missing(id));
      expect(await answered(server.post(`${at}/grants/remove`, rule))).toEqual(missing(id));
    }
    expect((await server.client.sessions.list()).sessions).toEqual([]);
  });

  it("nothing because of an unusual id", async () => {
    const server = await openSessions();
    const { sessions } = server.client;
    for (const id of ["a/b", "a?b=c#d", "%2F", "é ü", "-x", "events", "a\u202eb", "..%2f"]) {
      await server.toolbox.sessions.open(id);
      expect(await sessions.get(id)).toMatchObject({ id, status: "idle" });
      expect(await sessions.cancel(id)).toEqual({ cancelled: false });
      expect(await sessions.export(id)).toContain('"type":"session.start"');
      const branch = await sessions.branch(id);
      expect((await sessions.get(branch.id)).branchOf).toEqual({ sessionID: id, position: 1 });
      await sessions.remove(id);
      await expect(sessions.get(id)).rejects.toMatchObject({ status: 404 });
    }
  });

  it("wrong bodies", async () => {
    const server = await openSessions({}, { limits: { promptBytes: 1_000 } });
    const id = await server.begin("say x");
    await server.until(id, "completed");
    const last = (await server.client.sessions.get(id)).position;
    const at = `/api/sessions/${id}`;
    await expectRows(server, `${at}/messages`, [
      [[], 400, 'The body must be an object: { "prompt": "…" }.'],
      [{}, 400, '"prompt" is missing. Send { "prompt": "…" }.'],
      [{ prompt: "" }, 400, '"prompt" is empty. Write what the agent should do.'],
      [{ prompt: false }, 400, '"prompt" must be a string.'],
      [{ prompt: "x", agent: "demo" }, 400, 'There is no field "agent". Fields: prompt.'],
      [
        { prompt: "x".repeat(1_001) },
        413,
        "The prompt has 1001 bytes, and the limit is 1000. Write the text to a file of the project, and name the file in the prompt.",
      ],
    ]);
    const positions = '"at" must be the position of an event: a number from 1.';
    await expectRows(server, `${at}/branch`, [
      [[], 400, 'The body must be an object: { "at": 12 }.'],
      [{ at: 0 }, 400, positions],
      [{ at: -1 }, 400, positions],
      [{ at: 1.5 }, 400, positions],
      [{ at: "1" }, 400, positions],
      [{ at: 99 }, 400, `Session "${id}" has no position 99: its last event is at ${last}.`],
      [{ position: 1 }, 400, 'There is no field "position". Fields: at.'],
    ]);
    await expectRows(server, `${at}/cancel`, [
      [[], 400, "The body must be an object: {}."],
      [{ callID: 1 }, 400, `"callID" ${SHORT}`],
      [{ why: "x" }, 400, 'There is no field "why". Fields: callID, reason.'],
    ]);
    const rule = '{ "tool": "NAME", "action": "allow" }, one of the grants of the session.';
    await expectRows(server, `${at}/grants/remove`, [
      [[], 400, `The body must be an object: ${rule}`],
      [{ tool: "x" }, 400, `"action" is missing. Send ${rule}`],
      [{ action: "allow" }, 400, `"tool" is missing. Send ${rule}`],
      [{ tool: 1, action: "allow" }, 400, '"tool" must be a string.'],
      [{ tool: "x", action: "yes" }, 400, '"action" must be one of "allow", "ask", "deny".'],
      [{ tool: "x", action: "allow", more: 1 }, 400, 'There is no field "more". Fields: tool, match, agent, action.'],
      [
        { tool: "x", action: "allow" },
        404,
        "This rule is not granted for the session. GET the session: its grants are listed there.",
      ],
    ]);
    const noQuestion =
      "There is no open question with this id. List the open questions, and use the id of one of them.";
    await expectRows(server, `${at}/questions/nothing`, [[{ allowed: true }, 404, noQuestion]]);
    expect((await server.client.sessions.get(id)).position).toBe(last);
  });

  it("wrong queries and headers", async () => {
    const server = await openSessions();
    const id = await server.begin("say x");
    await server.until(id, "completed");
    const last = (await server.client.sessions.get(id)).position;
    const limit = 'The query parameter "limit" must be a whole number from 1 to 200.';
    const statuses = '"idle", "running", "waiting", "error", "interrupted"';
    const position = "must be a position: the id of an event, or 0 for all.";
    const beyond = (after: number): string =>
      `The session has no event ${after}: its last one is ${last}. Send the id of the last event that you received, or 0 for all.`;
    const rows: [path: string, message: string, headers?: Record<string, string>][] = [
      ["?limit=0", limit],
      ["?limit=201", limit],
      ["?limit=-1", limit],
      ["?limit=1e2", limit],
      ["?limit=", limit],
      ["?limit=1&limit=2", 'The query parameter "limit" is given more than once. Give it once.'],
      ["?status=done", `The query parameter "status" must be one of ${statuses}.`],
      ["?status=", `The query parameter "status" must be one of ${statuses}.`],
      ["?cursor=x", 'The cursor of a list must be the "next" of an earlier page.'],
      ["?cursor=", 'The cursor of a list must be the "next" of an earlier page.'],
      [`?cursor=${"x".repeat(12_000)}`, 'The query parameter "cursor" must be the "next" of the page before.'],
      [`?search=${"x".repeat(201)}`, 'The query parameter "search" must have at most 200 characters.'],
      ["?allProjects=true", 'There is no query parameter "allProjects". Parameters: cursor, limit, status, search.'],
      [`/${id}/export?format=pdf`, 'The query parameter "format" must be one of "jsonl", "markdown".'],
      [`/${id}/export?fromat=jsonl`, 'There is no query parameter "fromat". Parameters: format.'],
      [`/${id}/events?after=-1`, `The query parameter "after" ${position}`],
      [`/${id}/events?after=`, `The query parameter "after" ${position}`],
      [`/${id}/events?after=1.5`, `The query parameter "after" ${position}`],
      [`/${id}/events?after=01`, `The query parameter "after" ${position}`],
      [`/${id}/events?after=99999999999999999999`, `The query parameter "after" ${position}`],
      [`/${id}/events?after=${last + 1}`, beyond(last + 1)],
      [`/${id}/events?from=1`, 'There is no query parameter "from". Parameters: after.'],
      [`/${id}/events`, `The header "Last-Event-ID" ${position}`, { "last-event-id": "x" }],
      [`/${id}/events`, `The header "Last-Event-ID" ${position}`, { "last-event-id": "1, 2" }],
      [`/${id}/events?after=1`, beyond(99), { "last-event-id": "99" }],
    ];
    for (const [path, message, headers = {}] of rows) {
      const answer = await answered(server.ask(`/api/sessions${path}`, { headers }));
      expect([path.slice(0, 60), ...answer]).toEqual([path.slice(0, 60), 400, message]);
    }
    const head = await server.ask(`/api/sessions/${id}/events`, { method: "HEAD" });
    expect([head.status, head.headers.get("allow")]).toEqual([405, "GET"]);
    expect((await server.ask(`/api/sessions/${id}/export`, { method: "HEAD" })).status).toBe(200);
  });
});

it("[S4] nothing of a session can be read or changed without the token", async () => {
  const server = await openSessions();
  const id = await server.begin("say secret");
  await server.until(id, "completed");
  const at = `/api/sessions/${id}`;
  const requests: [string, string, string?][] = [
    ["GET", "/api/sessions"],
    ["POST", "/api/sessions", '{"prompt":"x","agent":"demo"}'],
    ["GET", at],
    ["HEAD", at],
    ["DELETE", at],
    ["GET", `${at}/events`],
    ["GET", `${at}/export`],
    ["POST", `${at}/messages`, '{"prompt":"x"}'],
    ["POST", `${at}/cancel`, "{}"],
    ["POST", `${at}/branch`, "{}"],
    ["POST", `${at}/questions/x`, '{"allowed":true}'],
    ["POST", `${at}/grants/remove`, '{"tool":"x","action":"allow"}'],
  ];
  for (const [method, path, body] of requests) {
    for (const authorization of ["", "Bearer wrong-token-for-tests", "Basic eDp5"]) {
      const headers = { "content-type": "application/json", ...(authorization === "" ? {} : { authorization }) };
      const response = await fetch(`${server.url}${path}`, { method, headers, ...(body ? { body } : {}) });
      expect([method, path, response.status]).toEqual([method, path, 401]);
      expect(await response.text()).not.toContain("secret");
    }
    const foreign = await server.ask(path, {
      method,
      headers: { origin: "http://evil.example", "content-type": "application/json" },
      ...(body ? { body } : {}),
    });
    expect([method, path, foreign.status]).toEqual([method, path, 403]);
  }
  expect((await server.client.sessions.list()).sessions).toHaveLength(1);
});

it("[S2][X1] a database that cannot be used is said in every response, and tools go on", async () => {
  const tool = `export default { description: "x", execute: () => "ran" };`;
  const server = await openSessions({ ".toolwright/tools/plain.js": tool });
  writeFileSync(join(server.at.env.TOOLWRIGHT_HOME ?? "", "sessions.db"), "not a database ".repeat(1_000));
  const at = "/api/sessions/x";
  const answers = [
    await answered(server.ask("/api/sessions")),
    await answered(server.post("/api/sessions", { agent: "demo", prompt: "say x" })),
    await answered(server.ask(at)),
    await answered(server.ask(`${at}/events`)),
    await answered(server.ask(`${at}/export`)),
    await answered(server.ask(at, { method: "DELETE" })),
    await answered(server.post(`${at}/messages`, { prompt: "x" })),
  ];
  for (const [status, message] of answers) {
    expect([status, message]).toEqual([503, expect.stringContaining("sessions.db")]);
  }
  expect(await (await server.post("/api/tools/plain/run", {})).json()).toMatchObject({ ok: true, output: "ran" });
});
