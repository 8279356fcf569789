import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ToolEvent } from "../src/index.ts";
import { MCP_ROUTES } from "../src/surfaces/http/routes/all.ts";
import { openServer, type TestServer, TOKEN } from "./support/http-server.ts";
import { ERAS, type Era } from "./support/mcp-client.ts";

const FILES = {
  ".toolwright/tools/greet.js": `export default { description: "Greets.", args: { name: { type: "string" } }, execute: ({ name }) => "Hello, " + name + "!" };`,
  ".toolwright/tools/slow.js": `export default { description: "Waits.", execute: (args, { abort, metadata }) => new Promise((resolve) => {
    metadata({ title: "begun" });
    abort.addEventListener("abort", () => resolve("stopped"));
  }) };`,
};

/** A real client over HTTP, gone when the current test ends. */
async function connected({ url }: TestServer, era: Era, token = TOKEN): Promise<Client> {
  const mode = era === "2025-11-25" ? "legacy" : { pin: era };
  const client = new Client({ name: "tester", version: "1.0.0" }, { versionNegotiation: { mode } });
  onTestFinished(() => client.close());
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
}

describe.each(ERAS)("an MCP client of %s", (era) => {
  it("[S1][M1] lists and calls tools on the same port", async () => {
    const server = await openServer(FILES);
    const client = await connected(server, era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["greet", "slow"]);
    const { content } = await client.callTool({ name: "greet", arguments: { name: "Ada" } });
    expect(content).toEqual([{ type: "text", text: "Hello, Ada!" }]);
  });

  it("[S4] is not let in without the token", async () => {
    const server = await openServer(FILES);
    await expect(connected(server, era, "wrong")).rejects.toThrow();
  });

  it("[M2] ends the call that it was waiting for when it goes away", async () => {
    const server = await openServer(FILES);
    const client = await connected(server, era);
    const begun = next(server, "tool.update");
    const call = client.callTool({ name: "slow", arguments: {} }).catch(() => {});
    await begun;
    const ended = nextEnd(server);
    await client.close();
    await call;
    expect(await ended).toBe("aborted");
  });

  it("[S1] is served alone where only MCP is asked for", async () => {
    const server = await openServer(FILES, { routes: MCP_ROUTES });
    const client = await connected(server, era);
    expect((await client.listTools()).tools).toHaveLength(2);
    expect((await server.ask("/api/tools")).status).toBe(404);
    expect((await server.ask("/healthz")).status).toBe(200);
    expect(await (await server.ask("/")).json()).toEqual({
      error: { code: "not_found", message: 'There is nothing at "/". MCP is served at /mcp.' },
    });
  });

  it("[S1] has its calls ended when the server stops", async () => {
    const server = await openServer(FILES, { limits: { stopMs: 50 } });
    const client = await connected(server, era);
    const begun = next(server, "tool.update");
    const call = client.callTool({ name: "slow", arguments: {} }).catch(() => {});
    await begun;
    const ended = nextEnd(server);
    await server.server.stop();
    expect(await ended).toBe("aborted");
    await client.close();
    await call;
  });
});

describe("sessions over HTTP", () => {
  it("[M1] a request of none says what to do", async () => {
    const { post } = await openServer();
    const headers = { accept: "application/json, text/event-stream" };
    const answer = await post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }, { headers });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        jsonrpc: "2.0",
        id: null,
        error: {
          code: -32000,
          message: 'This server keeps sessions: send "initialize" first, then its Mcp-Session-Id with each request.',
        },
      },
    ]);
    const gone = await post(
      "/mcp",
      { jsonrpc: "2.0", id: 1, method: "ping" },
      { headers: { ...headers, "mcp-session-id": "x" } },
    );
    expect([gone.status, await gone.json()]).toMatchObject([
      404,
      { error: { message: 'There is no such session any more. Send "initialize" to begin another.' } },
    ]);
  });

  it("[M1] several messages at once are not taken", async () => {
    const { post } = await openServer();
    const answer = await post("/mcp", [{ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x" } }]);
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { code: -32600, message: "Batches are not part of the protocol: send one message per request." } },
    ]);
  });

  it("[M1] half a message is told as such", async () => {
    const { ask } = await openServer();
    const answer = await ask("/mcp", {
      method: "POST",
      body: '{"jsonrpc":',
      headers: { "content-type": "application/json" },
    });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32700, message: "The body is not valid JSON. Send one JSON object." },
      },
    ]);
  });
});

function next({ toolbox }: TestServer, type: ToolEvent["type"]): Promise<ToolEvent> {
  return new Promise((resolve) => {
    const stop = toolbox.onEvent((event) => {
      if (event.type !== type) return;
      stop();
      resolve(event);
    });
  });
}

async function nextEnd({ toolbox }: TestServer): Promise<string> {
  return new Promise((resolve) => {
    toolbox.onEvent((event) => {
      if (event.type === "tool.failed") resolve(event.result.error.code);
      if (event.type === "tool.complete") resolve("ok");
    });
  });
}
