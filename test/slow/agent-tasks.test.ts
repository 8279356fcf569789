import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { AgentEvent } from "../../src/core/coding-agent.ts";
import type { QuestionAskedEvent } from "../../src/core/question.ts";
import type { StoredEvent } from "../../src/core/session-log.ts";
import { SessionError, type SessionStore } from "../../src/core/session-store.ts";
import { outputOf, type Toolbox, type ToolboxOptions, tool } from "../../src/index.ts";
import { createMemoryStore } from "../../src/sessions/store/memory-store.ts";
import { type CodeAgent, type CodeTurn, codeAgents, saying } from "../support/code-agent.ts";
import { project, type Sandbox, sandbox } from "../support/fixture.ts";
import { PATIENT } from "../support/patient.ts";
import { open } from "../support/toolbox.ts";

const GREET = tool({ description: "Greets.", execute: (_, { agent }) => `Hello from ${agent}` });

/** Calls a tool and says its output. */
async function* calling({ options }: CodeTurn, name: string, input: unknown): AsyncGenerator<AgentEvent> {
  const messageID = crypto.randomUUID();
  const run = options.tools.call({ name, input, messageID });
  yield* saying(outputOf(await run.result), messageID);
}

/** An agent whose prompt is `TOOL JSON`. Another prompt is repeated, with the names of its tools. */
const CALLER: CodeAgent = {
  async *turn(turn) {
    const [, name, input] = /^(\w+) (\{.*\})$/s.exec(turn.prompt) ?? [];
    if (name === undefined) {
      yield { type: "usage", inputTokens: 600, outputTokens: 1 };
      yield* saying(`${turn.prompt} [${turn.options.tools.list().map((each) => each.name)}] ${turn.options.model}`);
    } else yield* calling(turn, name, JSON.parse(input ?? "{}"));
  },
};

async function opened(
  settings: object = {},
  agents: Readonly<Record<string, CodeAgent>> = {},
  options: ToolboxOptions = {},
  at: Sandbox = sandbox(),
): Promise<{ toolbox: Toolbox; ask: (prompt: string, agent?: string) => Promise<string> }> {
  const folder = at.env.TOOLWRIGHT_HOME as string;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
  const source = codeAgents({ main: CALLER, helper: CALLER, ...agents });
  const { toolbox } = await open(at, {
    onlyGiven: true,
    builtins: ["task"],
    tools: { greet: GREET },
    agents: source,
    approve: async () => ({ allowed: true }),
    ...options,
  });
  const ask = async (prompt: string, agent = "main"): Promise<string> => {
    const result = await toolbox.sessions.send("s", prompt, { agent, builtins: ["task"] }).result;
    return result.ok ? result.text : result.error.message;
  };
  return { toolbox, ask };
}

const task = (input: object): string =>
  `task ${JSON.stringify({ description: "Look", prompt: "Look around", subagent_type: "general", ...input })}`;
const sessionIn = (text: string): string => /\[session_id: (.*)\]/.exec(text)?.[1] ?? "";

