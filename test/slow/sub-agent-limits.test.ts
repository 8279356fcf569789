import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/core/coding-agent.ts";
import { outputOf, type SendOptions, type Toolbox, type ToolboxOptions, tool } from "../../src/index.ts";
import { type CodeAgent, type CodeTurn, codeAgents, saying } from "../support/code-agent.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { open } from "../support/toolbox.ts";

const TOOLS = Object.fromEntries(
  ["greet", "wipe", "other"].map((name) => [name, tool({ description: name, execute: () => `${name} ran` })]),
);

/** Its prompt is `TOOL JSON`; the last line of a prompt counts. Another prompt is answered with the names of its tools. */
const CALLER: CodeAgent = {
  async *turn(turn: CodeTurn): AsyncGenerator<AgentEvent> {
    const [, name = "", input = "{}"] = /(?:^|\n)(\w+) (\{.*\})$/.exec(turn.prompt) ?? [];
    const { tools, systemPrompt = "" } = turn.options;
    if (turn.prompt.endsWith("Prompt")) yield* saying(systemPrompt);
    else if (name === "")
      yield* saying(tools.list().map((each) => each.name).join(" ")); // biome-ignore format: one line
    else yield* saying(outputOf(await tools.call({ name, input: JSON.parse(input) }).result));
  },
};

const KINDS = {
  reader: { agent: "helper", tools: ["greet"], description: "Greets.", prompt: "Only greet." },
  writer: { agent: "helper", description: "Does everything but wiping." },
};
const DENIED = { tool: "wipe", agent: "writer", action: "deny" };
const SETTINGS = { subagents: KINDS, permissions: [DENIED] };

async function opened(at: Sandbox, settings: object = SETTINGS, options: ToolboxOptions = {}): Promise<Toolbox> {
  const folder = at.env.TOOLWRIGHT_HOME as string;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
  const agents = codeAgents({ main: CALLER, helper: CALLER });
  const own = { onlyGiven: true, builtins: ["task"], tools: TOOLS, agents, sessions: "disk" } as const;
  const { toolbox } = await open(at, { ...own, approve: async () => ({ allowed: false, reason: "No." }), ...options });
  return toolbox;
}

const MAIN = { agent: "main", builtins: ["task"] } as const;

async function say(toolbox: Toolbox, id: string, prompt: string, options: SendOptions = {}): Promise<string> {
  const result = await toolbox.sessions.send(id, prompt, options).result;
  return result.ok ? result.text : result.error.message;
}

const task = (subagent_type: string, prompt = "Begin", session_id?: string): string =>
  `task ${JSON.stringify({ description: "Work", prompt, subagent_type, session_id })}`;

async function delegated(toolbox: Toolbox, kind: string): Promise<string> {
  const text = await say(toolbox, "p", task(kind), { ...MAIN, mode: "bypass" });
  return /\[session_id: (.*)\]/.exec(text)?.[1] ?? text;
}

/** Continues the session of a task in one way. Resolves to what says a prompt there. */
type Continue = (first: Toolbox, id: string, at: Sandbox) => Promise<(prompt: string) => Promise<string>>;

const here: Continue = async (toolbox, id) => (prompt) => say(toolbox, id, prompt);
const withOptions =
  (options: SendOptions): Continue =>
  async (toolbox, id) =>
  (prompt) =>
    say(toolbox, id, prompt, options);
const restarted =
  (settings: object = SETTINGS, next: Continue = here): Continue =>
  async (first, id, at) => {
    await first.close();
    return next(await opened(at, settings), id, at);
  };
const branched =
  (next: Continue = here, position?: number): Continue =>
  async (toolbox, id, at) => {
    const branch = await toolbox.sessions.branch(id, position === undefined ? {} : { at: position });
    return next(toolbox, branch.id, at);
  };
