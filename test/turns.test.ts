import { describe, expect, it, onTestFinished } from "vitest";
import { AgentError } from "../src/core/agent-error.ts";
import type { AgentEvent } from "../src/core/coding-agent.ts";
import type { FollowedEvent, StoredEvent } from "../src/core/session-log.ts";
import type { SessionStore } from "../src/core/session-store.ts";
import { outputOf, type Toolbox, type ToolboxOptions, type Turn, tool } from "../src/index.ts";
import { createMemoryStore } from "../src/sessions/store/memory-store.ts";
import { type CodeAgent, type CodeTurn, codeAgents, saying } from "./support/code-agent.ts";
import { open } from "./support/toolbox.ts";

const z = tool.schema;
const GREET = tool({
  description: "Greets.",
  args: { name: z.string().default("World") },
  execute: ({ name }) => `Hello, ${name}!`,
});
const CONTEXT = tool({
  description: "Shows its context.",
  execute: (_, { sessionID, messageID, callID, agent, directory }) =>
    JSON.stringify({ sessionID, messageID, callID, agent, directory }),
});
const WAITING = tool({
  description: "Waits until it is cancelled.",
  execute: (_, { abort }) =>
    new Promise<string>((_resolve, reject) => abort.addEventListener("abort", () => reject(new Error("cancelled")))),
});

const storeOf = (): SessionStore => {
  const store = createMemoryStore({ project: "/project" });
  onTestFinished(() => store.close());
  return store;
};

async function opened(
  agents: Readonly<Record<string, CodeAgent>>,
  options: ToolboxOptions = {},
): Promise<{ toolbox: Toolbox; log: string[] }> {
  const source = codeAgents(agents);
  const tools = { greet: GREET, context: CONTEXT, waiting: WAITING };
  const { toolbox } = await open({}, { onlyGiven: true, tools, agents: source, ...options });
  return { toolbox, log: source.log };
}

async function eventsOf(turn: Turn): Promise<FollowedEvent[]> {
  const events: FollowedEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}

const typesOf = (events: readonly { readonly type: string }[]): string[] => events.map(({ type }) => type);

const loggedIn = async (toolbox: Toolbox, sessionID: string): Promise<readonly StoredEvent[]> =>
  (await toolbox.sessions.store()).read(sessionID, 0, 1_000);

/** Calls a tool of the session and says its output. */
async function* calling({ options }: CodeTurn, name: string, input: unknown = {}): AsyncGenerator<AgentEvent> {
  const messageID = crypto.randomUUID();
  yield { type: "message.complete", messageID, content: [] };
  const run = options.tools.call({ name, input, callID: `call-${name}`, messageID });
  yield* saying(outputOf(await run.result));
}

async function* untilAborted({ signal }: CodeTurn): AsyncGenerator<AgentEvent> {
  yield { type: "message.delta", messageID: "m", text: "Wait" };
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
}

const ECHO: CodeAgent = {
  async *turn({ prompt }) {
    yield* saying(`You said: ${prompt}`);
  },
};

