import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Case, Contender } from "../harness.ts";
import { timesPeer } from "../harness.ts";
import { load } from "../http-load.ts";
import { built, cleanEnvironment, program } from "../places.ts";
import { treeCpuMs } from "../tree-cpu.ts";

const TOOLS = 20;
const REQUESTS = 5000;
const CONNECTIONS = 16;
const PATH = "/api/tools";

/** `wall` and `cpu` are ms per 1,000 requests. `cpu` does not include the client. */
export const httpList: Case = {
  name: "http-list",
  about: `GET ${PATH} of toolwright serve with ${TOOLS} tools and the built-in ones, compared with bare Hono and the same payload`,
  async prepare(folder) {
    const tools = join(folder, ".toolwright", "tools");
    mkdirSync(tools, { recursive: true });
    for (let index = 0; index < TOOLS; index += 1) writeFileSync(join(tools, `tool-${index}.js`), toolText(index));
    const env = cleanEnvironment(folder);
    const serving = [built("cli"), "serve", "--trust", "--port", "0", "--json"];
    const ours = spawn(process.execPath, serving, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
    const { url, token } = JSON.parse(await firstLine(ours)) as { url: string; token: string };
    const answer = await fetch(`${url}${PATH}`, { headers: { authorization: `Bearer ${token}` } });
    const payload = await answer.text();
    const bare = spawn(process.execPath, [program("bare-hono.ts")], { env, stdio: ["pipe", "pipe", "inherit"] });
    bare.stdin.end(payload);
    const bytes = Buffer.byteLength(payload);
    return {
      contenders: [
        contender("serve", ours, Number(new URL(url).port), token, bytes),
        contender("bare-hono", bare, Number(await firstLine(bare)), token, bytes),
      ],
      // 1.25 times the duration is 0.8 times the requests per second.
      goals: timesPeer("serve", "bare-hono", 1.25),
      rounds: 15,
      warmUp: 3,
      close: async () => void (await Promise.all([ours, bare].map(end))),
    };
  },
};

function toolText(index: number): string {
  const args = `{ path: { type: "string", description: "Which file" }, count: { type: "number", description: "How many" } }`;
  return `export default { description: "Tool number ${index}, which does nothing.", args: ${args}, execute: () => "" };\n`;
}

function contender(name: string, child: ChildProcess, port: number, token: string, bytes: number): Contender {
  return {
    name,
    async run() {
      const cpu = treeCpuMs(child.pid);
      const startedAt = performance.now();
      await load({ port, path: PATH, token, requests: REQUESTS, connections: CONNECTIONS }, bytes);
      const ms = performance.now() - startedAt;
      const thousands = REQUESTS / 1000;
      return { wall: ms / thousands, cpu: (treeCpuMs(child.pid) - cpu) / thousands, perSecond: (REQUESTS / ms) * 1000 };
    },
  };
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  const [line] = await once(createInterface({ input: stdout as Readable }), "line");
  return String(line);
}

async function end(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
