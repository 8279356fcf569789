import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { marked } from "marked";
import { describe, expect, it, onTestFinished } from "vitest";
import { knownAgents } from "../../src/agents/run/index.ts";
import type { StoredEvent } from "../../src/core/session-log.ts";
import { openSqliteStore } from "../../src/sessions/store/sqlite-store.ts";
import { openServer, type ServerOptions, type TestServer, TOKEN } from "../support/http-server.ts";
import { exchange, head } from "../support/http-socket.ts";
import { readEvents, type SseEvent } from "../support/sessions-over-http/read-sse.ts";
import { eventually } from "../support/sessions-over-http/session-server.ts";
import { canMount, fillDisk, NO_MOUNT, remountReadOnly, smallDisk } from "../support/small-disk.ts";
import { temporary } from "../support/temporary.ts";

const ASKING = `export default {
  description: "Asks.",
  args: {},
  access: () => [],
  async execute(_, context) {
    await context.ask({ permission: "deploy", patterns: ["production"] });
    return "Deployed.";
  },
};
`;
const FILES = { ".toolwright/tools/asking.ts": ASKING };
const SECRET = "The secret plan of this session";
const JSON_TYPE = { "content-type": "application/json" };

interface Created {
  readonly id: string;
}

interface Refusal {
  readonly error: { readonly code: string; readonly message: string };
}

const served = (options: ServerOptions = {}, files: Record<string, string> = FILES): Promise<TestServer> =>
  openServer(files, { ...options, tools: { sessions: "disk", agents: knownAgents, ...options.tools } });

/** Creates a session of the demo agent. */
async function create({ post }: TestServer, prompt: string, more: object = {}): Promise<string> {
  const response = await post("/api/sessions", { prompt, agent: "demo", ...more });
  const body = (await response.json()) as Created & Partial<Refusal>;
  expect(response.status, JSON.stringify(body)).toBe(201);
  return body.id;
}

async function refusalOf(response: Response): Promise<[number, string]> {
  const { error } = (await response.json()) as Refusal;
  expect(error.message).toMatch(/^.+\.$/s);
  return [response.status, error.code];
}

/** The events of a session until one of this name. */
async function readUntil(server: TestServer, id: string, name: string, query = ""): Promise<SseEvent[]> {
  const seen: SseEvent[] = [];
  const stop = new AbortController();
  const response = await server.ask(`/api/sessions/${encodeURIComponent(id)}/events${query}`, { signal: stop.signal });
  expect(response.status).toBe(200);
  for await (const event of readEvents(response.body as ReadableStream<Uint8Array>)) {
    seen.push(event);
    if (event.event === name) break;
  }
  stop.abort();
  return seen;
}

async function logOf({ toolbox }: TestServer, id: string): Promise<readonly StoredEvent[]> {
  return (await toolbox.sessions.store()).read(id, 0, 10_000);
}

async function idle(server: TestServer, id: string): Promise<void> {
  await eventually(
    `${id} is idle`,
    async () => (await (await server.toolbox.sessions.store()).get(id))?.status === "idle",
  );
}

/** All routes of sessions: method, path for a session and a question, body. */
const ROUTES: readonly (readonly ["GET" | "POST" | "DELETE", (id: string) => string, unknown?])[] = [
  ["GET", () => "/api/sessions"],
  ["POST", () => "/api/sessions", { prompt: "say hi", agent: "demo" }],
  ["GET", (id) => `/api/sessions/${id}`],
  ["DELETE", (id) => `/api/sessions/${id}`],
  ["POST", (id) => `/api/sessions/${id}/messages`, { prompt: "say hi" }],
  ["POST", (id) => `/api/sessions/${id}/cancel`, {}],
  ["POST", (id) => `/api/sessions/${id}/branch`, {}],
  ["POST", (id) => `/api/sessions/${id}/questions/abc.def`, { allowed: true }],
  ["POST", (id) => `/api/sessions/${id}/grants/remove`, { tool: "x", action: "allow" }],
  ["GET", (id) => `/api/sessions/${id}/export?format=jsonl`],
  ["GET", (id) => `/api/sessions/${id}/export?format=markdown`],
  ["GET", (id) => `/api/sessions/${id}/events`],
];

const OF_A_SESSION = ROUTES.filter(([, path]) => path("x") !== "/api/sessions");

/** A request with these headers only. */
async function plain(
  { url }: TestServer,
  [method, path, body]: (typeof ROUTES)[number],
  id: string,
  headers: Record<string, string> = {},
  query = "",
): Promise<Response> {
  const target = path(encodeURIComponent(id));
  const joined = query === "" ? target : `${target}${target.includes("?") ? "&" : "?"}${query}`;
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  return fetch(`${url}${joined}`, {
    method,
    headers: { ...(body === undefined ? {} : JSON_TYPE), ...headers },
    ...content,
  });
}

