import { expect } from "vitest";
import type { AgentErrorCode } from "../../../../src/core/agent-error.ts";
import { type AgentWorld, kill, until } from "../agent-world.ts";
import type { Step } from "../prompted-model.ts";
import { call } from "./call-cases.ts";
import { checkNext } from "./running-cases.ts";

/** The cases in which the model or the agent fails. */
export const failureCases = {
  async wrongKey(world: AgentWorld): Promise<void> {
    const message = await failing(
      world,
      "key",
      [{ status: 401, message: "Incorrect API key provided." }],
      ["unauthorized"],
    );
    expect(message).toMatch(/key|log ?in|401|authenticat/i);
  },

  async garbage(world: AgentWorld): Promise<void> {
    await failing(world, "garbage", [{ garbage: "<html>Welcome to the hotel network.</html>" }], ["model_failed"]);
  },

  async modelDown(world: AgentWorld): Promise<void> {
    const steps: Step[] = [{ status: 400, message: "The model has retired." }];
    const message = await failing(world, "down", steps, ["model_failed"]);
    expect(message).toContain("The model has retired.");
  },

  async noAnswer(world: AgentWorld): Promise<void> {
    await world.close();
    world.settings({ agents: { idleMs: 4_000 } });
    const message = await failing(world, "silence", ["hang"], ["no_answer"], async () => {
      await world.close();
      world.settings({ agents: {} });
    });
    expect(message).toContain("has sent nothing for 4 s");
  },

  async agentKilled(world: AgentWorld): Promise<void> {
    if (!world.row.processes) throw new Error("It has no process.");
    const steps = [call(world, "wait", { name: "killed" }), { say: "Never said." }];
    const { result, stored } = await world.turn("Wait for the agent's end.", steps, {
      sessionID: "killed",
      meanwhile: async () => {
        await world.written("killed.begun");
        const all = world.agentProcesses();
        expect(all).not.toEqual([]);
        for (const line of all) kill(Number.parseInt(line, 10));
      },
    });
    expect(result).toMatchObject({ ok: false, error: { code: "agent_failed" } });
    expect(stored.at(-1)).toMatchObject({ type: "session.error", code: "agent_failed" });
    expect(await world.written("killed.stopped")).toBe("by the signal");
    await until(() => world.agentProcesses().every((line) => !line.includes("<defunct>")), "A process is not reaped");
    await checkNext(world, "Go on with another process.", "killed");
  },
};

/** A turn that fails with one of these codes. The next turn of the session works. Returns the message. */
async function failing(
  world: AgentWorld,
  name: string,
  steps: readonly Step[],
  codes: readonly AgentErrorCode[],
  repair: () => Promise<void> = async () => {},
): Promise<string> {
  const sessionID = `failing-${name}`;
  const { result, stored } = await world.turn(`Fail with ${name}.`, steps, { sessionID });
  expect(result).toMatchObject({ ok: false });
  if (result.ok) return "";
  expect(codes, result.error.message).toContain(result.error.code);
  expect(stored.at(-1)).toMatchObject({ type: "session.error", code: result.error.code });
  await repair();
  await checkNext(world, `Go on after ${name}.`, sessionID);
  return result.error.message;
}
