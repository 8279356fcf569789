import { describe, expect, it, onTestFinished, vi } from "vitest";
import { allRoutes } from "../../src/surfaces/http/server/routes/routes.ts";
import { serveHttp } from "../../src/surfaces/http/server/serve-http.ts";
import { createProtocol, type Protocol } from "../../src/surfaces/mcp/index.ts";
import { StrictServer } from "../../src/surfaces/mcp/strict-server.ts";
import type { Toolbox } from "../../src/toolbox/toolbox.ts";
import { CALLED_TOOLS, Chance, generate, isOwed, plain } from "../support/call-messages.ts";
import { TOKEN } from "../support/http-server.ts";
import { initialize, rawConnection } from "../support/mcp-client.ts";
import { open } from "../support/toolbox.ts";

/** The number of compared connections, with `PER_ROUND` messages each. */
const ROUNDS = Number(process.env.ROUNDS ?? 20);
const PER_ROUND = 100;
const PATIENT = { timeout: 20_000, interval: 2 };

const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** Sends a message, cancels it if `isCancelled`, and resolves with all messages until its response. */
type Sender = (message: Record<string, unknown>, isCancelled: boolean) => Promise<unknown[]>;

/** The same protocol with every call served by the SDK. */
function withoutFastCallPath(protocol: Protocol): Protocol {
  return {
    ...protocol,
    connect: async (context) => {
      const server = await protocol.connect(context);
      if (server instanceof StrictServer) server.fastCallPath = undefined;
      return server;
    },
  };
}

/** Resolves when another call of `waits` starts. */
function begun(toolbox: Toolbox): Promise<void> {
  return new Promise((resolve) => {
    const stop = toolbox.on("call", (event) => {
      if (event.type !== "tool.start" || event.tool !== "waits") return;
      stop();
      resolve();
    });
  });
}

async function overStdio(toolbox: Toolbox, protocol: Protocol, version: string): Promise<Sender> {
  const raw = rawConnection(protocol);
  await initialize(raw, { protocolVersion: version });
  let pings = 0;
  return async (message, isCancelled) => {
    const running = isCancelled ? begun(toolbox) : undefined;
    raw.send(message);
    if (running) {
      await running;
      raw.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: message.id } });
    }
    const isAnswered = (): boolean => raw.unread.some(({ id, method }) => id === message.id && method === undefined);
    if (isOwed(message) && !isCancelled) await vi.waitFor(() => expect(isAnswered()).toBe(true), PATIENT);
    pings += 1;
    raw.send({ jsonrpc: "2.0", id: `ping-${pings}`, method: "ping" });
    await raw.answerTo(`ping-${pings}`);
    return (raw.unread as unknown[]).splice(0);
  };
}

async function overHttp(toolbox: Toolbox, protocol: Protocol, version: string): Promise<Sender> {
  const server = await serveHttp({ toolbox, protocol, routes: allRoutes, token: TOKEN });
  onTestFinished(() => server.stop());
  const headers: Record<string, string> = {
    authorization: `Bearer ${TOKEN}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const post = async (message: object): Promise<Response> => {
    const answer = await fetch(`${server.origin}/mcp`, { method: "POST", headers, body: JSON.stringify(message) });
    headers["mcp-session-id"] ??= answer.headers.get("mcp-session-id") ?? "";
    return answer;
  };
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: "raw", version: "1" } };
  await (await post({ jsonrpc: "2.0", id: "init", method: "initialize", params })).text();
  await (await post({ jsonrpc: "2.0", method: "notifications/initialized" })).text();
  return async (message, isCancelled) => {
    const running = isCancelled ? begun(toolbox) : undefined;
    const answer = post(message);
    if (running) {
      await running;
      await post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: message.id } });
      await (await answer).text();
      return [];
    }
    const { status } = await answer;
    return [status, ...messagesIn(await (await answer).text())];
  };
}

/** The messages in a JSON body or an event stream. */
function messagesIn(text: string): unknown[] {
  if (text === "") return [];
  if (text.startsWith("{")) return [JSON.parse(text)];
  return [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, data = ""]) => JSON.parse(data));
}

describe.each([
  ["stdio", overStdio],
  ["HTTP", overHttp],
] as const)("[M1][M2] a call over %s", (_transport, connect) => {
  it(`has the same response on the fast call path as from the SDK, in ${ROUNDS * PER_ROUND} messages`, {
    timeout: 600_000,
  }, async () => {
    const { toolbox } = await open({}, { tools: CALLED_TOOLS });
    const protocol = createProtocol(toolbox);
    onTestFinished(() => protocol.close());
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      const chance = new Chance(seed);
      const version = chance.usually("2025-11-25", ...VERSIONS);
      const onFastPath = await connect(toolbox, protocol, version);
      const bySdk = await connect(toolbox, withoutFastCallPath(protocol), version);
      for (let id = 1; id <= PER_ROUND; id += 1) {
        const { message, isCancelled } = generate(chance, id);
        const expected = plain(await bySdk(message, isCancelled));
        const actual = plain(await onFastPath(message, isCancelled));
        expect(actual, `seed ${seed}: ${JSON.stringify(message).slice(0, 500)}`).toEqual(expected);
      }
    }
  });
});
