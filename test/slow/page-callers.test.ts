import { expect, it, vi } from "vitest";
import type { ApiCalls } from "../../src/core/api-page.ts";
import type { Caller } from "../../src/core/caller.ts";
import { ChatSession } from "../../src/surfaces/tui/chat-session.ts";
import { cli } from "../support/cli.ts";
import { TOKEN } from "../support/http-server.ts";
import { openSessions, type SessionServer } from "../support/http-sessions.ts";
import { pageFolderForTest } from "../support/page-folder.ts";
import { PATIENT } from "../support/patient.ts";

const FILES = {
  ".toolwright/tools/greet.js": `export default { description: "Greets.", args: {}, execute: () => "Hello" };`,
  ".toolwright/tools/peek.ts": `import { createReadTool } from "@earendil-works/pi-coding-agent";
const read = createReadTool(process.cwd());
export default { name: "peek", label: "Peek", description: "Reads.", parameters: { type: "object", properties: {} },
  execute: (id, _, signal, onUpdate, ctx) => read.execute(id, { path: "a.txt" }, signal, onUpdate, ctx) };`,
  "a.txt": "A",
};
const RULES = { permissions: [{ tool: "*", match: "undeclared", action: "allow" }] };

const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** Calls "greet" in every way there is. Each returns the agent that the audit log names. */
const WAYS: Readonly<Record<Caller, (server: SessionServer) => Promise<string>>> = {
  http: async (server) => {
    await server.post("/api/tools/greet/run", { agent: "script" });
    return "script";
  },
  page: async ({ url }) => {
    const opened = await fetch(`${url}/?token=${TOKEN}`, { redirect: "manual" });
    const cookie = opened.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    // A proxy may add its own credentials, which are not the token.
    const headers = { ...HEADERS, cookie, origin: url, authorization: "Basic cHJveHk6cHJveHk=" };
    const answer = await fetch(`${url}/api/tools/greet/run`, { method: "POST", headers, body: "{}" });
    expect(answer.status).toBe(200);
    return "";
  },
  cli: async ({ at }) => {
    expect(await cli(at, ["run", "greet", "--trust"])).toMatchObject({ code: 0, stdout: "Hello\n" });
    return "";
  },
  chat: async ({ toolbox }) => {
    const listener = { event: () => {}, notice: () => {}, opened: () => {}, changed: () => {} };
    const session = new ChatSession(toolbox, listener, { agent: undefined, model: undefined, mode: undefined });
    await session.call("greet", {});
    await session.close();
    return "";
  },
  mcp: async (server) => {
    const hello = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "some-editor", version: "1" },
    };
    const send = (message: object, headers = {}): Promise<Response> =>
      server.post("/mcp", { jsonrpc: "2.0", ...message }, { headers: { ...HEADERS, ...headers } });
    const begun = await send({ id: 0, method: "initialize", params: hello });
    const headers = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
    await send({ method: "notifications/initialized" }, headers);
    await (await send({ id: 1, method: "tools/call", params: { name: "greet", arguments: {} } }, headers)).text();
    return "some-editor";
  },
  agent: async (server) => {
    await server.until(await server.begin("call greet"), "completed");
    return "demo";
  },
  library: async ({ toolbox }) => {
    await toolbox.call({ name: "greet" }).result;
    return "";
  },
};

it.each(Object.keys(WAYS) as Caller[])("[P8][U4] the audit log says how a call was made: %s", async (caller) => {
  const server = await openSessions(FILES, { settings: RULES, pageFolder: pageFolderForTest() });
  const agent = await WAYS[caller](server);
  const list = async (query: object): Promise<ApiCalls["calls"]> => (await server.client.calls(query)).calls;
  await vi.waitFor(async () => {
    expect(await list({})).toEqual([expect.objectContaining({ tool: "greet", ok: true, caller, agent })]);
  }, PATIENT);
  expect(await list({ caller })).toHaveLength(1);
  expect(await list({ caller: caller === "page" ? "http" : "page" })).toEqual([]);
  expect(await server.client.callSummary({ caller })).toMatchObject({ total: 1 });
});

it("[P8][U4] a call that a tool makes has the caller of the tool", async () => {
  const server = await openSessions(FILES, { settings: RULES, tools: { builtins: true } });
  const started: unknown[] = [];
  server.toolbox.on("audit", ({ type, call }) => type === "start" && started.push([call.tool, call.caller]));
  await server.post("/api/tools/peek/run", {});
  await vi.waitFor(async () => {
    const { calls } = await server.client.calls();
    expect(calls.map(({ tool, caller }) => [tool, caller])).toEqual([
      ["peek", "http"],
      ["read", "http"],
    ]);
  }, PATIENT);
  expect(started).toEqual([
    ["peek", "http"],
    ["read", "http"],
  ]);
});

it("[U6] an unknown caller: 400", async () => {
  const server = await openSessions();
  const message =
    'The query parameter "caller" must be one of "page", "http", "cli", "chat", "mcp", "agent", "library".';
  await expect(server.client.calls({ caller: "robot" as Caller })).rejects.toMatchObject({ status: 400, message });
});
