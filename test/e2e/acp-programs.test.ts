import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { knownAgents } from "../../src/agents/run/index.ts";
import type { FollowedEvent } from "../../src/core/session-log.ts";
import type { Question, Toolbox } from "../../src/index.ts";
import { defined } from "../../src/platform/values/defined.ts";
import { sandbox } from "../support/fixture.ts";
import { installed, MODULES } from "../support/installed.ts";
import { put, temporary } from "../support/temporary.ts";
import { open } from "../support/toolbox.ts";

const PROGRAM = fileURLToPath(new URL("../support/acp-program.mjs", import.meta.url));
const OPTIONS = [
  { optionId: "yes", kind: "allow_once", name: "Yes" },
  { optionId: "no", kind: "reject_once", name: "No" },
];
const CALL = { toolCallId: "c1", title: "Run", kind: "execute", rawInput: { command: "ls" } };

let missing: string | undefined;
beforeAll(async () => {
  missing = await installed("acp-sdk");
}, 300_000);

interface World {
  readonly toolbox: Toolbox;
  /** Runs a turn. Resolves to its text, or to the message of its error, and to its events. */
  turn(
    steps: readonly object[] | string,
    options?: { readonly answerable?: boolean; readonly during?: (event: FollowedEvent) => unknown },
  ): Promise<{ text: string; events: FollowedEvent[] }>;
}

async function world({
  hangs = "",
  approve,
}: {
  hangs?: string;
  approve?: (question: Question) => Promise<boolean>;
} = {}): Promise<World> {
  const at = sandbox();
  const folder = temporary();
  const agents = {
    modules: MODULES["acp-sdk"].replace(/\/node_modules$/, ""),
    programs: { stub: [process.execPath, PROGRAM, folder, hangs] },
  };
  put(`${at.env.TOOLWRIGHT_HOME}/settings.json`, JSON.stringify({ agents }));
  const { toolbox } = await open(at, {
    agents: knownAgents,
    approve: async (question) =>
      ((await approve?.(question)) ?? true) ? { allowed: true } : { allowed: false, reason: "No." },
  });
  return {
    toolbox,
    turn: async (steps, { answerable, during } = {}) => {
      const prompt = typeof steps === "string" ? steps : JSON.stringify(steps);
      const turn = toolbox.sessions.send("s", prompt, { agent: "stub", ...defined({ answerable }) });
      const events: FollowedEvent[] = [];
      for await (const event of turn) {
        events.push(event);
        await during?.(event);
      }
      const result = await turn.result;
      return { text: result.ok ? result.text : result.error.message, events };
    },
  };
}

