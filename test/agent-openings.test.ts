import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Toolbox } from "../src/index.ts";
import { type CodeAgent, codeAgents, saying } from "./support/code-agent.ts";
import { PATIENT } from "./support/patient.ts";
import { open } from "./support/toolbox.ts";

/** A step that hangs the first times it is reached, until it is released. */
class Hanging {
  readonly released: PromiseWithResolvers<void> = Promise.withResolvers();
  reached = 0;
  #left: number;

  constructor(times: number) {
    this.#left = times;
  }

  readonly step = async (): Promise<void> => {
    this.reached += 1;
    this.#left -= 1;
    if (this.#left >= 0) await this.released.promise;
  };
}

type Step = "create" | "start" | "open" | "resume" | "close";

interface World {
  readonly toolbox: Toolbox;
  readonly hanging: Hanging;
  readonly log: readonly string[];
  send(text: string): ReturnType<Toolbox["sessions"]["send"]>;
}

/** A session whose agent hangs in one step. For "resume" and "close", an earlier turn has opened the agent's session. */
async function world(step: Step, times: number): Promise<World> {
  const hanging = new Hanging(times);
  const agent: CodeAgent = {
    async *turn({ prompt }) {
      yield* saying(`You said: ${prompt}`);
    },
    ...(step === "create" || step === "start" || step === "close" ? { [step]: hanging.step } : {}),
    open: async (_options, resumed) => {
      if (step === "open" || (step === "resume" && resumed !== undefined)) await hanging.step();
    },
  };
  const source = codeAgents({ agent });
  const { toolbox } = await open({}, { onlyGiven: true, agents: source });
  // Before the toolbox is closed.
  onTestFinished(() => hanging.released.resolve());
  const send = (text: string): ReturnType<Toolbox["sessions"]["send"]> =>
    toolbox.sessions.send("s", text, { agent: "agent" });
  if (step === "resume") {
    await send("before").result;
    await toolbox.sessions.detach("s");
  }
  return { toolbox, hanging, log: source.log, send };
}

const OPENING: readonly Step[] = ["create", "start", "open", "resume"];

describe("[G5][G7] an agent that hangs while its session is opened", () => {
  it.each(OPENING)("in %s: a cancel ends the turn, and the next prompt opens it again", async (step) => {
    const { hanging, send } = await world(step, 1);
    const turn = send("one");
    await vi.waitFor(() => expect(hanging.reached).toBe(1), PATIENT);
    turn.abort();
    expect(await turn.result).toMatchObject({ ok: true, aborted: true });
    const next = await send("two").result;
    expect(next).toMatchObject({ ok: true });
    expect(next.text).toContain("You said: ");
    expect(hanging.reached).toBe(2);
  });

  it.each(OPENING)("in %s, three times: no opening waits for an earlier one", async (step) => {
    const { hanging, send } = await world(step, 3);
    for (let round = 1; round <= 3; round += 1) {
      const turn = send("one");
      await vi.waitFor(() => expect(hanging.reached).toBe(round), PATIENT);
      turn.abort();
      expect(await turn.result).toMatchObject({ ok: true, aborted: true });
    }
    expect(await send("two").result).toMatchObject({ ok: true, text: expect.stringContaining("two") });
  });

  it.each(OPENING)("in %s: the limit ends the turn with an error that says what to do", async (step) => {
    const { hanging, send } = await world(step, 1);
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => timers.mockRestore());
    const turn = send("one");
    await vi.waitFor(() => expect(hanging.reached).toBe(1), PATIENT);
    const [limit] = timers.mock.calls.filter(([, ms]) => ms === 180_000);
    limit?.[0]();
    expect(await turn.result).toMatchObject({
      ok: false,
      error: {
        code: "not_started",
        message: "agent was not ready after 180 s. Try again, and check it with: toolwright agents",
      },
    });
    expect(await send("two").result).toMatchObject({ ok: true, text: expect.stringContaining("two") });
  });

  it.each(OPENING)("in %s: a second prompt is refused while the first opens it, and changes nothing", async (step) => {
    const { hanging, send } = await world(step, 1);
    const turn = send("one");
    await vi.waitFor(() => expect(hanging.reached).toBe(1), PATIENT);
    expect(await send("two").result).toMatchObject({ ok: false, error: { code: "owned" } });
    hanging.released.resolve();
    expect(await turn.result).toMatchObject({ ok: true, text: expect.stringContaining("one") });
    expect(hanging.reached).toBe(1);
  });

  it.each(["open", "resume"] as const)(
    "in %s: what it brings late is closed, and the open session stays",
    async (step) => {
      const { hanging, send, log } = await world(step, 1);
      const turn = send("one");
      await vi.waitFor(() => expect(hanging.reached).toBe(1), PATIENT);
      turn.abort();
      await turn.result;
      await send("two").result;
      const closed = (): number => log.filter((line) => line.startsWith("close")).length;
      const before = closed();
      hanging.released.resolve();
      await vi.waitFor(() => expect(closed()).toBe(before + 1), PATIENT);
      expect(await send("three").result).toMatchObject({ ok: true, text: "You said: three" });
      expect(closed()).toBe(before + 1);
    },
  );

  it.each(["create", "start"] as const)(
    "in %s: it is stopped at the end, if a session still waited for it when another gave up",
    async (step) => {
      const { toolbox, hanging, log, send } = await world(step, 1);
      const other = toolbox.sessions.send("other", "hello", { agent: "agent" });
      const turn = send("one");
      await vi.waitFor(() => expect(hanging.reached).toBe(1), PATIENT);
      await Promise.all([other.begun, turn.begun]);
      turn.abort();
      await turn.result;
      hanging.released.resolve();
      expect(await other.result).toMatchObject({ ok: true, text: "You said: hello" });
      expect(await send("two").result).toMatchObject({ ok: true, text: expect.stringContaining("two") });
      expect(hanging.reached).toBe(1);
      await toolbox.close();
      expect(log.filter((line) => line === "stop agent")).toHaveLength(1);
    },
  );

  it.each(["create", "start"] as const)("in %s, before there is a session: it is tried again later", async (step) => {
    const { toolbox, hanging, send } = await world(step, 1);
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => timers.mockRestore());
    const starting = toolbox.sessions.startAgent("agent");
    await vi.waitFor(() => expect(hanging.reached).toBe(1), PATIENT);
    const [limit] = timers.mock.calls.filter(([, ms]) => ms === 60_000);
    limit?.[0]();
    await expect(starting).rejects.toThrow("agent was not ready after 60 s.");
    expect(await toolbox.sessions.startAgent("agent")).toBe("agent");
    expect(await send("one").result).toMatchObject({ ok: true, text: "You said: one" });
  });