describe("[X1] the routes of sessions", () => {
  it("refuse every request without the token, and tell nothing", async () => {
    const server = await served();
    const id = await create(server, `say ${SECRET}`);
    await idle(server, id);
    const before = await logOf(server, id);
    const attempts: (readonly [string, Record<string, string>, string])[] = [
      ["no token", {}, ""],
      ["a wrong token", { authorization: "Bearer wrong" }, ""],
      ["an empty token", { authorization: "Bearer " }, ""],
      ["another scheme", { authorization: `Basic ${Buffer.from(`:${TOKEN}`).toString("base64")}` }, ""],
      ["a wrong token in the query", {}, "token=wrong"],
      ["a cookie that is not ours", { cookie: `toolwright_${server.port}=${"A".repeat(43)}` }, ""],
      ["the token as the cookie", { cookie: `toolwright_${server.port}=${TOKEN}` }, ""],
    ];
    for (const route of ROUTES) {
      for (const [what, headers, query] of attempts) {
        for (const target of [id, "missing"]) {
          const response = await plain(server, route, target, headers, query);
          const text = await response.text();
          const where = `${what}: ${route[0]} ${route[1](target)}`;
          expect(response.status, where).toBe(401);
          expect(text, where).not.toContain(SECRET);
        }
      }
      // The token in the query is for reading only.
      if (route[0] === "GET") continue;
      expect((await plain(server, route, id, {}, `token=${TOKEN}`)).status).toBe(401);
    }
    expect(await logOf(server, id)).toEqual(before);
  });

  it("accept the cookie of the page from the page only", async () => {
    const server = await served({ pageFolder: temporary() });
    const id = await create(server, `say ${SECRET}`);
    await idle(server, id);
    const before = await logOf(server, id);
    const login = await fetch(`${server.url}/api/login`, {
      method: "POST",
      headers: { ...JSON_TYPE, origin: server.url },
      body: JSON.stringify({ token: TOKEN }),
    });
    const [cookie = ""] = (login.headers.get("set-cookie") ?? "").split(";");
    const elsewhere: Record<string, string>[] = [
      {},
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: `http://127.0.0.1:${server.port + 1}` },
      { origin: server.url, "sec-fetch-site": "cross-site" },
      { origin: server.url, "sec-fetch-site": "same-site" },
      { origin: server.url, "sec-fetch-site": "none" },
      { origin: `${server.url}.evil.example` },
    ];
    for (const route of ROUTES) {
      for (const headers of elsewhere) {
        if (route[0] === "GET" && headers.origin === undefined) continue;
        const isOpened = route[0] === "GET" && headers["sec-fetch-site"] === "none";
        if (isOpened) continue;
        const response = await plain(server, route, id, { cookie, ...headers });
        const where = `${route[0]} ${route[1](id)} ${JSON.stringify(headers)}`;
        expect(response.status, where).toBe(403);
        expect(await response.text(), where).not.toContain(SECRET);
      }
    }
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }])
      for (const route of ROUTES.filter(([method]) => method === "GET"))
        expect((await plain(server, route, id, { cookie, ...headers })).status).toBe(403);
    expect(await logOf(server, id)).toEqual(before);
    const own = { cookie, origin: server.url, "sec-fetch-site": "same-origin" };
    const message = OF_A_SESSION.find(([, path]) => path("x").endsWith("/messages")) as (typeof ROUTES)[number];
    expect((await plain(server, message, id, own)).status).toBe(202);
  });
});

