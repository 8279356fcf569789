import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../src/core/coding-agent.ts";
import type {
  AgentCallEnd,
  AgentCallStart,
  AgentSource,
  CodingAgent,
  RegisteredTool,
  Toolbox,
  ToolboxOptions,
  ToolContext,
} from "../src/index.ts";
import { outputOf } from "../src/index.ts";
import { type CodeAgent, type CodeTurn, codeAgents, saying } from "./support/code-agent.ts";
import { sandbox } from "./support/fixture.ts";
import { answering, open } from "./support/toolbox.ts";

const ALLOW: ToolboxOptions = { permissions: { rules: [{ tool: "*", action: "allow" }] } };

const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };

function named(name: string, handler: RegisteredTool["handler"], inputSchema = text): RegisteredTool {
  return { name, description: `The tool ${name}.`, inputSchema, handler };
}

/** `list`, or calls a tool: `lookup {"text":"x"}`. */
async function* obeying({ options, prompt, signal }: CodeTurn): AsyncGenerator<AgentEvent> {
  const { tools } = options;
  const [, name = "", input = "{}"] = /^(\S+)(?: (.+))?$/.exec(prompt) ?? [];
  if (name === "list")
    return yield* saying(
      tools
        .list()
        .map((each) => each.name)
        .join(" "),
    );
  const run = tools.call({ name, input: JSON.parse(input), callID: "the-call", messageID: "the-message", signal });
  yield* saying(outputOf(await run.result));
}

const OBEDIENT: CodeAgent = { turn: obeying };

interface World {
  readonly toolbox: Toolbox;
  /** Sends a prompt, and resolves to the answer. */
  say(prompt: string, agent?: string, sessionID?: string): Promise<string>;
}

/** `prepare` gets each agent when it is created. */
async function opened(
  prepare: (agent: CodingAgent) => void,
  {
    files = {},
    agents = { one: OBEDIENT, two: OBEDIENT },
    ...options
  }: Omit<ToolboxOptions, "agents"> & {
    readonly files?: Record<string, string>;
    readonly agents?: Readonly<Record<string, CodeAgent>>;
  } = {},
): Promise<World> {
  const source = codeAgents(agents);
  const prepared: AgentSource = {
    names: () => source.names({} as never),
    create: async (name, context) => {
      const agent = await source.create(name, context);
      prepare(agent);
      return agent;
    },
  };
  const { toolbox } = await open(sandbox(files), { ...ALLOW, ...options, agents: prepared });
  const say: World["say"] = async (prompt, agent = "one", sessionID = agent) => {
    const result = await toolbox.sessions.send(sessionID, prompt, { agent }).result;
    return result.ok ? result.text : `${result.error.code}: ${result.error.message}`;
  };
  return { toolbox, say };
}

