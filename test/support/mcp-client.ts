import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { type Protocol, serveStdio } from "../../src/mcp/index.ts";
import { CLI } from "./cli.ts";
import type { Sandbox } from "./fixture.ts";

/** The two ways in which clients speak. */
export const ERAS = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof ERAS)[number];

/** What differs from a client that can do nothing, of a trusted project. */
export interface ConnectOptions {
  readonly args?: readonly string[];
  readonly client?: ClientOptions;
  /** Adds handlers before the client connects. */
  readonly prepare?: (client: Client) => void;
}

/** A real client that has started `toolwright mcp`; both are gone when the current test ends. */
export async function connect(
  at: Sandbox,
  era: Era,
  { args = ["--trust"], client: more = {}, prepare }: ConnectOptions = {},
): Promise<{ client: Client; pid: number; stderr: () => string }> {
  const mode = era === "2025-11-25" ? "legacy" : { pin: era };
  const client = new Client({ name: "tester", version: "1.0.0" }, { ...more, versionNegotiation: { mode } });
  prepare?.(client);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, "mcp", "--cwd", at.project, ...args],
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

/** A message as it stands on a line. */
export interface RawMessage {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown> & { content?: { type: string; text: string }[]; isError?: boolean };
  readonly error?: { code: number; message: string; data?: unknown };
}

/** Someone who writes lines, and may write any. */
export interface Raw {
  /** A text goes out as it is, anything else as one line of JSON. */
  send(message: unknown): void;
  /** The first message, from now or before, that fits; each is given once. */
  next(fits: (message: RawMessage) => boolean): Promise<RawMessage>;
  /** What has come and nobody has asked for. */
  readonly unread: readonly RawMessage[];
  answerTo(id: string | number): Promise<RawMessage>;
  end(): void;
}

/** Such a one, before a server that runs in this process. */
export function rawConnection(protocol: Protocol): Raw & { closed: Promise<void> } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const server = serveStdio(protocol, { input, output });
  onTestFinished(() => server.close());
  return Object.assign(rawOver(input, output), { closed: server.closed });
}

/** Such a one, before `toolwright mcp` as a process, which is gone when the current test ends. */
export function rawProcess(at: Sandbox, args: readonly string[] = ["--trust"]): Raw & { child: ChildProcess } {
  const child = spawn(process.execPath, [CLI, "mcp", "--cwd", at.project, ...args], { env: at.env });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stderr.resume();
  return Object.assign(rawOver(child.stdin, child.stdout), { child });
}

function rawOver(input: Writable, output: Readable): Raw {
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

/** What a client of the older era begins with. */
export const INITIALIZE = {
  jsonrpc: "2.0",
  id: "init",
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

/** Begins as such a client does. */
export async function initialize(raw: Raw, params: object = {}): Promise<RawMessage> {
  raw.send({ ...INITIALIZE, params: { ...INITIALIZE.params, ...params } });
  const answer = await raw.answerTo("init");
  raw.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return answer;
}

/** The call of a tool, as a message. */
export function calling(id: string | number, name: string, input: object = {}): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: input } };
}
