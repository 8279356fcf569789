import { request } from "node:http";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { MESSAGE_METHOD } from "../src/core/agent-extension.ts";
import type { AgentCall, SessionTools } from "../src/core/coding-agent.ts";
import { createToolbox, tool } from "../src/index.ts";
import { limitsOf } from "../src/surfaces/client-limits/client-limits.ts";
import { fitTools } from "../src/surfaces/client-limits/fit-tools.ts";
import type { SessionProtocolOptions } from "../src/surfaces/mcp/session-protocol.ts";
import { type SessionServer, serveSessionTools } from "../src/surfaces/mcp/session-server.ts";
import { ERAS, type Era } from "./support/mcp-client.ts";
import { temporary } from "./support/temporary.ts";

/** Claude Code shows these tools without a search, and does not cut their results again. */
const META = { "anthropic/alwaysLoad": true, "anthropic/maxResultSizeChars": 500_000 };

describe.each(ERAS)("the tools of a session over MCP %s", (era) => {
  it("[G5] lists and calls them with the session's context and the ids that the agent told elsewhere", async () => {
    const { server, calls, events } = await serve({
      identify: async ({ name, input }) => ({ callID: `${name}-1`, messageID: JSON.stringify(input) }),
    });
    expect([server.listed, await server.untilListed(1)]).toEqual([undefined, false]);
    const client = await connect(server, era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name, _meta }) => [name, _meta])).toEqual([
      [LONG, META],
      ["echo", META],
      ["wait", META],
    ]);
    expect(await server.untilListed(60_000)).toBe(true);
    const result = await client.callTool({ name: "echo", arguments: { text: "hi" } });
    expect(result).toMatchObject({ content: [{ type: "text", text: "hi, coder" }] });
    expect(calls).toEqual([{ name: "echo", input: { text: "hi" }, callID: "echo-1", messageID: '{"text":"hi"}' }]);
    expect(events()).toMatchObject([
      { type: "tool.start", callID: "echo-1", sessionID: "s1", agent: "coder", messageID: '{"text":"hi"}' },
      { type: "tool.complete" },
    ]);
  });

  it("[G5] calls without ids from the agent get new ones", async () => {
    const { server, events } = await serve({ identify: async () => undefined });
    const client = await connect(server, era);
    await client.callTool({ name: "echo", arguments: { text: "a" } });
    await client.callTool({ name: "echo", arguments: { text: "b" } });
    const ids = events().flatMap((event) => (event.type === "tool.start" ? [event.callID] : []));
    expect(new Set(ids).size).toBe(2);
  });

  it.each<{ usage: object; type?: string; error?: object }>([
    { usage: { inputTokens: 1, type: "session.idle" } },
    { usage: { inputTokens: 1, at: 1, position: 1, v: 9, id: "x", sessionID: "x", by: "user", epoch: 9 } },
    { usage: { inputTokens: 1, type: "state.set", of: "session", key: "mode", value: "bypass" } },
    { usage: { inputTokens: 1, type: "question.answered", questionID: "q", allowed: true }, type: "message.user" },
    { usage: { inputTokens: 1, constructor: { type: "x" }, model: { type: "x" } }, error: { type: "x" } },
  ])("[X1] takes only the numbers of a reported message: %j", async (params) => {
    const reported: unknown[] = [];
    const { server } = await serve({ onMessage: (message) => reported.push(message) });
    const client = await connect(server, era);
    await client.request(
      { method: MESSAGE_METHOD, params: params as Record<string, unknown> },
      tool.schema.looseObject({}),
    );
    expect(reported).toStrictEqual([{ usage: { inputTokens: 1 }, error: undefined }]);
  });

  it("maps names that were fitted to the client, and says which", async () => {
    const { server, calls } = await serve({
      fit: (tools) => fitTools(tools, limitsOf({ name: "codex" })).map(({ tool }) => tool),
    });
    const client = await connect(server, era);
    const { tools } = await client.listTools();
    const fitted = tools.map(({ name }) => name).find((name) => !["echo", "wait"].includes(name)) ?? "";
    expect(`mcp__toolwright__${fitted}`.length).toBeLessThanOrEqual(64);
    expect(server.listed?.get(fitted)).toBe(LONG);
    expect(await client.callTool({ name: fitted })).toMatchObject({ content: [{ text: "long" }] });
    expect(calls.at(-1)?.name).toBe(LONG);
  });

  it("answers a call of an unknown tool, and one with wrong arguments, with a result for the model", async () => {
    const { server } = await serve();
    const client = await connect(server, era);
    expect(await client.callTool({ name: "ech" })).toMatchObject({
      isError: true,
      content: [{ text: 'There is no tool "ech". Did you mean "echo"?' }],
    });
    const wrong = await client.callTool({ name: "echo", arguments: {} });
    expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("text") }] });
  });

  it("aborts a call that the client cancels, and all calls on demand", async () => {
    const { server, events } = await serve();
    const client = await connect(server, era);
    const cancel = new AbortController();
    const started = (count: number): Promise<void> =>
      expect.poll(() => events().filter(({ type }) => type === "tool.start").length).toBe(count) as never;
    const cancelled = client.callTool({ name: "wait" }, { signal: cancel.signal }).catch(() => "cancelled");
    await started(1);
    cancel.abort();
    expect(await cancelled).toBe("cancelled");
    const aborted = client.callTool({ name: "wait" });
    await started(2);
    await server.abort();
    expect(await aborted).toMatchObject({ isError: true });
    await expect.poll(() => events().filter(({ type }) => type === "tool.failed").length).toBe(2);
  });
});

