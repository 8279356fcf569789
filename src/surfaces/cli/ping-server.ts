import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../core/error.ts";
import { defined } from "../../platform/values/defined.ts";
import type { Environment } from "../../settings/defaults.ts";
import { MISSING_META, STATUS_TOOL } from "../mcp/status-tool.ts";

/** Whether an MCP server answers, and with how many tools. */
type ServerPing =
  | { readonly ok: true; readonly tools: number; readonly ms: number }
  | { readonly ok: false; readonly reason: string };

const TIMEOUT_MS = 15_000;
const POLL_MS = 100;

const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "toolwright-doctor", version: "1" },
};

/** Starts a server as an agent would, initializes it, lists its tools, and ends it. Never rejects. */
export async function pingServer(
  [command = "", ...args]: readonly string[],
  at: { readonly cwd: string; readonly env: Environment },
): Promise<ServerPing> {
  const startedAt = performance.now();
  const child = spawn(command, args, { ...at, stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
  const timeout = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS);
  const ended = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`it did not answer within ${TIMEOUT_MS / 1000} s, or ended before`)));
  });
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  child.stdin.on("error", () => {});
  try {
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
    let id = 0;
    const ask = (method: string, params: object): Promise<Answer> => {
      id += 1;
      send({ id, method, params });
      return Promise.race([nextAnswer(answers, id), ended]);
    };
    await ask("initialize", INITIALIZE);
    send({ method: "notifications/initialized" });
    await ask("tools/list", {});
    const ms = Math.round(performance.now() - startedAt);
    // The first list may be sent before all files have loaded. Earlier versions do not have this tool, and do not need it.
    const isLoading = async (): Promise<boolean> =>
      (await ask("tools/call", { name: STATUS_TOOL, arguments: {} })).result?._meta?.[MISSING_META] === "loading";
    while (await isLoading().catch(() => false)) await sleep(POLL_MS);
    const tools = await countTools((params) => ask("tools/list", params));
    return { ok: true, tools, ms };
  } catch (error) {
    return { ok: false, reason: messageOf(error) };
  } finally {
    ended.catch(() => {});
    clearTimeout(timeout);
    child.stdin.end();
    const killTimer = setTimeout(() => child.kill("SIGKILL"), 2_000);
    child.once("exit", () => clearTimeout(killTimer));
    child.unref();
  }
}

/** Follows the pages of a long list. */
async function countTools(list: (params: object) => Promise<Answer>): Promise<number> {
  let count = 0;
  let cursor: unknown;
  do {
    const { result } = await list(defined({ cursor }));
    count += result?.tools?.filter(({ name }) => name !== STATUS_TOOL).length ?? 0;
    cursor = result?.nextCursor;
  } while (cursor !== undefined && cursor !== null);
  return count;
}

interface Answer {
  readonly id?: unknown;
  readonly result?: {
    readonly tools?: readonly { readonly name?: unknown }[];
    readonly nextCursor?: unknown;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  readonly error?: { readonly message?: string };
}

/** The response with this id. Ignores notifications. Throws for an error response. */
async function nextAnswer(lines: AsyncIterator<string>, id: number): Promise<Answer> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error("it closed the connection");
    const answer = JSON.parse(value) as Answer;
    if (answer.error) throw new Error(answer.error.message ?? "it answered with an error");
    if (answer.id === id) return answer;
  }
}
