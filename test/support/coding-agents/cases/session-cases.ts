import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { writeTool } from "../../fixture.ts";
import { type AgentWorld, kill, until } from "../agent-world.ts";
import { HANGS_AT_IMPORT, manyTools, version } from "../suite-tools.ts";
import { runTurnProcess, startTurnProcess } from "../turn-processes.ts";
import { call, ourCalls } from "./call-cases.ts";
import { checkNext } from "./running-cases.ts";

/** The cases with several sessions or processes, and changes to tool files. */
export const sessionCases = {
  async twoSessions(world: AgentWorld): Promise<void> {
    const place = "sessions";
    const seen = await Promise.all(
      ["left", "right"].map((name) =>
        world.turn(`Meet as ${name}.`, [call(world, "meet", { place, name }), { say: `${name} is done.` }], {
          sessionID: name,
        }),
      ),
    );
    for (const { sessionID, answers, stored } of seen) {
      expect(answers).toHaveLength(1);
      expect(answers[0]?.text).toContain(`${sessionID} is not alone in ${sessionID}`);
      expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: `${sessionID} is done.` });
    }
  },

  async manyTools(world: AgentWorld): Promise<void> {
    const files = Array.from({ length: 15 }, (_, index) => `many${index}.ts`);
    for (const [index, file] of files.entries()) writeTool(world.at, file, manyTools(index));
    const { asked, answers, stored } = await world.turn(
      "Call the last tool.",
      [call(world, "many14_t9", { text: "here" }), { say: "Called." }],
      { sessionID: "many" },
    );
    const offered = new Set(asked[0]?.offered.map(({ name }) => name));
    const names = files.flatMap((file) => Array.from({ length: 10 }, (_, index) => `${file.slice(0, -3)}_t${index}`));
    expect(names.filter((name) => !offered.has(world.row.toolName(name)))).toEqual([]);
    expect(answers[0]?.text).toContain("14/9: here");
    expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: "Called." });
    for (const file of files) rmSync(join(world.at.tools, file));
  },

  async hangingFile(world: AgentWorld): Promise<void> {
    await world.close();
    world.settings({ limits: { importMs: 5_000 } });
    writeTool(world.at, "hangs.ts", HANGS_AT_IMPORT);
    await checkNext(world, "Work beside it.", "beside-a-hanging-file");
    const problems = (await world.toolbox()).problems().filter(({ file }) => file?.endsWith("hangs.ts"));
    expect(problems).toHaveLength(1);
    rmSync(join(world.at.tools, "hangs.ts"));
    await world.close();
    world.settings({ limits: { importMs: 30_000 } });
  },

  async resume(world: AgentWorld): Promise<void> {
    const sessionID = "resumed";
    writeTool(world.at, "edited.ts", version(1, "before"));
    const before = await world.turn(
      "Call the first version.",
      [call(world, "edited", { before: "x" }), { say: "The first version was called." }],
      { sessionID },
    );
    expect(before.answers[0]?.text).toMatch(/Version 1 got .*before/);
    await world.close();
    writeTool(world.at, "edited.ts", version(2, "after"));
    world.model.script("Call the second version.", [call(world, "edited", { after: "y" }), { say: "The second." }]);
    const { events, stderr } = await runTurnProcess(world, { sessionID, prompt: "Call the second version." });
    const asked = world.model.asked("Call the second version.");
    const shown = asked[0]?.offered.find(({ name }) => name === world.row.toolName("edited"));
    expect(shown?.description, stderr).toContain("Version 2.");
    expect(JSON.stringify(shown?.schema)).toContain("after");
    expect(JSON.stringify(shown?.schema)).not.toContain('"before"');
    expect(asked.at(-1)?.answers.at(-1)?.text).toMatch(/Version 2 got .*after/);
    // The model has the conversation of the first process.
    expect(JSON.stringify(asked[0]?.body)).toContain("The first version was called.");
    expect(events.at(-1)).toMatchObject({ type: "session.idle", text: "The second." });
    await world.leavesNothing();
  },

  async lostSession(world: AgentWorld): Promise<void> {
    const sessionID = "lost";
    await world.turn("Say a word.", [{ say: "The word is Gruyère." }], { sessionID });
    await world.close();
    world.forgetAgent();
    const { asked, stored } = await world.turn("Which word was it?", [{ say: "That one." }], { sessionID });
    const request = JSON.stringify(asked[0]?.body);
    expect(request).toContain("Say a word.");
    expect(request).toContain("Gruyère");
    expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: "That one." });
  },

  async closed(world: AgentWorld): Promise<void> {
    const sessionID = "closed";
    const prompt = "Wait for the toolbox.";
    world.model.script(prompt, [call(world, "wait", { name: "closed" }), { say: "Never said." }]);
    const turn = (await world.toolbox()).sessions.send(sessionID, prompt, world.sendOptions);
    await world.written("closed.begun");
    await world.close();
    await turn.result;
    expect(await world.written("closed.stopped")).toBe("by the signal");
    await checkNext(world, "Go on in another toolbox.", sessionID);
    const store = await (await world.toolbox()).sessions.store();
    const events = await store.read(sessionID, 0, 1_000);
    expect(ourCalls(events)).toMatchObject([{ type: "tool.failed", tool: "wait" }, { tool: "note" }]);
    expect(events.filter(({ type }) => type === "session.idle")).toMatchObject([{ aborted: true }, {}]);
  },

  async closedEarly(world: AgentWorld): Promise<void> {
    const prompt = "Start, and be closed.";
    world.model.script(prompt, ["hang"]);
    for (const delay of [0, 200, 1_000]) {
      const turn = (await world.toolbox()).sessions.send("closed-early", prompt, world.sendOptions);
      await sleep(delay);
      await world.close();
      await turn.result;
    }
    await checkNext(world, "Start after all.", "closed-early");
  },

  async ownerKilledEarly(world: AgentWorld): Promise<void> {
    await world.close();
    world.model.script("Start, and be killed.", ["hang"]);
    for (const delay of [0, 300]) {
      const child = startTurnProcess(world, { sessionID: "killed-early", prompt: "Start, and be killed." });
      const hasStarted = (): boolean => !world.row.processes || world.agentProcesses().length > 0;
      await until(hasStarted, "The agent did not start", { interval: 5 }).finally(async () => {
        await sleep(delay);
        kill(child.pid);
      });
      await child.ended;
      await world.leavesNothing();
    }
    await checkNext(world, "Start after being killed.", "killed-early");
  },

  async ownerKilled(world: AgentWorld): Promise<void> {
    await world.close();
    const sessionID = "orphaned";
    world.model.script("Wait for the end.", [call(world, "ignore", { name: "orphan" }), { say: "Never said." }]);
    const child = startTurnProcess(world, { sessionID, prompt: "Wait for the end." });
    try {
      await Promise.race([
        world.written("orphan.begun"),
        child.ended.then(({ stderr }) => Promise.reject(new Error(`The process ended: ${stderr}`))),
      ]);
      if (world.row.processes) expect(world.agentProcesses()).not.toEqual([]);
    } finally {
      kill(child.pid);
    }
    await world.leavesNothing();
    const toolbox = await world.toolbox();
    const store = await toolbox.sessions.store();
    await checkNext(world, "Go on after the end.", sessionID);
    const events = await store.read(sessionID, 0, 1_000);
    expect(events.filter(({ type }) => type === "session.interrupted")).toHaveLength(1);
    expect(ourCalls(events)).toMatchObject([{ type: "tool.complete", tool: "note" }]);
    await until(() => toolbox.sessions.questions(sessionID).length === 0, "A question is open");
  },
};
