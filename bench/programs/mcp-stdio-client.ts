import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

/** A connection to an MCP server, over stdio or HTTP. */
export interface McpClient {
  /** The server process. */
  readonly pid: number;
  /** Resolves with the result of a request; rejects for an error. */
  request(method: string, params: object): Promise<Record<string, unknown>>;
  notify(method: string): Promise<void>;
  close(): Promise<void>;
}

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export const INITIALIZE_PARAMS: object = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "bench", version: "1.0.0" },
};

/** A minimal stdio client: one line per message. */
export function connectStdio({ command, args, ...options }: Launch): McpClient {
  const child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  let ids = 0;
  readLines(child, (line) => {
    const { id, result, error } = JSON.parse(line) as { id?: number; result?: Record<string, unknown>; error?: object };
    const open = id === undefined ? undefined : waiting.get(id);
    if (id === undefined || !open) return;
    waiting.delete(id);
    if (result) open.resolve(result);
    else open.reject(new Error(JSON.stringify(error)));
  });
  child.on("exit", (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`The server ended with ${code}.`));
  });
  return {
    pid: child.pid ?? 0,
    request(method, params) {
      ids += 1;
      const open = Promise.withResolvers<Record<string, unknown>>();
      waiting.set(ids, open);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: ids, method, params })}\n`);
      return open.promise;
    },
    async notify(method) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method })}\n`);
    },
    async close() {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
      child.stdin.end();
      const killTimer = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await ended;
      clearTimeout(killTimer);
    },
  };
}

function readLines({ stdout }: ChildProcessByStdio<Writable, Readable, null>, each: (line: string) => void): void {
  let rest = "";
  stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") each(line);
  });
}