describe("[G5] a turn", () => {
  it("is the events of the session from the prompt to its end, and is recorded", async () => {
    const { toolbox } = await opened({ echo: ECHO });
    const turn = toolbox.sessions.send("s", "Hi there", { agent: "echo" });
    const events = await eventsOf(turn);
    expect(await turn.result).toEqual({ ok: true, text: "You said: Hi there", usage: {} });
    expect(typesOf(events).filter((type) => !type.endsWith(".delta"))).toEqual([
      "message.user",
      "state.set",
      "message.complete",
      "session.idle",
    ]);
    const deltas = events.flatMap((event) => (event.type === "message.delta" ? [event.text] : []));
    expect(deltas.join("")).toBe("You said: Hi there");
    expect(await (await toolbox.sessions.store()).get("s")).toMatchObject({
      status: "idle",
      agent: "echo",
      title: "Hi there",
    });
  });

  it("runs calls through the pipeline, with defaults and the true context", async () => {
    const agent: CodeAgent = {
      async *turn(turn) {
        yield* calling(turn, turn.prompt);
      },
    };
    const { toolbox } = await opened({ agent }, { approve: async () => ({ allowed: true }) });
    const greeted = await toolbox.sessions.send("s", "greet", { agent: "agent" }).result;
    expect(greeted).toMatchObject({ ok: true, text: "Hello, World!" });
    const { text } = await toolbox.sessions.send("s", "context").result;
    const context = JSON.parse(text);
    expect(context).toMatchObject({ sessionID: "s", callID: "call-context", agent: "agent" });
    const messages = (await loggedIn(toolbox, "s")).filter(({ type }) => type === "message.complete");
    expect(messages.map((event) => (event as { messageID?: string }).messageID)).toContain(context.messageID);
  });

  it("has the usage of this turn only", async () => {
    const agent: CodeAgent = {
      async *turn() {
        yield { type: "usage", inputTokens: 2, outputTokens: 1 };
        yield { type: "usage", inputTokens: 3 };
      },
    };
    const { toolbox } = await opened({ agent });
    const usage = { inputTokens: 5, outputTokens: 1 };
    expect(await toolbox.sessions.send("s", "one", { agent: "agent" }).result).toMatchObject({ usage });
    expect(await toolbox.sessions.send("s", "two").result).toMatchObject({ usage });
  });

  it("closes the agent's sessions that were not used for the longest time, if more than 20 are idle", async () => {
    const { toolbox, log } = await opened({ echo: ECHO });
    for (let index = 1; index <= 21; index += 1) {
      await toolbox.sessions.send(`s${index}`, "Hi", { agent: "echo" }).result;
      await toolbox.sessions.send("s1", "Hi again", { agent: "echo" }).result;
    }
    await expect.poll(() => log.filter((line) => line.startsWith("close"))).toEqual(["close echo-2"]);
    await toolbox.sessions.send("s2", "Hi", { agent: "echo" }).result;
    expect(log).toContain("resume echo-2");
  });

  it("keeps the agent's session for the next turn, and closes it with the toolbox", async () => {
    const { toolbox, log } = await opened({ echo: ECHO });
    await toolbox.sessions.send("s", "one", { agent: "echo" }).result;
    await toolbox.sessions.send("s", "two").result;
    await toolbox.close();
    expect(log).toEqual(["start echo", "create echo-1", "close echo-1", "stop echo"]);
  });
});