/** By the store, as `toolwright sessions branch` does. */
const branchedInStore: Continue = async (toolbox, id, at) => {
  const branch = await (await toolbox.sessions.store()).branch(id, 3);
  return restarted()(toolbox, branch.id, at);
};
const WAYS: Readonly<Record<string, Continue>> = {
  "a message": here,
  "a message with the mode bypass": withOptions({ mode: "bypass" }),
  "a message to another agent": withOptions({ agent: "main" }),
  "a message with all tools": withOptions({ tools: ["*"], builtins: true }),
  "a message after a restart": restarted(),
  "a message after two restarts": restarted(SETTINGS, restarted()),
  "a message with the mode bypass after a restart": restarted(SETTINGS, withOptions({ mode: "bypass" })),
  "a branch": branched(),
  "a branch at an early position": branched(here, 2),
  "a branch of a branch": branched(branched()),
  "a branch of a branch after a restart": restarted(SETTINGS, branched(restarted(SETTINGS, branched()))),
  "a branch by the store": branchedInStore,
  "the definition of the kind removed": restarted({ permissions: [DENIED] }),
  "all settings removed": restarted({ mode: "bypass" }),
  "all settings removed, in a branch": restarted({ mode: "bypass" }, branched()),
  "rules that allow it now": restarted({
    subagents: { reader: { ...KINDS.reader, tools: ["*"] }, writer: KINDS.writer },
    permissions: [DENIED, { tool: "*", agent: "*", action: "allow" }],
  }),
};

describe("[B9] [P3] the limits of a sub-agent whose delegating session has the mode bypass", () => {
  it.each(Object.entries(WAYS))("its tools stay after %s", async (_, way) => {
    const at = sandbox();
    const first = await opened(at);
    const ask = await way(first, await delegated(first, "reader"), at);
    expect(await ask("List")).toBe("greet");
    for (const name of ["wipe", "other"])
      expect(await ask(`${name} {}`)).toContain(`"${name}" is not one of your tools`);
  });

  it.each(Object.entries(WAYS))("its denials stay after %s", async (_, way) => {
    const at = sandbox();
    const first = await opened(at);
    const ask = await way(first, await delegated(first, "writer"), at);
    expect(await ask("wipe {}")).toContain(`rule {"tool":"wipe","agent":"writer","action":"deny"}`);
    expect((await ask("List")).split(" ")).not.toContain("wipe");
  });

  it.each<[string, Continue]>([
    ["a message", here],
    ["a restart", restarted()],
    ["a branch", branched()],
  ])("the text for its model stays after %s", async (_, way) => {
    const at = sandbox();
    const first = await opened(at);
    const ask = await way(first, await delegated(first, "reader"), at);
    expect(await ask("Prompt")).toBe("Only greet.");
  });

  it("a task that continues it keeps them, of whichever kind, after a restart too", async () => {
    const at = sandbox();
    const first = await opened(at);
    const [reader, writer] = [await delegated(first, "reader"), await delegated(first, "writer")];
    await first.close();
    const toolbox = await opened(at, { subagents: KINDS });
    for (const kind of ["reader", "writer", "general"]) {
      const ask = (id: string, prompt: string): Promise<string> => say(toolbox, "p", task(kind, prompt, id), MAIN);
      expect(await ask(reader, "other {}")).toContain("not one of your tools");
      expect(await ask(writer, "wipe {}")).toMatch(/"action":"deny"|not one of your tools/);
    }
  });

  it("the sub-agent of a sub-agent has the denials of both, also after a restart and in a branch", async () => {
    const at = sandbox();
    const hand = tool({
      description: "Hands work on.",
      execute: async (_, context) =>
        (await context.delegate({ description: "Inner", prompt: "List", agent: "general" })).sessionID,
    });
    const first = await opened(at, SETTINGS, { tools: { ...TOOLS, hand } });
    const inner = await say(first, await delegated(first, "writer"), "hand {}");
    await first.close();
    const toolbox = await opened(at, { mode: "bypass" });
    expect(await say(toolbox, inner, "wipe {}")).toContain(`rule {"tool":"wipe","agent":"writer","action":"deny"}`);
    const { id } = await toolbox.sessions.branch(inner);
    expect(await say(toolbox, id, "wipe {}")).toContain(`rule {"tool":"wipe","agent":"writer","action":"deny"}`);
  });

  it("tighter settings apply to it at once, and a looser rule does not end a denial that allows a part", async () => {
    const at = sandbox();
    const settings = {
      subagents: KINDS,
      permissions: [
        { tool: "*", agent: "writer", action: "deny" },
        { tool: "greet", action: "allow" },
      ],
    };
    const first = await opened(at, settings);
    const [reader, writer] = [await delegated(first, "reader"), await delegated(first, "writer")];
    await first.close();
    const tighter = { subagents: { ...KINDS, reader: { ...KINDS.reader, tools: ["other"] } } };
    const toolbox = await opened(at, tighter);
    expect(await say(toolbox, reader, "List")).toBe("");
    expect(await say(toolbox, writer, "greet {}")).toBe("greet ran");
    expect(await say(toolbox, writer, "other {}")).toContain('"action":"deny"');
  });

  it("a call of a program in its session is denied too", async () => {
    const at = sandbox();
    const first = await opened(at);
    const id = await delegated(first, "writer");
    await first.close();
    const toolbox = await opened(at, {});
    await toolbox.sessions.open(id);
    for (const agent of ["", "main", "WRITER"]) {
      expect(outputOf(await toolbox.call({ name: "wipe", sessionID: id, agent }).result)).toContain('"action":"deny"');
    }
  });

  it("a session of an earlier version, which does not store them, runs in the mode plan, and so do its branches", async () => {
    const at = sandbox();
    const toolbox = await opened(at);
    const store = await toolbox.sessions.store();
    await store.create({ id: "old", directory: at.project, agent: "helper", parent: { sessionID: "p", callID: "c" } });
    const branch = await store.branch("old", 1);
    await store.append("old", [
      { type: "state.set", of: "session", key: "mode", value: "bypass" },
      { type: "message.user", messageID: "m", content: [{ type: "text", text: "Begin" }] },
      { type: "session.idle", text: "Done" },
    ]);
    const ids = ["old", branch.id, (await toolbox.sessions.branch("old")).id];
    for (const id of ids) {
      expect(await say(toolbox, id, "wipe {}")).toContain("in plan mode only declared reads run");
      expect(await say(toolbox, id, "wipe {}", { mode: "bypass" })).toContain("in plan mode only declared reads run");
      expect(await toolbox.sessions.choices(id)).toMatchObject({ mode: "plan" });
    }
  });
});

