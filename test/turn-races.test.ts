import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { AgentEvent } from "../src/core/coding-agent.ts";
import type { StoredEvent } from "../src/core/session-log.ts";
import type { NewEvent, SessionStore } from "../src/core/session-store.ts";
import { outputOf, type Toolbox, type ToolboxOptions, tool } from "../src/index.ts";
import { createMemoryStore } from "../src/sessions/store/memory-store.ts";
import { type CodeAgent, type CodeTurn, codeAgents, saying } from "./support/code-agent.ts";
import { PATIENT } from "./support/patient.ts";
import { refusingStore } from "./support/refusing-store.ts";
import { open } from "./support/toolbox.ts";

const GREET = tool({ description: "Greets.", execute: () => "Hello!" });

async function opened(
  agents: Readonly<Record<string, CodeAgent>>,
  options: ToolboxOptions = {},
): Promise<{ toolbox: Toolbox; log: string[] }> {
  const source = codeAgents(agents);
  const { toolbox } = await open({}, { onlyGiven: true, tools: { greet: GREET }, agents: source, ...options });
  return { toolbox, log: source.log };
}

const loggedIn = async (toolbox: Toolbox, sessionID: string): Promise<readonly StoredEvent[]> =>
  (await toolbox.sessions.store()).read(sessionID, 0, 1_000);

const aborted = ({ signal }: Pick<CodeTurn, "signal">): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener("abort", resolve));

async function* waiting(turn: CodeTurn): AsyncGenerator<AgentEvent> {
  yield { type: "message.delta", messageID: "m", text: "Wait" };
  await aborted(turn);
}

const ECHO: CodeAgent = {
  async *turn({ prompt }) {
    yield* saying(`You said: ${prompt}`);
  },
};

/** A store in memory that refuses these events. */
function refusing(isRefused: (event: NewEvent) => boolean): SessionStore {
  const store = createMemoryStore({ project: "/project" });
  onTestFinished(() => store.close());
  return refusingStore(store, isRefused);
}

describe("[S3] a turn whose prompt cannot be stored", () => {
  it("leaves nothing behind: no choices, no claim, no running turn", async () => {
    let isFull = true;
    const store = refusing(({ type }) => isFull && type === "message.user");
    const { toolbox } = await opened({ agent: ECHO }, { sessions: store });
    const options = { agent: "agent", mode: "bypass", tools: ["greet"] } as const;
    const turn = toolbox.sessions.send("s", "hello", options);
    expect(await turn.begun).toBeUndefined();
    expect(await turn.result).toMatchObject({ ok: false, error: { code: "store_full" } });
    expect(await toolbox.sessions.choices("s")).toEqual({ grants: [] });
    expect(await store.get("s")).toMatchObject({ status: "idle", position: 1 });
    isFull = false;
    expect(await toolbox.sessions.send("s", "hello", { agent: "agent" }).result).toMatchObject({ ok: true });
    expect(await toolbox.sessions.choices("s")).toEqual({ grants: [] });
  });
});

describe("[S3] a program that stops or closes while a turn begins", () => {
  /** A store in which each step of a turn takes as long as the test wants. */
  function slow(method: "create" | "claim" | "append"): {
    store: SessionStore;
    reached: Promise<void>;
    go: () => void;
  } {
    const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const store = createMemoryStore({ project: "/project" });
    onTestFinished(() => store.close());
    const delayed = new Proxy(store, {
      get: (target, key: keyof SessionStore) => {
        const own = (target[key] as ((...args: unknown[]) => unknown) | undefined)?.bind(target);
        // Without its events, so that they are appended after it.
        if (key === "claim" && method === "append") return (id: string, why: "turn") => target.claim(id, why);
        if (key !== method || !own) return own;
        return async (...args: unknown[]) => {
          reached.resolve();
          await go.promise;
          return own(...args);
        };
      },
    });
    return { store: delayed, reached: reached.promise, go: go.resolve };
  }

  it.each([
    ["create", "stop"],
    ["claim", "stop"],
    ["append", "stop"],
    ["create", "close"],
    ["claim", "close"],
    ["append", "close"],
  ] as const)("during %s, then %s: leaves no turn open", async (method, how) => {
    const { store, reached, go } = slow(method);
    const { toolbox } = await opened({ agent: { turn: waiting } }, { sessions: store });
    const turn = toolbox.sessions.send("s", "go", { agent: "agent" });
    await reached;
    const stopped = how === "stop" ? toolbox.sessions.stop(0) : toolbox.close();
    await sleep(5);
    go();
    await stopped;
    const result = await turn.result;
    expect(result.ok && result.aborted !== true).toBe(false);
    const info = await store.get("s");
    expect(["idle", "interrupted"]).toContain(info?.status);
    // The session can be used by another process.
    const claim = await store.claim("s", "turn");
    await claim.release();
  });

  it("refuses a prompt that is sent after it, without a trace", async () => {
    const store = createMemoryStore({ project: "/project" });
    onTestFinished(() => store.close());
    const { toolbox } = await opened({ agent: ECHO }, { sessions: store });
    await toolbox.sessions.stop(0);
    const turn = toolbox.sessions.send("s", "hello", { agent: "agent" });
    expect(await turn.begun).toBeUndefined();
    expect(await turn.result).toMatchObject({ ok: false, error: { code: "stopping" } });
    expect(await store.get("s")).toBeUndefined();
  });
});

