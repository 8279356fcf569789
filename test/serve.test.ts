import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { VERSION } from "../src/core/version.ts";
import type { ToolContext, ToolEvent } from "../src/index.ts";
import { createClient, RequestRefused } from "../src/surfaces/http/client/index.ts";
import { eventsIn, openServer, type ServerOptions, type TestServer, TOKEN } from "./support/http-server.ts";
import { exchange, head, socketTo } from "./support/http-socket.ts";
import { answersOf } from "./support/openapi.ts";
import { hosts } from "./support/processes.ts";
import { answering } from "./support/toolbox.ts";

const TOOLS = ".toolwright/tools";

const SLOW = `export default {
  description: "Works for a while, and stops when told.",
  args: { ms: { type: "number" } },
  execute: ({ ms }, { abort, metadata }) => new Promise((resolve, reject) => {
    metadata({ title: "Working", metadata: { output: "begun" } });
    const timer = setTimeout(() => resolve("done"), ms);
    abort.addEventListener("abort", () => { clearTimeout(timer); reject(abort.reason); });
  }),
};`;

const PLUGIN = JSON.stringify({
  name: "my-tools",
  version: "1.0.0",
  tools: [
    {
      name: "say",
      description: "Says something",
      inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      handler: { type: "shell", command: "echo {{text}}" },
    },
  ],
});

const FILES = {
  [`${TOOLS}/greet.js`]: `export default { description: "Greets.", args: { name: { type: "string" } }, execute: ({ name }) => "Hello, " + name + "!" };`,
  [`${TOOLS}/slow.js`]: SLOW,
  [`${TOOLS}/fails.js`]: `export default { description: "Throws.", execute() { throw new Error("No database today."); } };`,
  [`${TOOLS}/mine.json`]: PLUGIN,
};

/** The same tools as values, in the process of the server. */
const IN_CODE = {
  greet: {
    description: "Greets.",
    args: { name: { type: "string" } },
    execute: ({ name }: { name: string }) => `Hello, ${name}!`,
  },
  slow: {
    description: "Works for a while, and stops when told.",
    args: { ms: { type: "number" } },
    execute: ({ ms }: { ms: number }, { abort, metadata }: ToolContext) =>
      new Promise((resolve, reject) => {
        metadata({ title: "Working", metadata: { output: "begun" } });
        const timer = setTimeout(() => resolve("done"), ms);
        abort.addEventListener("abort", () => {
          clearTimeout(timer);
          reject(abort.reason);
        });
      }),
  },
  fails: {
    description: "Throws.",
    execute: () => {
      throw new Error("No database today.");
    },
  },
};

const inCode = (options: ServerOptions = {}): Promise<TestServer> =>
  openServer({}, { ...options, tools: { tools: IN_CODE } });

const GREET = {
  name: "greet",
  description: "Greets.",
  source: "custom",
  inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};

