/** Runs turns of the agent `demo` in this process, without HTTP. Started by the cases `http-sessions` and `http-first-event`. */
import { pathToFileURL } from "node:url";
import type { AgentSource, CodingAgent } from "../../src/core/coding-agent.ts";
import type { Toolbox, ToolboxOptions } from "../../src/toolbox/toolbox.ts";
import { percentile } from "../statistics.ts";

const [folder = "", library = "", agents = ""] = process.argv.slice(2);

type Sample = Record<string, number>;

const { createToolbox } = (await import(pathToFileURL(library).href)) as {
  createToolbox(options: ToolboxOptions): Promise<Toolbox>;
};
const { knownAgents } = (await import(pathToFileURL(agents).href)) as { knownAgents: AgentSource };
const toolbox = await createToolbox({ cwd: folder, trust: true, sessions: "disk", agents: knownAgents });
const agent: CodingAgent = await knownAgents.create("demo", {
  ...{ directory: folder, root: folder, trusted: true, home: folder, toolwrightHome: folder },
  ...{ env: {}, programs: {} },
});

process.on("message", async ({ sessions, prompt }: { sessions?: number; prompt: string }) => {
  process.send?.(sessions === undefined ? await first(prompt) : await many(sessions, prompt));
});
process.on("disconnect", () => void toolbox.close());
process.send?.("ready");

/** All sessions at once: the time of all, and of the slowest. */
async function many(sessions: number, prompt: string): Promise<Sample> {
  const startedAt = performance.now();
  const times = await Promise.all(
    Array.from({ length: sessions }, async () => {
      const { result } = toolbox.sessions.send(crypto.randomUUID(), prompt, { agent: "demo" });
      const ended = await result;
      if (!ended.ok) throw new Error(ended.error.message);
      return performance.now() - startedAt;
    }),
  );
  return { wall: performance.now() - startedAt, p99: percentile(times, 0.99) };
}

/** The time to the first event of the agent, which is called without a session. */
async function first(prompt: string): Promise<Sample> {
  const startedAt = performance.now();
  const session = await agent.createSession({
    sessionID: crypto.randomUUID(),
    directory: folder,
    tools: { list: () => [], call: () => Promise.reject() as never, onChange: () => () => {} },
    history: { async *events() {}, get: () => undefined, set: async () => {} },
    permit: async () => ({ allowed: true }),
    ask: async () => ({ kind: "unasked", reason: "This is a benchmark." }),
  });
  for await (const _ of session.send([{ type: "text", text: prompt }])) break;
  const ms = performance.now() - startedAt;
  await session.close();
  return { ms };
}