describe("[G7] an aborted turn", () => {
  it("runs no call that the agent makes after the abort", async () => {
    const results: string[] = [];
    const agent: CodeAgent = {
      async *turn(turn) {
        yield* waiting(turn);
        results.push(outputOf(await turn.options.tools.call({ name: "greet", input: {} }).result));
      },
    };
    const { toolbox } = await opened({ agent }, { approve: async () => ({ allowed: true }) });
    const turn = toolbox.sessions.send("s", "go", { agent: "agent" });
    for await (const event of turn) if (event.type === "message.delta") turn.abort();
    expect(await turn.result).toMatchObject({ ok: true, aborted: true });
    expect(results).toEqual(['The call of "greet" was cancelled.']);
  });

  it("closes the agent's session at once if it was still being opened", async () => {
    const opening = Promise.withResolvers<void>();
    const ready = Promise.withResolvers<void>();
    const agent: CodeAgent = {
      ...ECHO,
      open: () => {
        opening.resolve();
        return ready.promise;
      },
    };
    const { toolbox, log } = await opened({ agent });
    const turn = toolbox.sessions.send("s", "go", { agent: "agent" });
    await opening.promise;
    turn.abort();
    expect(await turn.result).toMatchObject({ ok: true, aborted: true });
    ready.resolve();
    await vi.waitFor(() => expect(log).toEqual(["start agent", "create agent-1", "close agent-1"]), PATIENT);
  });

  it("is stopped although the request cannot be stored", async () => {
    const { toolbox } = await opened(
      { agent: { turn: waiting } },
      { sessions: refusing(({ type }) => type === "cancel.requested") },
    );
    const turn = toolbox.sessions.send("s", "go", { agent: "agent" });
    for await (const event of turn) {
      if (event.type === "message.delta")
        await expect(toolbox.sessions.cancel("s")).rejects.toThrow("The disk is full.");
    }
    expect(await turn.result).toMatchObject({ ok: true, aborted: true });
  });
});

describe("[G7] the end of a turn", () => {
  it("is recorded although an unfinished message cannot be", async () => {
    const agent: CodeAgent = {
      async *turn() {
        yield { type: "message.delta", messageID: "m", text: "Half" };
        throw new Error("It broke.");
      },
    };
    const { toolbox } = await opened({ agent }, { sessions: refusing(({ type }) => type === "message.complete") });
    const result = await toolbox.sessions.send("s", "go", { agent: "agent" }).result;
    expect(result).toMatchObject({ ok: false, error: { code: "failed", message: "It broke." } });
    expect((await loggedIn(toolbox, "s")).at(-1)).toMatchObject({ type: "session.error", message: "It broke." });
  });

  it.each(["memory", "disk"] as const)("allows the next prompt at once, in a store in %s", async (sessions) => {
    const { toolbox } = await opened({ agent: ECHO }, { sessions });
    for (let round = 0; round < 5; round++) {
      const turn = toolbox.sessions.send("s", "go", { agent: "agent" });
      for await (const event of turn) if (event.type === "session.idle") break;
      const next = toolbox.sessions.send("s", "more");
      expect(await next.result).toMatchObject({ ok: true });
    }
  });
});

