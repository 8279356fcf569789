import { describe, expect, it } from "vitest";
import type { AgentCall, AgentEvent, AgentRun, AgentSession, AgentSessionOptions } from "../../../core/coding-agent.ts";
import { ToolError } from "../../../core/error.ts";
import type { ToolResult } from "../../../core/result.ts";
import { AdaptedAgent } from "../adapted-agent.ts";
import { createDemoAdapter } from "./demo-adapter.ts";
import { parseScript } from "./demo-script.ts";

type Answer = (call: AgentCall) => ToolResult | Promise<ToolResult>;

const DONE: ToolResult = { ok: true, content: [{ type: "text", text: "done" }], notes: { durationMs: 0 } };

function options(answer: Answer): AgentSessionOptions & { calls: AgentCall[] } {
  const calls: AgentCall[] = [];
  const call = (request: AgentCall): AgentRun => {
    calls.push(request);
    const result = Promise.resolve(answer(request));
    return { callID: request.callID ?? "", result, abort: () => {}, async *[Symbol.asyncIterator]() {} };
  };
  return {
    calls,
    sessionID: "s",
    directory: "/",
    tools: { list: () => [], call, onChange: () => () => {} },
    history: { async *events() {}, get: () => undefined, set: async () => {} },
    permit: async () => ({ allowed: true }),
    ask: async () => ({ kind: "unasked", reason: "" }),
  };
}

async function session(answer: Answer = () => DONE): Promise<{ session: AgentSession; calls: AgentCall[] }> {
  const given = options(answer);
  return { session: await new AdaptedAgent(createDemoAdapter()).createSession(given), calls: given.calls };
}

async function events(session: AgentSession, prompt: string): Promise<AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of session.send([{ type: "text", text: prompt }])) all.push(event);
  return all;
}

/** The texts of the finished messages. Checks that the deltas of each add up to it. */
function texts(all: readonly AgentEvent[]): string[] {
  return all
    .filter((event) => event.type === "message.complete")
    .map(({ messageID, content }) => {
      const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
      const deltas = all.filter((event) => event.type === "message.delta" && event.messageID === messageID);
      expect(deltas.map((event) => "text" in event && event.text).join("")).toBe(text);
      return text;
    });
}

describe("the demo agent", () => {
  it("[G5] repeats a prompt, calls workspace-info, and says what it answered", async () => {
    const data = { projectPath: "/p", branch: "main" };
    const { session: demo, calls } = await session(() => ({ ...DONE, data }));
    const all = await events(demo, "Hello there,  you");
    expect(texts(all)).toEqual([
      "You wrote: Hello there,  you",
      "The tool workspace-info answered: this project is /p, on the git branch main.",
    ]);
    expect(calls).toMatchObject([{ name: "workspace-info", input: {} }]);
    const [first] = all.filter((event) => event.type === "message.complete");
    expect(calls[0]?.messageID).toBe(first?.messageID);
    expect(all.filter((event) => event.type === "message.delta").length).toBeGreaterThan(5);
  });

  it.each<[string, ToolResult, string]>([
    ["without a branch", { ...DONE, data: { projectPath: "/p", branch: null } }, "answered: this project is /p."],
    ["replaced by another tool", DONE, "answered: done"],
    [
      "refused",
      { ...DONE, ok: false, error: new ToolError("denied", "A rule denies it.") },
      "failed: A rule denies it.",
    ],
  ])("[G5] the tool %s", async (_, result, text) => {
    const { session: demo } = await session(() => result);
    expect(texts(await events(demo, "Hello"))[1]).toBe(`The tool workspace-info ${text}`);
  });

  it("[G5] follows a script: texts before a call are the message of the call, calls run one after another", async () => {
    let running = 0;
    const { session: demo, calls } = await session(async () => {
      expect(running++).toBe(0);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
      return DONE;
    });
    const all = await events(
      demo,
      'say One\r\n  say Two words\n\ncall read {"filePath": "a b"}\ncall bare\nsleep 1\nsay Three\ncall x[1]\nsay',
    );
    expect(texts(all)).toEqual([
      "One\nTwo words",
      "",
      "Three",
      "Line 9 of the script is wrong: say needs a text: say TEXT.",
    ]);
    expect(calls.map(({ name, input }) => [name, input])).toEqual([
      ["read", { filePath: "a b" }],
      ["bare", {}],
      ["x", [1]],
    ]);
    const ids = all.flatMap((event) => (event.type === "message.complete" ? [event.messageID] : []));
    expect(calls.map(({ messageID }) => messageID)).toEqual(ids.slice(0, 3));
    expect(new Set(calls.map(({ callID }) => callID)).size).toBe(3);
  });

  it("[G5] a failed call does not end the script", async () => {
    const failed: ToolResult = { ...DONE, ok: false, error: new ToolError("unknown_tool", "x") };
    const { session: demo } = await session(() => failed);
    expect(texts(await events(demo, "call nothing\nsay on"))).toEqual(["", "on"]);
  });

  it("[G5] abort ends a sleep, and reaches a call; the next turn works", async () => {
    const { session: demo, calls } = await session(
      ({ signal }) => new Promise((resolve) => signal?.addEventListener("abort", () => resolve(DONE))),
    );
    for (const script of ["sleep 2000000000\nsay never", "call slow\nsay never"]) {
      const turn = events(demo, script);
      await new Promise((resolve) => setTimeout(resolve, 10));
      await demo.abort();
      expect(texts(await turn).join("")).toBe("");
    }
    expect(calls).toHaveLength(1);
    await demo.abort();
    expect(texts(await events(demo, "say again"))).toEqual(["again"]);
  });

  it("[G5] a long text is streamed in few pieces, and stays as it is", async () => {
    const { session: demo } = await session();
    const long = `say ${"wörd \uD83D\uDE00 ".repeat(50_000)}${"x".repeat(10_000)}`;
    const all = await events(demo, long);
    expect(texts(all)).toEqual([long.slice(4)]);
    expect(all.length).toBeLessThan(110);
  });

  it("[G6] any session can be resumed, with its id", async () => {
    const demo = new AdaptedAgent(createDemoAdapter());
    expect(
      (
        await demo.resumeSession(
          "earlier",
          options(() => DONE),
        )
      ).id,
    ).toBe("earlier");
  });
});