describe("[G9] a program that speaks ACP and sends what it should not", () => {
  it("loses only the updates that cannot be read", async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    // The SDK writes about each.
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => errors.mockRestore());
    const { turn } = await world();
    const text = (content: unknown): object => ({ update: { sessionUpdate: "agent_message_chunk", content } });
    const { text: said, events } = await turn([
      { say: "one " },
      { raw: "no JSON" },
      { raw: "[1]" },
      { raw: "7" },
      { raw: "null" },
      { notify: { method: "session/update" } },
      { notify: { method: "session/update", params: null } },
      { notify: { method: "session/update", params: { sessionId: "acp-1" } } },
      { notify: { method: "session/update", params: { sessionId: "acp-1", update: null } } },
      { notify: { method: "other/notification", params: 7 } },
      { update: 7 },
      { update: {} },
      { update: { sessionUpdate: "tool_call" } },
      { update: { sessionUpdate: "tool_call", toolCallId: 7, title: "x" } },
      { update: { sessionUpdate: "tool_call", toolCallId: "t1", title: 7, kind: 7, content: 7, locations: 7 } },
      { update: { sessionUpdate: "tool_call_update", toolCallId: "t1", title: { a: 1 }, status: "in_progress" } },
      { update: { sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed", content: [null, 7] } },
      {
        update: {
          sessionUpdate: "tool_call_update",
          toolCallId: "t2",
          status: "completed",
          content: [{ type: "content", content: { type: "text", text: 7 } }, { type: "diff" }],
        },
      },
      { update: { sessionUpdate: "plan", entries: 7 } },
      { update: { sessionUpdate: "notice", title: 7 } },
      { update: { sessionUpdate: "compaction_update", status: 7 } },
      text(null),
      text(7),
      text({ type: "text" }),
      text({ type: "text", text: 7 }),
      text({ type: "other" }),
      { say: "two" },
    ]);
    expect(said).toContain("two");
    for (const event of events) {
      if (event.type !== "message.complete" && event.type !== "tool.complete") continue;
      const content = event.type === "message.complete" ? event.content : event.result.content;
      for (const part of content) expect(part).toMatchObject({ type: "text", text: expect.any(String) });
    }
    expect(await turn("again")).toMatchObject({ text: "You said: again" });
  });

  it("gets an answer to every request for permission, and a yes only to one that can be read", async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    const asked: unknown[] = [];
    const { turn } = await world({
      approve: async ({ access }) => {
        asked.push(access);
        return true;
      },
    });
    const ask = (params: unknown): object => ({ ask: params });
    const { text } = await turn([
      ask(null),
      ask({}),
      ask({ sessionId: "acp-1", toolCall: CALL }),
      ask({ sessionId: "acp-1", options: OPTIONS }),
      ask({ sessionId: "acp-1", toolCall: null, options: OPTIONS }),
      ask({ sessionId: "acp-1", toolCall: { ...CALL, toolCallId: undefined }, options: OPTIONS }),
      ask({ sessionId: "acp-1", toolCall: { ...CALL, toolCallId: 7 }, options: OPTIONS }),
      ask({ sessionId: "acp-1", toolCall: CALL, options: 7 }),
      ask({ sessionId: "acp-1", toolCall: CALL, options: [null] }),
      ask({
        sessionId: "acp-1",
        toolCall: { ...CALL, toolCallId: "c2", kind: "edit", locations: [null] },
        options: OPTIONS,
      }),
      ask({ sessionId: "acp-1", toolCall: { ...CALL, toolCallId: "c3", rawInput: null }, options: OPTIONS }),
      ask({ sessionId: "acp-1", toolCall: CALL, options: OPTIONS }),
    ]);
    const answers = text.trim().split(" ");
    expect(answers).toEqual([...Array(9).fill("error"), "yes", "yes", "yes"]);
    // The location that cannot be read makes the edit undeclared.
    expect(asked).toMatchObject([["undeclared"], ["undeclared"], [{ kind: "execute", target: "ls" }]]);
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["a number", 7],
    ["no reason", {}],
    ["usage of the wrong types", { stopReason: "end_turn", usage: { inputTokens: "7" }, _meta: { quota: 7 } }],
  ])("ends its turn with %s as the result: the next turn runs", async (_, result) => {
    if (missing !== undefined) return;
    const { turn } = await world();
    await turn([{ say: "one" }, { result }]);
    expect(await turn("again")).toMatchObject({ text: "You said: again" });
  });

  it("sends updates, requests and the end of calls after its turn: the next turn has none of them", async ({
    skip,
  }) => {
    if (missing !== undefined) return skip(missing);
    const { turn, toolbox } = await world();
    await turn([
      { update: { sessionUpdate: "tool_call", ...CALL, status: "in_progress" } },
      { after: { say: "late" } },
      { after: { update: { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed" } } },
      { after: { sleep: 200 } },
      { after: { ask: { sessionId: "acp-1", toolCall: CALL, options: OPTIONS } } },
    ]);
    // Nothing shows that the program has sent all of them.
    await sleep(2_000);
    const { text, events } = await turn([{ answers: 1 }, { say: "now" }]);
    expect(text).toBe("cancelled now");
    expect(events.filter(({ type }) => type.startsWith("tool."))).toEqual([]);
    expect(await (await toolbox.sessions.store()).get("s")).toMatchObject({ status: "idle", openCalls: [] });
  });
});

describe("[G9] a program that speaks ACP and hangs", () => {
  it.each(["initialize", "session/new"])("in %s: a cancel ends the turn, and the next prompt works", async (hangs) => {
    if (missing !== undefined) return;
    const { toolbox, turn } = await world({ hangs });
    const begun = toolbox.sessions.send("s", "one", { agent: "stub" });
    await begun.begun;
    await sleep(1_500);
    begun.abort();
    expect(await begun.result).toMatchObject({ ok: true, aborted: true });
    expect((await turn("two")).text).toContain("You said: ");
  });

  it("in its turn, ignoring the cancel: it is given up, and the next prompt works", async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    const { toolbox, turn } = await world();
    const begun = toolbox.sessions.send("s", JSON.stringify([{ say: "one" }, { never: 1 }]), { agent: "stub" });
    for await (const event of begun) if (event.type === "message.delta") break;
    begun.abort();
    expect(await begun.result).toMatchObject({ ok: true, aborted: true });
    expect((await turn("two")).text).toContain("You said: ");
  }, 30_000);

  it("until it is cancelled, with an open request for permission: it is withdrawn, and the turn ends", async ({
    skip,
  }) => {
    if (missing !== undefined) return skip(missing);
    const asked = Promise.withResolvers<void>();
    const { toolbox, turn } = await world({
      approve: () => {
        asked.resolve();
        return new Promise(() => {});
      },
    });
    const steps = [{ ask: { sessionId: "acp-1", toolCall: CALL, options: OPTIONS } }, { untilCancelled: 1 }];
    const begun = toolbox.sessions.send("s", JSON.stringify(steps), { agent: "stub" });
    await asked.promise;
    begun.abort();
    expect(await begun.result).toMatchObject({ ok: true, aborted: true, text: "cancelled " });
    expect(await (await toolbox.sessions.store()).get("s")).toMatchObject({ status: "idle", openQuestions: [] });
    expect((await turn("two")).text).toContain("two");
  });

  it("exits in its turn: the turn fails with its code, and the next prompt works", async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    const { turn } = await world();
    expect((await turn([{ exit: 3 }])).text).toContain("has exited with code 3");
    expect((await turn("two")).text).toContain("two");
  });
});

