import { writeFileSync } from "node:fs";
import { expect } from "vitest";
import type { FollowedEvent } from "../../../../src/core/session-log.ts";
import { isRunning } from "../../processes.ts";
import { type AgentWorld, type Seen, until } from "../agent-world.ts";
import { call, ourCalls } from "./call-cases.ts";

/** The cases in which something happens while a tool runs. */
export const runningCases = {
  async metadata(world: AgentWorld): Promise<void> {
    await progress(world, "metadata", { title: "Half of it", metadata: { done: 1 } });
  },

  async onUpdate(world: AgentWorld): Promise<void> {
    await progress(world, "streamed", {});
  },

  async abort(world: AgentWorld): Promise<void> {
    const { stored } = await world.turn("Wait.", [call(world, "wait", { name: "abort" }), { say: "Never said." }], {
      meanwhile: async (turn) => {
        await world.written("abort.begun");
        turn.abort();
      },
    });
    expect(await world.written("abort.stopped")).toBe("by the signal");
    checkAborted(stored, "wait");
    await checkNext(world, "After the wait.");
  },

  async abortIgnored(world: AgentWorld): Promise<void> {
    const { stored } = await world.turn("Ignore.", [call(world, "ignore", { name: "ignored" }), { say: "Never." }], {
      meanwhile: async (turn) => {
        await world.written("ignored.begun");
        turn.abort();
      },
    });
    checkAborted(stored, "ignore");
    const pids = (await world.written("ignored.begun")).split(" ").map(Number);
    expect(pids).toHaveLength(2);
    await until(() => !pids.some(isRunning), "The process of the tool, or its child, still runs");
    await checkNext(world, "After ignoring it.");
  },

  async abortText(world: AgentWorld): Promise<void> {
    const prompt = "Say nothing.";
    const { stored } = await world.turn(prompt, ["hang"], {
      meanwhile: async (turn) => {
        await until(() => world.model.asked(prompt).length > 0, "The model was not asked");
        turn.abort();
      },
    });
    expect(stored.at(-1)).toMatchObject({ type: "session.idle", aborted: true });
    await checkNext(world, "After nothing.");
  },

  async cancel(world: AgentWorld): Promise<void> {
    const toolbox = await world.toolbox();
    const { stored } = await world.turn("Cancel.", [call(world, "wait", { name: "cancel" }), { say: "Never said." }], {
      meanwhile: async () => {
        await world.written("cancel.begun");
        await toolbox.sessions.cancel(world.talk);
      },
    });
    expect(await world.written("cancel.stopped")).toBe("by the signal");
    checkAborted(stored, "wait");
    await checkNext(world, "After cancelling.");
  },

  async abortStart(world: AgentWorld): Promise<void> {
    const sessionID = "aborted-early";
    const meanwhile = async (turn: { abort(): void }): Promise<void> => turn.abort();
    const { stored } = await world.turn("Stop at once.", [{ say: "Too late." }], { sessionID, meanwhile });
    expect(stored.at(-1)).toMatchObject({ type: "session.idle", aborted: true });
    await checkNext(world, "Start after all.", sessionID);
  },

  async crash(world: AgentWorld): Promise<void> {
    const { answers, stored } = await world.turn("Crash.", [
      call(world, "crash"),
      call(world, "note", { text: "alive" }),
      { say: "Crashed." },
    ]);
    const [crashed] = ourCalls(stored);
    expect(crashed).toMatchObject({ type: "tool.failed", tool: "crash", result: { error: { code: "crashed" } } });
    const message = crashed?.type === "tool.failed" ? crashed.result.error.message : "";
    expect(answers[0]?.text).toContain(message.split("\n")[0]);
    expect(answers[1]?.text).toContain("alive");
    expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: "Crashed." });
  },
};

/** The tool ends when its first update has arrived: so the update comes while it runs. */
async function progress(world: AgentWorld, tool: string, update: object): Promise<void> {
  const seen: FollowedEvent[] = [];
  const { stored, answers } = await world.turn(`Use ${tool}.`, [call(world, tool), { say: "Used." }], {
    during: (event) => {
      if (event.type !== "tool.update" || event.tool !== tool) return;
      seen.push(event);
      writeFileSync(world.file(`${tool}.seen`), "");
    },
  });
  expect(seen[0]).toMatchObject({ type: "tool.update", tool, agent: world.row.name, ...update });
  expect(JSON.stringify(seen[0])).toContain("Half of it");
  expect(answers[0]?.text).toContain("All of it.");
  expect(ourCalls(stored)).toMatchObject([{ type: "tool.complete", tool }]);
}

function checkAborted(stored: Seen["stored"], tool: string): void {
  expect(ourCalls(stored)).toMatchObject([{ type: "tool.failed", tool, result: { error: { code: "aborted" } } }]);
  expect(stored.at(-1)).toMatchObject({ type: "session.idle", aborted: true });
}

/** A turn in the same session works, with a call. */
export async function checkNext(world: AgentWorld, prompt: string, sessionID: string = world.talk): Promise<void> {
  const { answers, stored } = await world.turn(prompt, [call(world, "note", { text: "next" }), { say: "Goes on." }], {
    sessionID,
  });
  expect(answers[0]?.text).toContain("plain: next, next");
  expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: "Goes on." });
}
