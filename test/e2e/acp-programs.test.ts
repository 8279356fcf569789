import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { knownAgents } from "../../src/agents/run/index.ts";
import type { FollowedEvent } from "../../src/core/session-log.ts";
import type { Question, Toolbox } from "../../src/index.ts";
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
  turn(steps: readonly object[] | string): Promise<{ text: string; events: FollowedEvent[] }>;
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
    turn: async (steps) => {
      const prompt = typeof steps === "string" ? steps : JSON.stringify(steps);
      const turn = toolbox.sessions.send("s", prompt, { agent: "stub" });
      const events: FollowedEvent[] = [];
      for await (const event of turn) events.push(event);
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
