import { describe, expect, it } from "vitest";
import type { Call } from "../calls/call.ts";
import { Clock } from "../calls/clock.ts";
import type { QuestionEvent } from "../core/question.ts";
import { OpenQuestions } from "../sessions/open-questions.ts";
import type { UIContext } from "./toolbox.ts";
import { UiRequests } from "./ui-requests.ts";
import type { RunningCommand } from "./view-requests.ts";

const DIALOGS = {
  select: { args: ["Which?", ["a", { label: "b" }]], shown: { options: ["a", "b"] }, value: "b" },
  confirm: { args: ["Which?", "Really?"], shown: { message: "Really?" }, value: false },
  input: { args: ["Which?", "a name"], shown: { placeholder: "a name" }, value: "Ada" },
  editor: { args: ["Which?", "text"], shown: { prefill: "text" }, value: "" },
} as const;
type Method = keyof typeof DIALOGS;

const WAYS = ["UI", "answerable", "both, UI first", "both, answer first", "neither"] as const;
const ENDS = ["answered", "closed", "aborted"] as const;
const rows = Object.keys(DIALOGS).flatMap((method) =>
  WAYS.flatMap((way) => ENDS.map((end) => [method as Method, way, end] as const)),
);

/** A call, with the events of its run. */
function callOf(answerable: boolean, sessionID = "s"): { call: Call; abort: AbortController; run: QuestionEvent[] } {
  const abort = new AbortController();
  const run: QuestionEvent[] = [];
  const call = {
    name: "t",
    context: { sessionID, callID: "c", messageID: "", agent: "" },
    scope: { answerable, session: { record: () => undefined } },
    signal: abort.signal,
    clock: new Clock({ ms: 1_000, waitMs: 1_000 }, () => {}),
    parentID: undefined,
    emit: (event: QuestionEvent) => run.push(event),
    atEnd: [],
  } as unknown as Call;
  return { call, abort, run };
}

function opened(): { questions: OpenQuestions; ui: UiRequests } {
  const questions = new OpenQuestions({
    approver: undefined,
    callsAbove: () => [],
    saveRules: async () => async () => {},
  });
  return { questions, ui: new UiRequests(questions) };
}

describe("[A5] [P3] a dialog of a tool file", () => {
  it.each(rows)("%s, %s: %s", async (method, way, end) => {
    const { args, shown, value } = DIALOGS[method];
    const { questions, ui } = opened();
    const { call, abort, run } = callOf(way !== "UI" && way !== "neither");
    const hasUI = way === "UI" || way.startsWith("both");
    const inUI = Promise.withResolvers<unknown>();
    const given: unknown[][] = [];
    if (hasUI) {
      ui.attach({
        [method]: (...all: unknown[]) => {
          given.push(all);
          return inUI.promise;
        },
      });
    }
    const answering = ui.call({ method, args }, call);
    if (way === "neither") {
      expect([await answering, run]).toEqual([undefined, []]);
      return;
    }
    await new Promise(setImmediate);
    const [question] = questions.list();
    expect(question).toMatchObject({ kind: "dialog", method, reason: "Which?", ...shown });
    const signal = (given[0]?.[2] as { signal: AbortSignal } | undefined)?.signal;
    if (hasUI) expect(given).toEqual([[...args, { signal: expect.any(AbortSignal) }]]);
    const isFromUI = way === "UI" || way === "both, UI first";
    if (end === "aborted") abort.abort();
    else if (isFromUI) inUI.resolve(end === "closed" ? undefined : value);
    else {
      const answer = end === "closed" ? { allowed: false } : { allowed: true, value };
      await questions.answer(question?.questionID ?? "", answer);
    }
    expect(await answering).toEqual(end === "answered" ? value : undefined);
    expect(run.map(({ type }) => type)).toEqual(["question.asked", "question.answered"]);
    expect(run[1]).toMatchObject({
      allowed: end === "answered",
      ...(end === "answered" ? { value } : {}),
      ...(end === "aborted" ? { withdrawn: true } : {}),
    });
    // The dialog is closed in the user interface if it was answered elsewhere, or its call ended.
    if (hasUI) expect(signal?.aborted).toBe(end === "aborted" || !isFromUI);
    expect(questions.list()).toEqual([]);
  });

  it.each<[string, UIContext]>([
    ["lacks the method", { notify: () => {} }],
    ["fails", { select: () => Promise.reject(new Error("no screen")) }],
    [
      "throws",
      {
        select: () => {
          throw new Error("no screen");
        },
      },
    ],
  ])("can be answered elsewhere if the user interface %s", async (_, context) => {
    for (const answerable of [true, false]) {
      const { questions, ui } = opened();
      ui.attach(context);
      const answering = ui.call({ method: "select", args: ["Which?", ["a"]] }, callOf(answerable).call);
      await new Promise(setImmediate);
      const [question] = questions.list();
      if (question) await questions.answer(question.questionID, { allowed: true, value: "a" });
      expect(await answering).toBe(answerable ? "a" : undefined);
    }
  });

  it("is withdrawn when the tool no longer waits for it", async () => {
    const { questions, ui } = opened();
    const { call, run } = callOf(true);
    const answering = ui.call({ method: "input", args: ["Name?"], dialogID: "d" }, call);
    await new Promise(setImmediate);
    expect(questions.list()).toHaveLength(1);
    await ui.call({ method: "close-dialog", args: [], dialogID: "other" }, call);
    expect(questions.list()).toHaveLength(1);
    await ui.call({ method: "close-dialog", args: [], dialogID: "d" }, call);
    expect(await answering).toBeUndefined();
    expect(run[1]).toMatchObject({ withdrawn: true, reason: "The tool no longer waits for an answer." });
  });

  it("stops the clock of its call", async () => {
    const { questions, ui } = opened();
    let isOver = false;
    const clock = new Clock({ ms: 20, waitMs: 1_000 }, () => (isOver = true));
    clock.start();
    const answering = ui.call({ method: "confirm", args: ["Sure?"] }, { ...callOf(true).call, clock });
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(isOver).toBe(false);
    await questions.answer(questions.list()[0]?.questionID ?? "", { allowed: true, value: true });
    expect(await answering).toBe(true);
    await expect.poll(() => isOver).toBe(true);
  });
});