describe("a prompt is a script if a line of it is a command", () => {
  it.each([
    ["Say hello"],
    ["please call read"],
    ["calls"],
    ["call me maybe"],
    ["Hi\nsleep well"],
    [""],
    ["{}"],
    ["saying"],
    ["constructor x"],
  ])("[G5] not %j", (prompt) => {
    expect(parseScript(prompt)).toBeUndefined();
  });

  const wrong = (text: string, line = 1): object => ({
    kind: "say",
    text: `Line ${line} of the script is wrong: ${text}`,
  });

  it.each<[string, readonly object[]]>([
    ["say hello to all", [{ kind: "say", text: "hello to all" }]],
    ["sleep 0", [{ kind: "sleep", ms: 0 }]],
    ["call a-b_1{}", [{ kind: "call", name: "a-b_1", input: {} }]],
    ['call x "text"', [{ kind: "call", name: "x", input: "text" }]],
    ["sleep -1", [wrong('sleep needs a whole number of milliseconds up to 2147483647, not "-1".')]],
    ["sleep 2147483648", [wrong('sleep needs a whole number of milliseconds up to 2147483647, not "2147483648".')]],
    ["call", [wrong("call needs the name of a tool: call NAME {json}.")]],
    [
      "say a\nThen this.\nCall x",
      [
        { kind: "say", text: "a" },
        wrong('"Then this." is not a command. Commands: call NAME {json}, say TEXT, sleep MS.', 2),
        wrong('"Call x" is not a command. Commands: call NAME {json}, say TEXT, sleep MS.', 3),
      ],
    ],
  ])("[G5] %j", (prompt, steps) => {
    expect(parseScript(prompt)).toEqual(steps);
  });

  it("[G5] the lines after the first 10,000 of a script are left out", () => {
    const steps = parseScript("say a\n".repeat(10_001)) ?? [];
    expect(steps).toHaveLength(10_001);
    expect(steps.at(-1)).toEqual({
      kind: "say",
      text: "The script has more than 10000 lines. Those after line 10000 were left out.",
    });
    expect(parseScript(`${"say a\n".repeat(9_999)}say a`)).toHaveLength(10_000);
    expect(parseScript(`${"Hi\n".repeat(10_000)}say a`)).toBeUndefined();
  });

  it("[G5] arguments that are not JSON are an error with the reason", () => {
    const [step] = parseScript("call read {filePath: 1}") ?? [];
    expect(step).toMatchObject({
      text: expect.stringMatching(
        /^Line 1 of the script is wrong: the arguments of read are not JSON on one line \(Expected property name .*\)\.$/,
      ),
    });
  });
});