describe("[X1] the id of a session in a path", () => {
  /** As sent, without further encoding. Without `.` and `..`, which lead to other routes. */
  const PATHS: readonly string[] = [
    "..%2f..%2fetc%2fpasswd",
    "%2e%2e%2f",
    "...",
    "%2F",
    "%5C",
    "a%2Fb%2Fevents",
    "%00",
    "x%00y",
    "%0d%0aSet-Cookie:%20a=b",
    "%7f",
    "%",
    "%zz",
    "%ff",
    "%c0%ae%c0%ae",
    "%ed%a0%80",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "default",
    "null",
    "undefined",
    "*",
    "%25",
    "%27%20OR%201=1--",
    "x".repeat(201),
    "x".repeat(3_000),
    "%F0%9F%98%80".repeat(150),
    "s%C3%A9cret",
    "secret%E2%80%8B",
    "%EF%BD%93%EF%BD%85%EF%BD%83%EF%BD%92%EF%BD%85%EF%BD%94",
    "s%D0%B5cret",
    "SECRET",
    "secret%20",
    "%20secret",
    "secret;a=b",
    "secret%3Fafter=0",
  ];

  it.each(PATHS)("%j finds no session", async (path) => {
    const server = await served();
    const store = await server.toolbox.sessions.store();
    for (const id of ["secret", "sécret-other"]) {
      await store.create({ id, directory: server.at.project, title: SECRET });
    }
    for (const [method, toPath, body] of OF_A_SESSION) {
      const bytes = body === undefined ? "" : JSON.stringify(body);
      const headers =
        body === undefined ? {} : { "Content-Type": "application/json", "Content-Length": `${bytes.length}` };
      const { status, text } = await exchange(
        server.port,
        head(`${method} ${toPath(path)}`, headers as Record<string, string>) + bytes,
      );
      const where = `${method} ${toPath(path)}: ${text.slice(0, 300)}`;
      expect([400, 404, 405, 414, 431], where).toContain(status);
      expect(text, where).not.toContain(SECRET);
      expect(text, where).not.toMatch(/^set-cookie/im);
    }
    expect((await store.list()).sessions).toHaveLength(2);
  });

  it.each(["a/b", "..", "a?b#c", "100%", "日本 語", "'); DROP TABLE events; --", `"quoted"`, "__proto__"])(
    "%j can be the id of a session, and is reached if it is encoded",
    async (id) => {
      const server = await served();
      const store = await server.toolbox.sessions.store();
      await store.create({ id, directory: server.at.project });
      await store.create({ id: "other", directory: server.at.project, title: SECRET });
      // Clients resolve `..` themselves, even if it is encoded.
      if (id === "..") return expect((await server.ask("/api/sessions/%2e%2e")).status).not.toBe(500);
      const path = `/api/sessions/${encodeURIComponent(id)}`;
      const response = await server.ask(path);
      expect(await response.json()).toMatchObject({ id });
      const exported = await server.ask(`${path}/export`);
      expect(exported.headers.get("content-disposition")).toMatch(/^attachment; filename="[\w.-]+\.jsonl"$/);
      expect(await exported.text()).not.toContain(SECRET);
      expect((await server.ask(path, { method: "DELETE" })).status).toBe(200);
      expect((await store.list()).sessions.map((each) => each.id)).toEqual(["other"]);
    },
  );
});

describe("[X1] a session of another project", () => {
  it("cannot be listed, read, changed or answered, although it is in the same database", async () => {
    const server = await served();
    const id = await create(server, "say mine");
    const file = join(server.at.env.TOOLWRIGHT_HOME as string, "sessions.db");
    const store = await openSqliteStore({ file, project: "/elsewhere" });
    onTestFinished(() => store.close());
    await store.create({ id: "theirs", directory: "/elsewhere", title: SECRET });
    const questionID = `${Buffer.from("theirs").toString("base64url")}.${crypto.randomUUID()}`;
    const call = { callID: "c", tool: "t", messageID: "m", agent: "a" };
    await store.append("theirs", [
      { type: "message.user", messageID: "m", content: [{ type: "text", text: SECRET }] },
      { type: "tool.start", ...call, input: {} },
      {
        ...{ type: "question.asked", questionID, callID: "c", tool: "t", agent: "a", reason: "May I?" },
        ...{ kind: "dialog", method: "confirm" },
      },
    ]);
    const before = await store.read("theirs", 0, 100);
    for (const route of OF_A_SESSION) {
      const response = await plain(server, route, "theirs", { authorization: `Bearer ${TOKEN}` });
      const text = await response.text();
      expect(response.status, `${route[0]} ${route[1]("theirs")}: ${text}`).toBe(404);
      expect(text).not.toContain(SECRET);
    }
    const answer = { allowed: true, value: true };
    expect((await server.post(`/api/sessions/theirs/questions/${questionID}`, answer)).status).toBe(404);
    expect((await server.post(`/api/sessions/${id}/questions/${questionID}`, answer)).status).toBe(404);
    expect((await server.post(`/api/questions/${questionID}`, answer)).status).toBe(404);
    expect(await (await server.ask("/api/sessions?limit=200")).text()).not.toContain("theirs");
    expect(await (await server.ask("/api/sessions?search=secret")).text()).not.toContain("theirs");
    expect(await store.read("theirs", 0, 100)).toEqual(before);
  });
});