describe("[G5] a tool that is registered with an agent", () => {
  it("gets its input and the context of its call, and its result reaches the model", async () => {
    const seen: [unknown, ToolContext][] = [];
    const { toolbox, say } = await opened((agent) =>
      agent.registerTool(
        named("lookup", async (input, context) => {
          seen.push([input, context]);
          return { found: input.text };
        }),
      ),
    );
    expect(await say('lookup {"text":"x"}')).toBe('{"found":"x"}');
    expect(seen[0]?.[0]).toEqual({ text: "x" });
    expect(seen[0]?.[1]).toMatchObject({
      ...{ sessionID: "one", messageID: "the-message", callID: "the-call", agent: "one" },
      ...{ directory: toolbox.project.directory, abort: { aborted: false } },
    });
    const log = await (await toolbox.sessions.store()).read("one", 0, 100);
    expect(log.filter((event) => "tool" in event)).toMatchObject([
      { type: "tool.start", tool: "lookup", callID: "the-call", input: { text: "x" }, caller: "agent" },
      { type: "tool.complete", tool: "lookup", callID: "the-call" },
    ]);
  });

  it.each<[string, RegisteredTool["handler"], string]>([
    ["text", () => "plain", "plain"],
    ["content", () => ({ content: [{ type: "text", text: "a part" }] }), "a part"],
    ["a result of Copilot", () => ({ resultType: "success", textResultForLlm: "done" }), "done"],
    ["nothing", () => undefined, ""],
    [
      "an error",
      () => {
        throw new Error("It is broken.");
      },
      "It is broken.",
    ],
  ])("may return %s", async (_, handler, expected) => {
    const { say } = await opened((agent) => agent.registerTool(named("lookup", handler)));
    expect(await say('lookup {"text":"x"}')).toBe(expected);
  });

  it("[P2] [P3] [P7] goes through the pipeline", async () => {
    const options = {
      permissions: {
        rules: [
          { tool: "*", action: "allow" },
          { tool: "lookup", action: "deny" },
        ],
      },
    } as const;
    const lookup = named("lookup", () => "x".repeat(100_000));
    const register = (agent: CodingAgent): void => {
      agent.registerTool(lookup);
      agent.registerTool({ ...lookup, name: "large" });
    };
    const { say } = await opened(register, options);
    expect(await say("list")).toBe("large");
    expect(await say('lookup {"text":"x"}')).toContain("not allowed to run");
    expect(await say('large {"text":5}')).toMatch(/^The input for "large" is not valid:/);
    expect(await say('large {"text":"x"}')).toMatch(/\[truncated: 50000 bytes omitted; full output: .+\]$/);
    const asking = await opened(register, { permissions: {} });
    expect(await asking.say('large {"text":"x"}')).toContain("No person can be asked here");
  });

  it("[P4] is aborted with the turn", async () => {
    const begun = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    const waits = named("waits", (_, { abort }) => {
      abort.addEventListener("abort", () => aborted.resolve());
      begun.resolve();
      return new Promise(() => {});
    });
    const { toolbox } = await opened((agent) => agent.registerTool(waits));
    const turn = toolbox.sessions.send("s", 'waits {"text":"x"}', { agent: "one" });
    await begun.promise;
    turn.abort();
    await aborted.promise;
    expect(await turn.result).toMatchObject({ ok: true, aborted: true });
  });

  it("belongs to this agent alone, and takes the place of a served tool of the same name", async () => {
    const { toolbox, say } = await opened(
      (agent) => {
        agent.registerTool(named("lookup", () => `of ${agent.name}`));
        if (agent.name === "one") agent.registerTool(named("greet", () => "registered"));
      },
      { files: { "greet.ts": answering('"served"') } },
    );
    expect(await say("list")).toBe("greet lookup");
    expect([await say('lookup {"text":"x"}'), await say('lookup {"text":"x"}', "two")]).toEqual(["of one", "of two"]);
    expect([await say('greet {"text":"x"}'), await say("greet", "two")]).toEqual(["registered", "served"]);
    expect([toolbox.has("lookup"), toolbox.get("greet")?.place]).toEqual([false, "project"]);
  });

  it("is recorded as itself, not as the served tool of the same name", async () => {
    const { toolbox, say } = await opened((agent) => agent.registerTool(named("bash", () => "registered")), {
      builtins: true,
    });
    const starts: [string | undefined, unknown][] = [];
    toolbox.on("call", (event) => {
      if (event.type === "tool.start") starts.push([event.source, event.card]);
    });
    expect(await say('bash {"text":"x"}')).toBe("registered");
    expect(starts).toEqual([["custom", undefined]]);
  });

  it("[R2] is one of the tools that can be chosen for a session", async () => {
    const { toolbox } = await opened((agent) => {
      for (const name of ["look-up", "look-down", "other"]) agent.registerTool(named(name, () => name));
    });
    const list = async (tools: readonly string[]): Promise<string> =>
      (await toolbox.sessions.send("s", "list", { agent: "one", tools }).result).text;
    expect(await list(["look-*"])).toBe("look-down look-up");
    expect((await toolbox.sessions.send("s", 'other {"text":"x"}').result).text).toContain("not one of your tools");
  });

  it("[G6] is there in sessions that are opened after it, in its last version", async () => {
    let known: CodingAgent | undefined;
    const { toolbox, say } = await opened((agent) => {
      known = agent;
    });
    expect(await say("list")).toBe("");
    known?.registerTool(named("lookup", () => "first"));
    expect([await say("list"), await say("list", "one", "next")]).toEqual(["", "lookup"]);
    known?.registerTool(named("lookup", () => "second"));
    const call = 'lookup {"text":"x"}';
    expect([await say(call, "one", "next"), await say(call, "one", "third")]).toEqual(["first", "second"]);
    await toolbox.sessions.detach("next");
    expect(await say(call, "one", "next")).toBe("second");
  });

  it.each<[unknown, string]>([
    [undefined, 'A tool cannot be registered: it needs a "name" of 1 to 64 letters, digits, "_" and "-".'],
    [
      { ...named("x", () => 1), name: "a b" },
      'The tool "a b" cannot be registered: it needs a "name" of 1 to 64 letters, digits, "_" and "-".',
    ],
    [{ ...named("x", () => 1), description: 5 }, 'The tool "x" cannot be registered: it needs a "description".'],
    [
      { ...named("x", () => 1), inputSchema: undefined },
      'The tool "x" cannot be registered: it needs an "inputSchema": JSON Schema of an object.',
    ],
    [
      { ...named("x", () => 1), handler: undefined, call: () => 1 },
      'The tool "x" cannot be registered: it needs a function "handler".',
    ],
  ])("is refused if it is none: %#", async (tool, message) => {
    const agent = await codeAgents({ one: OBEDIENT }).create("one", {} as never);
    expect(() => agent.registerTool(tool as RegisteredTool)).toThrow(new TypeError(message));
    expect(agent.registeredTools).toEqual([]);
  });

  it("fails the turn, with the reason, if its schema cannot be used", async () => {
    const { say } = await opened((agent) => agent.registerTool(named("lookup", () => 1, { type: "strin" } as never)));
    expect(await say("list")).toMatch(
      /^unsupported: The tool "lookup", which was registered with one, cannot be used\. .+/,
    );
  });
});