  it("in start: other sessions that wait for it go on when it is ready", async () => {
    const { toolbox, hanging, send } = await world("start", 1);
    const other = toolbox.sessions.send("other", "hello", { agent: "agent" });
    await vi.waitFor(() => expect(hanging.reached).toBe(1), PATIENT);
    const turn = send("one");
    await turn.begun;
    turn.abort();
    await turn.result;
    hanging.released.resolve();
    expect(await other.result).toMatchObject({ ok: true, text: "You said: hello" });
  });

  it.each(["create", "start", "open"] as const)(
    "in %s: one that fails is tried again by the next prompt",
    async (step) => {
      const { hanging, send } = await world(step, 1);
      const turn = send("one");
      await vi.waitFor(() => expect(hanging.reached).toBe(1), PATIENT);
      hanging.released.reject(new Error("It broke."));
      expect(await turn.result).toMatchObject({ ok: false, error: { message: "It broke." } });
      expect(await send("two").result).toMatchObject({ ok: true });
    },
  );
});

describe("[G5][G7] an agent that hangs while its session is closed", () => {
  it("is waited for only for a limited time, and then resumed", async () => {
    const { toolbox, hanging, send } = await world("close", 1);
    await send("one").result;
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => timers.mockRestore());
    const detaching = toolbox.sessions.detach("s");
    await vi.waitFor(() => expect(hanging.reached).toBe(1), PATIENT);
    const next = send("two");
    const [limit] = timers.mock.calls.filter(([, ms]) => ms === 10_000);
    limit?.[0]();
    await detaching;
    expect(await next.result).toMatchObject({ ok: true, text: expect.stringContaining("two") });
  });

  it("does not keep a cancel from ending the turn that waits for it", async () => {
    const { toolbox, hanging, send } = await world("close", 1);
    await send("one").result;
    void toolbox.sessions.detach("s");
    await vi.waitFor(() => expect(hanging.reached).toBe(1), PATIENT);
    const next = send("two");
    await next.begun;
    next.abort();
    expect(await next.result).toMatchObject({ ok: true, aborted: true });
    hanging.released.resolve();
  });
});