describe("[X1] a question of a session", () => {
  it("is answered through its own session only, once", async () => {
    const server = await served({ settings: {} });
    const [mine, other] = [await create(server, "call asking {}"), await create(server, "call asking {}")];
    const questions = await Promise.all(
      [mine, other].map(async (id) => {
        const event = (await readUntil(server, id, "permission")).at(-1);
        return (JSON.parse(event?.data ?? "{}") as { questionID: string }).questionID;
      }),
    );
    const [question = "", theirs = ""] = questions;
    const [, random = ""] = question.split(".");
    const forged = `${Buffer.from(other).toString("base64url")}.${random}`;
    const answers: (readonly [string, string])[] = [
      [other, question],
      [mine, theirs],
      [mine, forged],
      [other, forged],
      [mine, random],
      [mine, `${question}=`],
      [mine, `${question}%00`],
      [mine, `.${random}`],
      [mine, "."],
      ["missing", question],
    ];
    for (const [id, questionID] of answers) {
      const response = await server.post(`/api/sessions/${id}/questions/${questionID}`, { allowed: true });
      expect(response.status, `${id} ${questionID}`).toBe(404);
    }
    for (const body of [{}, { allowed: "yes" }, { allowed: 1 }, [], null, { allowed: true, remember: "forever" }]) {
      const response = await server.post(`/api/sessions/${mine}/questions/${question}`, body);
      expect(response.status, JSON.stringify(body)).toBe(400);
    }
    expect(server.toolbox.sessions.questions().map(({ questionID }) => questionID)).toEqual(
      expect.arrayContaining(questions),
    );
    const path = `/api/sessions/${mine}/questions/${question}`;
    const both = await Promise.all([{ allowed: true }, { allowed: false }].map((body) => server.post(path, body)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await readUntil(server, mine, "completed");
    expect(server.toolbox.sessions.questions().map(({ questionID }) => questionID)).toEqual([theirs]);
    expect((await server.post(path, { allowed: true })).status).toBe(409);
    expect((await logOf(server, mine)).filter(({ type }) => type === "question.answered")).toHaveLength(1);
    expect((await server.post(`/api/sessions/${other}/cancel`, {})).status).toBe(200);
    await readUntil(server, other, "completed");
  });
});

describe("[X1] the body of a request", () => {
  const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  const BODIES: readonly (readonly [string, string, number])[] = [
    ["nothing", "", 400],
    ["text", "hello", 400],
    ["null", "null", 400],
    ["a list", "[]", 400],
    ["a string", '"prompt"', 400],
    ["a prototype", '{"__proto__":{"prompt":"x"},"prompt":"say hi"}', 400],
    ["a prototype in an object", '{"prompt":"say hi","tools":[{"__proto__":{}}]}', 400],
    ["a constructor", '{"constructor":{"prototype":{"x":1}},"prompt":"say hi"}', 400],
    ["an escaped prototype", '{"\\u005f_proto__":{},"prompt":"say hi"}', 400],
    ["an unknown field", '{"prompt":"say hi","sessionID":"x"}', 400],
    ["a field of another route", '{"prompt":"say hi","allowed":true}', 400],
    ["a name of Object.prototype", '{"prompt":"say hi","toString":"x"}', 400],
    ["deep JSON", deep(600), 400],
    ["very deep JSON", deep(100_000), 400],
    ["a prompt that is no text", '{"prompt":{"type":"text"}}', 400],
    ["an empty prompt", '{"prompt":""}', 400],
    ["a blank prompt", '{"prompt":" \\n\\t "}', 400],
    ["a giant prompt", JSON.stringify({ prompt: `say ${"x".repeat(1_000_001)}` }), 413],
    ["a giant prompt of few characters", JSON.stringify({ prompt: `say ${"\u{1f600}".repeat(260_000)}` }), 413],
    ["a giant body", JSON.stringify({ prompt: "x".repeat(5_000_000) }), 413],
    ["invalid UTF-8", "\xff", 400],
  ];

  it.each(BODIES)("with %s is refused, and creates or changes nothing", async (_, body, status) => {
    const server = await served();
    const id = await create(server, "say hi");
    await idle(server, id);
    const before = await logOf(server, id);
    for (const path of ["/api/sessions", `/api/sessions/${id}/messages`]) {
      const bytes = body === "\xff" ? Buffer.from([0x22, 0xff, 0x22]) : body;
      const response = await server.ask(path, { method: "POST", headers: JSON_TYPE, body: bytes });
      expect((await refusalOf(response))[0], path).toBe(status);
    }
    expect(await logOf(server, id)).toEqual(before);
    expect((await (await server.toolbox.sessions.store()).list()).sessions).toHaveLength(1);
    expect(({} as { prompt?: string }).prompt).toBeUndefined();
  });

  it.each([
    ["cancel", { callID: "" }],
    ["cancel", { reason: 1 }],
    ["cancel", { __proto: 1 }],
    ["branch", { at: 0 }],
    ["branch", { at: -1 }],
    ["branch", { at: 1.5 }],
    ["branch", { at: 1e300 }],
    ["branch", { at: "1" }],
    ["branch", { at: 9_999 }],
    ["branch", { id: "chosen" }],
    ["grants/remove", {}],
    ["grants/remove", { tool: "*", action: "everything" }],
  ])("of %s with %j is refused", async (route, body) => {
    const server = await served();
    const id = await create(server, "say hi");
    await idle(server, id);
    expect(await refusalOf(await server.post(`/api/sessions/${id}/${route}`, body))).toEqual([400, "bad_request"]);
    for (const hostile of ['{"__proto__":{"at":1}}', '{"constructor":{"prototype":{}}}', deep(600)]) {
      const response = await server.ask(`/api/sessions/${id}/${route}`, {
        method: "POST",
        headers: JSON_TYPE,
        body: hostile,
      });
      expect(response.status).toBe(400);
    }
  });

  it.each([
    ["permissionMode", ["yolo", "", 1, null, ["bypass"], "Bypass", "bypass ", "toString", "dontAsk"]],
    ["tools", ["read", {}, [1], [""], [["read"]], Array(1_001).fill("x"), ["a\nb"]]],
    ["agent", ["", 1, "x".repeat(201), "a\0b", "missing-agent", "../demo", "__proto__", "constructor"]],
    ["model", ["", {}, "x".repeat(201), "a\r\nb"]],
    ["title", ["", 1, "x".repeat(201), "a\r\nX: y", "a\0"]],
  ] as const)("with a wrong %s creates no session", async (field, values) => {
    const server = await served();
    for (const value of values) {
      const response = await server.post("/api/sessions", { prompt: "say hi", agent: "demo", [field]: value });
      expect(await refusalOf(response), JSON.stringify(value).slice(0, 50)).toEqual([400, "bad_request"]);
    }
    expect((await (await server.toolbox.sessions.store()).list()).sessions).toEqual([]);
  });

  it("keeps unusual characters of a prompt as they are, in the log, the stream and the export", async () => {
    const server = await served();
    const prompt = `say \0 \x1b[31m \x7f \ud800 x \udc00 \u202e \u2028 \r\n\r\ndata: {"x":1}\n\nid: 99\nevent: completed\n\n </script>`;
    const id = await create(server, prompt);
    const events = await readUntil(server, id, "completed");
    const [first] = events.filter(({ event }) => event === "message").map(({ data }) => JSON.parse(data));
    const wellFormed = prompt.toWellFormed();
    expect([prompt, wellFormed]).toContain(first.content[0].text);
    expect(events.filter(({ id: position }) => position === 99)).toEqual([]);
    const jsonl = await (await server.ask(`/api/sessions/${id}/export`)).text();
    const lines = jsonl.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).position)).toEqual(lines.map((_, index) => index + 1));
    expect((await server.post(`/api/sessions/${id}/messages`, { prompt: "say again" })).status).toBe(202);
    await idle(server, id);
  });
});

