import { describe, expect, it, onTestFinished } from "vitest";
import type { StoredEvent } from "../src/core/session-log.ts";
import type { SessionStore } from "../src/core/session-store.ts";
import {
  createToolbox,
  outputOf,
  type QuestionAnswer,
  type Run,
  SessionError,
  type Toolbox,
  type ToolboxOptions,
  type ToolContext,
  tool,
} from "../src/index.ts";
import { createMemoryStore } from "../src/sessions/store/memory-store.ts";
import { refusingStore } from "./support/refusing-store.ts";
import { open } from "./support/toolbox.ts";

const COUNTER = tool({
  description: "Counts its calls in a session.",
  execute: async (
    _,
    context: ToolContext & { state: { get(key: string): unknown; set(key: string, value: unknown): Promise<void> } },
  ) => {
    const count = Number((await context.state.get("count")) ?? 0) + 1;
    await context.state.set("count", count);
    return `${count}`;
  },
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

/** The store with other methods. Its own methods are bound, since they use private fields. */
const overriding = (store: SessionStore, methods: Partial<SessionStore>): SessionStore =>
  new Proxy(store, {
    get: (_, name) => Reflect.get(methods, name) ?? (Reflect.get(store, name) as (() => void) | undefined)?.bind(store),
  });

const openWith = (store: SessionStore, options: ToolboxOptions = {}): ReturnType<typeof open> =>
  open({}, { onlyGiven: true, tools: { counter: COUNTER, waiting: WAITING }, sessions: store, ...options });

const eventsOf = async (store: SessionStore, sessionID: string): Promise<readonly StoredEvent[]> =>
  store.read(sessionID, 0, 1_000);
const typesOf = async (store: SessionStore, sessionID: string): Promise<string[]> =>
  (await eventsOf(store, sessionID)).map(({ type }) => type);

describe("[S3] a session that was opened", () => {
  it("records its calls and changes; other sessions are not recorded", async () => {
    const store = storeOf();
    const { toolbox } = await openWith(store);
    await toolbox.sessions.open("s", { title: "Counting" });
    await toolbox.call({ name: "counter", sessionID: "s", callID: "c1" }).result;
    await toolbox.call({ name: "counter", sessionID: "other" }).result;
    await toolbox.call({ name: "counter" }).result;
    expect(await eventsOf(store, "s")).toMatchObject([
      { position: 1, type: "session.start", title: "Counting" },
      { position: 2, type: "tool.start", callID: "c1", tool: "counter" },
      { position: 3, type: "state.set", of: "tools", key: "count", value: 1 },
      {
        position: 4,
        type: "tool.complete",
        callID: "c1",
        result: { ok: true, content: [{ type: "text", text: "1" }] },
      },
    ]);
    expect((await store.list()).sessions.map(({ id, status }) => [id, status])).toEqual([["s", "idle"]]);
  });

  it("has recorded the start of a call before the tool runs, and its end before the result is returned", async () => {
    const store = storeOf();
    const seen: string[][] = [];
    const look = tool({
      description: "Looks at the log.",
      execute: async () => {
        seen.push(await typesOf(store, "s"));
        return "seen";
      },
    });
    const { toolbox } = await openWith(store, { tools: { look } });
    await toolbox.sessions.open("s");
    const run = toolbox.call({ name: "look", sessionID: "s" });
    for await (const event of run) if (event.type === "tool.complete") seen.push(await typesOf(store, "s"));
    await run.result;
    expect(seen).toEqual([
      ["session.start", "tool.start"],
      ["session.start", "tool.start", "tool.complete"],
    ]);
  });

  it("[B10] keeps its state when another toolbox opens it", async () => {
    const store = storeOf();
    for (const expected of ["1", "2", "3"]) {
      const { toolbox } = await openWith(store);
      await toolbox.sessions.open("s");
      expect(outputOf(await toolbox.call({ name: "counter", sessionID: "s" }).result)).toBe(expected);
      await toolbox.close();
    }
  });

  it("[B10] sees what others add to its log, in the order of the log", async () => {
    const store = storeOf();
    const first = await openWith(store);
    const second = await openWith(store);
    await first.toolbox.sessions.open("s");
    await second.toolbox.sessions.open("s");
    const counts: string[] = [];
    for (const { toolbox } of [first, second, second, first, second, first]) {
      counts.push(outputOf(await toolbox.call({ name: "counter", sessionID: "s" }).result));
    }
    expect(counts).toEqual(["1", "2", "3", "4", "5", "6"]);
  });

  it("has no running call after its toolbox was closed, also if the tool goes on", async () => {
    const store = storeOf();
    const { toolbox } = await openWith(store);
    await toolbox.sessions.open("s");
    const run = toolbox.call({ name: "waiting", sessionID: "s" });
    for await (const event of run) if (event.type === "tool.start") break;
    await toolbox.close();
    expect((await store.get("s"))?.status).toBe("idle");
    run.abort();
    await run.result;
    expect((await eventsOf(store, "s")).slice(1)).toMatchObject([
      { type: "tool.start", tool: "waiting" },
      {
        type: "tool.failed",
        tool: "waiting",
        result: {
          error: {
            code: "aborted",
            message:
              "The program closed its toolbox before this call ended. It is unknown whether it had an effect: check before you run it again.",
          },
        },
      },
    ]);
  });

  it("can be opened by several callers at once", async () => {
    const store = storeOf();
    const { toolbox } = await openWith(store);
    await Promise.all(Array.from({ length: 20 }, () => toolbox.sessions.open("s")));
    const results = await Promise.all(
      Array.from({ length: 20 }, () => toolbox.call({ name: "counter", sessionID: "s" }).result),
    );
    expect(results.every(({ ok }) => ok)).toBe(true);
    const types = await typesOf(store, "s");
    expect(types.filter((type) => type === "session.start")).toHaveLength(1);
    expect(types.filter((type) => type === "tool.complete")).toHaveLength(20);
    expect((await store.get("s"))?.openCalls).toEqual([]);
  });

  it("is recorded also after many other sessions were used", async () => {
    const store = storeOf();
    const { toolbox } = await openWith(store);
    await toolbox.sessions.open("s");
    await toolbox.call({ name: "counter", sessionID: "s" }).result;
    for (let at = 0; at < 1_001; at += 1) toolbox.list({ sessionID: `other${at}` });
    expect(outputOf(await toolbox.call({ name: "counter", sessionID: "s" }).result)).toBe("2");
    expect((await typesOf(store, "s")).filter((type) => type === "tool.complete")).toHaveLength(2);
  });

  it.each([
    [
      "default",
      'The id of a session must not be "default", the session of calls without one. Choose another, or leave it out.',
    ],
    ["", "The id of a session must be a string of 1 to 200 characters, without control characters."],
    ["a\nb", "The id of a session must be a string of 1 to 200 characters, without control characters."],
  ])("cannot have the id %j", async (id, message) => {
    const { toolbox } = await openWith(storeOf());
    await expect(toolbox.sessions.open(id)).rejects.toMatchObject({ code: "invalid_session_id", message });
  });

  it("is created again if it was removed", async () => {
    const store = storeOf();
    const { toolbox } = await openWith(store);
    await toolbox.sessions.open("s");
    await toolbox.call({ name: "counter", sessionID: "s" }).result;
    await store.remove("s");
    await toolbox.sessions.open("s");
    expect(outputOf(await toolbox.call({ name: "counter", sessionID: "s" }).result)).toBe("1");
  });
});

describe("a request to cancel", () => {
  const CASES = [
    ["all calls of the session", {}, ["a", "b"]],
    ["one call", { callID: "b" }, ["b"]],
    ["a call that is not running", { callID: "c" }, []],
  ] as const;

  it.each(CASES)("that is written to the log by another process cancels %s", async (_, request, cancelled) => {
    const store = storeOf();
    const { toolbox } = await openWith(store);
    await toolbox.sessions.open("s");
    const runs = ["a", "b"].map((callID) => toolbox.call({ name: "waiting", sessionID: "s", callID }));
    await Promise.all(runs.map((run) => run[Symbol.asyncIterator]().next()));
    await store.append("s", [{ type: "cancel.requested", ...request }]);
    const ended = runs.filter(({ callID }) => cancelled.some((id) => id === callID));
    const codes = (await Promise.all(ended.map(({ result }) => result))).map(
      (result) => !result.ok && result.error.code,
    );
    expect(codes).toEqual(cancelled.map(() => "aborted"));
    expect((await store.get("s"))?.openCalls).toEqual(
      ["a", "b"].filter((id) => !cancelled.some((each) => each === id)),
    );
    for (const run of runs) run.abort();
    await Promise.all(runs.map(({ result }) => result));
  });

  it("does not affect a call that starts after it", async () => {
    const store = storeOf();
    const { toolbox } = await openWith(store);
    await toolbox.sessions.open("s");
    await store.append("s", [{ type: "cancel.requested" }]);
    expect(outputOf(await toolbox.call({ name: "counter", sessionID: "s" }).result)).toBe("1");
    await toolbox.sessions.cancel("s");
    expect(outputOf(await toolbox.call({ name: "counter", sessionID: "s" }).result)).toBe("2");
  });

  it("cancels the calls of a session that is not recorded", async () => {
    const { toolbox } = await openWith(storeOf());
    const run = toolbox.call({ name: "waiting", sessionID: "plain" });
    await run[Symbol.asyncIterator]().next();
    await toolbox.sessions.cancel("plain");
    expect(await run.result).toMatchObject({ ok: false, error: { code: "aborted" } });
  });
});

describe("[P3] a question in a recorded session", () => {
  const ASKING = tool({
    description: "Asks before it deploys.",
    execute: async (_, context) => {
      await context.ask({ permission: "deploy", patterns: ["prod"], always: ["prod"], metadata: {} });
      return "deployed";
    },
  });

  const twoToolboxes = async (): Promise<{ store: SessionStore; asking: Toolbox; other: Toolbox }> => {
    const store = storeOf();
    const { toolbox: asking } = await openWith(store, { tools: { asking: ASKING } });
    const { toolbox: other } = await openWith(store);
    await asking.sessions.open("s", { answerable: true });
    return { store, asking, other };
  };

  const questionOf = async (run: Run): Promise<string> => {
    for await (const event of run) if (event.type === "question.asked") return event.questionID;
    throw new Error("The call ended without a question.");
  };

  it("can be answered by another process, through the log; the answer for the session lasts", async () => {
    const { store, asking, other } = await twoToolboxes();
    const run = asking.call({ name: "asking", sessionID: "s" });
    const questionID = await questionOf(run);
    expect((await store.get("s"))?.status).toBe("waiting");
    await other.sessions.answer(questionID, { allowed: true, remember: "session" });
    expect(outputOf(await run.result)).toBe("deployed");
    expect(outputOf(await asking.call({ name: "asking", sessionID: "s" }).result)).toBe("deployed");
    expect((await typesOf(store, "s")).filter((type) => type.startsWith("question"))).toEqual([
      "question.asked",
      "question.answered",
    ]);
    expect(await store.get("s")).toMatchObject({ status: "idle", openQuestions: [], openCalls: [] });
  });

  it("can be refused by another process, with a reason that the model reads", async () => {
    const { asking, other } = await twoToolboxes();
    const run = asking.call({ name: "asking", sessionID: "s" });
    await other.sessions.answer(await questionOf(run), { allowed: false, reason: "Not on Fridays." });
    expect(outputOf(await run.result)).toContain("Not on Fridays.");
  });

  it("is closed by the first answer, also if two processes answer at the same time", async () => {
    const { store, asking, other } = await twoToolboxes();
    const { toolbox: third } = await openWith(store);
    const run = asking.call({ name: "asking", sessionID: "s" });
    const questionID = await questionOf(run);
    const answers = await Promise.allSettled(
      [other, third].map(({ sessions }) => sessions.answer(questionID, { allowed: true })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await run.result;
    await expect(other.sessions.answer(questionID, { allowed: true })).rejects.toMatchObject({
      code: "question_closed",
      message: "This question has been answered already. The first answer counts.",
    });
    expect((await typesOf(store, "s")).filter((type) => type === "question.answered")).toHaveLength(1);
  });

  it.each(["the asking process first", "the other process first"])(
    "has the effect of the first answer in the log: %s",
    async (order) => {
      const { store, asking, other } = await twoToolboxes();
      const run = asking.call({ name: "asking", sessionID: "s" });
      const questionID = await questionOf(run);
      const here = (): Promise<void> => asking.sessions.answer(questionID, { allowed: true });
      const there = (): Promise<void> => other.sessions.answer(questionID, { allowed: false, reason: "No." });
      const both = order.startsWith("the asking") ? [here, there] : [there, here];
      const answers = await Promise.allSettled(both.map((answer) => answer()));
      expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const result = await run.result;
      const logged = (await eventsOf(store, "s")).filter(({ type }) => type === "question.answered");
      expect(logged).toMatchObject([{ allowed: result.ok }]);
    },
  );

  it("refuses answers that do not fit, and ids of no question", async () => {
    const { asking, other } = await twoToolboxes();
    const run = asking.call({ name: "asking", sessionID: "s" });
    const questionID = await questionOf(run);
    const unknown = questionID.replace(/[0-9a-f]{4}$/, "0000");
    const elsewhere = `${Buffer.from("nowhere").toString("base64url")}.${questionID.split(".")[1]}`;
    const answers: [string, object, string][] = [
      [questionID, { allowed: true, value: 5 }, "invalid_answer"],
      [questionID, { allowed: "yes" }, "invalid_answer"],
      [unknown, { allowed: true }, "question_not_found"],
      [elsewhere, { allowed: true }, "question_not_found"],
      ["rubbish", { allowed: true }, "question_not_found"],
      [undefined as unknown as string, { allowed: true }, "question_not_found"],
    ];
    for (const [id, answer, code] of answers) {
      await expect(other.sessions.answer(id, answer as QuestionAnswer)).rejects.toMatchObject({ code });
    }
    run.abort();
    await run.result;
    await expect(other.sessions.answer(questionID, { allowed: true })).rejects.toMatchObject({
      code: "question_closed",
      message: "This question is no longer open: its call has ended, or another answer has allowed it.",
    });
  });

  it("is asked for a call that no rule covers, if a model makes the calls", async () => {
    const store = storeOf();
    const { toolbox } = await openWith(store, {
      tools: { plain: tool({ description: "Runs.", execute: () => "ran" }) },
    });
    await toolbox.sessions.open("model", { answerable: true, callerIsAsked: false });
    await toolbox.sessions.open("person", { answerable: true });
    const run = toolbox.call({ name: "plain", sessionID: "model" });
    await toolbox.sessions.answer(await questionOf(run), { allowed: true });
    expect(outputOf(await run.result)).toBe("ran");
    for (const request of [{ sessionID: "person" }, { sessionID: "model", callerIsAsked: true }]) {
      expect(outputOf(await toolbox.call({ name: "plain", ...request }).result)).toBe("ran");
    }
    const headless = await toolbox.call({ name: "plain", callerIsAsked: false }).result;
    expect(outputOf(headless)).toContain("No person can be asked here, so it was refused.");
  });
});

describe("[S3] a store that fails", () => {
  const failing = (error: SessionError, types: readonly string[]): SessionStore =>
    refusingStore(storeOf(), ({ type }) => types.includes(type), error);
  const full = new SessionError("store_full", "The disk is full.");

  it("at the start of a call: the tool is not called, and calls without a session are", async () => {
    const { toolbox, say } = await openWith(failing(full, ["tool.start"]));
    await toolbox.sessions.open("s");
    expect(await toolbox.call({ name: "counter", sessionID: "s" }).result).toMatchObject({
      ok: false,
      error: {
        code: "failed",
        message: "The tool was not called, because its session could not be written. The disk is full.",
      },
    });
    expect(await say("counter")).toBe("1");
    const log = await (await toolbox.sessions.store()).read("s", 0, 10);
    expect(log.map(({ type }) => type)).toEqual(["session.start"]);
    expect(toolbox.status.warnings).toEqual([]);
  });

  it("at a request to cancel: it rejects, and the calls of this process are cancelled", async () => {
    const { toolbox } = await openWith(failing(full, ["cancel.requested"]));
    await toolbox.sessions.open("s");
    const run = toolbox.call({ name: "waiting", sessionID: "s" });
    for await (const event of run) if (event.type === "tool.start") break;
    await expect(toolbox.sessions.cancel("s")).rejects.toThrow("The disk is full.");
    expect(await run.result).toMatchObject({ error: { code: "aborted" } });
  });

  it("at the end of a call: the result is returned, with one warning for all such calls", async () => {
    const { toolbox } = await openWith(failing(full, ["tool.complete"]));
    await toolbox.sessions.open("s");
    expect(outputOf(await toolbox.call({ name: "counter", sessionID: "s" }).result)).toBe("1");
    expect(outputOf(await toolbox.call({ name: "counter", sessionID: "s" }).result)).toBe("2");
    expect(toolbox.status.warnings.map(({ message }) => message)).toEqual([
      'The end of the call of "counter" could not be recorded. The disk is full.',
    ]);
  });

  it("while it sends progress: the call goes on", async () => {
    const store = overriding(storeOf(), {
      publish: () => {
        throw new Error("The connection is lost.");
      },
    });
    const steps = tool({
      description: "Reports progress.",
      execute: async (_, context) => {
        context.metadata({ title: "half" });
        return "done";
      },
    });
    const { toolbox } = await openWith(store, { tools: { steps } });
    await toolbox.sessions.open("s");
    expect(outputOf(await toolbox.call({ name: "steps", sessionID: "s" }).result)).toBe("done");
    expect(await typesOf(store, "s")).toEqual(["session.start", "tool.start", "tool.complete"]);
  });

  it("while a tool stores a value: the tool gets the error, and the value is not stored", async () => {
    const { toolbox } = await openWith(failing(full, ["state.set"]));
    await toolbox.sessions.open("s");
    const results = [1, 2].map(async () => outputOf(await toolbox.call({ name: "counter", sessionID: "s" }).result));
    expect(await Promise.all(results)).toEqual(["The disk is full.", "The disk is full."]);
  });

  it("when it is opened: `open` rejects, and tries again next time", async () => {
    let attempts = 0;
    const store = storeOf();
    const get: SessionStore["get"] = async (id) => {
      attempts += 1;
      if (attempts === 1) throw full;
      return store.get(id);
    };
    const { toolbox } = await openWith(overriding(store, { get }));
    await expect(toolbox.sessions.open("s")).rejects.toThrow("The disk is full.");
    await toolbox.sessions.open("s");
    expect(outputOf(await toolbox.call({ name: "counter", sessionID: "s" }).result)).toBe("1");
  });
});

describe("[S3] an option that names no store", () => {
  const cases: readonly [unknown, string][] = [
    ["dsk", '"sessions" of createToolbox must be "memory", "disk" or a SessionStore, not "dsk".'],
    [{}, '"sessions" of createToolbox must be "memory", "disk" or a SessionStore.'],
    [null, '"sessions" of createToolbox must be "memory", "disk" or a SessionStore.'],
  ];
  it.each(cases)("%j is refused", async (sessions, message) => {
    await expect(createToolbox({ sessions: sessions as SessionStore })).rejects.toThrow(message);
  });
});