describe("[G5] the agent's session", () => {
  it("is resumed only after it was closed", async () => {
    const { toolbox, log } = await opened({ agent: { ...ECHO, close: () => sleep(50) } });
    await toolbox.sessions.send("s", "one", { agent: "agent" }).result;
    const detaching = toolbox.sessions.detach("s");
    await toolbox.sessions.send("s", "two").result;
    await detaching;
    expect(log).toEqual(["start agent", "create agent-1", "close agent-1", "resume agent-1"]);
  });

  it("is closed before the agent is stopped, also if it was still being opened", async () => {
    const opening = Promise.withResolvers<void>();
    const agent: CodeAgent = {
      ...ECHO,
      open: async () => {
        opening.resolve();
        await sleep(50);
      },
    };
    const { toolbox, log } = await opened({ agent });
    const turn = toolbox.sessions.send("s", "go", { agent: "agent" });
    await opening.promise;
    await toolbox.close();
    expect(await turn.result).toMatchObject({ ok: true, aborted: true });
    await expect.poll(() => log).toEqual(["start agent", "create agent-1", "close agent-1", "stop agent"]);
  });
});

describe("[G7] the agent's session that is closed during a turn", () => {
  it("ends the turn", async () => {
    const { toolbox, log } = await opened({ agent: { turn: waiting } });
    const turn = toolbox.sessions.send("s", "go", { agent: "agent" });
    for await (const event of turn) if (event.type === "message.delta") await toolbox.sessions.detach("s");
    expect(await turn.result).toMatchObject({ ok: true, aborted: true });
    expect(log).toEqual(["start agent", "create agent-1", "close agent-1"]);
  });
});

describe("[G6] an earlier conversation", () => {
  it("is given to the agent again if the first prompt with it failed", async () => {
    let isBroken = true;
    const broken: CodeAgent = {
      async *turn({ prompt }) {
        if (isBroken) throw new Error("Not now.");
        yield* saying(prompt);
      },
    };
    const { toolbox } = await opened({ echo: ECHO, broken });
    await toolbox.sessions.send("s", "one", { agent: "echo" }).result;
    expect(await toolbox.sessions.send("s", "two", { agent: "broken" }).result).toMatchObject({ ok: false });
    isBroken = false;
    const { text } = await toolbox.sessions.send("s", "three").result;
    expect(text).toContain("You said: one");
    expect((await toolbox.sessions.send("s", "four").result).text).toBe("four");
  });
});

describe("[G6] a session that a program opens during a turn", () => {
  it("still has questions about the calls of the model", async () => {
    const agent: CodeAgent = {
      async *turn({ options }) {
        await toolbox.sessions.open("s", { callerIsAsked: true });
        const own = await options.permit({ callID: "c", tool: "Bash", input: {}, access: ["undeclared"] });
        const result = await options.tools.call({ name: "greet", input: {} }).result;
        yield* saying(JSON.stringify([own.allowed, result.ok]));
      },
    };
    const { toolbox } = await opened({ agent });
    expect((await toolbox.sessions.send("s", "go", { agent: "agent" }).result).text).toBe("[false,false]");
  });
});

describe("[G6] a prompt that is refused because a turn runs", () => {
  it("does not change who answers the questions of that turn", async () => {
    const go = Promise.withResolvers<void>();
    const agent: CodeAgent = {
      async *turn({ options }) {
        yield* saying("Wait");
        await go.promise;
        yield* saying(outputOf(await options.tools.call({ name: "greet", input: {} }).result));
      },
    };
    const { toolbox } = await opened({ agent });
    const turn = toolbox.sessions.send("s", "go", { agent: "agent", answerable: true });
    for await (const event of turn) {
      if (event.type === "message.delta" && event.text === "Wait") {
        expect(await toolbox.sessions.send("s", "too").result).toMatchObject({ error: { code: "owned" } });
        go.resolve();
      }
      if (event.type === "question.asked") await toolbox.sessions.answer(event.questionID, { allowed: true });
    }
    expect((await turn.result).text).toBe("Hello!");
  });

  it("does not change it either if both were sent at the same time", async () => {
    const agent: CodeAgent = {
      async *turn({ options }) {
        yield* saying(outputOf(await options.tools.call({ name: "greet", input: {} }).result));
      },
    };
    for (const sessions of ["memory", "disk"] as const) {
      const { toolbox } = await opened({ agent }, { sessions });
      await toolbox.sessions.open("s");
      const turn = toolbox.sessions.send("s", "go", { agent: "agent", answerable: true });
      const other = toolbox.sessions.send("s", "too", { agent: "agent", mode: "bypass" });
      expect(await other.result).toMatchObject({ ok: false, error: { code: "owned" } });
      for await (const event of turn) {
        if (event.type === "question.asked") await toolbox.sessions.answer(event.questionID, { allowed: true });
      }
      expect((await turn.result).text).toBe("Hello!");
      expect(await toolbox.sessions.choices("s")).toEqual({ grants: [] });
    }
  });

  it("leaves the calls of users alone if another process runs the turn", async () => {
    const store = createMemoryStore({ project: "/project" });
    onTestFinished(() => store.close());
    const { toolbox } = await opened({ agent: ECHO }, { sessions: store, callerIsAsked: false });
    await toolbox.sessions.open("s", { callerIsAsked: true });
    const claim = await store.claim("s", "turn");
    const refused = await toolbox.sessions.send("s", "go", { agent: "agent", answerable: true }).result;
    expect(refused).toMatchObject({ ok: false, error: { code: "owned" } });
    expect(outputOf(await toolbox.call({ name: "greet", sessionID: "s" }).result)).toBe("Hello!");
    await claim.release();
  });
});