describe("[G6] the listeners of an agent", () => {
  it("are told of calls of all tools, until they are removed", async () => {
    const heard: (AgentCallStart | AgentCallEnd)[] = [];
    const stops: (() => void)[] = [];
    const own: CodeAgent = {
      async *turn(turn) {
        const call = { callID: "own-1", tool: "one:Bash", messageID: "m", agent: "one" };
        yield { type: "tool.start", ...call, input: { command: "ls" } };
        const notes = { durationMs: 1 };
        yield { type: "tool.complete", ...call, result: { ok: true, content: [{ type: "text", text: "a" }], notes } };
        yield* obeying(turn);
      },
    };
    const { say } = await opened(
      (agent) => {
        agent.registerTool(
          named("lookup", () => {
            throw new Error("It is broken.");
          }),
        );
        stops.push(agent.on("tool.start", (start) => heard.push(start)));
        stops.push(agent.on("tool.complete", (end) => heard.push(end)));
      },
      { agents: { one: own }, files: { "greet.ts": answering('"served"') } },
    );
    await say('lookup {"text":"x"}');
    await expect.poll(() => heard.length).toBe(4);
    expect(heard).toMatchObject([
      { sessionID: "one", callID: "own-1", tool: "one:Bash", messageID: "m", agent: "one", input: { command: "ls" } },
      { sessionID: "one", callID: "own-1", tool: "one:Bash", success: true, result: { ok: true } },
      { sessionID: "one", callID: "the-call", tool: "lookup", messageID: "the-message", input: { text: "x" } },
      { sessionID: "one", callID: "the-call", tool: "lookup", success: false, result: { error: { code: "failed" } } },
    ]);
    heard.length = 0;
    await say("greet");
    await expect.poll(() => heard.map(({ tool }) => tool)).toEqual(["one:Bash", "one:Bash", "greet", "greet"]);
    for (const stop of stops) stop();
    await say("greet");
    expect(heard).toHaveLength(4);
  });
});
