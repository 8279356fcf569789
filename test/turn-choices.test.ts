import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../src/core/coding-agent.ts";
import type { StoredEvent } from "../src/core/session-log.ts";
import { outputOf, type SendOptions, type Toolbox, type ToolboxOptions, tool } from "../src/index.ts";
import { type CodeAgent, type CodeTurn, codeAgents, saying } from "./support/code-agent.ts";
import { sandbox } from "./support/fixture.ts";
import { open } from "./support/toolbox.ts";

const GREET = tool({ description: "Greets.", execute: () => "Hello!" });
const LEAVE = tool({ description: "Says goodbye.", execute: () => "Bye!" });

/** Calls the tool that the prompt names, and says its output. */
async function* calling({ options, prompt }: CodeTurn): AsyncGenerator<AgentEvent> {
  const run = options.tools.call({ name: prompt, input: {}, callID: crypto.randomUUID() });
  yield* saying(outputOf(await run.result));
}

const AGENTS: Readonly<Record<string, CodeAgent>> = {
  caller: { turn: calling, keepsHistory: false },
  lister: {
    async *turn({ options }) {
      yield* saying(
        options.tools
          .list()
          .map(({ name }) => name)
          .join(" "),
      );
    },
  },
  waiter: {
    async *turn({ signal }) {
      yield { type: "message.delta", messageID: "m", text: "Waiting" };
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
  },
};

async function opened(options: ToolboxOptions = {}, settings = {}): Promise<Toolbox> {
  const agents = codeAgents(AGENTS);
  const tools = { greet: GREET, leave: LEAVE };
  const at = sandbox();
  const home = join(at.home, ".toolwright");
  mkdirSync(home);
  writeFileSync(join(home, "settings.json"), JSON.stringify(settings));
  const { toolbox } = await open(at, { onlyGiven: true, tools, agents, ...options });
  return toolbox;
}

const logOf = async (toolbox: Toolbox, sessionID: string): Promise<readonly StoredEvent[]> =>
  (await toolbox.sessions.store()).read(sessionID, 0, 1_000);

describe("[S2] [P3] the mode of a session", () => {
  const rows: readonly [SendOptions, ToolboxOptions, string | RegExp][] = [
    [{ mode: "bypass" }, {}, "Hello!"],
    [{ mode: "bypassPermissions" }, {}, "Hello!"],
    [{}, { permissions: { mode: "bypassPermissions" } }, "Hello!"],
    [{ mode: "bypass" }, { permissions: { rules: [{ tool: "greet", action: "deny" }] } }, /denied|not allowed/],
    [{}, {}, /not allowed|cannot be asked|refused|No person/],
    [{ mode: "plan" }, { permissions: { mode: "bypass" } }, /plan/],
    [{}, { permissions: { mode: "bypass" } }, "Hello!"],
  ];
  it.each(rows)("%j in a toolbox with %j", async (send, options, expected) => {
    const toolbox = await opened(options);
    const { text } = await toolbox.sessions.send("s", "greet", { agent: "caller", ...send }).result;
    if (typeof expected === "string") expect(text).toBe(expected);
    else expect(text).toMatch(expected);
  });

  it("stays for later turns and for a branch, until another is chosen, and does not concern other sessions", async () => {
    const toolbox = await opened();
    const { sessions } = toolbox;
    const say = async (id: string, options: SendOptions = {}): Promise<string> =>
      (await sessions.send(id, "greet", { agent: "caller", ...options }).result).text;
    expect(await say("s", { mode: "bypass" })).toBe("Hello!");
    expect(await say("s")).toBe("Hello!");
    const branch = await sessions.branch("s");
    expect(await say(branch.id)).toBe("Hello!");
    expect(await say("other")).not.toBe("Hello!");
    expect(await say("s", { mode: "default" })).not.toBe("Hello!");
    expect(await say(branch.id)).toBe("Hello!");
  });
});

describe("[S2] [P3] the rules that were granted for a session", () => {
  it("are listed, and can be taken back", async () => {
    const { sessions } = await opened({ approve: async () => ({ allowed: true, remember: "session" }) });
    const say = async (): Promise<string> => (await sessions.send("s", "greet", { agent: "caller" }).result).text;
    await say();
    const { grants } = await sessions.choices("s");
    expect(grants).toHaveLength(1);
    const [rule] = grants as [(typeof grants)[number]];
    expect(rule).toMatchObject({ tool: "greet", action: "allow" });
    expect(await sessions.revoke("s", { ...rule, tool: "other" })).toBe(false);
    expect(await sessions.revoke("s", { ...rule })).toBe(true);
    expect((await sessions.choices("s")).grants).toEqual([]);
    await expect(sessions.choices("none")).rejects.toMatchObject({ code: "session_not_found" });
    await expect(sessions.revoke("none", rule)).rejects.toMatchObject({ code: "session_not_found" });
    expect(await (await sessions.store()).get("none")).toBeUndefined();
  });
});

describe("[S2] a session that is removed", () => {
  it("is not created again by a message that must find it", async () => {
    const { sessions } = await opened();
    await sessions.send("s", "x", { agent: "lister", mode: "plan" }).result;
    await sessions.remove("s");
    const turn = sessions.send("s", "x", { agent: "lister", mustExist: true });
    expect(await turn.begun).toBeUndefined();
    expect(await turn.result).toMatchObject({
      error: { code: "session_not_found", message: 'There is no session "s".' },
    });
    expect(await (await sessions.store()).get("s")).toBeUndefined();
  });

  it("is not created again by a reader at the same time", async () => {
    const { sessions } = await opened();
    const store = await sessions.store();
    const steps = async (count: number): Promise<void> => {
      for (let step = 0; step < count; step += 1) await undefined;
    };
    for (let round = 0; round < 150; round += 1) {
      const id = `s${round}`;
      await store.create({ directory: "/", id });
      const reading = steps(round % 11).then(() => sessions.choices(id));
      const removing = steps(round % 13).then(() => sessions.remove(id));
      await Promise.allSettled([reading, removing]);
      await removing;
      expect(await store.get(id)).toBeUndefined();
    }
  });
});

describe("[S2] the tools of a session", () => {
  it("are those that were chosen, also in later turns", async () => {
    const { sessions } = await opened();
    const list = async (options: SendOptions): Promise<string> =>
      (await sessions.send("s", "x", { agent: "lister", ...options }).result).text;
    expect(await list({})).toBe("greet leave");
    expect(await list({ tools: ["gr*"] })).toBe("greet");
    await sessions.detach("s");
    expect(await list({})).toBe("greet");
    expect(await list({ tools: ["*"] })).toBe("greet leave");
  });
});

describe("[S2] a turn that waits because too many run", () => {
  it("has a durable prompt and a place in the queue, and begins when a turn ends", async () => {
    const toolbox = await opened({}, { agents: { maxTurns: 1 } });
    const { sessions } = toolbox;
    const places: [string, number][] = [];
    toolbox.on("queue", ({ sessionID, position }) => places.push([sessionID, position]));
    const first = sessions.send("first", "x", { agent: "waiter" });
    await first.begun;
    const second = sessions.send("second", "x", { agent: "lister" });
    const third = sessions.send("third", "x", { agent: "lister" });
    expect(await second.begun).toBe(2);
    await third.begun;
    await expect.poll(() => sessions.queue).toEqual(["second", "third"]);
    expect((await logOf(toolbox, "second")).map(({ type }) => type)).toEqual(["session.start", "message.user"]);
    expect(await (await sessions.store()).get("second")).toMatchObject({ status: "running" });
    first.abort();
    expect(await second.result).toMatchObject({ ok: true, text: "greet leave" });
    expect(await third.result).toMatchObject({ ok: true, text: "greet leave" });
    expect(sessions.queue).toEqual([]);
    expect(places).toEqual([
      ["second", 1],
      ["third", 2],
      ["second", 0],
      ["third", 1],
      ["third", 0],
    ]);
  });

  it("may be one of a sub-agent's session, if a person has sent the message", async () => {
    const { sessions } = await opened({}, { agents: { maxTurns: 1 } });
    const store = await sessions.store();
    await store.create({ id: "task", directory: "/", parent: { sessionID: "first", callID: "c" } });
    const first = sessions.send("first", "x", { agent: "waiter" });
    await first.begun;
    const task = sessions.send("task", "x", { agent: "lister" });
    await task.begun;
    expect(sessions.queue).toEqual(["task"]);
    first.abort();
    expect(await task.result).toMatchObject({ ok: true });
  });

  it("can be cancelled", async () => {
    const toolbox = await opened({}, { agents: { maxTurns: 1 } });
    const { sessions } = toolbox;
    const first = sessions.send("first", "x", { agent: "waiter" });
    await first.begun;
    const waiting = ["a", "b"].map((id) => sessions.send(id, "x", { agent: "lister" }));
    await expect.poll(() => sessions.queue).toEqual(["a", "b"]);
    await sessions.cancel("a");
    expect(await waiting[0]?.result).toMatchObject({ ok: true, aborted: true });
    expect(sessions.queue).toEqual(["b"]);
    first.abort();
    expect(await waiting[1]?.result).toMatchObject({ text: "greet leave" });
  });
});

describe("[S3] stopping", () => {
  const REASON = "The program that ran this session was stopped before the turn had ended. Send a message to continue.";

  it("interrupts turns that do not end in time, also waiting ones, and refuses new ones", async () => {
    const toolbox = await opened({}, { agents: { maxTurns: 1 } });
    const { sessions } = toolbox;
    const running = sessions.send("running", "x", { agent: "waiter" });
    await running.begun;
    const queued = sessions.send("queued", "x", { agent: "lister" });
    await queued.begun;
    await sessions.stop(10);
    expect(await running.result).toMatchObject({ ok: true, aborted: true });
    for (const id of ["running", "queued"]) {
      const last = (await logOf(toolbox, id)).at(-1);
      expect(last).toMatchObject({ type: "session.interrupted", reason: REASON, calls: [], questions: [] });
      expect(await (await sessions.store()).get(id)).toMatchObject({ status: "interrupted" });
    }
    const refused = sessions.send("new", "x", { agent: "lister" });
    expect(await refused.begun).toBeUndefined();
    expect(await refused.result).toMatchObject({ ok: false, error: { code: "stopping" } });
    expect(await (await sessions.store()).get("new")).toBeUndefined();
  });

  it("interrupts waiting turns at once, and lets a running one end", async () => {
    const toolbox = await opened({}, { agents: { maxTurns: 1 } });
    const { sessions } = toolbox;
    const running = sessions.send("running", "x", { agent: "waiter" });
    await running.begun;
    const queued = sessions.send("queued", "x", { agent: "lister" });
    await expect.poll(() => sessions.queue).toEqual(["queued"]);
    const stopped = sessions.stop(60_000);
    expect(await queued.result).toMatchObject({ ok: true, text: "", aborted: true });
    expect((await logOf(toolbox, "queued")).at(-1)).toMatchObject({ type: "session.interrupted", reason: REASON });
    running.abort();
    await stopped;
  });

  it("waits for turns that end in time", async () => {
    const toolbox = await opened();
    const { sessions } = toolbox;
    const turn = sessions.send("s", "x", { agent: "waiter" });
    await turn.begun;
    const stopped = sessions.stop(60_000);
    turn.abort();
    await stopped;
    expect(await logOf(toolbox, "s")).toContainEqual(expect.objectContaining({ type: "session.idle", aborted: true }));
  });
});

describe("[S2] starting an agent", () => {
  it("says which agent runs, or why it cannot", async () => {
    const { sessions } = await opened({}, { agents: { default: "lister" } });
    expect(await sessions.startAgent()).toBe("lister");
    expect(await sessions.startAgent("caller")).toBe("caller");
    await expect(sessions.startAgent("nope")).rejects.toMatchObject({ code: "unknown_agent" });
    const without = await opened();
    await expect(without.sessions.startAgent()).rejects.toMatchObject({ code: "unknown_agent" });
  });
});