describe("[B9] [G6] a task of an agent", () => {
  it("is run by the same agent in a session of its own, and can be continued", async () => {
    const { toolbox, ask } = await opened();
    const text = await ask(task({}));
    expect(text).toMatch(/^Look around \[greet\] undefined\n\n\[session_id: /);
    const store = await toolbox.sessions.store();
    const info = await store.get(sessionIn(text));
    expect(info).toMatchObject({ title: "Look", agent: "main", status: "idle", parent: { sessionID: "s" } });
    const again = await ask(task({ prompt: "And then?", session_id: sessionIn(text) }));
    expect(again).toContain("And then? [greet]");
    expect(await store.list()).toMatchObject({ sessions: { length: 2 } });
  });

  it("is run by the agent of its kind, with its model, prompt and tools; the description lists the kinds", async () => {
    const prompts: (string | undefined)[] = [];
    const helper: CodeAgent = { ...CALLER, open: async ({ systemPrompt }) => void prompts.push(systemPrompt) };
    const reader = { agent: "helper", model: "small", prompt: "Only read.", tools: [], description: "Reads." };
    const { toolbox, ask } = await opened({ subagents: { reader } }, { helper });
    expect(await ask(task({ subagent_type: "reader" }))).toMatch(/^Look around \[\] small\n/);
    expect(prompts).toEqual(["Only read."]);
    expect(toolbox.get("task")?.description.split("\n").slice(-3)).toEqual([
      "Available agents (subagent_type):",
      "- general: Works on any task, with the same agent and model as this one.",
      "- reader: Reads.",
    ]);
    expect(await ask(task({ subagent_type: "raeder" }))).toContain('Unknown agent "raeder". Did you mean "reader"?');
  });

  it("has only the tools of its kind, whatever its model calls", async () => {
    const reader = { agent: "helper", tools: ["read"], description: "Reads." };
    const { ask } = await opened({ subagents: { reader } });
    expect(await ask(task({ subagent_type: "reader", prompt: "greet {}" }))).toMatch(
      /^"greet" is not one of your tools\. Use the tools that you were given\.\n/,
    );
  });

  it("has the name of the kind that continues it, and only the tools of every kind that did", async () => {
    const reader = { agent: "main", tools: [], description: "Reads." };
    const { ask } = await opened({ subagents: { reader } });
    const session_id = sessionIn(await ask(task({})));
    expect(await ask(task({ subagent_type: "reader", session_id }))).toMatch(/^Look around \[\] undefined\n/);
    expect(await ask(task({ prompt: "greet {}", session_id }))).toMatch(/^"greet" is not one of your tools\./);
  });

  it("has no more built-in tools than the agent that delegates it", async () => {
    const names = async (builtins: string[]): Promise<string> => {
      const { toolbox } = await opened({}, {}, { builtins: ["task", "read", "write"], tools: {} });
      return (await toolbox.sessions.send("s", task({}), { agent: "main", builtins }).result).text;
    };
    expect(await names(["task", "read"])).toMatch(/^Look around \[read\] /);
    expect(await names(["task"])).toMatch(/^Look around \[\] /);
  });

  it("keeps the mode of the session that delegated it when a person continues it after a restart", async () => {
    const at = sandbox();
    const settings = { mode: "bypass", permissions: [{ tool: "task", action: "allow" }] };
    const options = { sessions: "disk", approve: async () => ({ allowed: false, reason: "No." }) } as const;
    const first = await opened(settings, {}, options, at);
    const turn = first.toolbox.sessions.send("s", task({}), { agent: "main", builtins: ["task"], mode: "default" });
    const id = sessionIn((await turn.result).text);
    await first.toolbox.close();
    const { toolbox } = await opened(settings, {}, options, at);
    expect((await toolbox.sessions.send(id, "greet {}").result).text).toContain('"greet" was not allowed to run.');
    expect(await toolbox.sessions.choices(id)).toEqual({ mode: "default", grants: [] });
  });

  it("fails if a person stops it", async () => {
    const begun = Promise.withResolvers<string>();
    const waits: CodeAgent = {
      async *turn({ signal, options }) {
        begun.resolve(options.sessionID);
        yield* saying("Half of it");
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    };
    const reader = { agent: "waits", description: "Reads." };
    const { toolbox, ask } = await opened({ subagents: { reader } }, { waits });
    const text = ask(task({ subagent_type: "reader" }));
    await toolbox.sessions.cancel(await begun.promise);
    expect(await text).toBe("The task was stopped before it was done. Ask the user how to go on.");
  });

  it("shows its calls as progress of the delegating call; its calls have the name of the kind", async () => {
    const { toolbox, ask } = await opened();
    const titles: unknown[] = [];
    toolbox.on("call", (event) => event.type === "tool.update" && titles.push(event.title));
    expect(await ask(task({ prompt: "greet {}" }))).toMatch(/^Hello from general\n/);
    expect(titles).toContain("Look: greet");
  });

  it("is stopped when it uses too many tokens", async () => {
    const { ask } = await opened({ agents: { maxTaskTokens: 600 } });
    expect(await ask(task({}))).toBe(
      'The task was stopped: it has used 601 tokens, and the limit is 600 ("agents": { "maxTaskTokens" } in the settings). Delegate a smaller task.',
    );
  });

  it("is aborted with the turn that delegated it", async () => {
    const begun = Promise.withResolvers<void>();
    const waits: CodeAgent = {
      async *turn({ signal, prompt, options }) {
        if (prompt.startsWith("task")) yield* CALLER.turn({ signal, prompt, options });
        else {
          begun.resolve();
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        }
      },
    };
    const { toolbox } = await opened({}, { waits });
    const turn = toolbox.sessions.send("s", task({}), { agent: "waits", builtins: ["task"] });
    await begun.promise;
    turn.abort();
    expect(await turn.result).toMatchObject({ ok: true, aborted: true });
    const { sessions } = await (await toolbox.sessions.store()).list();
    expect(sessions.map(({ status }) => status)).toEqual(["idle", "idle"]);
  });
});

describe("[A5] to-dos that are open at the end of a turn", () => {
  const EXTENSION = `/** @type {import("toolwright").ExtensionFactory} */
module.exports = (pi) => {
    pi.on("todo_reminder", ({ todos, attempt, maxAttempts }) =>
      pi.sendUserMessage("Reminder " + attempt + " of " + maxAttempts + ": " + todos.map(({ content }) => content)));
  };`;
  const write = (...states: readonly string[]): string => {
    const todos = states.map((status, at) => ({ id: `${at}`, content: `item ${at}`, status, priority: "low" }));
    return `todowrite ${JSON.stringify({ todos })}`;
  };
  const reminder = (attempt: number): string => `Reminder ${attempt} of 3: item 1,item 2`;

  it("are told to tool files, at most three times after a prompt that is not theirs", async () => {
    const at = project({ ".pi/extensions/reminds.js": EXTENSION });
    const { toolbox } = await open(at, {
      builtins: ["todowrite"],
      agents: codeAgents({ main: CALLER }),
      approve: async () => ({ allowed: true }),
    });
    const store = await toolbox.sessions.store();
    const prompts = async (): Promise<string[]> =>
      (await store.read("s", 0, 1_000)).flatMap((event) =>
        event.type === "message.user" ? event.content.map((part) => (part.type === "text" ? part.text : "")) : [],
      );
    const send = async (prompt: string): Promise<void> => {
      await expect.poll(async () => (await store.get("s"))?.status ?? "idle", { timeout: 20_000 }).toBe("idle");
      const { result } = toolbox.sessions.send("s", prompt, { agent: "main", builtins: true });
      expect(await result).toMatchObject({ ok: true });
    };
    await send(write("completed", "pending", "in_progress", "cancelled"));
    const reminders = [reminder(1), reminder(2), reminder(3)];
    await expect.poll(async () => (await prompts()).slice(1), { timeout: 20_000 }).toEqual(reminders);
    await send("Next");
    await expect.poll(async () => (await prompts()).slice(4), { timeout: 20_000 }).toEqual(["Next", ...reminders]);
    await send(write("completed"));
    await send("Last");
    expect((await prompts()).slice(-2)).toEqual([write("completed"), "Last"]);
  });
});

describe("[A5] a message of a tool file", () => {
  const sending = (options: string): string =>
    `export default (pi) => { pi.registerTool({ name: "send", label: "Send", description: "Sends.", parameters: { type: "object", properties: {} },
      execute: async () => { pi.${options}; return { content: [{ type: "text", text: "sent" }] }; } }); };`;
  const run = async (call: string): Promise<string[]> => {
    const at = project({ ".pi/extensions/send.js": sending(call) });
    const { toolbox } = await open(at, {
      agents: codeAgents({ main: CALLER }),
      approve: async () => ({ allowed: true }),
    });
    const said: string[] = [];
    for (const prompt of ["send {}", "Next"]) {
      const turn = toolbox.sessions.send("s", prompt, { agent: "main" });
      for await (const event of turn) {
        if (event.type === "message.user") said.push(`user: ${(event.content[0] as { text: string }).text}`);
        if (event.type === "message.complete") said.push((event.content[0] as { text: string }).text);
      }
    }
    return said;
  };
  it("is a prompt of the running turn", async () => {
    expect(await run('sendUserMessage("More")')).toEqual([
      "user: send {}",
      "sent",
      "user: More",
      "More [send] undefined",
      "user: Next",
      "Next [send] undefined",
    ]);
  });
  it.each([false, true])(
    "that comes after the last prompt of the turn begins another turn, unless it is refused: %s",
    async (isRefused) => {
      const file = `export default (pi) => { pi.registerTool({ name: "late", label: "Late", description: "Is late.", parameters: { type: "object", properties: {} },
      execute: async (id, params, signal, onUpdate) => {
        const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
        onUpdate({ content: [{ type: "text", text: "It runs." }] });
        await aborted;
        pi.sendUserMessage("Late");
        pi.sendUserMessage("More");
        return { content: [] };
      } }); };`;
      const running = Promise.withResolvers<void>();
      const main: CodeAgent = {
        async *turn({ prompt, options }) {
          yield* saying(prompt);
          if (prompt !== "go") return;
          options.tools.call({ name: "late", input: {} });
          await running.promise;
        },
      };
      const memory = createMemoryStore({ project: "/project" });
      onTestFinished(() => memory.close());
      let refused = 0;
      const claim = memory.claim.bind(memory);
      const sessions: SessionStore = Object.assign(memory, {
        claim: async (...args: Parameters<SessionStore["claim"]>) => {
          const isLater = ((await memory.get("s"))?.position ?? 0) > 2;
          if (!isRefused || !isLater || args[1] !== "turn" || refused > 0) return claim(...args);
          refused += 1;
          throw new SessionError("owned", "Another process runs it.");
        },
      });
      const { toolbox } = await open(project({ ".pi/extensions/late.js": file }), {
        agents: codeAgents({ main }),
        sessions,
      });
      toolbox.on("question", async (event) => {
        if (event.type === "question.asked") await toolbox.sessions.answer(event.questionID, { allowed: true });
      });
      toolbox.on("call", ({ type }) => type === "tool.update" && running.resolve());
      await toolbox.sessions.send("s", "go", { agent: "main", answerable: true }).result;
      if (isRefused) {
        await vi.waitFor(() => expect(refused).toBe(1), PATIENT);
        await toolbox.sessions.send("s", "Next", { agent: "main" }).result;
      }
      const said: string[] = [];
      const store = await toolbox.sessions.store();
      for await (const event of store.follow("s", 0, new AbortController().signal)) {
        if (event.type === "message.complete") said.push((event.content[0] as { text: string }).text);
        if (event.type === "session.idle") said.push("idle");
        if (said.length === (isRefused ? 4 : 5)) break;
      }
      expect(said).toEqual(["go", "idle", ...(isRefused ? ["Next"] : ["Late", "More"]), "idle"]);
    },
  );
  it("of a file that handles the start of the session is not lost", async () => {
    const file = `export default (pi) => { pi.on("session_start", () => {
      pi.sendMessage({ customType: "note", content: "By the way", display: true }); pi.sendUserMessage("More"); }); };`;
    const { toolbox } = await open(project({ ".pi/extensions/start.js": file }), {
      agents: codeAgents({ main: CALLER }),
    });
    const said: string[] = [];
    for await (const event of toolbox.sessions.send("s", "Hello", { agent: "main" })) {
      if (event.type === "message.complete") said.push((event.content[0] as { text: string }).text);
    }
    expect(said[0]).toBe("By the way\nHello [] undefined");
    expect(said[1]).toBe("More [] undefined");
  });
  it("that must not start a turn is given to the model with the next prompt", async () => {
    expect(await run('sendMessage({ customType: "note", content: "By the way", display: true })')).toEqual([
      "user: send {}",
      "sent",
      "user: Next",
      "By the way\nNext [send] undefined",
    ]);
  });
});

describe("[A5] [G5] a tool file in a session of an agent", () => {
  it("reads the messages, the model and the state of the session", async () => {
    const file = `export default (pi) => { pi.registerTool({ name: "look", label: "Look", description: "Looks.", parameters: { type: "object", properties: {} },
      execute: async (id, params, signal, onUpdate, ctx) => ({ content: [{ type: "text", text: JSON.stringify({
        roles: ctx.sessionManager.getBranch().map(({ message }) => [message.role, message.content.map((part) => part.text ?? part.name).join()]),
        model: ctx.model, idle: ctx.isIdle(), pending: ctx.hasPendingMessages() }) }] }) }); };`;
    const at = project({ ".pi/extensions/look.js": file });
    const { toolbox } = await open(at, {
      agents: codeAgents({ main: CALLER }),
      approve: async () => ({ allowed: true }),
    });
    await toolbox.sessions.send("s", "Hello", { agent: "main", model: "m1" }).result;
    const { text } = await toolbox.sessions.send("s", "look {}").result;
    expect(JSON.parse(text)).toEqual({
      roles: [
        ["user", "Hello"],
        ["assistant", "Hello [look] m1"],
        ["user", "look {}"],
      ],
      model: { provider: "", id: "m1" },
      idle: false,
      pending: false,
    });
  });

  it("gets the events of the session, after the start that loads it; also of branches and switches", async () => {
    const events = ["session_start", "session_branch", "session_tree", "session_switch", "session_shutdown"];
    const file = `import { appendFileSync } from "node:fs";
      export default (pi) => { for (const event of ${JSON.stringify(events)}) pi.on(event, (e, ctx) =>
        appendFileSync(process.env.HOME + "/events", event + " " + ctx.sessionManager.getEntries().length + "\\n")); };`;
    const at = project({ ".pi/extensions/events.js": file });
    const { toolbox } = await open(at, { agents: codeAgents({ main: CALLER }) });
    const told = (): string[] => readFileSync(join(at.home, "events"), "utf8").trim().split("\n");
    await toolbox.sessions.send("s", "Hello", { agent: "main" }).result;
    await toolbox.sessions.detach("s");
    expect(told()).toEqual(["session_start 0", "session_start 1", "session_shutdown 2"]);
    await toolbox.sessions.branch("s");
    await toolbox.sessions.branch("s", { at: 2 });
    await toolbox.sessions.switch("s");
    expect(told().slice(3)).toEqual([
      "session_branch 2",
      "session_start 2",
      "session_tree 1",
      "session_switch 2",
      "session_start 2",
    ]);
  });
});

describe("[B9] [P3] a task that asks a person", () => {
  const reader = { agent: "main", description: "Reads.", tools: ["greet", "hand"] };
  const allowed = ["task", "hand"].map((each) => ({ tool: each, action: "allow" }));
  const HAND = tool({
    description: "Hands the greeting to another agent.",
    execute: async (_, { delegate }) =>
      (await delegate({ description: "Look", prompt: "greet {}", agent: "reader" })).output,
  });
  const types = (events: readonly StoredEvent[], callID: string): string[] =>
    events.flatMap((event) => ("callID" in event && event.callID === callID ? [event.type] : []));

  /** A turn that waits for the answer to a question of a sub-agent. */
  async function waiting(prompt: "greet {}" | "hand {}") {
    const { toolbox } = await opened(
      { subagents: { reader }, permissions: allowed },
      {},
      { approve: async () => undefined, tools: { greet: GREET, hand: HAND } },
    );
    const asked = new Promise<QuestionAskedEvent>((resolve) => {
      toolbox.on("question", (event) => event.type === "question.asked" && resolve(event));
    });
    const turn = toolbox.sessions.send("s", task({ subagent_type: "reader", prompt }), {
      agent: "main",
      builtins: ["task"],
      answerable: true,
    });
    const question = await asked;
    const store = await toolbox.sessions.store();
    const { sessions } = await store.list();
    const logs = async (): Promise<StoredEvent[][]> =>
      Promise.all(sessions.map(({ id }) => store.read(id, 0, 100) as Promise<StoredEvent[]>));
    return { toolbox, turn, question, store, sessions, logs };
  }

  it.each([
    ["a task", "greet {}", 2],
    ["a task of a task", "hand {}", 3],
  ] as const)("asks in each session that waits: %s", async (_what, prompt, count) => {
    const { toolbox, turn, question, store, sessions, logs } = await waiting(prompt);
    expect(sessions).toHaveLength(count);
    expect(sessions.map(({ status }) => status)).toEqual(sessions.map(() => "waiting"));
    const { questionID } = question;
    expect(sessions.map(({ id }) => toolbox.sessions.questions(id))).toEqual(sessions.map(() => [question]));
    expect(toolbox.sessions.questions("another")).toEqual([]);
    for (const events of await logs()) {
      const [asked] = events.filter((event) => event.type === "question.asked");
      expect(asked).toMatchObject({ questionID, tool: "greet", agent: "reader" });
      // The call of this session that waits.
      expect(types(events, asked?.type === "question.asked" ? asked.callID : "")).toEqual([
        "tool.start",
        "question.asked",
      ]);
    }
    await toolbox.sessions.answer(questionID, { allowed: true });
    expect((await turn.result).text).toContain("Hello from reader");
    for (const events of await logs()) {
      const answers = events.filter((event) => event.type === "question.answered");
      expect(answers).toMatchObject([{ questionID, allowed: true }]);
      expect(events.at(-1)?.type).toBe("session.idle");
    }
    expect(await store.get("s")).toMatchObject({ status: "idle", openQuestions: [] });
  });

  it("asks no longer when the turn is aborted", async () => {
    const { turn, question, store, logs } = await waiting("hand {}");
    turn.abort();
    expect(await turn.result).toMatchObject({ ok: true, aborted: true });
    for (const events of await logs()) {
      const answers = events.filter((event) => event.type === "question.answered");
      expect(answers).toMatchObject([{ questionID: question.questionID, withdrawn: true }]);
    }
    expect(await store.get("s")).toMatchObject({ status: "idle", openQuestions: [] });
  });
});
