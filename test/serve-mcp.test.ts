import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ToolEvent } from "../src/index.ts";
import { mcpRoutes } from "../src/surfaces/http/server/routes/routes.ts";
import { openServer, type TestServer, TOKEN } from "./support/http-server.ts";
import { ERAS, type Era } from "./support/mcp-client.ts";
import { PATIENT } from "./support/patient.ts";

const FILES = {
  ".toolwright/tools/greet.js": `export default { description: "Greets.", args: { name: { type: "string" } }, execute: ({ name }) => "Hello, " + name + "!" };`,
  ".toolwright/tools/slow.js": `export default { description: "Waits.", execute: (args, { abort, metadata }) => new Promise((resolve) => {
    metadata({ title: "begun" });
    abort.addEventListener("abort", () => resolve("stopped"));
  }) };`,
};

/** A real client over HTTP, closed at the end of the current test. */
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

  it("[S4] is refused without the token", async () => {
    const server = await openServer(FILES);
    await expect(connected(server, era, "wrong")).rejects.toThrow();
  });

  it("[M2] aborts its call when it disconnects", async () => {
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

  it("[M2] [X1] gets the output of its own calls, and none of other clients", async () => {
    const prints = `import { writeSync } from "node:fs";
    export default { description: "Prints.", args: { name: { type: "string" } }, async execute({ name }) {
      for (let line = 0; line < 20; line += 1) {
        writeSync(1, name + " past the console\\n");
        console.log(name + " out " + line);
        console.error(name + " err " + line);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return "done";
    } };`;
    const server = await openServer({ ".toolwright/tools/prints.js": prints });
    const _meta = { "io.modelcontextprotocol/logLevel": "info" };
    const seen = await Promise.all(
      ["Ada", "Bob"].map(async (name) => {
        const logged: string[] = [];
        const client = await connected(server, era);
        client.setNotificationHandler("notifications/message", ({ params }) => void logged.push(String(params.data)));
        if (era === "2025-11-25") await client.setLoggingLevel("info");
        const more = era === "2025-11-25" ? {} : { _meta };
        await client.callTool({ name: "prints", arguments: { name }, ...more });
        return { name, text: () => logged.join("\n") };
      }),
    );
    for (const { name, text } of seen) {
      await vi.waitFor(() => expect(text()).toContain(`${name} out 19`), 5_000);
      await vi.waitFor(() => expect(text()).toContain(`${name} err 19`), 5_000);
      expect(text()).not.toContain(name === "Ada" ? "Bob" : "Ada");
    }
  });

  it("[S1] is the only surface of mcpRoutes", async () => {
    const server = await openServer(FILES, { routes: mcpRoutes });
    const client = await connected(server, era);
    expect((await client.listTools()).tools).toHaveLength(2);
    expect((await server.ask("/api/tools")).status).toBe(404);
    expect((await server.ask("/healthz")).status).toBe(200);
    expect(await (await server.ask("/")).json()).toEqual({
      error: { code: "not_found", message: 'There is no route "/". MCP is served at /mcp.' },
    });
  });

  it("[S1] has its calls aborted when the server stops", async () => {
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
  const ACCEPT = { accept: "application/json, text/event-stream" };

  /** A session that sends raw messages. */
  async function session(
    server: TestServer,
  ): Promise<(message: object, headers?: object, signal?: AbortSignal) => Promise<Response>> {
    const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
    const initialize = { jsonrpc: "2.0", id: 0, method: "initialize", params: hello };
    const begun = await server.post("/mcp", initialize, { headers: ACCEPT });
    await begun.text();
    const id = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
    const send = (message: object, headers = {}, signal: AbortSignal | null = null): Promise<Response> =>
      server.post("/mcp", { jsonrpc: "2.0", ...message }, { headers: { ...ACCEPT, ...id, ...headers }, signal });
    await send({ method: "notifications/initialized" });
    return send;
  }

  const calling = (id: number, name: string, more: object = {}): object => ({
    id,
    method: "tools/call",
    params: { name, arguments: { name: "Ada" }, ...more },
  });

  it("[M1] a call without messages before its result gets a JSON response", async () => {
    const send = await session(await openServer(FILES));
    const answer = await send(calling(1, "greet"));
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    const content = [{ type: "text", text: "Hello, Ada!" }];
    expect(await answer.json()).toEqual({ jsonrpc: "2.0", id: 1, result: { content } });
    const unknown = await send(calling(2, "gret"));
    const message = 'There is no tool "gret". Did you mean "greet"?';
    expect(await unknown.json()).toEqual({ jsonrpc: "2.0", id: 2, error: { code: -32602, message } });
  });

  it("[M2] a call with progress gets an event stream that ends with the result", async () => {
    const send = await session(await openServer(FILES));
    const answer = await send(calling(1, "slow", { _meta: { progressToken: "p" } }));
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    const events = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = (await events?.read())?.value ?? "";
    expect(JSON.parse(first.slice(first.indexOf("{")))).toMatchObject({
      method: "notifications/progress",
      params: { progressToken: "p", message: "begun" },
    });
    await events?.cancel();
  });

  it("[M2] a cancelled call ends, and another call with the same id is served", async () => {
    const server = await openServer(FILES);
    const send = await session(server);
    const begun = next(server, "tool.update");
    const call = send(calling(1, "slow"));
    await begun;
    const ended = nextEnd(server);
    await send({ method: "notifications/cancelled", params: { requestId: 1 } });
    expect(await ended).toBe("aborted");
    const dropped = await call;
    expect([dropped.status, await dropped.text()]).toEqual([202, ""]);
    expect(await (await send(calling(1, "greet"))).json()).toMatchObject({ result: { content: [{ type: "text" }] } });
  });

  it("[M2] a cancelled call outside the fast call path ends its response", async () => {
    const server = await openServer(FILES);
    const send = await session(server);
    const begun = next(server, "tool.update");
    const call = await send(calling(1, "slow", { more: true }));
    await begun;
    await send({ method: "notifications/cancelled", params: { requestId: 1 } });
    expect(await call.text()).toBe("");
    await vi.waitFor(() => expect(server.server.running).toBe(0), PATIENT);
  });

  it("[M2] a call continues when another call with its id is cancelled", async () => {
    const files = {
      ...FILES,
      ".toolwright/tools/waits.js": `import { existsSync } from "node:fs"; import { join } from "node:path";
        export default { description: "Waits.", execute: (args, { directory, metadata }) => new Promise((resolve) => {
          metadata({ title: "begun" });
          const timer = setInterval(() => { if (existsSync(join(directory, "go"))) resolve(clearInterval(timer) ?? "gone on"); }, 5);
        }) };`,
    };
    const server = await openServer(files);
    const send = await session(server);
    const begun = next(server, "tool.update");
    const first = send(calling(1, "waits"));
    await begun;
    const second = next(server, "tool.update");
    const given = new AbortController();
    const up = send(calling(1, "slow"), {}, given.signal).then((answer) => answer.text());
    await second;
    const ended = nextEnd(server);
    given.abort();
    await expect(up).rejects.toThrow();
    expect(await ended).toBe("aborted");
    writeFileSync(join(server.at.project, "go"), "");
    expect(await (await first).json()).toMatchObject({ id: 1, result: { content: [{ text: "gone on" }] } });
    await vi.waitFor(() => expect(server.server.running).toBe(0), PATIENT);
  });

  it("[M1] unusual requests get protocol errors", async () => {
    const send = await session(await openServer(FILES));
    const nothing = await send({ id: 1, method: "tools/call", params: null });
    expect([nothing.status, await nothing.json()]).toMatchObject([400, { error: { code: -32600 } }]);
    const wrong = await send({ id: 1, method: "tools/call", params: { name: 5 } });
    expect(await wrong.text()).toContain('"code":-32602');
    const version = await send(calling(2, "greet"), { "mcp-protocol-version": "1999-01-01" });
    expect(version.status).toBe(400);
    const accept = await send(calling(3, "greet"), { accept: "application/json" });
    expect(accept.status).toBe(406);
  });

  it("[M1] a session that ends responds to its open requests", async () => {
    const server = await openServer(FILES);
    const send = await session(server);
    const begun = next(server, "tool.update");
    const call = send(calling(1, "slow"));
    await begun;
    await server.server.stop();
    expect(await (await call).json()).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32000, message: "The session has ended." },
    });
  });

  it("[M1] a request without a session gets an error that explains what to do", async () => {
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
          message:
            'This server requires a session: send "initialize" first, then its Mcp-Session-Id with each request.',
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
      { error: { message: 'This session does not exist or has ended. Send "initialize" to start another.' } },
    ]);
  });

  it("[M1] batches are refused", async () => {
    const { post } = await openServer();
    const answer = await post("/mcp", [{ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x" } }]);
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { code: -32600, message: "Batches are not part of the protocol: send one message per request." } },
    ]);
  });

  it("[M1] an incomplete message is refused", async () => {
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
    const stop = toolbox.on("call", (event) => {
      if (event.type !== type) return;
      stop();
      resolve(event);
    });
  });
}

async function nextEnd({ toolbox }: TestServer): Promise<string> {
  return new Promise((resolve) => {
    toolbox.on("call", (event) => {
      if (event.type === "tool.failed") resolve(event.result.error.code);
      if (event.type === "tool.complete") resolve("ok");
    });
  });
}
