import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { knownAgents } from "../../../src/agents/run/known-agents.ts";
import { createToolbox } from "../../../src/index.ts";
import { installedAgent } from "../../support/agents/installed-agent.ts";
import { AgentWorld, until } from "../../support/coding-agents/agent-world.ts";
import { COPILOT } from "../../support/coding-agents/rows/copilot.ts";
import { startTurnProcess } from "../../support/coding-agents/turn-processes.ts";
import { writeTool } from "../../support/fixture.ts";
import { startedWith } from "../../support/processes.ts";

const missing = await installedAgent("copilot-sdk");

const tool = (description: string, result: string): string =>
  `export default { description: "${description}", access: () => [], execute: () => "${result}" };\n`;

/** The behaviour of Copilot that other agents do not have. */
describe.skipIf(missing)(`[G2] Copilot${missing ? ` (${missing})` : ""}`, () => {
  let world: AgentWorld;
  beforeAll(async () => {
    world = await AgentWorld.create(COPILOT);
    writeTool(world.at, "grep.ts", tool("Finds nothing.", "Nothing was found."));
  });
  afterAll(() => world.remove());

  const sleeping = (file: string) => ({
    call: "bash",
    input: { command: `touch ${file}; sleep 345`, description: "Sleep" },
  });
  const sleepers = (): string[] => startedWith(world.at.home).filter((line) => line.includes("sleep 345"));

  it("gets our tool instead of its own tool of the same name", async () => {
    const { asked, answers } = await world.turn("Find it.", [{ call: "grep", input: {} }, { say: "Not found." }]);
    const offered = asked[0]?.offered.filter(({ name }) => name === "grep");
    expect(offered).toMatchObject([{ description: "Finds nothing." }]);
    expect(answers.map(({ text }) => text)).toEqual(["Nothing was found."]);
  });

  it("gets the tools of an edited file in the next turn", async () => {
    writeTool(world.at, "grep.ts", tool("Finds everything.", "Everything was found."));
    await (await world.toolbox()).reload();
    const { asked, answers } = await world.turn("Find all.", [{ call: "grep", input: {} }, { say: "Found." }]);
    expect(asked[0]?.offered.filter(({ name }) => name === "grep")).toMatchObject([
      { description: "Finds everything." },
    ]);
    expect(answers.map(({ text }) => text)).toEqual(["Everything was found."]);
  });

  it("[S2] asks a person its question, and tells its model if there is no one", async () => {
    const toolbox = await world.toolbox();
    const asks = { call: "ask_user", input: { question: "Which color?", choices: ["Red", "Blue"] } };
    const asked: unknown[] = [];
    const { answers } = await world.turn("Ask me.", [asks, asks, { say: "Thanks." }], {
      answerable: true,
      during: async (event) => {
        if (event.type !== "question.asked") return;
        asked.push(event);
        const value = ["Blue", "Something else …", "Green"][asked.length - 1];
        await toolbox.sessions.answer(event.questionID, { allowed: true, value });
      },
    });
    const options = ["Red", "Blue", "Something else …"];
    const base = { tool: "copilot:ask_user", agent: "copilot", kind: "dialog", reason: "Which color?" };
    expect(asked).toMatchObject([
      { ...base, method: "select", options },
      { ...base, method: "select", options },
      { ...base, method: "input" },
    ]);
    expect(answers.map(({ text }) => text)).toEqual([
      expect.stringContaining("Blue"),
      expect.stringContaining("Green"),
    ]);
    const headless = await world.turn("Ask no one.", [asks, { say: "Then not." }]);
    expect(headless.answers.at(-1)?.text).toContain("No person can be asked here. Decide yourself");
    world.settings({ permissions: [{ tool: "copilot:ask_user", action: "deny" }] });
    await toolbox.reload();
    const denied = await world.turn("Ask again.", [asks, { say: "Then not." }], { answerable: true });
    world.settings({});
    await toolbox.reload();
    expect(denied.stored.filter(({ type }) => type === "question.asked")).toEqual([]);
    expect(denied.answers.at(-1)?.text).toContain('The tool "copilot:ask_user"');
  });

  it("records the calls of its sub-agents", async () => {
    world.model.script("Subtask.", [{ call: "note", input: { text: "sub" } }, { say: "The sub-agent is done." }]);
    const input = { agent_type: "general-purpose", name: "sub", description: "Sub", prompt: "Subtask.", mode: "sync" };
    const { stored, answers, result } = await world.turn("Delegate.", [{ call: "task", input }, { say: "Delegated." }]);
    expect(result).toMatchObject({ ok: true, text: "Delegated." });
    expect(answers[0]?.text).toContain("The sub-agent is done.");
    const ends = stored.filter(({ type }) => type === "tool.complete");
    expect(ends).toMatchObject([{ tool: "note" }, { tool: "copilot:task" }]);
    expect(JSON.stringify(ends[0])).toContain("plain: sub, sub");
  });

  it("starts its runtime again if that has ended between two turns", async () => {
    await world.turn("Before.", [{ say: "Before." }]);
    const pids = world.agentProcesses().map((line) => Number.parseInt(line, 10));
    for (const pid of pids) process.kill(pid, "SIGKILL");
    await until(() => !pids.some((pid) => existsSync(`/proc/${pid}`)), "The runtime still runs");
    const { result, asked } = await world.turn("After.", [{ say: "After." }]);
    expect(result).toMatchObject({ ok: true, text: "After." });
    expect(JSON.stringify(asked[0]?.body)).toContain("Before.");
  });

  it("ends its own commands when the turn is aborted, and when our process is killed", async () => {
    world.settings({ permissions: [{ tool: "copilot:*", action: "allow" }] });
    await world.close();
    const steps = (file: string) => [sleeping(world.file(file)), { say: "Never." }];
    const { result } = await world.turn("Sleep.", steps("asleep"), {
      meanwhile: async (turn) => {
        await until(() => sleepers().length > 0, "The command was not started");
        turn.abort();
      },
    });
    expect(result).toMatchObject({ ok: true, aborted: true });
    await world.close();
    expect(sleepers()).toEqual([]);
    world.model.script("Sleep again.", steps("asleep-again"));
    const { pid } = startTurnProcess(world, { sessionID: "sleeping", prompt: "Sleep again." });
    await until(() => sleepers().length > 0, "The command was not started");
    process.kill(pid, "SIGKILL");
    await world.leavesNothing();
  });

  it.each([
    [
      "is missing",
      "/missing/runtime",
      "not_installed",
      /^The program "\/missing\/runtime" does not exist .+ set by "agents\.programs\.copilot" in your settings: correct it/,
    ],
    [
      "exits",
      process.execPath,
      "not_started",
      /^The runtime of Copilot has exited with code 9\. It wrote: .+ "agents\.programs\.copilot" in your settings: correct it there\.$/s,
    ],
  ])("says what to do if the program of the settings %s", async (_, program, code, message) => {
    const at = await AgentWorld.create({ ...COPILOT, programs: { copilot: [program] } });
    onTestFinished(() => at.remove());
    const { result } = await at.turn("Begin.", [{ say: "Begun." }]);
    expect(result).toMatchObject({ ok: false, error: { code, message: expect.stringMatching(message) } });
  });

  it("says what to do without a login, and without a model", async () => {
    const env = { ...world.env, OPENAI_API_KEY: "" };
    const toolbox = await createToolbox({
      cwd: world.at.project,
      env,
      trust: true,
      builtins: false,
      agents: knownAgents,
    });
    const login = await toolbox.sessions.send("login", "Hello", { agent: "copilot" }).result;
    expect(login).toMatchObject({
      ok: false,
      error: {
        code: "unauthorized",
        message: expect.stringContaining("Copilot has no credentials. Log in with `copilot login`"),
      },
    });
    const baseUrl = "http://127.0.0.1:1/v1";
    const model = await toolbox.sessions.send("model", "Hello", { agent: "copilot", baseUrl }).result;
    const message = `Copilot needs the name of a model for the API at ${baseUrl}: --model NAME.`;
    expect(model).toMatchObject({ ok: false, error: { code: "unsupported", message } });
    await toolbox.close();
    await world.leavesNothing();
  });
});