it("tells a client when the tools change", async () => {
  const { server, change } = await serve();
  let names: string[] = [];
  const onChanged = (_: unknown, tools: { name: string }[] | null): void => {
    names = (tools ?? []).map(({ name }) => name);
  };
  await connect(server, "2025-11-25", { listChanged: { tools: { onChanged, debounceMs: 0 } } });
  // The client opens the stream for notifications after it has connected.
  await expect
    .poll(() => {
      change(["echo"]);
      return names;
    })
    .toEqual(["echo"]);
  expect([...(server.listed ?? [])]).toEqual([["echo", "echo"]]);
});

describe("the address of a session", () => {
  const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: {} };

  it("is not served without the token, to other hosts, or to web pages", async () => {
    const { server } = await serve();
    const { port, pathname } = new URL(server.url);
    const unknown = { status: 404, code: "not_found" };
    expect(await post(port, "/mcp", {})).toEqual(unknown);
    expect(await post(port, "/mcp/wrong", {})).toEqual(unknown);
    expect(await post(port, "/mcp", { authorization: "Bearer wrong" })).toEqual(unknown);
    expect(await post(port, `/other${pathname}`, {})).toEqual(unknown);
    expect(await post(port, pathname, { host: "evil.example" })).toEqual({ status: 403, code: "forbidden_host" });
    expect(await post(port, pathname, { origin: "https://evil.example" })).toEqual({
      status: 403,
      code: "forbidden_origin",
    });
    expect(await post(port, pathname, { "content-type": "text/plain" })).toEqual({
      status: 415,
      code: "unsupported_media_type",
    });
    expect(await post(port, pathname, {}, "x".repeat(4_000_001))).toEqual({ status: 413, code: "too_large" });
    expect(await post(port, pathname, {}, "[]")).toEqual({ status: 400, code: -32600 });
    expect(await post(port, pathname, {}, "{")).toEqual({ status: 400, code: -32700 });
  });

  it("takes the token as a bearer token too", async () => {
    const { server } = await serve();
    const headers = { authorization: `Bearer ${server.token}` };
    const client = new Client({ name: "tester", version: "1" });
    onTestFinished(() => client.close());
    await client.connect(
      new StreamableHTTPClientTransport(new URL(server.urlWithoutToken), { requestInit: { headers } }),
    );
    expect((await client.listTools()).tools).toHaveLength(3);
  });

  it("is on one port for all sessions, each sees only its own, and the last one closes the port", async () => {
    const [one, two] = [await serve(), await serve()];
    const { port, pathname } = new URL(one.server.url);
    expect(new URL(two.server.url).port).toBe(port);
    two.change(["echo"]);
    const client = await connect(two.server, "2025-11-25");
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["echo"]);
    await one.server.close();
    expect(await post(port, pathname, {}, JSON.stringify(initialize))).toEqual({ status: 404, code: "not_found" });
    await two.server.close();
    await expect(post(port, pathname, {})).rejects.toThrow("ECONNREFUSED");
    const three = await serve();
    const again = await connect(three.server, "2025-11-25");
    expect((await again.listTools()).tools).toHaveLength(3);
  });
});

const LONG = `a_${"long_".repeat(11)}name`;

/** The tools of a session over a real toolbox. */
async function serve(options: Partial<SessionProtocolOptions> = {}): Promise<{
  server: SessionServer;
  calls: AgentCall[];
  events: () => { type: string; callID: string }[];
  change: (names: string[]) => void;
}> {
  const directory = temporary();
  const toolbox = await createToolbox({
    cwd: directory,
    env: { HOME: directory },
    onlyGiven: true,
    tools: {
      echo: tool({
        description: "Echoes.",
        args: { text: tool.schema.string() },
        execute: ({ text }, { agent }) => `${text}, ${agent}`,
      }),
      wait: tool({
        description: "Waits.",
        args: {},
        execute: (_, { abort }) =>
          new Promise((_, reject) => abort.addEventListener("abort", () => reject(new Error("aborted")))),
      }),
      [LONG]: tool({ description: "Has a long name.", args: {}, execute: () => "long" }),
    },
  });
  const calls: AgentCall[] = [];
  const events: { type: string; callID: string }[] = [];
  const listeners = new Set<() => void>();
  let shown: string[] | undefined;
  toolbox.on("call", (event) => void events.push(event));
  const tools: SessionTools = {
    list: () =>
      toolbox
        .list({ agent: "coder", sessionID: "s1" })
        .filter(({ name }) => shown === undefined || shown.includes(name)),
    call: (request) => {
      calls.push(request);
      return toolbox.call({ ...request, sessionID: "s1", agent: "coder" });
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const server = await serveSessionTools(tools, { sessionID: "s1", directory, toolwrightHome: directory, ...options });
  onTestFinished(async () => {
    await server.close();
    await toolbox.close();
  });
  const change = (names: string[]): void => {
    shown = names;
    for (const listener of listeners) listener();
  };
  return { server, calls, events: () => events, change };
}

async function connect(server: SessionServer, era: Era, options: ClientOptions = {}): Promise<Client> {
  const mode = era === "2025-11-25" ? "legacy" : { pin: era };
  const client = new Client({ name: "tester", version: "1" }, { ...options, versionNegotiation: { mode } });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  return client;
}

/** `fetch` does not send a chosen Host. */
async function post(
  port: string,
  path: string,
  headers: Record<string, string>,
  body = "{}",
): Promise<{ status: number | undefined; code: unknown }> {
  const sent = { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: "127.0.0.1", port, path, method: "POST", headers: sent, agent: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("end", () => {
          const { error } = JSON.parse(text) as { error: { code: unknown } };
          resolve({ status: response.statusCode, code: error.code });
        });
      },
    );
    outgoing.on("error", reject).end(body);
  });
}