describe("[A8] a dialog of a command", () => {
  const select = { method: "select", args: ["Which?", ["a"]], dialogID: "d" };
  const commandOf = (): { abort: AbortController; command: RunningCommand } => {
    const abort = new AbortController();
    return { abort, command: { sessionID: "s", signal: abort.signal, atEnd: [] } };
  };

  it("goes to the user interface of its session, and is no question", async () => {
    const { questions, ui } = opened();
    const given: unknown[][] = [];
    ui.attach({ select: (...args: unknown[]) => given.push(args) && "a" }, "s");
    expect(await ui.callForCommand(select, commandOf().command)).toBe("a");
    expect(given).toEqual([["Which?", ["a"], { commandSignal: expect.any(AbortSignal) }]]);
    expect(questions.list()).toEqual([]);
    expect(await ui.callForCommand({ method: "input", args: ["Name?"] }, commandOf().command)).toBeUndefined();
    const throwing = (): never => {
      throw new Error("no screen");
    };
    ui.attach({ select: throwing, notify: throwing }, "s");
    expect(await ui.callForCommand(select, commandOf().command)).toBeUndefined();
    expect(await ui.callForCommand({ method: "notify", args: ["x"] }, commandOf().command)).toBeUndefined();
  });

  it.each(["the command", "an abort"])("is closed by %s", async (by) => {
    const { ui } = opened();
    const { command, abort } = commandOf();
    let signal: AbortSignal | undefined;
    const open = (_title: string, _options: string[], { commandSignal }: { commandSignal: AbortSignal }) => {
      signal = commandSignal;
      return new Promise(() => {});
    };
    ui.attach({ select: open });
    const answering = ui.callForCommand(select, command);
    await expect.poll(() => signal?.aborted).toBe(false);
    if (by === "an abort") abort.abort();
    else await ui.callForCommand({ method: "close-dialog", args: [], dialogID: "d" }, command);
    expect([await answering, signal?.aborted]).toEqual([undefined, true]);
  });
});

describe("[A5] the user interface of a session", () => {
  const notes: string[] = [];
  const noting = (name: string): UIContext => ({ notify: (text: string) => void notes.push(`${name}: ${text}`) });

  it("is used instead of that of the toolbox", async () => {
    const { ui } = opened();
    ui.attach(noting("toolbox"));
    ui.attach(noting("one"), "one");
    expect([ui.isAttached(), ui.isAttached("one"), ui.isAttached("two")]).toEqual([true, true, true]);
    const { call } = callOf(false, "one");
    ui.follow("c", call);
    const notify = (text: string): { method: string; args: string[] } => ({ method: "notify", args: [text] });
    await ui.call(notify("call"), call);
    await ui.call(notify("other call"), callOf(false, "two").call);
    await ui.call({ ...notify("hook"), callID: "c" });
    await ui.call({ ...notify("event"), sessionID: "one" });
    await ui.call(notify("no session"));
    ui.attach(undefined, "one");
    await ui.call(notify("removed"), call);
    ui.attach(undefined);
    await ui.call(notify("nothing"), call);
    expect(ui.isAttached("one")).toBe(false);
    expect(notes).toEqual([
      "one: call",
      "toolbox: other call",
      "one: hook",
      "one: event",
      "toolbox: no session",
      "toolbox: removed",
    ]);
  });
});
