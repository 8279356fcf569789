import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { type Protocol, serveStdio } from "../../src/surfaces/mcp/index.ts";
import { CLI } from "./cli.ts";
import type { Sandbox } from "./fixture.ts";

/** The two protocol eras. */
export const ERAS = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof ERAS)[number];

/** The first list has all tools, however busy the machine is. */
const WAIT = ["--wait", "3"];

/** By default, the client has no capabilities and the project is trusted. */
export interface ConnectOptions {
  /** The name of the client. */
  readonly name?: string;
  readonly args?: readonly string[];
  readonly client?: ClientOptions;
  /** Called before the client connects, to add handlers. */
  readonly prepare?: (client: Client) => void;
}

/** A real client that has started `toolwright mcp`. Both end with the current test. */
export async function connect(
  at: Sandbox,
  era: Era,
  { name = "tester", args = ["--trust"], client: more = {}, prepare }: ConnectOptions = {},
): Promise<{ client: Client; pid: number; stderr: () => string }> {
  const mode = era === "2025-11-25" ? "legacy" : { pin: era };
  const client = new Client({ name, version: "1.0.0" }, { ...more, versionNegotiation: { mode } });
  prepare?.(client);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, "mcp", "--cwd", at.project, ...WAIT, ...args],
    env: at.env,
    stderr: "pipe",
  });
  let stderr = "";
  (transport.stderr as Readable | null)?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, pid: transport.pid as number, stderr: () => stderr };
}

/** A JSON-RPC message. */
export interface RawMessage {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown> & { content?: { type: string; text: string }[]; isError?: boolean };
  readonly error?: { code: number; message: string; data?: unknown };
}

/** A client that can send any line. */
export interface Raw {
  /** Sends a string unchanged, and another value as one line of JSON. */
  send(message: unknown): void;
  /** Takes the first matching message from `unread`, or waits for it. */
  next(fits: (message: RawMessage) => boolean): Promise<RawMessage>;
  /** Received messages that no test has taken. */
  readonly unread: readonly RawMessage[];
  answerTo(id: string | number): Promise<RawMessage>;
  end(): void;
}

/** Connected to a server in this process. */
export function rawConnection(protocol: Protocol): Raw & { closed: Promise<void> } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const server = serveStdio(protocol, { input, output });
  onTestFinished(() => server.close());
  return Object.assign(rawOver(input, output), { closed: server.closed });
}

/** Connected to a `toolwright mcp` process, which ends with the current test. */
export function rawProcess(at: Sandbox, args: readonly string[] = ["--trust"]): Raw & { child: ChildProcess } {
  const child = spawn(process.execPath, [CLI, "mcp", "--cwd", at.project, ...WAIT, ...args], { env: at.env });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stderr.resume();
  return Object.assign(rawOver(child.stdin, child.stdout), { child });
}

export function rawOver(input: Writable, output: Readable): Raw {
  const unread: RawMessage[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: output }).on("line", (line) => {
    unread.push(JSON.parse(line) as RawMessage);
    for (const wake of waiting) wake();
  });
  const next: Raw["next"] = async (fits) => {
    for (;;) {
      const at = unread.findIndex(fits);
      const [found] = at < 0 ? [] : unread.splice(at, 1);
      if (found) return found;
      await new Promise<void>((resolve) => waiting.add(resolve));
    }
  };
  return {
    unread,
    next,
    send: (message) => void input.write(typeof message === "string" ? message : `${JSON.stringify(message)}\n`),
    answerTo: (id) => next((message) => message.id === id && message.method === undefined),
    end: () => void input.end(),
  };
}

/** The `initialize` request of a client up to 2025-11-25. */
export const INITIALIZE = {
  jsonrpc: "2.0",
  id: "init",
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

/** Completes the initialization. */
export async function initialize(raw: Raw, params: object = {}): Promise<RawMessage> {
  raw.send({ ...INITIALIZE, params: { ...INITIALIZE.params, ...params } });
  const answer = await raw.answerTo("init");
  raw.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return answer;
}

/** A `tools/call` request. */
export function calling(id: string | number, name: string, input: object = {}): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: input } };
}
