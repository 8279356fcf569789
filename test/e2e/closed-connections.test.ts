import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CLOSING_CASES, CLOSINGS } from "../support/closing-cases.ts";
import { makeSandbox, writeTool } from "../support/fixture.ts";
import { TOKEN } from "../support/http-server.ts";
import { head, socketTo } from "../support/http-socket.ts";
import { installed, MODULES } from "../support/installed.ts";

const MAIN = fileURLToPath(new URL("../../src/surfaces/cli/main.ts", import.meta.url));
const PATIENT = { timeout: 25_000, interval: 20 };
const CALLS = 100;

const SLOW = `export default { description: "Waits.", execute: (args, { abort }) => new Promise((resolve) => {
  abort.addEventListener("abort", () => resolve("stopped"));
}) };`;

const LOUD = `const text = "x".repeat(30_000);
export default { description: "Reports a lot.", execute: (args, { abort, metadata }) => new Promise((resolve) => {
  const timer = setInterval(() => metadata({ metadata: { a: text, b: text, c: text, d: text, e: text, at: Date.now() } }), 10);
  abort.addEventListener("abort", () => resolve(clearInterval(timer) ?? "stopped"));
}) };`;

const missing = await installed("node-22");
const RUNTIMES = [
  ["this Node", process.execPath],
  ["Node 22.18", join(MODULES["node-22"], "node/bin/node")],
] as const;

describe.each(RUNTIMES.slice(0, missing ? 1 : 2))("[S1][X1] on %s, when the connection of", (_name, node) => {
  const at = makeSandbox();
  let child: ChildProcess;
  let url: string;
  let port: number;

  beforeAll(async () => {
    writeTool(at, "slow.js", SLOW);
    writeTool(at, "loud.js", LOUD);
    const env = { ...at.env, TOOLWRIGHT_TOKEN: TOKEN };
    const args = [MAIN, "serve", "--trust", "--port", "0", "--json"];
    child = spawn(node, args, { cwd: at.project, env, stdio: ["ignore", "pipe", "ignore"] });
    const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
    ({ url } = JSON.parse(line.toString()) as { url: string });
    port = Number(new URL(url).port);
  });
  afterAll(async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
    at.remove();
  });

  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(new URL(path, url), { ...init, headers: { authorization: `Bearer ${TOKEN}`, ...init.headers } });

  const running = async (): Promise<number> => {
    const metrics = await (await ask("/metrics")).text();
    return Number(/^toolwright_calls_running (\d+)$/m.exec(metrics)?.[1]);
  };

  describe.each(CLOSING_CASES)("$title", ({ runs, send }) => {
    it.each(CLOSINGS)("is %s, its calls end", async (_how, close) => {
      const socket = await socketTo(port);
      socket.resume();
      await send(socket);
      if (runs) await vi.waitFor(async () => expect(socket.closed || (await running()) > 0).toBe(true), PATIENT);
      close(socket);
      await vi.waitFor(async () => expect(await running()).toBe(0), PATIENT);
    });
  });

  it("has closed, no call is counted as running", async () => {
    const body = "{}";
    const headers = { "Content-Type": "application/json", "Content-Length": String(body.length) };
    const sockets = await Promise.all(Array.from({ length: CALLS }, () => socketTo(port)));
    for (const socket of sockets) socket.resume().write(head("POST /api/tools/slow/run", headers) + body);
    await vi.waitFor(async () => expect(await running()).toBe(CALLS), PATIENT);
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(async () => expect(await running()).toBe(0), PATIENT);
  });
});