describe("[G6] a session that another process continues", () => {
  it("[S3] gives a resumed agent the prompts that were interrupted before they reached it", async () => {
    const store = storeOf();
    const prompts: string[] = [];
    const agent: CodeAgent = {
      async *turn({ prompt }) {
        prompts.push(prompt);
        yield* saying("Yes");
      },
    };
    const first = await opened({ agent }, { sessions: store });
    await first.toolbox.sessions.send("s", "one", { agent: "agent" }).result;
    await first.toolbox.close();
    const user = (text: string) => ({
      type: "message.user" as const,
      messageID: text,
      content: [{ type: "text" as const, text }],
    });
    const interrupted = { type: "session.interrupted", reason: "Killed.", calls: [], questions: [] } as const;
    await store.append("s", [user("two"), interrupted, user("three"), interrupted]);
    const second = await opened({ agent }, { sessions: store });
    await second.toolbox.sessions.send("s", "four", { agent: "agent" }).result;
    await second.toolbox.sessions.detach("s");
    await second.toolbox.sessions.send("s", "five").result;
    expect(prompts).toEqual([
      "one",
      "These messages were sent earlier, and may not have reached you:\n\ntwo\n\nthree\nfour",
      "five",
    ]);
  });

  it("is resumed by the same agent, and given as text to another one", async () => {
    const store = storeOf();
    const first = await opened({ echo: ECHO }, { sessions: store });
    await first.toolbox.sessions.send("s", "one", { agent: "echo" }).result;
    await first.toolbox.close();
    const second = await opened({ echo: ECHO, other: ECHO }, { sessions: store });
    await second.toolbox.sessions.send("s", "two").result;
    const { text } = await second.toolbox.sessions.send("s", "three", { agent: "other" }).result;
    expect(second.log.slice(1)).toEqual(["resume echo-1", "close echo-1", "start other", "create other-1"]);
    expect(text).toContain("You said: This is a transcript of the conversation so far. Continue it.");
    expect(text).toContain("You said: two");
    expect(text.endsWith("three")).toBe(true);
    const { text: next } = await second.toolbox.sessions.send("s", "four").result;
    expect(next).toBe("You said: four");
  });

  it("is a new session of the agent if the agent has forgotten it, or if it is a branch", async () => {
    const store = storeOf();
    const first = await opened({ echo: ECHO }, { sessions: store });
    await first.toolbox.sessions.send("s", "one", { agent: "echo" }).result;
    const { id } = await store.branch("s", (await store.get("s"))?.position ?? 0);
    const branched = await first.toolbox.sessions.send(id, "two").result;
    expect(branched.text).toContain("You said: one");
    await first.toolbox.close();
    const second = await opened({ echo: { ...ECHO, forgets: true } }, { sessions: store });
    const forgotten = await second.toolbox.sessions.send("s", "three").result;
    expect(forgotten.text).toContain("You said: one");
    expect(first.log).toContain("create echo-2");
    expect(second.log.slice(1)).toEqual(["create echo-1"]);
  });
});

describe("[G6] permissions in a turn", () => {
  const agent: CodeAgent = {
    async *turn(turn) {
      yield* calling(turn, "greet");
    },
  };
  it("are refused if no person can be asked", async () => {
    const { toolbox } = await opened({ agent });
    const { text } = await toolbox.sessions.send("s", "go", { agent: "agent" }).result;
    expect(text).toBe(
      '"greet" was not allowed to run. The tool "greet", which does not declare what it touches, needs approval: no rule covers it. No person can be asked here, so it was refused. Find another way, or tell the user.',
    );
  });

  it("are asked once, as a question of the session that any surface can answer", async () => {
    const { toolbox } = await opened({ agent });
    const turn = toolbox.sessions.send("s", "go", { agent: "agent", answerable: true });
    const events: string[] = [];
    for await (const event of turn) {
      events.push(event.type);
      if (event.type === "question.asked") await toolbox.sessions.answer(event.questionID, { allowed: true });
    }
    expect((await turn.result).text).toBe("Hello, World!");
    expect(events.filter((type) => type === "question.asked")).toHaveLength(1);
  });

  it("of the agent's own tools reach the same rules and the same people", async () => {
    const own: CodeAgent = {
      async *turn({ options }) {
        const request = { callID: "c", tool: "Bash", input: { command: "ls" }, access: ["undeclared"] as const };
        yield* saying(JSON.stringify(await options.permit(request)));
      },
    };
    const asked: string[] = [];
    const { toolbox } = await opened(
      { own },
      {
        approve: async ({ tool: name, agent: by }) => {
          asked.push(`${by} ${name}`);
          return { allowed: false, reason: "Not now." };
        },
      },
    );
    const { text } = await toolbox.sessions.send("s", "go", { agent: "own" }).result;
    expect([text, asked]).toEqual(['{"allowed":false,"reason":"Not now."}', ["own own:Bash"]]);
    expect(typesOf(await loggedIn(toolbox, "s"))).toContain("question.answered");
  });
});