describe('[X1] the "cwd" of a new session', () => {
  const REFUSED: readonly (readonly [string, (at: TestServer["at"]) => unknown])[] = [
    ["above the project", ({ root }) => root],
    ["the root of the file system", () => "/"],
    ["beside the project, with its name as a prefix", ({ project }) => `${project}-2`],
    ["outside through dots", ({ project }) => `${project}/../home`],
    ["outside through dots and back", ({ project }) => `${project}/sub/../../project-2`],
    ["outside through a link", ({ project }) => `${project}/link-out`],
    ["below a link to the outside", ({ project }) => `${project}/link-out/sub`],
    ["a link to itself", ({ project }) => `${project}/link-loop`],
    ["a link to nothing", ({ project }) => `${project}/link-missing`],
    ["a file", ({ project }) => `${project}/file.txt`],
    ["below a file", ({ project }) => `${project}/file.txt/x`],
    ["missing", ({ project }) => `${project}/missing`],
    ["relative", () => "sub"],
    ["relative with a dot", () => "./sub"],
    ["the home folder", () => "~"],
    ["in the home folder", () => "~/x"],
    ["the folder of the user", () => homedir()],
    ["with a NUL character", ({ project }) => `${project}/sub\0`],
    ["with a NUL character after a valid path", ({ project }) => `${project}\0/etc`],
    ["a device", () => "/dev/null"],
    ["the file system of processes", () => "/proc/self/cwd"],
    ["a URL", ({ project }) => `file://${project}`],
    ["a UNC path", () => "\\\\server\\share"],
    ["a drive", () => "C:\\"],
    ["empty", () => ""],
    ["blank", () => " "],
    ["very long", ({ project }) => `${project}/${"x".repeat(10_000)}`],
    ["a number", () => 1],
    ["a list", ({ project }) => [project]],
    ["null", () => null],
  ];

  it.each(REFUSED)("that is %s is refused, and creates no session", async (_, cwdOf) => {
    const server = await served();
    prepare(server);
    const cwd = cwdOf(server.at);
    expect(await refusalOf(await server.post("/api/sessions", { prompt: "say hi", agent: "demo", cwd }))).toEqual([
      400,
      "bad_request",
    ]);
    expect((await (await server.toolbox.sessions.store()).list()).sessions).toEqual([]);
  });

  it.each<[string, (project: string) => string, (project: string) => string]>([
    ["the project", (project) => project, (project) => project],
    ["with a slash at its end", (project) => `${project}/`, (project) => project],
    ["in the project", (project) => `${project}/sub`, (project) => `${project}/sub`],
    ["in it after dots", (project) => `${project}/sub/../sub/.`, (project) => `${project}/sub`],
    ["a link to a folder of the project", (project) => `${project}/link-in`, (project) => `${project}/sub`],
  ])("that is %s is used, without links", async (_, cwdOf, expected) => {
    const server = await served();
    prepare(server);
    const { project } = server.at;
    const id = await create(server, "say hi", { cwd: cwdOf(project) });
    expect(await (await server.ask(`/api/sessions/${id}`)).json()).toMatchObject({ directory: expected(project) });
    await idle(server, id);
  });

  it("that a link to the outside replaces during a turn opens nothing there", async () => {
    const server = await served({ tools: { builtins: ["read"] } });
    prepare(server);
    const { project } = server.at;
    writeFileSync(join(`${project}-2`, "secret.txt"), SECRET);
    const id = await create(server, 'call asking\ncall read {"filePath":"secret.txt"}', { cwd: `${project}/sub` });
    const lastStop = async (): Promise<StoredEvent | undefined> =>
      (await logOf(server, id)).findLast(({ type }) => type === "question.asked" || type === "session.idle");
    const { data, id: position } = (await readUntil(server, id, "permission")).at(-1) as SseEvent;
    leadOut(project);
    const { questionID } = JSON.parse(data) as { questionID: string };
    await server.post(`/api/sessions/${id}/questions/${questionID}`, { allowed: true });
    await eventually("the second call asks or ends", async () => (await lastStop())?.position !== position);
    expect(await lastStop()).toMatchObject({ type: "question.asked", tool: "read" });
    await server.post(`/api/sessions/${id}/cancel`, {});
    await idle(server, id);
    expect(JSON.stringify(await logOf(server, id))).not.toContain(SECRET);
  });

  it.each<[string, (project: string) => void]>([
    ["that a link to the outside has replaced", leadOut],
    ["that was removed", (project) => rmSync(`${project}/sub`, { recursive: true })],
  ])("%s is refused with the next message", async (_, change) => {
    const server = await served();
    prepare(server);
    const { project } = server.at;
    const id = await create(server, "say hi", { cwd: `${project}/sub` });
    await idle(server, id);
    const before = await logOf(server, id);
    change(project);
    const response = await server.post(`/api/sessions/${id}/messages`, { prompt: "say more" });
    expect([response.status, await response.json()]).toEqual([
      409,
      {
        error: {
          code: "conflict",
          message: `The directory of this session is ${JSON.stringify(`${project}/sub`)}. It must be a directory of the served project: ${JSON.stringify(project)}, or one in it. Restore it, or create a new session.`,
        },
      },
    ]);
    expect(await logOf(server, id)).toEqual(before);
  });

  function leadOut(project: string): void {
    rmSync(`${project}/sub`, { recursive: true });
    symlinkSync(`${project}-2`, `${project}/sub`);
  }

  function prepare({ at: { root, project } }: TestServer): void {
    mkdirSync(join(project, "sub"));
    mkdirSync(join(`${project}-2`, "sub"), { recursive: true });
    writeFileSync(join(project, "file.txt"), "");
    symlinkSync(root, join(project, "link-out"));
    symlinkSync(join(project, "sub"), join(project, "link-in"));
    symlinkSync(join(project, "link-loop"), join(project, "link-loop"));
    symlinkSync(join(root, "nothing"), join(project, "link-missing"));
  }
});

