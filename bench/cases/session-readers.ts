import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { reply } from "../driver.ts";
import { type Case, type Contender, timesPeer } from "../harness.ts";
import { cleanEnvironment, program } from "../places.ts";
import { openClients, type SseClients } from "../sse-clients.ts";
import { treeCpuMs } from "../tree-cpu.ts";

const READERS = 1_000;
const EVENTS = 30;
const TOKEN = "a-token-for-benchmarks";

/** `wall` and `cpu` are ms for each event to all readers. `cpu` does not include the clients. */
export const sessionReaders: Case = {
  name: "session-readers",
  about: `events of a session to ${READERS} readers over HTTP, compared with the same bytes on raw node:http`,
  async prepare(folder) {
    const servers = await Promise.all([start("toolwright", folder), start("raw", folder)]);
    return {
      contenders: servers.map(({ contender }) => contender),
      goals: timesPeer("toolwright", "raw", 1.3),
      rounds: 15,
      warmUp: 3,
      close: async () => void (await Promise.all(servers.map((server) => server.close()))),
    };
  },
};

async function start(name: string, parent: string): Promise<{ contender: Contender; close(): Promise<void> }> {
  const folder = join(parent, name);
  mkdirSync(folder);
  const child = spawn(process.execPath, [program("session-server.ts"), name, folder, TOKEN], {
    env: cleanEnvironment(folder),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const { port, path } = (await reply(child)) as { port: number; path: string };
  const clients = await openClients(port, path, TOKEN, READERS);
  return { contender: contender(name, child, clients), close: () => end(child, clients) };
}

function contender(name: string, child: ChildProcess, clients: SseClients): Contender {
  return {
    name,
    async run() {
      const cpu = treeCpuMs(child.pid);
      const startedAt = performance.now();
      for (let n = 0; n < EVENTS; n += 1) {
        const received = clients.receive(1);
        child.send(1);
        await received;
      }
      const wall = (performance.now() - startedAt) / EVENTS;
      return { wall, cpu: (treeCpuMs(child.pid) - cpu) / EVENTS };
    },
  };
}

async function end(child: ChildProcess, clients: SseClients): Promise<void> {
  clients.close();
  child.disconnect();
  if (child.exitCode === null) await once(child, "exit");
}