/** Delegates its prompt, as tools of authors may: sub-agents do not have the tool `task`. */
const HAND = tool({
  description: "Hands work on.",
  args: { agent: tool.schema.string(), prompt: tool.schema.string() },
  access: () => [],
  execute: async ({ agent, prompt }, context) => {
    const { sessionID, output } = await context.delegate({ description: "Inner", prompt, agent });
    return `${output} [session_id: ${sessionID}]`;
  },
});
const hand = (agent: string, prompt: string): string => `hand ${JSON.stringify({ agent, prompt })}`;

describe("[B9] [P3] a sub-agent that delegates itself", () => {
  const READER = { ...KINDS.reader, tools: ["greet", "hand"] };
  const HANDS_ON = { subagents: { ...KINDS, reader: READER }, permissions: [DENIED] };
  const tools = { tools: { ...TOOLS, hand: HAND } };
  const openedAgain =
    (settings: object): Continue =>
    async (first, id, at) => {
      await first.close();
      const next = await opened(at, settings, tools);
      return (prompt) => say(next, id, prompt);
    };

  it.each<[string, Continue]>([
    ["a message", here],
    ["a restart", openedAgain(HANDS_ON)],
    ["a branch", branched()],
    ["the definition of its kind was removed", openedAgain({})],
  ])("passes its tools on to a sub-agent of the same agent, after %s", async (_, way) => {
    const at = sandbox();
    const first = await opened(at, HANDS_ON, tools);
    const ask = await way(first, await delegated(first, "reader"), at);
    expect(await ask(hand("general", "List"))).toMatch(/^greet hand \[/);
    expect(await ask(hand("general", "other {}"))).toContain('"other" is not one of your tools');
  });

  it.each(["general", "reader"])("passes on the denials that are no longer in the settings, to %s", async (kind) => {
    const at = sandbox();
    const first = await opened(at, SETTINGS, tools);
    const writer = await delegated(first, "writer");
    await first.close();
    const reader = { ...READER, tools: ["*"] };
    const toolbox = await opened(at, { mode: "bypass", subagents: { reader } }, tools);
    const denied = `rule {"tool":"wipe","agent":"writer","action":"deny"}`;
    expect(await say(toolbox, writer, hand(kind, "wipe {}"))).toContain(denied);
    const inner = /\[session_id: (.*)\]/.exec(await say(toolbox, writer, hand(kind, "List")))?.[1] ?? "";
    expect(await say(toolbox, inner, "wipe {}", { mode: "bypass" })).toContain(denied);
  });

  it("does not delegate in a session without stored limits: a new session would not have them either", async () => {
    const at = sandbox();
    const toolbox = await opened(at, {}, tools);
    const store = await toolbox.sessions.store();
    await store.create({ id: "old", directory: at.project, agent: "main", parent: { sessionID: "p", callID: "c" } });
    expect(await say(toolbox, "old", hand("general", "List"))).toContain("Begin a new task");
  });
});

describe("[B9] the tasks of a session", () => {
  it("are not continued by a name that a tool stored", async () => {
    const at = sandbox();
    const remember = tool({
      description: "Remembers a value.",
      args: { key: tool.schema.string() },
      execute: async ({ key }, context) => {
        await context.state?.set(key, { agent: "writer", description: "x" });
        return "remembered";
      },
    });
    const toolbox = await opened(at, { subagents: KINDS }, { tools: { ...TOOLS, remember } });
    await say(toolbox, "victim", "List", { ...MAIN, mode: "bypass" });
    expect(await say(toolbox, "p", 'remember {"key":"task:victim"}', { ...MAIN, mode: "bypass" })).toBe("remembered");
    expect(await say(toolbox, "p", task("writer", "List", "victim"), MAIN)).toContain("has no task with session_id");
    expect(await say(toolbox, "victim", "other {}")).toBe("other ran");
  });
});

describe("[B9] [P3] answers for a session", () => {
  const yes: ToolboxOptions = { approve: async () => ({ allowed: true, remember: "session" }) };

  it.each<[string, (toolbox: Toolbox) => Promise<string>]>([
    ["a branch", async ({ sessions }) => (await sessions.branch("s")).id],
    ["a branch by the store", async ({ sessions }) => (await (await sessions.store()).branch("s", 9)).id],
    ["a branch of a branch", async ({ sessions }) => (await sessions.branch((await sessions.branch("s")).id)).id],
    [
      "a copy of its events",
      async ({ sessions }) => {
        const store = await sessions.store();
        const [start, ...events] = await store.read("s", 0, 100);
        await store.create({ ...(start as { directory: string }), id: "copy" });
        await store.append("copy", events.map(({ position: _, at: __, v: ___, ...event }) => event as never)); // biome-ignore format: one line
        return "copy";
      },
    ],
  ])("are not taken by %s, also after a restart", async (_, copied) => {
    const at = sandbox();
    const first = await opened(at, {}, yes);
    expect(await say(first, "s", "greet {}", MAIN)).toBe("greet ran");
    const id = await copied(first);
    await first.close();
    const toolbox = await opened(at, {});
    expect(await say(toolbox, "s", "greet {}")).toBe("greet ran");
    expect(await say(toolbox, id, "greet {}")).toContain("was not allowed to run");
    expect((await toolbox.sessions.choices("s")).grants).toHaveLength(1);
    expect((await toolbox.sessions.choices(id)).grants).toEqual([]);
  });

  it("of a branch are its own", async () => {
    const at = sandbox();
    const toolbox = await opened(at, {}, yes);
    await say(toolbox, "s", "greet {}", MAIN);
    const { id } = await toolbox.sessions.branch("s");
    expect((await toolbox.sessions.choices(id)).grants).toEqual([]);
    await say(toolbox, id, "other {}");
    expect((await toolbox.sessions.choices(id)).grants).toMatchObject([{ tool: "other" }]);
    expect((await toolbox.sessions.choices("s")).grants).toMatchObject([{ tool: "greet" }]);
  });

  it("a branch does not continue a task of the session that it was branched from", async () => {
    const at = sandbox();
    const toolbox = await opened(at);
    const id = await delegated(toolbox, "writer");
    const branch = await toolbox.sessions.branch("p");
    expect(await say(toolbox, branch.id, task("writer", "greet {}", id), MAIN)).toBe(
      `The task with session_id "${id}" belongs to the session that this one is a branch of. Omit session_id to start a new task.`,
    );
  });
});

describe("[P3] a stored mode where no person can be asked", () => {
  const headless = (at: Sandbox, settings: object, mode?: "plan" | "acceptEdits" | "bypass"): Promise<Toolbox> =>
    opened(at, settings, { approve: undefined as never, ...(mode ? { permissions: { mode } } : {}) });

  it.each<["bypass" | "plan", object, "acceptEdits" | "bypass" | undefined, string]>([
    ["bypass", {}, undefined, "No person can be asked here"],
    ["bypass", { mode: "bypass" }, undefined, "other ran"],
    ["bypass", {}, "bypass", "other ran"],
    ["bypass", { mode: "plan" }, undefined, "in plan mode"],
    ["plan", { mode: "bypass" }, undefined, "in plan mode"],
    ["plan", {}, "bypass", "other ran"],
  ])("%s, with the settings %j and the named mode %s", async (stored, settings, named, expected) => {
    const at = sandbox();
    const first = await opened(at, {});
    await say(first, "s", "List", { ...MAIN, mode: stored });
    const branch = await first.sessions.branch("s");
    await first.close();
    const toolbox = await headless(at, settings, named);
    expect(await say(toolbox, "s", "other {}")).toContain(expected);
    expect(await say(toolbox, branch.id, "other {}")).toContain(expected);
  });

  it("reaches the tasks of a session for which a program has chosen it now", async () => {
    const toolbox = await headless(sandbox(), SETTINGS);
    const begin = async (prompt: string): Promise<string> => say(toolbox, "p", prompt, { ...MAIN, mode: "bypass" });
    expect(await begin(task("writer", "other {}"))).toContain("other ran");
  });

  it("does not reach a task, a new one or a continued one", async () => {
    const at = sandbox();
    const first = await opened(at);
    const id = await delegated(first, "writer");
    await first.close();
    const toolbox = await headless(at, { ...SETTINGS, permissions: [{ tool: "task", action: "allow" }] });
    for (const session of [undefined, id]) {
      expect(await say(toolbox, "p", task("writer", "other {}", session), MAIN)).toContain(
        "No person can be asked here",
      );
    }
    expect(await say(toolbox, id, "other {}")).toContain("No person can be asked here");
  });
});

describe("[P3] a question about a call without a session", () => {
  const ASKS = tool({
    description: "Asks.",
    async execute(_, { ask }) {
      await ask({ permission: "deploy", patterns: ["production"], always: [], metadata: {} });
      return "deployed";
    },
  });

  it.each(["greet", "asks"])('of %s does not offer "session", and such an answer counts once', async (name) => {
    const offered: unknown[] = [];
    const { toolbox } = await open(sandbox(), {
      onlyGiven: true,
      tools: { ...TOOLS, asks: ASKS },
      callerIsAsked: name === "asks",
      approve: async ({ choices }) => {
        offered.push(choices);
        return { allowed: true, remember: "session" };
      },
    });
    for (const sessionID of [undefined, undefined, "default", "own", "own"]) {
      const run = toolbox.call({ name, ...(sessionID === undefined ? {} : { sessionID }) });
      expect((await run.result).ok).toBe(true);
    }
    const shared = ["once", "always"];
    expect(offered).toEqual([shared, shared, shared, ["once", "session", "always"]]);
  });

  it("refuses the answer by id, and says which answers there are", async () => {
    const { toolbox } = await open(sandbox(), { onlyGiven: true, tools: TOOLS, callerIsAsked: false });
    const refused: unknown[] = [];
    toolbox.on("question", async (event) => {
      if (event.type !== "question.asked") return;
      await toolbox.sessions.answer(event.questionID, { allowed: true, remember: "session" }).catch((error) => {
        refused.push(error.code, error.message);
      });
      await toolbox.sessions.answer(event.questionID, { allowed: true });
    });
    expect((await toolbox.call({ name: "greet", answerable: true }).result).ok).toBe(true);
    expect(refused).toEqual(["invalid_answer", expect.stringContaining("always")]);
  });
});