describe("[S2] the position after which a stream begins", () => {
  const WRONG = [
    "-1",
    "-0",
    "+1",
    "1.5",
    "1e1",
    "0x1",
    "01",
    "1n",
    "abc",
    "NaN",
    "Infinity",
    "null",
    "1,2",
    "1 2",
    "٣",
    "１",
  ];
  const HUGE = ["9999", "999999999999999", "9999999999999999999999"];

  it.each([...WRONG, ...HUGE])("is not %j", async (text) => {
    const server = await served();
    const id = await create(server, "say hi");
    await idle(server, id);
    const path = `/api/sessions/${id}/events`;
    const query = await server.ask(`${path}?after=${encodeURIComponent(text)}`);
    expect(await refusalOf(query)).toEqual([400, "bad_request"]);
    // Other characters cannot be in a header.
    if (!/^[ -~]*$/.test(text)) return;
    const header = await server.ask(path, { headers: { "last-event-id": text } });
    expect(await refusalOf(header)).toEqual([400, "bad_request"]);
  });

  it("is the header's if there are both, and everything without one", async () => {
    const server = await served();
    const id = await create(server, "say hi");
    const all = (await readUntil(server, id, "completed")).filter(({ id: position }) => position !== undefined);
    const last = all.at(-1)?.id ?? 0;
    const ids = async (query: string, headers: Record<string, string> = {}): Promise<(number | undefined)[]> => {
      const stop = new AbortController();
      const response = await server.ask(`/api/sessions/${id}/events${query}`, { headers, signal: stop.signal });
      expect(response.status).toBe(200);
      const seen: (number | undefined)[] = [];
      for await (const event of readEvents(response.body as ReadableStream<Uint8Array>)) {
        seen.push(event.id);
        if (event.id === last) break;
      }
      stop.abort();
      return seen;
    };
    const positions = all.map(({ id: position }) => position);
    expect(await ids("")).toEqual(positions);
    expect(await ids("?after=0")).toEqual(positions);
    expect(await ids("", { "last-event-id": "" })).toEqual(positions);
    expect(await ids("?after=0", { "last-event-id": String(last - 1) })).toEqual([last]);
    expect(await ids(`?after=${last - 1}`, { "last-event-id": "0" })).toEqual(positions);
    expect((await server.ask(`/api/sessions/${id}/events?after=0&after=1`)).status).toBe(400);
    expect((await server.ask(`/api/sessions/${id}/events?afterwards=1`)).status).toBe(400);
  });
});