describe("GET /api/tools", () => {
  it("[S1] lists the tools that can be called, with a count per source", async () => {
    const { ask } = await openServer(FILES, { settings: { tools: { disabled: ["fails"] } } });
    const response = await ask("/api/tools");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({
      tools: [
        GREET,
        {
          name: "say",
          description: "Says something",
          source: "plugin",
          pluginName: "my-tools",
          inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
        },
        expect.objectContaining({ name: "slow", source: "custom" }),
      ],
      counts: { total: 3, builtin: 0, custom: 2, plugin: 1, mcp: 0 },
    });
  });

  it("[S1][B14] includes all built-in tools", async () => {
    const { ask } = await openServer({}, { tools: { builtins: true } });
    const { tools, counts } = (await (await ask("/api/tools")).json()) as {
      tools: { name: string; source: string }[];
      counts: Record<string, number>;
    };
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["bash", "git-status", "read", "webfetch"]));
    expect(counts).toEqual({ total: tools.length, builtin: tools.length, custom: 0, plugin: 0, mcp: 0 });
  });

  it("[S1] returns one tool by its name", async () => {
    const { ask } = await openServer(FILES);
    expect(await (await ask("/api/tools/greet")).json()).toEqual(GREET);
  });

  it.each([
    ["gret", 'There is no tool "gret". Did you mean "greet"?'],
    ["entirely-different", 'There is no tool "entirely-different". List the tools to see all names.'],
    ["fails", '"fails" is disabled. To use it, take it out of "tools.disabled" in the settings.'],
  ])("[S1] responds 404 for %s with a hint", async (name, message) => {
    const { ask } = await openServer(FILES, { settings: { tools: { disabled: ["fails"] } } });
    const response = await ask(`/api/tools/${name}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: { code: "not_found", message } });
  });
});

describe("a tool that is not served", () => {
  it("[S1][D7] of an untrusted project: 403 with the command that trusts it, as for a call", async () => {
    const { ask, post, at } = await openServer(FILES, { tools: { trust: false } });
    const fix = `To allow its tools, run: toolwright trust --cwd ${at.project}`;
    const known = `"greet" belongs to a project that is not trusted. ${fix}`;
    const unknown = `There is no tool "else". This project is not trusted and may define it. ${fix}`;
    for (const [name, message] of [
      ["greet", known],
      ["else", unknown],
    ]) {
      const got = await ask(`/api/tools/${name}`);
      expect([got.status, await got.json()]).toEqual([403, { error: { code: "denied", message } }]);
      const called = await post(`/api/tools/${name}/run`, {});
      expect([called.status, await called.json()]).toMatchObject([
        403,
        { ok: false, error: { code: "denied", message } },
      ]);
    }
    expect(await (await ask("/api/tools")).json()).toMatchObject({ tools: [], counts: { total: 0 } });
  });

  it("[S1][D5] of a broken file: 404 with its problem, as for a call", async () => {
    const { ask, post, at } = await openServer({ [`${TOOLS}/broken.js`]: "export default {\n" });
    const message = expect.stringMatching(/^"broken" cannot be used. .*broken\.js:2:1: .* Correct it and save\.$/);
    const got = await ask("/api/tools/broken");
    expect([got.status, await got.json()]).toEqual([404, { error: { code: "not_found", message } }]);
    const called = await post("/api/tools/broken/run", {});
    expect([called.status, await called.json()]).toMatchObject([404, { error: { code: "unknown_tool", message } }]);
    expect(at.tools).toContain(TOOLS);
  });
});

describe("POST /api/tools/reload", () => {
  it("[S1][D6] finds new tools, and lists them from then on", async () => {
    const { ask, at } = await openServer(FILES);
    await ask("/api/tools");
    writeFileSync(join(at.tools, "later.js"), answering('"later"'));
    const response = await ask("/api/tools/reload", { method: "POST" });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ success: true, toolCount: 5, errors: [] });
    expect((await ask("/api/tools/later")).status).toBe(200);
    expect(await (await ask("/api/tools")).json()).toMatchObject({ counts: { total: 5 } });
  });

  it("[S1] reports problems, and then responds with a failure", async () => {
    const { ask, at } = await openServer(FILES);
    writeFileSync(join(at.tools, "broken.js"), "export default {");
    const bad = JSON.parse(PLUGIN);
    bad.tools.push({ ...bad.tools[0], name: "no-handler", handler: { type: "teleport" } });
    writeFileSync(join(at.tools, "mine.json"), JSON.stringify(bad));
    const answer = (await (await ask("/api/tools/reload", { method: "POST" })).json()) as Record<string, unknown>;
    expect(answer).toEqual({
      success: false,
      toolCount: 4,
      errors: expect.arrayContaining([
        { source: join(at.tools, "broken.js"), message: expect.stringContaining("Correct it and save.") },
        { source: join(at.tools, "mine.json"), toolName: "no-handler", message: expect.stringContaining("teleport") },
      ]),
    });
  });
});

describe("POST /api/tools/:name/run", () => {
  it("[S1] responds with the result, in the shape of run --json", async () => {
    const { post } = await openServer(FILES);
    const response = await post("/api/tools/greet/run", { input: { name: "Ada" } });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      ok: true,
      output: "Hello, Ada!",
      content: [{ type: "text", text: "Hello, Ada!" }],
      notes: { durationMs: expect.any(Number) },
    });
  });

  it("[S1] responds 200 for a call that failed", async () => {
    const { post } = await inCode();
    const response = await post("/api/tools/fails/run", { input: {} });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      ok: false,
      output: "No database today.",
      error: { code: "failed", message: "No database today." },
    });
  });

  it("[S1] responds 200 for a call that timed out", async () => {
    const { post } = await inCode();
    const response = await post("/api/tools/slow/run", { input: { ms: 60_000 }, timeoutMs: 200 });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ ok: false, error: { code: "timeout" } });
  });

  it.each([{}, { accept: "text/event-stream" }])(
    "[S1][P2] responds 400 with the issues for invalid input: %o",
    async (headers) => {
      const { post } = await inCode();
      const response = await post("/api/tools/greet/run", { input: { name: 5 } }, { headers });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        ok: false,
        error: { code: "invalid_input", data: { issues: [{ path: "/name", message: expect.any(String) }] } },
      });
    },
  );

  it.each([{}, { accept: "text/event-stream" }])(
    "[S1][P3] responds 403 for a call that is not allowed: %o",
    async (headers) => {
      const { post } = await inCode({ settings: { permissions: [{ tool: "greet", action: "deny" }] } });
      const response = await post("/api/tools/greet/run", { input: { name: "Ada" } }, { headers });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ ok: false, error: { code: "denied" } });
    },
  );

  it("[S1][P3] refuses a call that needs approval, because no user can be asked", async () => {
    const { post } = await inCode({ settings: { permissions: [{ tool: "greet", action: "ask" }] } });
    const response = await post("/api/tools/greet/run", { input: { name: "Ada" } });
    expect(response.status).toBe(403);
    const { output } = (await response.json()) as { output: string };
    expect(output).toContain("No person can be asked here, so it was refused.");
  });

  it.each([{}, { accept: "text/event-stream" }])("[S1] responds 404 for an unknown tool: %o", async (headers) => {
    const { post } = await inCode();
    const response = await post("/api/tools/gret/run", { input: {} }, { headers });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      ok: false,
      output: 'There is no tool "gret". Did you mean "greet"?',
      error: { code: "unknown_tool" },
    });
  });

  it("[S1] needs no body if the tool needs no input", async () => {
    const { ask } = await inCode();
    const response = await ask("/api/tools/fails/run", { method: "POST" });
    expect(await response.json()).toMatchObject({ output: "No database today." });
  });

  it("[S1] passes on session, agent and timeout", async () => {
    const { post } = await openServer({
      [`${TOOLS}/who.js`]: answering("[context.sessionID, context.agent, context.limits.timeoutMs].join()"),
    });
    const body = { input: {}, sessionID: "s-1", agent: "reviewer", timeoutMs: 5000 };
    expect(await (await post("/api/tools/who/run", body)).json()).toMatchObject({ output: "s-1,reviewer,5000" });
  });

  it.each([
    [[], 'The body must be an object: { "input": { … } }.'],
    ["text", 'The body must be an object: { "input": { … } }.'],
    [null, 'The body must be an object: { "input": { … } }.'],
    [
      { name: "Ada" },
      'There is no field "name". Arguments go into "input". Fields: input, sessionID, agent, timeoutMs, answerable.',
    ],
    [{ input: "text" }, '"input" must be an object: the arguments of the tool.'],
    [{ input: [] }, '"input" must be an object: the arguments of the tool.'],
    [{ sessionID: 5 }, '"sessionID" must be a string of 1 to 200 characters, without control characters.'],
    [
      { sessionID: "default" },
      '"sessionID" must not be "default", the session of calls without one. Choose another, or leave it out.',
    ],
    [{ agent: "a\nb" }, '"agent" must be a string of 1 to 200 characters, without control characters.'],
    [{ timeoutMs: 0 }, '"timeoutMs" must be a number above 0.'],
    [{ answerable: "yes" }, '"answerable" must be true or false.'],
    [
      { answerable: true },
      '"answerable" needs an event stream, which sends the questions. Add the header "Accept: text/event-stream", or leave "answerable" out.',
    ],
  ])("[S1] explains the error in the body %o", async (body, message) => {
    const { post } = await openServer();
    const response = await post("/api/tools/greet/run", body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: { code: "bad_request", message } });
  });

  it("[S1][P6] streams events and ends with the result", async () => {
    const { post } = await inCode();
    const headers = { accept: "text/event-stream" };
    const response = await post("/api/tools/slow/run", { input: { ms: 100 } }, { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const events = eventsIn(await response.text());
    expect(events.map(({ event }) => event)).toEqual(["tool.start", "tool.update", "tool.complete", "result"]);
    expect(events[0]?.data).toMatchObject({ tool: "slow", input: { ms: 100 }, callID: expect.any(String) });
    expect(events[1]?.data).toMatchObject({ title: "Working", metadata: { output: "begun" } });
    expect(events[2]?.data).not.toHaveProperty("result");
    expect(events[3]?.data).toMatchObject({ ok: true, output: "done", notes: { durationMs: expect.any(Number) } });
  });

  it("[S1] streams a failed call to its end", async () => {
    const { post } = await inCode();
    const headers = { accept: "text/event-stream" };
    const response = await post("/api/tools/fails/run", { input: {} }, { headers });
    expect(response.status).toBe(200);
    const events = eventsIn(await response.text());
    expect(events.map(({ event }) => event)).toEqual(["tool.start", "tool.failed", "result"]);
    expect(events.at(-1)?.data).toMatchObject({ ok: false, error: { code: "failed" } });
  });

  it("[S1] sends heartbeats on a silent stream", async () => {
    const quiet = `export default { description: "Is silent.", execute: () => new Promise((done) => setTimeout(done, 300, "at last")) };`;
    const { post } = await openServer({ [`${TOOLS}/quiet.js`]: quiet }, { limits: { heartbeatMs: 50 } });
    const headers = { accept: "text/event-stream" };
    const text = await (await post("/api/tools/quiet/run", { input: {} }, { headers })).text();
    expect(text).toMatch(/^event: tool\.start\n.*\n\n: alive\n\n/);
    expect(eventsIn(text).at(-1)?.data).toMatchObject({ output: "at last" });
  });

  it.each(["application/json", "text/event-stream"])(
    "[S1][P4] cancels a call whose client has disconnected: %s",
    async (accept) => {
      const { post, toolbox } = await openServer(FILES);
      const gone = new AbortController();
      const update = nextEvent(toolbox, "tool.update");
      const response = post(
        "/api/tools/slow/run",
        { input: { ms: 60_000 } },
        { headers: { accept }, signal: gone.signal },
      );
      await update;
      const failed = nextEvent(toolbox, "tool.failed");
      gone.abort();
      await response.then((each) => each.text()).catch(() => {});
      expect((await failed).result.error.code).toBe("aborted");
    },
  );

  it("[S1] serves many calls at once", async () => {
    const { post } = await inCode();
    const names = Array.from({ length: 50 }, (_, index) => `n${index}`);
    const answers = await Promise.all(names.map((name) => post("/api/tools/greet/run", { input: { name } })));
    const results = (await Promise.all(answers.map((each) => each.json()))) as { output: string }[];
    expect(results.map(({ output }) => output)).toEqual(names.map((name) => `Hello, ${name}!`));
  });
});

describe("clients that do not read", () => {
  const LOUD = `export default { description: "Shows a lot.", async execute(args, { metadata }) {
    for (let i = 0; i < 200; i += 1) {
      metadata({ title: "step " + i, metadata: { output: String(i).repeat(50_000) } });
      await new Promise((done) => setTimeout(done, 2));
    }
    return "all shown";
  } };`;

  it("[S1][X1] miss only updates that newer updates have replaced", async () => {
    const { port, toolbox } = await openServer({ [`${TOOLS}/loud.js`]: LOUD });
    const socket = await socketTo(port);
    const done = nextEvent(toolbox, "tool.complete");
    const headers = { Accept: "text/event-stream", "Content-Type": "application/json", "Content-Length": "2" };
    socket.pause().write(`${head("POST /api/tools/loud/run", headers)}{}`);
    await done;
    let text = "";
    socket.setEncoding("utf8").on("data", (more: string) => {
      text += more;
    });
    socket.resume();
    await new Promise((resolve) => socket.once("close", resolve));
    expect(text).toContain("event: tool.start");
    expect(text).toContain('"output":"all shown"');
    expect(text.indexOf("event: result")).toBeGreaterThan(text.lastIndexOf("event: tool.update"));
  });
});

describe("the other routes", () => {
  it("[S1][D5] GET /api/problems lists why tools are not served", async () => {
    const { ask, at } = await openServer({ [`${TOOLS}/broken.js`]: "export default {\n" });
    expect(await (await ask("/api/problems")).json()).toEqual({
      problems: [expect.objectContaining({ file: join(at.tools, "broken.js"), code: "syntax" })],
      shadowed: [],
      blocked: [],
      warnings: [],
    });
  });

  it("[S1] GET /healthz needs no token", async () => {
    const { url } = await openServer();
    const response = await fetch(`${url}/healthz`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: "ok" });
  });

  it("[S1] GET /metrics counts calls by tool and outcome, without unknown names", async () => {
    const { ask, post } = await openServer(FILES);
    await post("/api/tools/greet/run", { input: { name: "Ada" } });
    await post("/api/tools/greet/run", { input: {} });
    await post("/api/tools/no-such-tool/run", { input: {} });
    await fetch(`${(await ask("/healthz")).url.replace("healthz", "api/tools")}`);
    await ask("/nowhere");
    await ask("/api/tools/nobody");
    await post("/api/tools/greet/run", { inputs: {} });
    await post("/mcp", "x".repeat(5_000_000));
    const response = await ask("/metrics");
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const text = await response.text();
    expect(text).toContain('toolwright_calls_total{tool="greet",outcome="ok"} 1\n');
    expect(text).toContain('toolwright_calls_total{tool="greet",outcome="invalid_input"} 1\n');
    expect(text).toContain('toolwright_calls_total{tool="",outcome="unknown_tool"} 1\n');
    expect(text).not.toContain("no-such-tool");
    expect(text).toContain('toolwright_call_duration_seconds_bucket{tool="greet",le="+Inf"} 2\n');
    expect(text).toContain('toolwright_call_duration_seconds_count{tool="greet"} 2\n');
    expect(text).toContain("toolwright_calls_running 0\n");
    expect(text).toContain('toolwright_tools{source="custom"} 3\n');
    expect(text).toContain('toolwright_tools{source="plugin"} 1\n');
    expect(text).toContain('toolwright_tools{source="mcp"} 0\n');
    expect(text).toContain("toolwright_problems 0\n");
    expect(text).toContain('toolwright_http_refused_total{code="unauthorized"} 1\n');
    expect(text).toContain('toolwright_http_refused_total{code="not_found"} 2\n');
    expect(text).toContain('toolwright_http_refused_total{code="bad_request"} 1\n');
    expect(text).toContain('toolwright_http_refused_total{code="too_large"} 1\n');
    expect(text).toContain(`toolwright_build_info{version="${VERSION}",node="${process.versions.node}"} 1\n`);
    expect(text).toContain('toolwright_http_requests_total{status="401"} 1\n');
    expect(text).toContain('toolwright_http_requests_total{status="404"} 3\n');
    expect(text).toMatch(/\nprocess_start_time_seconds 1\d{9}(\.\d+)?\n/);
    expectPrometheus(text);
  });

  it("[S1][P5] GET /metrics counts the host processes, and those that died", async () => {
    const { ask, post } = await openServer({ ...FILES, [`${TOOLS}/dies.js`]: answering("process.exit(3)") });
    const counts = async (kind: string): Promise<{ alive: number; started: number; died: number }> => {
      const text = await (await ask("/metrics")).text();
      expectPrometheus(text);
      const count = (name: string): number =>
        Number(new RegExp(`^toolwright_${name}\\{kind="${kind}"\\} (\\d+)$`, "m").exec(text)?.[1]);
      return { alive: count("hosts"), started: count("hosts_started_total"), died: count("hosts_died_total") };
    };
    await post("/api/tools/greet/run", { input: { name: "Ada" } });
    const before = await counts("node");
    expect(before.alive).toBeGreaterThan(0);
    expect(await counts("bun")).toEqual({ alive: 0, started: 0, died: 0 });
    expect(await (await post("/api/tools/dies/run", {})).json()).toMatchObject({ error: { code: "crashed" } });
    expect((await counts("node")).died).toBeGreaterThan(before.died);
    await post("/api/tools/greet/run", { input: { name: "Ada" } });
    const after = await counts("node");
    expect(after.started).toBeGreaterThan(before.started);
    expect(after.alive).toBe(after.started - after.died);
  });

  it("[S1] GET /metrics counts invalid requests and MCP sessions", async () => {
    const { ask, post, port } = await inCode();
    await exchange(port, "garbage\r\n\r\n");
    const clientInfo = { name: "tester", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const headers = { accept: "application/json, text/event-stream" };
    await (await post("/mcp", { jsonrpc: "2.0", id: 1, method: "initialize", params }, { headers })).text();
    const text = await (await ask("/metrics")).text();
    expect(text).toContain('toolwright_http_refused_total{code="bad_request"} 1\n');
    expect(text).toContain("toolwright_mcp_sessions 1\n");
    // Tools in this process have no host process.
    expect(text).toContain('toolwright_hosts{kind="node"} 0\n');
  });

  it("[S1] responds 404 and 405 with advice", async () => {
    const { ask } = await openServer();
    expect(await (await ask("/nowhere")).json()).toEqual({
      error: { code: "not_found", message: 'There is no route "/nowhere". GET /openapi.json lists the routes.' },
    });
    const wrong = await ask("/api/tools", { method: "DELETE" });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET"]);
  });

  it.each([
    ["PUT", "/api/tools", 405, "GET"],
    ["PATCH", "/api/tools/greet", 405, "GET"],
    ["OPTIONS", "/api/tools/greet/run?x=1", 405, "POST"],
    ["PUT", "/mcp", 405, "GET, POST, DELETE"],
    ["DELETE", "/healthz", 405, "GET"],
    ["PUT", "/nowhere", 404, null],
  ])("[S1] names the allowed methods for %s %s", async (method, path, status, allow) => {
    const { ask } = await openServer();
    const answer = await ask(path, { method });
    const { error } = (await answer.json()) as { error: { message: string } };
    expect([answer.status, answer.headers.get("allow")]).toEqual([status, allow]);
    expect(error.message).toBe(
      allow === null
        ? `There is no route "${path}". GET /openapi.json lists the routes.`
        : `${method} is not served there. Use ${allow}.`,
    );
  });

  it("[S1] GET /openapi.json describes every response", async () => {
    const server = await openServer({ ...FILES, [`${TOOLS}/broken.js`]: "export default {\n" });
    const check = await answersOf(server);
    await check("/api/tools", "get", await server.ask("/api/tools"));
    await check("/api/tools/{name}", "get", await server.ask("/api/tools/greet"));
    await check("/api/tools/{name}", "get", await server.ask("/api/tools/nobody"));
    await check("/api/tools/reload", "post", await server.ask("/api/tools/reload", { method: "POST" }));
    await check("/api/problems", "get", await server.ask("/api/problems"));
    await check("/healthz", "get", await server.ask("/healthz"));
    const run = (name: string, body: unknown): Promise<Response> => server.post(`/api/tools/${name}/run`, body);
    await check("/api/tools/{name}/run", "post", await run("greet", { input: { name: "Ada" } }));
    await check("/api/tools/{name}/run", "post", await run("greet", { input: {} }));
    await check("/api/tools/{name}/run", "post", await run("fails", {}));
    await check("/api/tools/{name}/run", "post", await run("nobody", {}));
    await check("/api/tools/{name}/run", "post", await run("greet", []));
    const closed = await openServer(FILES, { tools: { trust: false } });
    await check("/api/tools/{name}", "get", await closed.ask("/api/tools/greet"));
  });

  it("[S1] GET /openapi.json is the document in test/openapi.json", async () => {
    const { ask } = await openServer();
    const stored = JSON.parse(readFileSync(new URL("openapi.json", import.meta.url), "utf8"));
    stored.info.version = VERSION;
    expect(await (await ask("/openapi.json")).json()).toEqual(stored);
  });
});

describe("the client", () => {
  it("[S1] lists, gets, calls, reloads and gets problems", async () => {
    const server = await openServer(FILES);
    const client = createClient({ url: server.url, token: TOKEN });
    expect((await client.tools.list()).counts).toEqual({ total: 4, builtin: 0, custom: 3, plugin: 1, mcp: 0 });
    expect(await client.tools.get("greet")).toEqual(GREET);
    expect(await client.tools.run("greet", { name: "Ada" })).toMatchObject({ ok: true, output: "Hello, Ada!" });
    expect(await client.reload()).toEqual({ success: true, toolCount: 4, errors: [] });
    expect(await client.problems()).toEqual({ problems: [], shadowed: [], blocked: [], warnings: [] });
  });

  it("[S1] imports nothing from Node, so that web pages can use it", () => {
    const folder = fileURLToPath(new URL("../src/surfaces/http/client", import.meta.url));
    const files = readdirSync(folder).filter((name) => !name.endsWith(".test.ts"));
    const texts = files.map((name) => readFileSync(join(folder, name), "utf8"));
    expect(texts.length).toBeGreaterThan(3);
    expect(texts.filter((text) => /"node:|\b(?:process|Buffer|require)\b/.test(text))).toEqual([]);
  });

  it("[S1] returns failed calls as results, streamed or not", async () => {
    const { url } = await inCode();
    const client = createClient({ url: `${url}/`, token: TOKEN });
    expect(await client.tools.run("greet", {})).toMatchObject({ ok: false, error: { code: "invalid_input" } });
    const onUpdate = (): void => {};
    expect(await client.tools.run("greet", {}, { onUpdate })).toMatchObject({ error: { code: "invalid_input" } });
    expect(await client.tools.run("nobody", {}, { onUpdate })).toMatchObject({ error: { code: "unknown_tool" } });
    expect(await client.tools.run("fails", {}, { onUpdate })).toMatchObject({ output: "No database today." });
  });

  it("[S1] reports updates while a call runs", async () => {
    const { url } = await inCode();
    const titles: (string | undefined)[] = [];
    const client = createClient({ url, token: TOKEN });
    const onUpdate = ({ title }: { title?: string }): void => void titles.push(title);
    expect(await client.tools.run("slow", { ms: 50 }, { onUpdate })).toMatchObject({ output: "done" });
    expect(titles).toEqual(["Working"]);
  });

  it("[S1] keeps the connection of a long call open, even without onUpdate", async () => {
    const { url } = await inCode({ limits: { heartbeatMs: 20 } });
    const bodies: string[] = [];
    const client = createClient({
      url,
      token: TOKEN,
      fetch: async (...request) => {
        const response = await fetch(...request);
        bodies.push(response.headers.get("content-type") ?? "");
        return response;
      },
    });
    expect(await client.tools.run("slow", { ms: 200 })).toMatchObject({ output: "done" });
    expect(bodies).toEqual(["text/event-stream"]);
  });

  it("[S1] finds a server behind a path, with or without slashes at its end", async () => {
    const asked: string[] = [];
    for (const url of ["https://example.com/tools/", "https://example.com/tools", new URL("https://example.com")]) {
      const fetch = (address: string | URL | Request): Promise<Response> => {
        asked.push(String(address));
        return Promise.resolve(Response.json({ problems: [] }));
      };
      await createClient({ url, token: TOKEN, fetch }).problems();
    }
    expect(asked).toEqual([
      "https://example.com/tools/api/problems",
      "https://example.com/tools/api/problems",
      "https://example.com/api/problems",
    ]);
  });

  it.each([
    ["127.0.0.1:4141", "127.0.0.1:4141"],
    ["ftp://127.0.0.1", "ftp://127.0.0.1"],
    ["", ""],
    ["http://127.0.0.1:4141/api/tools?token=secret", "http://127.0.0.1:4141/api/tools…"],
  ])("[U6] reports that %j is not the URL of a server, without repeating a token", (url, shown) => {
    expect(() => createClient({ url, token: TOKEN })).toThrow(
      new TypeError(`"${shown}" is not the url of a server. It looks like http://127.0.0.1:4141, without a query.`),
    );
  });

  it("[U6] reports that the server did not respond", async () => {
    const { url, server } = await inCode();
    await server.stop();
    const says = `No server answered at ${url}. Is "toolwright serve" running there?`;
    await expect(createClient({ url, token: TOKEN }).reload()).rejects.toThrow(says);
  });

  it("[S1] aborts a request with the reason of the signal", async () => {
    const { url } = await inCode();
    const signal = AbortSignal.abort(new Error("not wanted any more"));
    const { tools, reload, problems } = createClient({ url, token: TOKEN });
    const asking = [tools.list({ signal }), tools.get("greet", { signal }), reload({ signal }), problems({ signal })];
    for (const each of asking) await expect(each).rejects.toThrow("not wanted any more");
  });

  it("[S1] has types that distinguish results from errors", async () => {
    const { url } = await inCode();
    const { tools } = createClient({ url, token: TOKEN });
    const result = await tools.run("fails");
    // Only the type of a failed result has an error.
    const said: string = result.ok ? result.output : result.error.message;
    expect([said, result.error?.code]).toEqual(["No database today.", "failed"]);
  });

  it("[S1] cancels a call", async () => {
    const { url, toolbox } = await inCode();
    const client = createClient({ url, token: TOKEN });
    const failed = nextEvent(toolbox, "tool.failed");
    const stop = new AbortController();
    const run = client.tools.run("slow", { ms: 60_000 }, { signal: stop.signal, onUpdate: () => stop.abort() });
    await expect(run).rejects.toThrow(/abort/i);
    expect((await failed).result.error.code).toBe("aborted");
  });

  it.each([
    ["a page", "<html>", 502],
    ["a page with status 200", "<html>", 200],
    ["JSON of another format", '{"message":"Bad gateway"}', 502],
    ["an error of another format", '{"error":"Bad gateway"}', 502],
  ])("[U6] reports a response that is not from Toolwright, with %s", async (_what, body, status) => {
    const client = createClient({
      url: "http://127.0.0.1:1",
      token: TOKEN,
      fetch: () => Promise.resolve(new Response(body, { status })),
    });
    const says = `The response with status ${status} is not from "toolwright serve". Check the url.`;
    await expect(client.tools.list()).rejects.toThrow(says);
    await expect(client.tools.run("greet", {}, { onUpdate: () => {} })).rejects.toThrow(says);
  });

  it("[S4] rejects with the message of the server if it refuses", async () => {
    const { url } = await inCode();
    const refused = await createClient({ url, token: "wrong" })
      .tools.list()
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RequestRefused);
    expect(refused).toMatchObject({
      status: 401,
      code: "unauthorized",
      message:
        'This is not the token of this server. Send "Authorization: Bearer TOKEN", with the token that was printed when it started.',
    });
    await expect(createClient({ url, token: TOKEN }).tools.get("../problems")).rejects.toThrow(
      'There is no tool "../problems".',
    );
  });
});