describe("[G7] a turn that does not go well", () => {
  it("is aborted, with its calls; what was said stays", async () => {
    const agent: CodeAgent = {
      async *turn(turn) {
        yield { type: "message.delta", messageID: "m", text: "I wait." };
        yield* calling(turn, "waiting");
      },
    };
    const { toolbox } = await opened({ agent }, { callerIsAsked: true });
    const turn = toolbox.sessions.send("s", "go", { agent: "agent", answerable: true });
    for await (const event of turn) {
      if (event.type === "question.asked") await toolbox.sessions.answer(event.questionID, { allowed: true });
      if (event.type === "question.answered") turn.abort();
    }
    expect(await turn.result).toMatchObject({ ok: true, aborted: true });
    const logged = await loggedIn(toolbox, "s");
    expect(logged.at(-1)).toMatchObject({ type: "session.idle", aborted: true });
    expect(logged.filter(({ type }) => type === "tool.failed")).toHaveLength(1);
    expect(logged).toContainEqual(
      expect.objectContaining({
        type: "message.complete",
        messageID: "m",
        content: [{ type: "text", text: "I wait." }],
      }),
    );
  });

  it("is cancelled by a request of any process", async () => {
    const store = storeOf();
    const { toolbox } = await opened({ agent: { turn: untilAborted } }, { sessions: store });
    const other = await opened({}, { sessions: store });
    const turn = toolbox.sessions.send("s", "go", { agent: "agent" });
    for await (const event of turn) if (event.type === "message.delta") await other.toolbox.sessions.cancel("s");
    expect(await turn.result).toEqual({ ok: true, text: "Wait", usage: {}, aborted: true });
  });

  it("fails with the agent's error; the session can be used again", async () => {
    let count = 0;
    const agent: CodeAgent = {
      async *turn() {
        count += 1;
        yield { type: "message.delta", messageID: `m${count}`, text: "So far" };
        if (count === 1) throw new AgentError("unauthorized", "The key is wrong. Set ANTHROPIC_API_KEY.");
      },
    };
    const { toolbox, log } = await opened({ agent });
    const error = { code: "unauthorized", message: "The key is wrong. Set ANTHROPIC_API_KEY." };
    expect(await toolbox.sessions.send("s", "go", { agent: "agent" }).result).toEqual({
      ok: false,
      text: "So far",
      error,
    });
    expect((await loggedIn(toolbox, "s")).at(-1)).toMatchObject({ type: "session.error", ...error });
    expect(await toolbox.sessions.send("s", "again").result).toMatchObject({ ok: true, text: "So far" });
    expect(log).toEqual(["start agent", "create agent-1", "close agent-1", "resume agent-1"]);
  });

  it("is refused while another turn of the session runs", async () => {
    const { toolbox } = await opened({ agent: { turn: untilAborted } });
    const turn = toolbox.sessions.send("s", "go", { agent: "agent" });
    for await (const event of turn) {
      if (event.type !== "message.delta") continue;
      const second = toolbox.sessions.send("s", "too");
      expect(await eventsOf(second)).toEqual([]);
      expect(await second.result).toMatchObject({ ok: false, error: { code: "owned" } });
      turn.abort();
    }
  });

  it.each([
    ["an unknown agent", { agent: "nobody" }, "unknown_agent", 'There is no agent "nobody".'],
    [
      "no agent",
      {},
      "unknown_agent",
      'No agent is named. Name one (--agent, or the option "agent"), or set "agents": { "default": "NAME" } in your settings.',
    ],
  ])("fails with %s", async (_, options, code, message) => {
    const { toolbox } = await opened({ echo: ECHO });
    expect(await toolbox.sessions.send("s", "go", options).result).toMatchObject({
      ok: false,
      error: { code, message },
    });
  });

  it("ends open calls of the agent's own tools", async () => {
    const agent: CodeAgent = {
      async *turn() {
        yield { type: "tool.start", callID: "c", tool: "agent:Bash", messageID: "m", agent: "agent", input: {} };
      },
    };
    const { toolbox } = await opened({ agent });
    await toolbox.sessions.send("s", "go", { agent: "agent" }).result;
    expect(await (await toolbox.sessions.store()).get("s")).toMatchObject({ status: "idle", openCalls: [] });
  });
});
