import { cpSync, existsSync, globSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { knownAgents } from "../../../src/agents/run/known-agents.ts";
import type { StoredEvent } from "../../../src/core/session-log.ts";
import { createToolbox } from "../../../src/index.ts";
import { installedAgent, packagesOf } from "../../support/agents/installed-agent.ts";
import { AgentWorld, kill, type Seen, until } from "../../support/coding-agents/agent-world.ts";
import { CLAUDE } from "../../support/coding-agents/rows/claude.ts";
import { DOT, version } from "../../support/coding-agents/suite-tools.ts";
import { writeTool } from "../../support/fixture.ts";
import { put } from "../../support/temporary.ts";

const missing = await installedAgent("claude-agent-sdk");

async function world(more: Partial<typeof CLAUDE> = {}): Promise<AgentWorld> {
  const created = await AgentWorld.create({ ...CLAUDE, ...more });
  onTestFinished(() => created.remove());
  return created;
}

const ours = (name: string, input: Record<string, unknown> = {}): { call: string; input: Record<string, unknown> } => ({
  call: CLAUDE.toolName(name),
  input,
});

const ofType = <T extends StoredEvent["type"]>(seen: Seen, type: T): (StoredEvent & { type: T })[] =>
  seen.stored.filter((event): event is StoredEvent & { type: T } => event.type === type);

describe.skipIf(missing)(`[G1] claude, in detail${missing ? ` (${missing})` : ""}`, { timeout: 180_000 }, () => {
  it("[G6] shows its model tools that were changed or added since the last turn, without a tool search", async () => {
    const at = await world();
    const shown = ({ asked }: Seen): string[] =>
      (asked[0]?.offered ?? []).map(({ name, description }) => `${name}: ${description}`);
    writeTool(at.at, "edited.ts", version(1, "before"));
    await at.turn("First.", [{ say: "The first is done." }]);
    const before = at.agentProcesses();
    writeTool(at.at, "edited.ts", version(2, "after"));
    await (await at.toolbox()).reload();
    const second = await at.turn("Second.", [ours("edited", { after: "x" }), { say: "Two." }]);
    expect(shown(second)).toContain(`${CLAUDE.toolName("edited")}: Version 2.`);
    expect(second.answers[0]?.text).toContain('Version 2 got {"after":"x"}');
    expect(at.agentProcesses()).toEqual(before);
    expect(before).toHaveLength(1);
    writeTool(at.at, "late.ts", version(3, "late"));
    await (await at.toolbox()).reload();
    const third = await at.turn("Third.", [ours("late", { late: "y" }), { say: "Three." }]);
    expect(shown(third)).toContain(`${CLAUDE.toolName("late")}: Version 3.`);
    expect(third.answers[0]?.text).toContain('Version 3 got {"late":"y"}');
    expect(JSON.stringify(third.asked[0]?.body)).toContain("The first is done.");
  });

  it("[P3] asks about its own tools whatever Claude's settings allow, and obeys what they deny", async () => {
    const at = await world();
    const allowed = { permissions: { allow: ["Bash", "Write"], defaultMode: "bypassPermissions" } };
    put(join(at.at.home, ".claude/settings.json"), JSON.stringify(allowed));
    const denied = { permissions: { allow: ["Bash(*)"], deny: ["Bash(touch denied)"] } };
    put(at.file(".claude/settings.json"), JSON.stringify(denied));
    at.settings({ permissions: [{ tool: "claude:Bash", match: "touch denied", action: "allow" }] });
    const run = (command: string): { call: string; input: Record<string, unknown> } => ({
      call: "Bash",
      input: { command },
    });
    const file = at.file("written");
    const { answers } = await at.turn("Do it.", [
      run("touch ran"),
      { call: "Write", input: { file_path: file, content: "x" } },
      run("touch denied"),
      { say: "Done." },
    ]);
    expect(answers.map(({ failed }) => failed)).toEqual([true, true, true]);
    expect(answers[0]?.text).toContain('The tool "claude:Bash" running "touch ran" needs approval');
    expect(["ran", "written", "denied"].filter((name) => existsSync(at.file(name)))).toEqual([]);
  });

  it.each([true, false])("[D7] uses settings and CLAUDE.md of a project only if it is trusted: %s", async (trust) => {
    const at = await world();
    const hooks = { SessionStart: [{ hooks: [{ type: "command", command: "touch hook-ran" }] }] };
    put(at.file(".claude/settings.json"), JSON.stringify({ hooks }));
    put(at.file(".mcp.json"), JSON.stringify({ mcpServers: { x: { command: "touch", args: ["mcp-ran"] } } }));
    writeFileSync(at.file("CLAUDE.md"), "The project likes cheese.");
    put(join(at.at.home, ".claude/CLAUDE.md"), "The user likes tea.");
    const toolbox = await createToolbox({ cwd: at.at.project, env: at.env, trust, agents: knownAgents });
    onTestFinished(() => toolbox.close());
    at.model.script("Remember.", [{ say: "Yes." }]);
    const result = await toolbox.sessions.send("s", "Remember.", at.sendOptions).result;
    expect(result).toMatchObject({ ok: true, text: "Yes." });
    const request = JSON.stringify(at.model.asked("Remember.")[0]?.body);
    expect(request).toContain("The user likes tea.");
    expect(request.includes("The project likes cheese.")).toBe(trust);
    expect(existsSync(at.file("hook-ran"))).toBe(trust);
    expect(existsSync(at.file("mcp-ran"))).toBe(false);
  });

  it("[G5] runs our tools for its sub-agents, and asks about its own tools there too", async () => {
    const at = await world();
    at.model.script("Subtask.", [
      ours("echo", { text: "from below" }),
      { call: "Bash", input: { command: "touch below" } },
      { say: "Below is done." },
    ]);
    const input = { description: "x", prompt: "Subtask.", subagent_type: "general-purpose" };
    const seen = await at.turn("Delegate.", [{ call: "Agent", input }, { say: "Done." }]);
    const [agent, echo, bash] = ofType(seen, "tool.start");
    expect([agent?.tool, echo?.tool, bash?.tool]).toEqual(["claude:Agent", "echo", "claude:Bash"]);
    expect(bash).toMatchObject({ messageID: agent?.messageID, parentID: agent?.callID });
    expect(echo?.messageID).toBe(agent?.messageID);
    const answers = at.model.asked("Subtask.").at(-1)?.answers ?? [];
    expect(answers[0]?.text).toContain("from below");
    expect(answers[1]?.text).toContain("needs approval");
    expect(existsSync(at.file("below"))).toBe(false);
  });

  it("[G6] goes on in another process if its process has ended between turns, and counts the cost once", async () => {
    const at = await world();
    const first = await at.turn("First.", [{ say: "The first is done." }]);
    for (const line of at.agentProcesses()) kill(Number.parseInt(line, 10));
    await until(() => at.agentProcesses().length === 0, "It still runs");
    const second = await at.turn("Second.", [{ say: "Two." }]);
    expect(JSON.stringify(second.asked[0]?.body)).toContain("The first is done.");
    await at.close();
    const third = await at.turn("Third.", [{ say: "Three." }]);
    const costs = [first, second, third].map((seen) => ofType(seen, "usage").flatMap(({ costUsd }) => costUsd ?? []));
    expect(costs.map((each) => each.map((cost) => cost.toFixed(6)))).toEqual([
      [costs[0]?.[0]?.toFixed(6)],
      [costs[0]?.[0]?.toFixed(6)],
      [costs[0]?.[0]?.toFixed(6)],
    ]);
  });

  it("[G6] gets the conversation as text if Claude Code has removed the session", async () => {
    const at = await world();
    await at.turn("First.", [{ say: "The first is done." }]);
    await at.close();
    rmSync(join(at.at.home, ".claude"), { recursive: true });
    const { asked, result } = await at.turn("Second.", [{ say: "Two." }]);
    expect(result).toMatchObject({ ok: true, text: "Two." });
    expect(JSON.stringify(asked[0]?.body)).toContain("The first is done.");
  });

  it("sends a picture of the prompt to its model", async () => {
    const at = await world();
    at.model.script("Look.", [{ say: "A dot." }]);
    const picture = { type: "image", mimeType: "image/png", data: DOT } as const;
    const toolbox = await at.toolbox();
    const turn = toolbox.sessions.send("s", [{ type: "text", text: "Look." }, picture], at.sendOptions);
    expect(await turn.result).toMatchObject({ ok: true, text: "A dot." });
    expect(at.model.asked("Look.")[0]?.pictures).toEqual([DOT]);
  });

  it("an abort before its program is ready stops the turn, and the model is not asked", async () => {
    const at = await world();
    at.model.script("Never.", [{ say: "Said." }]);
    const toolbox = await at.toolbox();
    const turn = toolbox.sessions.send("s", "Never.", at.sendOptions);
    await until(() => at.agentProcesses().length > 0, "It does not start");
    turn.abort();
    expect(await turn.result).toMatchObject({ ok: true, text: "", aborted: true });
    expect(at.model.asked("Never.")).toEqual([]);
    expect((await at.turn("Next.", [{ say: "Fine." }], { sessionID: "s" })).result).toMatchObject({ text: "Fine." });
  });

  it("says what to do without Claude Code, and uses the program of the settings", async () => {
    const at = await world();
    const name = "@anthropic-ai/claude-agent-sdk";
    const packages = packagesOf("claude-agent-sdk");
    const modules = join(at.at.root, "without-program");
    cpSync(join(packages, name), join(modules, "node_modules", name), { recursive: true });
    at.settings({ agents: { modules } });
    const without = await at.turn("First.", [{ say: "One." }]);
    expect(without.result).toMatchObject({ ok: false, error: { code: "not_started" } });
    expect(without.result).toHaveProperty(
      "error.message",
      expect.stringMatching(/^Claude Code cannot be started: .+ or name the program in your settings: /),
    );
    await at.close();
    const [program] = globSync("@anthropic-ai/claude-agent-sdk-*/claude*", { cwd: packages });
    at.settings({ agents: { modules, programs: { claude: [join(packages, program ?? "")] } } });
    expect((await at.turn("Second.", [{ say: "Two." }])).result).toMatchObject({ ok: true, text: "Two." });
  });

  const question = (more: object = {}) => ({
    question: "Which color?",
    header: "Color",
    multiSelect: false,
    options: [
      { label: "Red", description: "Like a rose" },
      { label: "Blue", description: "Like the sea" },
    ],
    ...more,
  });
  const asks = (...questions: object[]) => ({ call: "AskUserQuestion", input: { questions } });

  it("[S2] asks a person its questions, as dialogs of its session", async () => {
    const at = await world();
    const toolbox = await at.toolbox();
    const answers = ["Blue: Like the sea", "Something else …", "Seven", "Red, Blue"];
    const asked: unknown[] = [];
    const several = question({ question: "Which colors?", multiSelect: true });
    const seen = await at.turn(
      "Ask me.",
      [asks(question(), question({ question: "How many?" }), several), { say: "Thanks." }],
      {
        answerable: true,
        during: async (event) => {
          if (event.type !== "question.asked") return;
          asked.push(event);
          await toolbox.sessions.answer(event.questionID, { allowed: true, value: answers.shift() });
        },
      },
    );
    const options = ["Red: Like a rose", "Blue: Like the sea", "Something else …"];
    const base = { tool: "claude:AskUserQuestion", agent: "claude", kind: "dialog" };
    expect(asked).toMatchObject([
      { ...base, method: "select", reason: "Which color?", options },
      { ...base, method: "select", reason: "How many?", options },
      { ...base, method: "input", reason: "How many?" },
      { ...base, method: "input", reason: expect.stringContaining("Which colors?"), placeholder: "Red, Blue" },
    ]);
    expect(seen.answers[0]?.text).toMatch(/Which color\?.+Blue.+How many\?.+Seven.+Which colors\?.+Red, Blue/s);
    const [start] = ofType(seen, "tool.start");
    expect(asked).toMatchObject(asked.map(() => ({ callID: start?.callID })));
  });

  it("[S2] [P3] tells its model why its question has no answer: no person, a closed dialog, a rule", async () => {
    const at = await world();
    const toolbox = await at.toolbox();
    const headless = await at.turn("Ask no one.", [asks(question()), { say: "Then not." }]);
    expect(headless.answers.at(-1)?.text).toContain(
      "No person can be asked here. Decide yourself, or say in your answer what you need to know.",
    );
    const closed = await at.turn("Ask me.", [asks(question()), { say: "Then not." }], {
      answerable: true,
      during: (event) =>
        event.type === "question.asked" &&
        toolbox.sessions.answer(event.questionID, { allowed: false, reason: "Later" }),
    });
    expect(closed.answers.at(-1)?.text).toContain("The user closed the question without an answer. They said: Later");
    at.settings({ permissions: [{ tool: "claude:AskUserQuestion", action: "deny" }] });
    await toolbox.reload();
    const denied = await at.turn("Ask again.", [asks(question()), { say: "Then not." }], { answerable: true });
    expect(ofType(denied, "question.asked")).toEqual([]);
    expect(ofType(denied, "tool.failed")).toHaveLength(1);
  });

  it("tells of retries, with a base URL that ends in /v1", async () => {
    const at = await world({
      env: () => ({ ANTHROPIC_API_KEY: "dummy", CLAUDE_CODE_MAX_RETRIES: "1" }),
      baseUrl: (origin) => `${origin}/v1/`,
    });
    const notices: string[] = [];
    (await at.toolbox()).on("notice", ({ message }) => notices.push(message));
    const { result } = await at.turn("Fail.", [{ status: 529, message: "Overloaded." }]);
    expect(result).toMatchObject({ ok: false, error: { code: "model_failed" } });
    expect(notices).toEqual([
      expect.stringMatching(/^The model did not answer \(529 \w+\)\. Claude tries again in \d+ s \(1 of 1\)\.$/),
    ]);
  });

  it("repeats a request with refused credentials once, not ten times", async () => {
    const at = await world({ env: () => ({ ANTHROPIC_API_KEY: "dummy" }) });
    const notices: string[] = [];
    (await at.toolbox()).on("notice", ({ message }) => notices.push(message));
    const { result } = await at.turn("Fail.", [{ status: 401, message: "invalid x-api-key" }]);
    expect(result).toMatchObject({ ok: false, error: { code: "unauthorized" } });
    expect(result).toHaveProperty("error.message", expect.stringContaining("Set ANTHROPIC_API_KEY to a valid key"));
    expect(notices).toHaveLength(1);
    expect((await at.turn("Again.", [{ say: "Back." }])).result).toMatchObject({ ok: true, text: "Back." });
  });
});
