import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import type { ApiAgents, ApiCalls, ApiCatalog } from "../../src/core/api-page.ts";
import { createClient } from "../../src/surfaces/http/client/index.ts";
import { eventsIn, openServer, type ServerOptions, type TestServer, TOKEN } from "../support/http-server.ts";
import { exchange, head } from "../support/http-socket.ts";
import { answersOf } from "../support/openapi.ts";
import { pageFolderForTest, SCRIPT, SCRIPT_PATH } from "../support/page-folder.ts";
import { PATIENT } from "../support/patient.ts";

const TOOLS = ".toolwright/tools";
const FILES = {
  [`${TOOLS}/greet.js`]: `// A comment.
export default { description: "Greets.", args: { name: { type: "string" } }, execute: ({ name }) => "Hello, " + name };`,
  [`${TOOLS}/two.js`]: `const a = { description: "A.", args: {}, execute: () => "a" };
export { a };

export const b = { description: "B.", args: {}, execute: () => { throw new Error("No."); } };`,
  [`${TOOLS}/broken.js`]: "export default {\n",
};

const served = (files: Record<string, string> = FILES, options: ServerOptions = {}): Promise<TestServer> =>
  openServer(files, { pageFolder: pageFolderForTest(), ...options });

describe("the page", () => {
  it.each([
    "/",
    "/tools",
    "/tools/",
    "/tools/greet",
    "/sessions/a%2Fb",
    "/calls?range=7d",
    "/agents",
    "/permissions",
    "/index.html",
  ])("[S1][U4] %s is the page, without a token", async (path) => {
    const { url } = await served({});
    const answer = await fetch(`${url}${path}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.text()).toBe("<!doctype html><title>The page</title>");
  });

  it("[S1] HEAD has the same headers and no body", async () => {
    const { url, port } = await served({});
    const got = await fetch(url);
    const { status, text } = await exchange(port, head("HEAD /"));
    expect(status).toBe(200);
    const [headers = "", body] = text.split("\r\n\r\n");
    expect(body).toBe("");
    expect(headers.toLowerCase()).toContain(`content-length: ${Buffer.byteLength(await got.text())}`);
  });

  it.each<[accepted: string | undefined, encoding: string | undefined]>([
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["GZIP;q=0.5", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["br; q=0.000, gzip; q=0", undefined],
    ["identity", undefined],
    ["*", undefined],
    [undefined, undefined],
  ])("[S1] Accept-Encoding %s gets %s", async (accepted, encoding) => {
    const { port } = await served({});
    const headers: Record<string, string> = accepted === undefined ? {} : { "Accept-Encoding": accepted };
    const { bytes, fields } = await rawGet(port, head(`GET ${SCRIPT_PATH}`, headers));
    expect(fields["content-encoding"]).toBe(encoding);
    expect(fields.vary).toBe("accept-encoding");
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding as "br"] ?? ((all: Buffer) => all);
    expect(decode(bytes).toString()).toBe(SCRIPT);
    if (encoding !== undefined) expect(bytes.length).toBeLessThan(SCRIPT.length / 10);
  });

  it("[S1] files whose name has a hash are cached for good, others are compared", async () => {
    const { url } = await served({});
    const script = await fetch(`${url}${SCRIPT_PATH}`);
    expect(script.headers.get("cache-control")).toBe("max-age=31536000, immutable");
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    const icon = await fetch(`${url}/icon.svg`);
    expect([icon.headers.get("cache-control"), icon.headers.get("content-type")]).toEqual([
      "no-cache",
      "image/svg+xml",
    ]);
    const etag = icon.headers.get("etag") ?? "";
    const again = await fetch(`${url}/icon.svg`, { headers: { "if-none-match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const other = await fetch(`${url}/icon.svg`, { headers: { "if-none-match": '"x"' } });
    expect(other.status).toBe(200);
  });

  it("[S1] a new build is served without a restart", async () => {
    const pageFolder = pageFolderForTest();
    const { url } = await served({}, { pageFolder });
    expect(await (await fetch(url)).text()).toContain("The page");
    writeFileSync(join(pageFolder, "index.html"), "new page");
    writeFileSync(join(pageFolder, "assets/new-AbCd5678.js"), "new script");
    utimesSync(join(pageFolder, "index.html"), 1, 1);
    expect(await (await fetch(url)).text()).toBe("new page");
    expect(await (await fetch(`${url}/assets/new-AbCd5678.js`)).text()).toBe("new script");
    rmSync(join(pageFolder, "index.html"));
    const answer = await fetch(url);
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("npm run build")]);
  });

  it("[S1][U6] a file that is not there is named", async () => {
    const { url } = await served({});
    const answer = await fetch(`${url}/assets/old-AbCd1234.js`);
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { error: { code: "not_found", message: 'There is no file "/assets/old-AbCd1234.js". Reload the page.' } },
    ]);
  });
});

describe("an unknown address", () => {
  const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

  it.each(["/nothing", "/tool/greet", "/toolsx", "/old.html", "/assets/old-AbCd1234.js", "//nothing", "/apis"])(
    "[S1][U4] %s, opened in a browser, is the page with the status 404",
    async (path) => {
      const { url } = await served({});
      const answer = await fetch(`${url}${path}`, { headers: BROWSER });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(await answer.text()).toBe("<!doctype html><title>The page</title>");
    },
  );

  it("[S1][U6] programs get JSON: without the token 401, with it 404", async () => {
    const server = await served({});
    expect((await fetch(`${server.url}/nothing`)).status).toBe(401);
    const answer = await server.ask("/nothing");
    const message = 'There is no route "/nothing". GET /openapi.json lists the routes.';
    expect([answer.status, await answer.json()]).toEqual([404, { error: { code: "not_found", message } }]);
    expect((await fetch(`${server.url}/nothing`, { method: "POST", headers: BROWSER })).status).toBe(401);
  });

  it.each(["/api", "/api/nothing", "/api/tools", "/openapi.json", "/metrics", "/mcp"])(
    "[S1][U4] %s, opened in a browser, is the API",
    async (path) => {
      const server = await served({});
      expect((await fetch(`${server.url}${path}`, { headers: BROWSER })).status).toBe(401);
      const answer = await server.ask(path, { headers: BROWSER });
      expect(answer.headers.get("content-type")).not.toContain("text/html");
    },
  );
});

describe("login", () => {
  it("[S4] the printed URL, the pasted token, and logging out", async () => {
    const { url, port } = await served({});
    const opened = await fetch(`${url}/tools?token=${TOKEN}`, { redirect: "manual" });
    expect([opened.status, opened.headers.get("location")]).toEqual([303, "/tools"]);
    const cookie = opened.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    expect((await fetch(`${url}/api/tools`, { headers: { cookie } })).status).toBe(200);
    const json = { "content-type": "application/json", origin: url };
    const pasted = await fetch(`${url}/api/login`, {
      method: "POST",
      headers: json,
      body: JSON.stringify({ token: TOKEN }),
    });
    expect(await pasted.json()).toEqual({ loggedIn: true });
    expect(pasted.headers.getSetCookie()[0]).toContain(`${cookie};`);
    const out = await fetch(`${url}/api/logout`, { method: "POST", headers: { cookie, origin: url } });
    expect(await out.json()).toEqual({ loggedIn: false });
    expect(out.headers.getSetCookie()).toEqual([`toolwright_${port}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0`]);
  });

  it("[S4] the client of the page sends no token, and reports what is missing", async () => {
    const { url } = await served({});
    const client = createClient({ url });
    await expect(client.catalog()).rejects.toMatchObject({ status: 401, code: "unauthorized" });
    await expect(client.login("wrong")).rejects.toMatchObject({
      message:
        "This is not the token of this server. The server printed it when it started, or you chose it with TOOLWRIGHT_TOKEN or --token-file.",
    });
    await client.login(TOKEN);
    await createClient({ url, token: TOKEN }).logout();
  });
});

describe("GET /api/catalog", () => {
  it("[U4][D5] has every tool with its place, also disabled ones, and what keeps others from being served", async () => {
    const server = await served(FILES, { settings: { tools: { disabled: ["two_b"] } }, command: "npx toolwright" });
    const catalog = (await (await server.ask("/api/catalog")).json()) as ApiCatalog;
    expect(catalog).toMatchObject({
      project: { directory: server.at.project, root: server.at.project, trusted: true },
      problems: [{ file: join(server.at.tools, "broken.js"), line: 2 }],
      shadowed: [],
      blocked: [],
      loading: [],
      command: "npx toolwright",
    });
    expect(catalog.tools.map(({ name, line, enabled }) => [name, line, enabled])).toEqual([
      ["greet", 2, true],
      ["two_a", 2, true],
      ["two_b", 4, false],
    ]);
    expect(catalog.tools[0]).toMatchObject({
      source: "custom",
      place: "project",
      file: join(server.at.tools, "greet.js"),
      inputSchema: { properties: { name: { type: "string" } } },
    });
  });

  it("[U4][D6] shows changes after a reload", async () => {
    const server = await served();
    await server.ask("/api/catalog");
    writeFileSync(
      join(server.at.tools, "greet.js"),
      `\n\n\nexport default { description: "New.", args: {}, execute: () => "" };`,
    );
    await server.toolbox.reload();
    const catalog = (await (await server.ask("/api/catalog")).json()) as ApiCatalog;
    expect(catalog.tools[0]).toMatchObject({ name: "greet", description: "New.", line: 4 });
  });

  it("[U4][D7] names the files of an untrusted project, and the command that trusts it", async () => {
    const files = { ...FILES, ".toolwright/settings.json": '{"mode":"plan"}' };
    const server = await served(files, { tools: { trust: false }, command: "npx toolwright" });
    const catalog = (await (await server.ask("/api/catalog")).json()) as ApiCatalog;
    expect([catalog.project.trusted, catalog.tools]).toEqual([false, []]);
    const trust = `npx toolwright trust --cwd ${server.at.project}`;
    expect(catalog.blocked).toEqual([expect.objectContaining({ fix: trust })]);
    expect(await (await server.ask("/api/permissions")).json()).toMatchObject({ ignored: ["mode"], trust });
  });
});

describe("GET /api/calls", () => {
  it("[P8][U4] lists calls with secrets masked, the latest first, and counts them", async () => {
    const server = await served();
    await server.post("/api/tools/greet/run", { input: { name: "Ada", password: "hunter2" } });
    await server.post("/api/tools/two_b/run", { agent: "build" });
    const all = await calls(server, 2);
    expect(all.calls).toEqual([
      {
        ...{ callID: expect.any(String), tool: "two_b", sessionID: "default", agent: "build", caller: "http" },
        ...{
          at: expect.any(Number),
          durationMs: expect.any(Number),
          ok: false,
          error: { code: "failed", message: "No." },
          input: null,
        },
      },
      expect.objectContaining({ tool: "greet", ok: true, input: { name: "Ada", password: "***" } }),
    ]);
    const get = async (query: string): Promise<string[]> => {
      const page = (await (await server.ask(`/api/calls?${query}`)).json()) as ApiCalls;
      return page.calls.map(({ tool }) => tool);
    };
    expect(await get("outcome=failed")).toEqual(["two_b"]);
    expect(await get("tool=greet")).toEqual(["greet"]);
    expect(await get("agent=build&outcome=ok")).toEqual([]);
    expect(await get(`since=${Date.now() + 10_000}`)).toEqual([]);
    const first = (await (await server.ask("/api/calls?limit=1")).json()) as ApiCalls;
    expect(await get(`limit=1&cursor=${first.next}`)).toEqual(["greet"]);
    const summary = await (await server.ask("/api/calls/summary")).json();
    expect(summary).toMatchObject({ total: 2, failed: 1, tools: [{ tool: "greet" }, { tool: "two_b", failed: 1 }] });
  });

  it.each([
    ["limit=0", 'The query parameter "limit" must be an integer from 1 to 200.'],
    ["limit=201", 'The query parameter "limit" must be an integer from 1 to 200.'],
    ["limit=ten", 'The query parameter "limit" must be an integer from 1 to 200.'],
    ["since=yesterday", 'The query parameter "since" must be an integer from 0 to 9007199254740991.'],
    ["outcome=maybe", 'The query parameter "outcome" must be one of "ok", "failed".'],
    ["cursor=x", '"cursor" is not valid. Use the "next" of the page before.'],
    [
      "page=2",
      'There is no query parameter "page". Parameters: tool, outcome, sessionID, agent, caller, since, cursor, limit.',
    ],
    ["tool=a&tool=b", 'The query parameter "tool" is given more than once. Give it once.'],
  ])("[U6] %s: 400", async (query, message) => {
    const server = await served({});
    const answer = await server.ask(`/api/calls?${query}`);
    expect([answer.status, await answer.json()]).toEqual([400, { error: { code: "bad_request", message } }]);
  });
});

describe("permissions", () => {
  const settings = {
    permissions: [
      { tool: "greet", action: "ask" },
      { tool: "two_*", action: "deny" },
    ],
    mode: "default",
  };

  it("[P3][U4] lists the rules with their lines, explains a call, and removes a rule", async () => {
    const server = await served(FILES, { settings });
    const file = join(server.at.env.TOOLWRIGHT_HOME as string, "settings.json");
    expect(await (await server.ask("/api/permissions")).json()).toEqual({
      mode: "default",
      modes: { user: "default" },
      rules: [
        { tool: "greet", action: "ask", from: "user", file, position: 1, line: 1 },
        { tool: "two_*", action: "deny", from: "user", file, position: 2, line: 1 },
      ],
      ignored: [],
      settingsFile: file,
    });
    const explain = async (body: object): Promise<unknown> =>
      (await server.post("/api/permissions/explain", body)).json();
    expect(await explain({ tool: "two_a" })).toMatchObject({
      tool: "two_a",
      decision: { action: "deny", rule: { tool: "two_*", position: 2, line: 1 } },
      outcomes: { run: "refused", attended: "refused", unattended: "refused" },
      always: null,
    });
    const refused = await server.post("/api/permissions/remove", { tool: "greet", action: "ask", position: 2 });
    expect([refused.status, await refused.json()]).toEqual([
      409,
      {
        error: {
          code: "conflict",
          message: `The rule was not removed from ${file}. The settings have changed: rule 2 is no longer the one to remove; it is {"tool":"two_*","action":"deny"}. List the rules again, or edit the file.`,
        },
      },
    ]);
    const removed = await server.post("/api/permissions/remove", { tool: "two_*", action: "deny", position: 2 });
    expect(await removed.json()).toEqual({ removed: true });
    expect(JSON.parse(readFileSync(file, "utf8")).permissions).toEqual([{ tool: "greet", action: "ask" }]);
    expect(await explain({ tool: "two_a" })).toMatchObject({ decision: { action: "implicit-ask" } });
    expect((await server.post("/api/tools/two_a/run", {})).status).toBe(200);
  });

  it.each<[body: unknown, status: number, message: string | RegExp]>([
    [{}, 400, '"tool" is missing. Send { "tool": "NAME", "input": { … } }.'],
    [{ tool: 7 }, 400, '"tool" must be a string of 1 to 200 characters, without control characters.'],
    [{ tool: "greet", input: [] }, 400, '"input" must be an object: the arguments of the tool.'],
    [
      { tool: "greet", name: "x" },
      400,
      'There is no field "name". Arguments go into "input". Fields: tool, input, agent.',
    ],
    [{ tool: "greet", input: { name: 7 } }, 400, /^The input for "greet" is not valid/],
    [{ tool: "nobody" }, 404, /^There is no tool "nobody"/],
  ])("[P3][U6] explain %j: %i", async (body, status, message) => {
    const server = await served();
    const answer = await server.post("/api/permissions/explain", body);
    const { error } = (await answer.json()) as { error: { message: string } };
    expect(answer.status).toBe(status);
    if (typeof message === "string") expect(error.message).toBe(message);
    else expect(error.message).toMatch(message);
  });
});

describe("the other routes", () => {
  it("[U5][U4] draws a call and its result as the author does", async () => {
    const extension = `export default (pi) => pi.registerTool({
      name: "drawn", label: "Drawn", description: "Draws.", parameters: { type: "object", properties: {} },
      execute: async () => ({ content: [{ type: "text", text: "x" }], details: {} }),
      renderCall: () => ({ render: (width) => ["call " + width], invalidate() {} }),
      renderResult: (result) => ({ render: (width) => [result.content[0].text + " " + width], invalidate() {} }),
    });`;
    const server = await served({ ".pi/extensions/drawn.ts": extension });
    const render = async (body: object): Promise<unknown> =>
      (await server.post("/api/tools/drawn/render", { width: 40, callID: "c", input: {}, ...body })).json();
    // On a busy machine, one may take longer than a renderer is given.
    const drawn = (body: object, lines: string[]): Promise<void> =>
      vi.waitFor(async () => expect(await render(body)).toEqual({ lines }), 30_000);
    await drawn({}, ["call 40"]);
    await drawn({ result: { content: [{ type: "text", text: "done" }], isError: false } }, ["done 40"]);
    expect(await render({ width: 5 })).toEqual({
      error: { code: "bad_request", message: '"width" must be an integer from 10 to 500.' },
    });
    expect(await render({ result: { content: [7], isError: false } })).toMatchObject({
      error: { code: "bad_request" },
    });
    const plain = await server.post("/api/tools/nobody/render", { width: 40, callID: "c", input: {} });
    expect(await plain.json()).toEqual({ lines: null });
  });

  it("[P7][U4] sends the full output of a truncated call", async () => {
    const server = await served({
      [`${TOOLS}/long.js`]: `export default { description: "Long.", args: {}, execute: () => "línea\\n".repeat(100_000) };`,
    });
    const result = (await (await server.post("/api/tools/long/run", {})).json()) as {
      notes: { truncated: { fullOutput: string } };
    };
    const answer = await server.ask(`/api/outputs?file=${encodeURIComponent(result.notes.truncated.fullOutput)}`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe("línea\n".repeat(100_000));
    const empty = join(server.at.env.TOOLWRIGHT_HOME as string, "outputs", "s", "empty.txt");
    mkdirSync(join(empty, ".."), { recursive: true });
    writeFileSync(empty, "");
    expect(await (await server.ask(`/api/outputs?file=${encodeURIComponent(empty)}`)).text()).toBe("");
    expect((await server.ask(`/api/outputs?file=${encodeURIComponent(empty)}`, { method: "HEAD" })).status).toBe(200);
  });

  it("[U4] lists the agents that it is given", async () => {
    const agents: ApiAgents = { runnable: [{ name: "demo", status: "ready", isDefault: true }], configured: [] };
    expect(await (await (await served({}, { agents: async () => agents })).ask("/api/agents")).json()).toEqual(agents);
    expect(await (await (await served({})).ask("/api/agents")).json()).toEqual({ runnable: [], configured: [] });
  });

  it("[S1] every response is as /openapi.json describes it", async () => {
    const server = await served(FILES, { settings: { permissions: [{ tool: "greet", action: "ask" }] } });
    const check = await answersOf(server);
    await server.post("/api/tools/greet/run", { input: { name: "Ada" } });
    await calls(server, 1);
    for (const path of [
      "/api/catalog",
      "/api/calls",
      "/api/calls/summary",
      "/api/agents",
      "/api/permissions",
      "/api/permissions/answers",
    ]) {
      await check(path, "get", await server.ask(path));
    }
    await check("/api/calls", "get", await server.ask("/api/calls?limit=0"));
    await check("/api/outputs", "get", await server.ask("/api/outputs?file=x"));
    const post = (path: string, body: unknown): Promise<Response> => server.post(path, body);
    await check("/api/login", "post", await post("/api/login", { token: TOKEN }));
    await check("/api/login", "post", await post("/api/login", { token: "wrong" }));
    await check("/api/logout", "post", await post("/api/logout", {}));
    const explain = "/api/permissions/explain";
    await check(explain, "post", await post(explain, { tool: "greet", input: { name: "Ada" } }));
    await check(explain, "post", await post(explain, { tool: "two_a" }));
    await check(explain, "post", await post(explain, { tool: "nobody" }));
    const remove = "/api/permissions/remove";
    await check(remove, "post", await post(remove, { tool: "x", action: "ask", position: 1 }));
    await check(remove, "post", await post(remove, { tool: "greet", action: "ask", position: 1 }));
    const render = await post("/api/tools/greet/render", { width: 80, callID: "c", input: {} });
    await check("/api/tools/{name}/render", "post", render);
  });
});

describe("GET /api/events", () => {
  it("[U4] tells pages of calls, tools, sessions, rules and questions", async () => {
    const server = await served(FILES, { tools: { sessions: "disk" } });
    const client = createClient({ url: server.url, token: TOKEN });
    const abort = new AbortController();
    const seen: { event: string; data: object }[] = [];
    const reading = (async () => {
      for await (const event of client.events({ signal: abort.signal })) seen.push(event);
    })().catch(() => {});
    const has = (event: string): Promise<object> =>
      vi.waitFor(() => seen.findLast((each) => each.event === event)?.data ?? Promise.reject(new Error(event)), 5_000);
    const text = expect.any(String);
    const hello = await has("hello");
    expect(hello).toEqual({ server: text, version: text, renewal: text });
    const { renewal } = hello as { renewal: string };
    expect(renewal).not.toContain(TOKEN);
    await client.login(renewal);
    await expect(client.login(`${renewal}x`)).rejects.toMatchObject({ status: 401 });
    await client.tools.run("greet", { name: "Ada", apiKey: "hunter2" });
    expect(await has("call_started")).toMatchObject({ tool: "greet", sessionID: "default", caller: "http" });
    expect(await has("call_ended")).toMatchObject({ tool: "greet", ok: true, input: { name: "Ada", apiKey: "***" } });
    writeFileSync(
      join(server.at.tools, "new.js"),
      `export default { description: "N.", args: {}, execute: () => "" };`,
    );
    await server.toolbox.reload();
    expect(await has("tools")).toEqual({});
    await client.tools.run("greet", { name: "Ada" }, { sessionID: "s" });
    expect(await has("sessions")).toEqual({});
    const rules = [{ tool: "greet", action: "ask" }];
    writeFileSync(
      join(server.at.env.TOOLWRIGHT_HOME as string, "settings.json"),
      JSON.stringify({ permissions: rules }),
    );
    await server.toolbox.reload();
    expect(await has("permissions")).toEqual({});
    const run = client.tools.run("greet", { name: "Bob" }, { onQuestion: () => {} });
    const { questionID } = (await has("question")) as { questionID: string };
    await client.answer(questionID, { allowed: false, reason: "not now" });
    expect(await has("answer")).toEqual({ questionID, allowed: false, reason: "not now" });
    expect(await run).toMatchObject({ ok: false, error: { code: "denied" } });
    abort.abort();
    await reading;
  });

  it("[U4] tells pages of a removed session, also if another one was changed later", async () => {
    const server = await served(FILES, { tools: { sessions: "disk" } });
    const client = createClient({ url: server.url, token: TOKEN });
    for (const sessionID of ["older", "newer"]) await client.tools.run("greet", { name: "Ada" }, { sessionID });
    const abort = new AbortController();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { event } of client.events({ signal: abort.signal })) seen.push(event);
    })().catch(() => {});
    await vi.waitFor(() => expect(seen).toContain("hello"), 5_000);
    // The server compares sessions once per second.
    await sleep(1_500);
    expect(seen).not.toContain("sessions");
    await client.sessions.remove("older");
    await vi.waitFor(() => expect(seen).toContain("sessions"), 5_000);
    abort.abort();
    await reading;
  });

  it("[U4] a large input is left out of an event", async () => {
    const server = await served();
    const stream = await server.ask("/api/events");
    await server.post("/api/tools/greet/run", {
      input: { name: "x".repeat(10_000), a: "y".repeat(10_000), b: "z".repeat(10_000) },
    });
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    while (!text.includes("event: call_ended")) text += Buffer.from((await reader.read()).value ?? []).toString();
    expect(eventsIn(text).at(-1)).toMatchObject({ event: "call_ended", data: { input: "[too large for an event]" } });
    await reader.cancel();
  });

  it("[U4] sends heartbeats, answers HEAD, and ends when the server stops", async () => {
    const server = await served({}, { limits: { heartbeatMs: 20, stopMs: 100 } });
    expect((await server.ask("/api/events", { method: "HEAD" })).status).toBe(200);
    const stream = await server.ask("/api/events");
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    while (!text.includes(": alive\n\n")) text += Buffer.from((await reader.read()).value ?? []).toString();
    const stopped = server.server.stop();
    for (let done = false; !done; ) done = (await reader.read()).done;
    await stopped;
  });
});

/** Calls are written to the audit log a moment after they end. */
async function calls(server: TestServer, count: number): Promise<ApiCalls> {
  return vi.waitFor(async () => {
    const page = (await (await server.ask("/api/calls")).json()) as ApiCalls;
    expect(page.calls).toHaveLength(count);
    return page;
  }, PATIENT);
}

/** A response as it was sent: `fetch` decompresses it. */
async function rawGet(port: number, request: string): Promise<{ bytes: Buffer; fields: Record<string, string> }> {
  const { request: send } = await import("node:http");
  const [, path = "/"] = /^GET (\S+)/.exec(request) ?? [];
  const accepted = /Accept-Encoding: (.*)\r\n/.exec(request)?.[1];
  const headers = accepted === undefined ? {} : { "accept-encoding": accepted };
  return new Promise((resolve, reject) => {
    send({ port, path, headers, host: "127.0.0.1" }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({ bytes: Buffer.concat(chunks), fields: answer.headers as Record<string, string> }),
      );
    })
      .on("error", reject)
      .end();
  });
}