describe("stopping", () => {
  it("[S1] lets a running call finish, refuses others, and leaves no process", async () => {
    const { post, ask, server, toolbox } = await openServer(FILES);
    const update = nextEvent(toolbox, "tool.update");
    const running = post("/api/tools/slow/run", { input: { ms: 300 } });
    await update;
    const stopped = server.stop();
    expect((await ask("/api/tools")).status).toBe(503);
    expect(await (await running).json()).toMatchObject({ ok: true, output: "done" });
    await stopped;
    await toolbox.close();
    expect(hosts()).toEqual([]);
  });

  it("[S1] aborts calls that do not finish in time, and reports it", async () => {
    const { post, server, toolbox } = await inCode({ limits: { stopMs: 50 } });
    const update = nextEvent(toolbox, "tool.update");
    const running = post("/api/tools/slow/run", { input: { ms: 60_000 } });
    await update;
    await server.stop();
    expect(await (await running).json()).toMatchObject({ ok: false, error: { code: "aborted" } });
  });

  it("[S1] refuses requests on open connections", async () => {
    const { post, server, toolbox, port } = await inCode();
    const update = nextEvent(toolbox, "tool.update");
    const socket = await socketTo(port);
    socket.write(head("GET /healthz", { Connection: "keep-alive" }).slice(0, -2));
    const running = post("/api/tools/slow/run", { input: { ms: 500 } });
    await update;
    const stopped = server.stop();
    let text = "";
    socket.setEncoding("utf8").on("data", (more: string) => {
      text += more;
    });
    socket.write("\r\n");
    await Promise.all([running, stopped]);
    expect(text).toContain("HTTP/1.1 503");
    expect(text).toContain(
      '{"error":{"code":"stopping","message":"The server is stopping. Try again when it has been restarted."}}',
    );
  });
});

type Ended<T extends ToolEvent["type"]> = Extract<ToolEvent, { type: T }>;

function nextEvent<T extends ToolEvent["type"]>(toolbox: TestServer["toolbox"], type: T): Promise<Ended<T>> {
  return new Promise((resolve) => {
    const stop = toolbox.on("call", (event) => {
      if (event.type !== type) return;
      stop();
      resolve(event as Ended<T>);
    });
  });
}

/** Checks that every line is valid, and that each sample follows the HELP and TYPE of its family. */
function expectPrometheus(text: string): void {
  const families = new Set<string>();
  for (const line of text.trimEnd().split("\n")) {
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? [\d.e+-]+)$/);
    const [, typed] = /^# TYPE (\w+) (?:counter|gauge|histogram)$/.exec(line) ?? [];
    if (typed !== undefined) families.add(typed);
    if (line.startsWith("#")) continue;
    const [name = ""] = line.split(/[{ ]/);
    expect([...families]).toContain(name.replace(/(?<=_seconds)_(bucket|sum|count)$/, ""));
  }
  expect(text.match(/^# TYPE .*/gm)?.length).toBe(families.size);
}
