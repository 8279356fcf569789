import { expect, it, onTestFinished } from "vitest";
import type { DurableEvent } from "../src/core/session-log.ts";
import type { SessionStore } from "../src/core/session-store.ts";
import { createToolbox } from "../src/index.ts";
import { createMemoryStore } from "../src/sessions/store/memory-store.ts";
import { codeAgents, saying } from "./support/code-agent.ts";
import { sandbox } from "./support/fixture.ts";

const TURNS = 2_000;

function turnOf(n: number): DurableEvent[] {
  return [
    { type: "message.user", messageID: `u${n}`, content: [{ type: "text", text: `Prompt ${n}` }] },
    { type: "message.complete", messageID: `a${n}`, content: [{ type: "text", text: `Answer ${n}` }] },
    { type: "state.set", of: "tools", key: `k${n % 10}`, value: n },
    { type: "usage", inputTokens: 1 },
    { type: "session.idle" },
  ];
}

it("[S2] opening a long session, and its first turn in a process, read a bounded part of the log", async () => {
  const { project, env } = sandbox();
  const memory = createMemoryStore({ project });
  onTestFinished(() => memory.close());
  await memory.create({ id: "s", directory: project });
  for (let n = 0; n < TURNS; n += 1) await memory.append("s", turnOf(n));
  let read = 0;
  const counted = (name: keyof SessionStore): PropertyDescriptor => {
    const method = (memory[name] as (...parameters: unknown[]) => unknown).bind(memory);
    const isRead = name === "read" || name === "readAt";
    const count = async (result: unknown): Promise<unknown> => {
      const events = (await result) as unknown[];
      read += events.length;
      return events;
    };
    return { value: (...parameters: unknown[]) => (isRead ? count(method(...parameters)) : method(...parameters)) };
  };
  const names = [
    "create",
    "get",
    "append",
    "read",
    "readAt",
    "snapshot",
    "storeSnapshot",
    "follow",
    "publish",
  ] as const;
  const others = ["list", "branch", "remove", "claim", "close"] as const;
  const descriptors = Object.fromEntries([...names, ...others].map((name) => [name, counted(name)]));
  const store = Object.create(memory, { ...descriptors, close: { value: async () => {} } }) as SessionStore;

  /** What one process reads: it opens a session, gets a value, and runs a turn. */
  const use = async (id: string): Promise<{ readonly opened: number; readonly turn: number }> => {
    const agents = codeAgents({
      main: {
        async *turn() {
          yield* saying("Done.");
        },
      },
    });
    const toolbox = await createToolbox({ cwd: project, env, onlyGiven: true, sessions: store, agents });
    read = 0;
    await toolbox.sessions.open(id);
    const opened = read;
    const result = await toolbox.sessions.send(id, "Hello", { agent: "main" }).result;
    expect(result).toMatchObject({ ok: true, text: "Done." });
    const turn = read - opened;
    await toolbox.close();
    return { opened, turn };
  };
  // The first process reads all events that may change the state, and stores which ones do.
  expect((await use("s")).opened).toBeGreaterThan(TURNS);
  const again = await use("s");
  expect(again.opened).toBeLessThan(50);
  expect(again.turn).toBeLessThan(2_000);
  const { position } = (await memory.get("s")) as { position: number };
  await store.branch("s", position, { id: "branch" });
  const branch = await use("branch");
  expect(branch.opened).toBeLessThan(50);
  // The agent gets the end of a transcript.
  expect(branch.turn).toBeLessThan(5_000);
});
