/** Measures calls to the MCP servers and to an echo process, one block for each message. Started by the MCP cases. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { percentile } from "../statistics.ts";
import { treeCpuMs } from "../tree-cpu.ts";
import { connectHttp } from "./mcp-http-client.ts";
import { connectStdio, INITIALIZE_PARAMS, type Launch, type McpClient } from "./mcp-stdio-client.ts";

export interface Drive {
  readonly carrier: "stdio" | "http";
  readonly servers: Readonly<Record<string, Launch>>;
  readonly echoProgram: string;
}

/** `calls` in total, `atOnce` of them concurrent. */
export interface Block {
  readonly what: string;
  readonly calls: number;
  readonly atOnce: number;
}

const { carrier, servers, echoProgram } = JSON.parse(process.argv[2] ?? "{}") as Drive;
const one = new Map<string, { pid: number; call: () => Promise<void> }>();
const clients: McpClient[] = [];
for (const [name, launch] of Object.entries(servers)) {
  const client = carrier === "http" ? await connectHttp(launch) : connectStdio(launch);
  clients.push(client);
  await client.request("initialize", INITIALIZE_PARAMS);
  await client.notify("notifications/initialized");
  await client.request("tools/list", {});
  one.set(name, { pid: client.pid, call: () => callOnce(client) });
}
const echo = fork(echoProgram, { serialization: "advanced" });
await once(echo, "message");
const CALL = callMessage();
const echoes: (() => void)[] = [];
echo.on("message", () => echoes.shift()?.());
one.set("echo", { pid: echo.pid ?? 0, call: echoOnce });

process.on("message", async (block: Block) => process.send?.(await run(block)));
process.on("disconnect", async () => {
  echo.disconnect();
  await Promise.all(clients.map((client) => client.close()));
});
process.send?.("ready");

/** `p50` is the response time in µs. `wall` and `cpu` are ms per 1,000 calls; `cpu` is that of the server only. */
async function run({ what, calls, atOnce }: Block): Promise<Record<string, number>> {
  const server = one.get(what);
  if (!server) throw new Error(`Unknown contender: ${what}.`);
  const took: number[] = [];
  const cpu = treeCpuMs(server.pid);
  const startedAt = performance.now();
  let left = calls;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const askedAt = performance.now();
      await server.call();
      took.push(performance.now() - askedAt);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const wall = ((performance.now() - startedAt) / calls) * 1000;
  return { p50: percentile(took, 0.5) * 1000, wall, cpu: ((treeCpuMs(server.pid) - cpu) / calls) * 1000 };
}

async function callOnce(client: McpClient): Promise<void> {
  const { content } = await client.request("tools/call", { name: "hello", arguments: { name: "Ada" } });
  const [part] = content as { text?: string }[];
  if (part?.text !== "Hello, Ada") throw new Error(`The server returned ${JSON.stringify(content)}.`);
}

function echoOnce(): Promise<void> {
  return new Promise((resolve) => {
    echoes.push(resolve);
    echo.send(CALL);
  });
}

/** Has the same fields and size as the message of a call to its host. */
function callMessage(): object {
  const directory = process.cwd();
  const context = { sessionID: "default", messageID: "", agent: "", directory, worktree: directory, extra: {} };
  const callID = "01234567-89ab-cdef-0123-456789abcdef";
  const output = { maxLines: 2000, maxBytes: 50_000, keep: "head", folder: `${directory}/toolwright/outputs` };
  const file = `${directory}/.toolwright/tools/hello.ts`;
  return {
    type: "call",
    id: 1,
    call: { file, tool: "hello", input: { name: "Ada" }, context: { ...context, callID }, output },
  };
}