describe("[X1] an export", () => {
  it("of hostile text has no markup that runs or loads anything", async () => {
    const server = await served();
    const store = await server.toolbox.sessions.store();
    const hostile = [
      "<script>alert(1)</script>",
      "<img src=x onerror=alert(1)>",
      "![x](https://evil.example/pixel.png)",
      "[x](javascript:alert(1))",
      "```\n</code><script>alert(1)</script>\n```",
      "<!-- --><iframe src='javascript:alert(1)'>",
      "[a]: https://evil.example\n![a]",
    ].join("\n\n");
    await store.create({ id: "hostile", directory: server.at.project, title: hostile.slice(0, 900) });
    const call = { callID: hostile, tool: hostile, messageID: hostile, agent: hostile };
    const result = { ok: true, content: [{ type: "text", text: hostile }], notes: { durationMs: 1 } } as const;
    await store.append("hostile", [
      { type: "message.user", messageID: "m", content: [{ type: "text", text: hostile }] },
      { type: "message.complete", messageID: "n", content: [{ type: "text", text: hostile }], thinking: hostile },
      { type: "tool.start", ...call, input: { hostile } },
      { type: "tool.complete", ...call, result },
      { type: "session.error", message: hostile },
    ]);
    const response = await server.ask("/api/sessions/hostile/export?format=markdown");
    expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="session-hostile.md"');
    const text = await response.text();
    expect(text).toContain("alert");
    const html = marked.parse(text, { async: false, gfm: true });
    expect(html).not.toMatch(/<(?:script|img|iframe)/i);
    expect(html).not.toMatch(/href="(?!https?:|mailto:|#)/i);
  });

  it.each(['a";filename=evil.html', "a\u202egnp.exe", "..", "con", "ä".repeat(100), "a\u2028b", "%0d%0aX: y"])(
    "of the session %j has a safe file name",
    async (id) => {
      const server = await served();
      const store = await server.toolbox.sessions.store();
      await store.create({ id, directory: server.at.project, title: 'x"\u202e' });
      if (id === "..") return;
      for (const format of ["jsonl", "markdown"]) {
        const response = await server.ask(`/api/sessions/${encodeURIComponent(id)}/export?format=${format}`);
        expect(response.status).toBe(200);
        expect(response.headers.get("content-disposition")).toMatch(
          /^attachment; filename="session-[\w.-]+\.(?:jsonl|md)"$/,
        );
        expect(response.headers.has("x")).toBe(false);
        await response.text();
      }
    },
  );

  it.each(["html", "", "JSONL", "jsonl,markdown", "../x"])("in the format %j is refused", async (format) => {
    const server = await served();
    const id = await create(server, "say hi");
    await idle(server, id);
    expect((await server.ask(`/api/sessions/${id}/export?format=${encodeURIComponent(format)}`)).status).toBe(400);
  });
});

describe("[S2] a session that is removed", () => {
  it("while it is read: its streams end, and it is gone", async () => {
    const server = await served();
    const id = await create(server, "say hi");
    await idle(server, id);
    const response = await server.ask(`/api/sessions/${id}/events`);
    const reading = response.text();
    expect((await server.ask(`/api/sessions/${id}`, { method: "DELETE" })).status).toBe(200);
    expect(await reading).toContain("event: completed");
    for (const [method, path, body] of OF_A_SESSION)
      expect((await plain(server, [method, path, body], id, { authorization: `Bearer ${TOKEN}` })).status).toBe(404);
  });

  it("while it runs: that is refused, and works after it was cancelled", async () => {
    const server = await served();
    const id = await create(server, "say hi\nsleep 60000");
    expect(await refusalOf(await server.ask(`/api/sessions/${id}`, { method: "DELETE" }))).toEqual([409, "conflict"]);
    expect(await (await server.post(`/api/sessions/${id}/cancel`, {})).json()).toEqual({ cancelled: true });
    const events = await readUntil(server, id, "completed");
    expect(JSON.parse(events.at(-1)?.data ?? "{}")).toMatchObject({ aborted: true });
    expect((await server.ask(`/api/sessions/${id}`, { method: "DELETE" })).status).toBe(200);
    expect((await (await server.toolbox.sessions.store()).list()).sessions).toEqual([]);
  });

  it("while it is used by other requests: it does not come back", async () => {
    const server = await served();
    for (let round = 0; round < 20; round += 1) {
      const id = await create(server, "say hi");
      await idle(server, id);
      const path = `/api/sessions/${id}`;
      const statuses = await Promise.all([
        ...Array.from({ length: 10 }, () => server.ask(path)),
        server.ask(path, { method: "DELETE" }),
        ...Array.from({ length: 10 }, () => server.ask(path)),
        server.post(`${path}/grants/remove`, { tool: "x", action: "allow" }),
        server.post(`${path}/cancel`, {}),
        server.ask(`${path}/export`),
      ]).then((responses) => responses.map(({ status }) => status));
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      expect((await server.ask(path)).status).toBe(404);
      expect((await (await server.toolbox.sessions.store()).list()).sessions).toEqual([]);
    }
  });

  it("while messages are sent to it: it is either there with the message, or gone", async () => {
    const server = await served();
    for (let round = 0; round < 20; round += 1) {
      const id = await create(server, "say hi");
      await idle(server, id);
      const path = `/api/sessions/${id}`;
      const [sent, removed] = await Promise.all([
        server.post(`${path}/messages`, { prompt: "say more" }),
        server.ask(path, { method: "DELETE" }),
      ]);
      const outcome = `${sent.status} ${removed.status}`;
      expect(["202 409", "404 200", "202 200"], outcome).toContain(outcome);
      const there = await server.ask(path);
      if (removed.status === 200) expect(there.status, outcome).toBe(404);
      else await readUntil(server, id, "completed", `?after=${(await logOf(server, id)).length - 1}`);
      if (removed.status !== 200) {
        await idle(server, id);
        expect((await server.ask(path, { method: "DELETE" })).status).toBe(200);
      }
    }
  });
});

const mountable = canMount();

describe("[S3] sessions on a disk that cannot be written", () => {
  it.for(["full", "read-only"])("(%s) are refused with a reason, and go on afterwards", async (kind, { skip }) => {
    skip(!mountable, NO_MOUNT);
    const server = await served();
    const folder = server.at.env.TOOLWRIGHT_HOME as string;
    smallDisk(folder, "4m");
    const id = await create(server, "say hi");
    await idle(server, id);
    const before = await logOf(server, id);
    // SQLite keeps its files open: a read-only disk is noticed when they are opened again.
    const restore = kind === "full" ? fillDisk(folder) : remountReadOnly(folder);
    const big = `say ${"x".repeat(500_000)}`;
    const refused = await server.post("/api/sessions", { prompt: big, agent: "demo" });
    if (kind === "full") {
      expect(await refusalOf(refused)).toEqual([503, "sessions_unavailable"]);
      const message = await server.post(`/api/sessions/${id}/messages`, { prompt: big });
      expect(await refusalOf(message)).toEqual([503, "sessions_unavailable"]);
      expect(await logOf(server, id)).toEqual(before);
    } else await refused.text();
    expect((await server.post("/api/tools/asking/run", { input: {} })).status).toBe(403);
    expect((await server.ask(`/api/sessions/${id}`)).status).toBe(200);
    restore();
    await eventually("it goes on", async () => {
      const { status } = await server.post(`/api/sessions/${id}/messages`, { prompt: "say again" });
      return status === 202;
    });
    await idle(server, id);
  });
});