describe("[S3] a turn that another process has ended", () => {
  /** An agent that waits in a call, a call of a user beside it, and a store whose claim of the turn can be taken away. */
  async function running() {
    const store = createMemoryStore({ project: "/project" });
    onTestFinished(() => store.close());
    let takeAway = async (): Promise<void> => {};
    const shared = new Proxy(store, {
      get: (target, key: keyof SessionStore) => {
        const own = (target[key] as ((...args: unknown[]) => unknown) | undefined)?.bind(target);
        if (key !== "claim") return own;
        return async (...args: Parameters<SessionStore["claim"]>) => {
          const claim = await target.claim(...args);
          if (args[1] === "turn") takeAway = () => claim.release();
          return claim;
        };
      },
    });
    const calls: string[] = [];
    const wait = tool({
      description: "Waits.",
      args: { who: tool.schema.string() },
      execute: async ({ who }, { abort }) => {
        calls.push(`${who} begins`);
        await new Promise<void>((resolve) => {
          abort.addEventListener("abort", () => resolve());
          setTimeout(resolve, who === "user" ? 1_000 : 60_000);
        });
        calls.push(`${who} ${abort.aborted ? "is aborted" : "ends"}`);
        return "waited";
      },
    });
    const agent: CodeAgent = {
      async *turn({ options, signal }) {
        const run = options.tools.call({ name: "wait", input: { who: "agent" } });
        await Promise.race([run.result, aborted({ signal })]);
        yield* saying("Never stored");
      },
    };
    const more = { tools: { wait }, sessions: shared };
    const { toolbox, log } = await opened({ agent }, more);
    const turn = toolbox.sessions.send("s", "go", { agent: "agent", mode: "bypass" });
    await turn.begun;
    const user = toolbox.call({ name: "wait", input: { who: "user" }, sessionID: "s", callerIsAsked: true });
    await vi.waitFor(() => expect(calls).toHaveLength(2), PATIENT);
    return { store, toolbox, turn, user, calls, log, takeAway: () => takeAway() };
  }

  it("ends its agent and its calls here, stores nothing more, and leaves calls of users alone", async () => {
    const { store, turn, user, calls, log, takeAway } = await running();
    await takeAway();
    const result = await turn.result;
    expect(result).toMatchObject({ ok: false, error: { code: "superseded" } });
    expect(calls).toContain("agent is aborted");
    expect(await user.result).toMatchObject({ ok: true });
    expect(calls).toContain("user ends");
    expect(log.at(-1)).toBe("close agent-1");
    const types = (await store.read("s", 0, 100)).map(({ type }) => type);
    expect(types.slice(types.indexOf("session.interrupted"))).toEqual(["session.interrupted", "tool.complete"]);
    expect(await store.get("s")).toMatchObject({ status: "interrupted", openCalls: [] });
  });

  it("is followed by the next one", async () => {
    const { toolbox, turn, takeAway, store } = await running();
    await takeAway();
    await turn.result;
    const next = toolbox.sessions.send("s", "again");
    await next.begun;
    next.abort();
    expect(await next.result).toMatchObject({ ok: true, aborted: true });
    await vi.waitFor(async () => expect((await store.get("s"))?.openCalls).toEqual([]), 5_000);
    expect(await store.get("s")).toMatchObject({ status: "idle" });
  });
});