describe("[G6] [G9] a program that speaks ACP and asks the person", () => {
  const form = (properties: object, required: readonly string[] = []): object => ({
    mode: "form",
    message: "Before I start:",
    requestedSchema: { type: "object", properties, required },
  });
  const COLOR = form({ color: { type: "string", title: "Which color?", enum: ["red", "blue"] } }, ["color"]);
  const SIZE = form({ size: { type: "integer", title: "Which size?" } }, ["size"]);
  const NOBODY = "No person can be asked here. Decide yourself, or say in your answer what you need to know.";

  /** Answers each question with the value for the end of its title; undefined closes it. */
  const answering = (toolbox: Toolbox, values: Readonly<Record<string, unknown>>, asked: unknown[] = []) => ({
    answerable: true,
    during: async (event: FollowedEvent) => {
      if (event.type !== "question.asked") return;
      asked.push(event);
      const [, value] = Object.entries(values).find(([end]) => event.reason.endsWith(end)) ?? [];
      const answer = value === undefined ? { allowed: false } : { allowed: true, value };
      await toolbox.sessions.answer(event.questionID, answer);
    },
  });

  it("gets the answers to its form, as dialogs of the session, and a decline if one is closed", async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    const { toolbox, turn } = await world();
    const asked: unknown[] = [];
    const both = form({ color: { type: "string", enum: ["red", "blue"] }, sure: { type: "boolean", title: "Sure?" } }, [
      "color",
      "sure",
    ]);
    const answers = answering(toolbox, { color: "blue", "Sure?": true }, asked);
    const { text } = await turn(
      [{ capabilities: 1 }, { elicit: { ...both, toolCallId: "c1" } }, { elicit: SIZE }],
      answers,
    );
    expect(text).toBe(
      `{"form":{},"url":{}}{"action":"accept","content":{"color":"blue","sure":true}}\n{"action":"decline"}\n`,
    );
    const base = { tool: "stub:elicitation", agent: "stub", kind: "dialog" };
    expect(asked).toMatchObject([
      { ...base, callID: "c1", method: "select", reason: "Before I start:\ncolor", options: ["red", "blue"] },
      { ...base, callID: "c1", method: "confirm", reason: "Sure?", message: "Before I start:" },
      { ...base, callID: expect.any(String), method: "input", reason: "Before I start:\nWhich size?" },
    ]);
    expect(await (await toolbox.sessions.store()).get("s")).toMatchObject({ status: "idle", openQuestions: [] });
  });

  it("gets the answers to two forms that are open at once, each its own", async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    const { toolbox, turn } = await world();
    const open: { readonly questionID: string; readonly reason: string }[] = [];
    const { text } = await turn([{ elicitAll: [COLOR, SIZE] }], {
      answerable: true,
      during: async (event) => {
        if (event.type !== "question.asked") return;
        open.unshift(event);
        if (open.length < 2) return;
        // The last one first.
        for (const { questionID, reason } of open) {
          await toolbox.sessions.answer(questionID, { allowed: true, value: reason.endsWith("color?") ? "red" : "7" });
        }
      },
    });
    expect(text.trim().split("\n").sort()).toEqual([
      '{"action":"accept","content":{"color":"red"}}',
      '{"action":"accept","content":{"size":7}}',
    ]);
  });

  it("reads why it gets no answer: no person, or a form or an address that cannot be shown", async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    const { toolbox, turn } = await world();
    expect((await turn([{ elicit: COLOR }, { elicit: url }])).text).toBe(`${NOBODY}\n${NOBODY}\n`);
    const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`f${at}`, { type: "boolean" }]));
    const { text, events } = await turn(
      [
        { elicit: form({ a: { type: "date" } }) },
        { elicit: form(fields) },
        { elicit: form({ password: { type: "string" } }) },
        { elicit: { mode: "other", message: "?" } },
        { elicit: { mode: "url", message: "Go", url: "javascript:alert(1)", elicitationId: "e" } },
      ],
      answering(toolbox, {}),
    );
    expect(text.split("\n")).toEqual([
      'The form was not shown: the field "a" must be a string, number, integer, boolean, or an array with choices. Nested fields are not possible.',
      "The form was not shown: it has 1000 fields. At most 50 are possible: ask for less.",
      'The form was not shown: the field "password" asks for a secret, and answers are stored. Say in your answer where the user can set it.',
      'The form was not shown: its "mode" must be "form" or "url".',
      'The form was not shown: "url" must be an http or https address of at most 2000 characters.',
      "",
    ]);
    expect(events.filter(({ type }) => type === "question.asked")).toEqual([]);
  });

  it("gets an answer to every request that cannot be read, and asks nobody about it", async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    const { toolbox, turn } = await world();
    const { text, events } = await turn(
      [
        { elicit: {} },
        { elicit: { mode: "form", message: 7 } },
        { elicit: { mode: "form", message: "?", requestedSchema: null } },
        { elicit: { mode: "form", message: "?", requestedSchema: { type: "object", properties: { a: 7 } } } },
        { elicit: { mode: null, message: null } },
        { elicit: form({ constructor: { type: "string" } }) },
      ],
      answering(toolbox, {}),
    );
    expect(text.trim().split("\n")).toHaveLength(6);
    expect(text).not.toContain("accept");
    expect(events.filter(({ type }) => type === "question.asked")).toEqual([]);
    expect(await turn("again")).toMatchObject({ text: "You said: again" });
  });

  const url = { mode: "url", message: "Sign in", url: "https://a.example/", elicitationId: "e1" };
  it.each<[string, object, object]>([
    ["withdraws its question", COLOR, { method: "$/cancel_request", params: { requestId: "ask-1" } }],
    ["says that the address is done", url, { method: "elicitation/complete", params: { elicitationId: "e1" } }],
  ])("%s: it is closed without an answer, and the turn goes on", async (_, asked, notification) => {
    if (missing !== undefined) return;
    const { turn } = await world();
    const steps = [{ elicitAndNotify: [asked, notification] }, { say: "on" }];
    const { text, events } = await turn(steps, { answerable: true });
    expect(text).toContain("on");
    expect(text).not.toContain("accept");
    expect(events.find(({ type }) => type === "question.answered")).toMatchObject({ allowed: false, withdrawn: true });
  });

  it("gets a cancel when its turn is aborted, with the question open", async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    const { toolbox, turn } = await world();
    const options = { agent: "stub", answerable: true };
    const begun = toolbox.sessions.send("s", JSON.stringify([{ elicit: COLOR }, { untilCancelled: 1 }]), options);
    for await (const event of begun) if (event.type === "question.asked") break;
    begun.abort();
    expect(await begun.result).toMatchObject({ ok: true, aborted: true, text: '{"action":"cancel"}\n' });
    expect(await (await toolbox.sessions.store()).get("s")).toMatchObject({ status: "idle", openQuestions: [] });
    expect((await turn("two")).text).toContain("two");
  });

  it("gets a cancel outside its turn", async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    const { toolbox, turn } = await world();
    const { events } = await turn(
      [{ say: "one" }, { after: { sleep: 200 } }, { after: { elicit: COLOR } }],
      answering(toolbox, {}),
    );
    // Nothing shows that the program has its answer.
    await sleep(1_000);
    expect(events.filter(({ type }) => type === "question.asked")).toEqual([]);
    expect(await turn([{ answers: 1 }])).toMatchObject({ text: '{"action":"cancel"} ' });
  });
});
