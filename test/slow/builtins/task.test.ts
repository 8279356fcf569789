import { describe, expect, it } from "vitest";
import { type AgentTask, outputOf, type SubAgents, type ToolResult } from "../../../src/index.ts";
import { openBuiltins } from "../../support/builtins.ts";

const INPUT = { description: "Count the files", prompt: "How many are there?", subagent_type: "explorer" };

/** A scripted agent that records its prompts. */
function agentThat(
  work: (task: AgentTask) => Promise<string>,
  kinds?: SubAgents["kinds"],
): SubAgents & { tasks: AgentTask[] } {
  const tasks: AgentTask[] = [];
  return {
    tasks,
    ...(kinds ? { kinds } : {}),
    run: async (task) => {
      tasks.push(task);
      return { output: await work(task) };
    },
  };
}

describe("[B9] task", () => {
  it("passes a prompt to an agent and returns its answer, with a session id to continue", async () => {
    const agents = agentThat(async ({ prompt, resumed }) => `${resumed ? "again" : "first"}: ${prompt}`);
    const { call } = await openBuiltins({}, { subagents: agents });
    const result = await call("task", INPUT, { sessionID: "main", messageID: "m", callID: "c" });
    const [task] = agents.tasks;
    expect(outputOf(result)).toBe(`first: How many are there?\n\n[session_id: ${task?.sessionID}]`);
    expect(result).toMatchObject({
      data: { session_id: task?.sessionID, agent: "explorer" },
      notes: { title: "Count the files" },
    });
    expect(task).toMatchObject({
      agent: "explorer",
      description: "Count the files",
      resumed: false,
      parent: { sessionID: "main", messageID: "m", callID: "c" },
    });

    const more = { ...INPUT, prompt: "And folders?", session_id: task?.sessionID };
    expect(outputOf(await call("task", more, { sessionID: "main" }))).toBe(
      `again: And folders?\n\n[session_id: ${task?.sessionID}]`,
    );
    expect(outputOf(await call("task", more, { sessionID: "another" }))).toBe(
      `This session has no task with session_id "${task?.sessionID}". Omit session_id to start a new task.`,
    );
  });

  it("reports that there is no agent, no agent of that name, or no answer", async () => {
    const alone = await openBuiltins();
    expect(await alone.say("task", INPUT)).toBe(
      "No sub-agent is available. Do the work yourself with the other tools. A program that embeds Toolwright can provide sub-agents: createToolbox({ subagents }).",
    );
    const agents = agentThat(async () => " ", { explore: "Looks things up.", review: "Reads changes." });
    const { say } = await openBuiltins({}, { subagents: agents });
    expect(await say("task", INPUT)).toBe(
      'Unknown agent "explorer". Did you mean "explore"? Available agents:\n- explore: Looks things up.\n- review: Reads changes.',
    );
    expect(await say("task", { ...INPUT, subagent_type: "review" })).toMatch(
      /^The agent returned no text\.\n\n\[session_id: .+\]$/,
    );
    expect(await say("task", { ...INPUT, prompt: "" })).toBe(
      `The input for "task" is not valid:
- /prompt: Too small: expected string to have >=1 characters
Correct it and call the tool again.`,
    );
  });

  it("[P4] ends the calls that its agent has left running", async () => {
    const left: Promise<ToolResult>[] = [];
    const agents = agentThat(async ({ call }) => {
      const run = call({
        name: "bash",
        input: { command: "echo begun; sleep 60", description: "Sleeps for a minute" },
      });
      left.push(run.result);
      for await (const event of run) if (event.type === "tool.update") break;
      return "done";
    });
    const { say } = await openBuiltins({}, { subagents: agents });
    expect(await say("task", INPUT)).toMatch(/^done\n/);
    expect(await left[0]).toMatchObject({ ok: false, error: { code: "aborted" } });
  });

  it("works in the directory of the call", async () => {
    const agents = agentThat(async ({ call, directory }) => {
      const { result } = call({ name: "read", input: { filePath: "a.txt" } });
      return `${outputOf(await result)} ${directory}`;
    });
    const { say, at } = await openBuiltins({ "sub/a.txt": "hello" }, { subagents: agents });
    const directory = `${at.project}/sub`;
    expect(await say("task", INPUT, { directory })).toMatch(new RegExp(`hello[^]* ${directory}\n`));
  });

  it("runs once at a time per session", async () => {
    const done = Promise.withResolvers<void>();
    const agents = agentThat(async ({ resumed }) => {
      if (resumed) await done.promise;
      return "ok";
    });
    const { call, say } = await openBuiltins({}, { subagents: agents });
    await call("task", INPUT);
    const again = { ...INPUT, session_id: agents.tasks[0]?.sessionID };
    const both = [say("task", again), say("task", again)];
    expect(await Promise.race(both)).toBe(
      `The task with session_id "${again.session_id}" is still running. Wait for its result, or omit session_id to start a new task.`,
    );
    done.resolve();
    expect((await Promise.all(both)).some((said) => said.startsWith("ok\n"))).toBe(true);
    expect(await say("task", again)).toMatch(/^ok\n/);
  });

  it("[P4] has its clock stopped while a person considers a question of its agent", async () => {
    const agents = agentThat(async ({ call }) => outputOf(await call({ name: "workspace-info" }).result).slice(0, 1));
    const { say } = await openBuiltins(
      {},
      {
        subagents: agents,
        settings: { permissions: [{ tool: "workspace-info", action: "ask" }] },
        approve: async () => {
          await new Promise((answer) => setTimeout(answer, 4_000));
          return { allowed: true };
        },
      },
    );
    expect(await say("task", INPUT, { timeoutMs: 3_500 })).toMatch(/^\{\n/);
  });

  it("[P6] limits how often the progress of a talkative agent is shown", async () => {
    const agents = agentThat(async ({ progress }) => {
      for (let at = 0; at < 5_000; at += 1) progress({ title: `Step ${at}` });
      return "done";
    });
    const { toolbox } = await openBuiltins({}, { subagents: agents });
    const titles: unknown[] = [];
    toolbox.on("call", (event) => {
      if (event.type === "tool.update") titles.push(event.title);
    });
    await toolbox.call({ name: "task", input: INPUT }).result;
    expect(titles.length).toBeLessThan(100);
    expect(titles.at(-1)).toBe("Step 4999");
  });

  it("fails with the error message of the agent", async () => {
    const agents = agentThat(async () => {
      throw new Error("The model is not to be reached.");
    });
    const { call } = await openBuiltins({}, { subagents: agents });
    expect(await call("task", INPUT)).toMatchObject({
      ok: false,
      error: { code: "failed", message: "The model is not to be reached." },
    });
  });

  it("[P6] shows its progress while it runs, and [P4] ends with the call", async () => {
    const aborted = Promise.withResolvers<void>();
    const agents = agentThat(async ({ progress, signal }) => {
      progress({ title: "Looking", metadata: { files: 3 } });
      signal.addEventListener("abort", () => aborted.resolve());
      await aborted.promise;
      return "";
    });
    const { toolbox } = await openBuiltins({}, { subagents: agents });
    const run = toolbox.call({ name: "task", input: INPUT });
    for await (const event of run) {
      if (event.type === "tool.update" && event.title === "Looking") {
        expect(event.metadata).toEqual({ files: 3 });
        run.abort();
      }
    }
    await aborted.promise;
    expect(await run.result).toMatchObject({ ok: false, error: { code: "aborted" } });
  });

  it("[P3] [R2] offers an agent the tools that the rules show it, and allows it no more than its parent agents", async () => {
    const settings = {
      permissions: [
        { tool: "todo*", action: "deny", agent: "explorer" },
        { tool: "read", action: "deny", agent: "main" },
        { tool: "workspace-info", action: "deny", agent: "explorer" },
      ],
    };
    const said: string[] = [];
    const agents = agentThat(async ({ tools, call }) => {
      said.push(outputOf(await call({ name: "read", input: { filePath: "a.txt" } }).result));
      said.push(outputOf(await call({ name: "todoread" }).result));
      return tools.map(({ name }) => name).join(" ");
    });
    const { say } = await openBuiltins({ "a.txt": "hello" }, { subagents: agents, settings });
    const names = (await say("task", INPUT, { agent: "main" })).split("\n")[0]?.split(" ") ?? [];
    expect(names).toContain("grep");
    // Not offered to any sub-agent; denied to this one; denied to its parent.
    for (const absent of ["task", "todowrite", "workspace-info", "read"]) expect(names).not.toContain(absent);
    expect(said[0]).toContain('is denied by the user\'s rule {"tool":"read","agent":"main","action":"deny"}');
    expect(said[1]).toContain('is denied by the user\'s rule {"tool":"todo*","agent":"explorer","action":"deny"}');
  });

  it("limits how deep agents can delegate", async () => {
    const depths: string[] = [];
    const agents: SubAgents = {
      run: async ({ call }) => {
        const result = await call({ name: "task", input: INPUT }).result;
        depths.push(outputOf(result));
        return { output: "done" };
      },
    };
    const { say } = await openBuiltins({}, { subagents: agents });
    await say("task", INPUT);
    expect(depths).toHaveLength(5);
    expect(depths[0]).toBe("Delegation is limited to 5 levels. Do this part yourself.");
  });
});
