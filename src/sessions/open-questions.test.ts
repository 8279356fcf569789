import { describe, expect, it } from "vitest";
import type { Call } from "../calls/call.ts";
import { Clock } from "../calls/clock.ts";
import type { NewQuestion } from "../calls/permission-question.ts";
import type { QuestionOutcome } from "../calls/question-outcome.ts";
import type { QuestionDetails, QuestionEvent } from "../core/question.ts";
import type { DurableEvent } from "../core/session-log.ts";
import { SessionError } from "../core/session-store.ts";
import { OpenQuestions, type OpenQuestionsOptions, sessionOfQuestion } from "./open-questions.ts";

const PERMISSION: QuestionDetails = {
  kind: "permission",
  input: { path: "a" },
  access: ["undeclared"],
  choices: ["once", "session"],
  rules: [],
  settingsFile: "/home/settings.json",
};
const SELECT: QuestionDetails = { kind: "dialog", method: "select", options: ["a", "b"] };

interface Seen {
  readonly run: QuestionEvent[];
  readonly log: DurableEvent[];
}

/** A call of a session whose log stores with `store`. */
function callOf(
  options: {
    answerable?: boolean;
    sessionID?: string;
    store?: (event: DurableEvent) => Promise<void> | undefined;
  } = {},
): { call: Call; abort: AbortController; own: AbortController; end: () => void } & Seen {
  const { answerable = true, sessionID = "s", store = () => undefined } = options;
  const abort = new AbortController();
  const atEnd: (() => void)[] = [];
  const run: QuestionEvent[] = [];
  const log: DurableEvent[] = [];
  const record = (event: DurableEvent): Promise<void> | undefined => {
    log.push(event);
    return store(event);
  };
  const call = {
    name: "t",
    context: { sessionID, callID: "c", messageID: "m", agent: "a" },
    scope: { answerable, session: { record } },
    signal: abort.signal,
    clock: new Clock({ ms: 1_000, waitMs: 1_000 }, () => {}),
    parentID: undefined,
    emit: (event: QuestionEvent) => run.push(event),
    atEnd,
  } as unknown as Call;
  const end = (): void => {
    for (const finish of [...atEnd]) finish();
  };
  return { call, abort, own: new AbortController(), end, run, log };
}

function questions(options: Partial<OpenQuestionsOptions> = {}): OpenQuestions {
  return new OpenQuestions({
    approver: undefined,
    callsAbove: () => [],
    saveRules: async () => async () => {},
    ...options,
  });
}

async function asked(
  open: OpenQuestions,
  call: Call,
  more: Partial<NewQuestion> = {},
): Promise<{ id: string; outcome: Promise<QuestionOutcome> }> {
  const known = new Set(open.list().map(({ questionID }) => questionID));
  const outcome = open.ask(call, { reason: "May it?", details: PERMISSION, ...more });
  await new Promise(setImmediate);
  return { id: open.list().find(({ questionID }) => !known.has(questionID))?.questionID ?? "", outcome };
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => "nothing",
    (thrown: unknown) => thrown,
  );
  return SessionError.is(error) ? `${error.code}: ${error.message}` : String(error);
}

const types = (events: readonly { type: string }[]): string[] => events.map(({ type }) => type);
const BOTH = ["question.asked", "question.answered"];

describe("[P3] a question", () => {
  it("is an event of its run, of the toolbox and of the log, and so is its answer", async () => {
    const open = questions();
    const { call, run, log } = callOf();
    const heard: QuestionEvent[] = [];
    open.onEvent((event) => heard.push(event));
    const { id, outcome } = await asked(open, call);
    const base = { callID: "c", tool: "t", sessionID: "s", messageID: "m", agent: "a", at: expect.any(Number) };
    const question = { type: "question.asked", questionID: id, reason: "May it?", ...PERMISSION };
    expect(open.list()).toEqual([{ ...base, ...question }]);
    await open.answer(id, { allowed: true, remember: "session" });
    expect(await outcome).toEqual({
      kind: "answered",
      answer: { allowed: true, remember: "session" },
      from: "elsewhere",
    });
    const answer = { type: "question.answered", questionID: id, allowed: true, remember: "session" };
    expect(run).toEqual([
      { ...base, ...question },
      { ...base, ...answer },
    ]);
    expect(heard).toEqual(run);
    expect(log).toEqual([{ callID: "c", tool: "t", agent: "a", ...question }, answer]);
    expect(open.list()).toEqual([]);
  });

  it("has an id that names its session", async () => {
    const open = questions();
    for (const sessionID of ["s", "a.b/ü \u{1f680}", "default"]) {
      const { id } = await asked(open, callOf({ sessionID }).call);
      expect(sessionOfQuestion(id)).toBe(sessionID);
    }
    expect(open.list("default")).toHaveLength(1);
    expect(open.list("other")).toEqual([]);
    for (const id of ["", ".", "cw", "cw.1", `../x.${crypto.randomUUID()}`]) {
      expect(sessionOfQuestion(id)).toBeUndefined();
    }
  });

  it.each<[string, (at: ReturnType<typeof callOf>, open: OpenQuestions) => unknown, QuestionOutcome["kind"], boolean]>([
    ["its call is aborted", ({ abort }) => abort.abort(), "cancelled", false],
    ["its call ends", ({ end }) => end(), "cancelled", false],
    ["the toolbox is closed", (_, open) => open.close(), "cancelled", false],
    ["another answer allows it", (_, open) => open.withdrawAllowed(), "allowed", true],
    ["its own signal fires", ({ own }) => own.abort(), "dismissed", false],
  ])("is withdrawn once if %s", async (_, happens, kind, allowed) => {
    const open = questions();
    const at = callOf();
    let isAllowed = false;
    let signal: AbortSignal | undefined;
    const askHere = (given: AbortSignal): Promise<undefined> => {
      signal = given;
      return new Promise(() => {});
    };
    const { id, outcome } = await asked(open, at.call, { askHere, isAllowed: () => isAllowed, signal: at.own.signal });
    open.withdrawAllowed();
    isAllowed = true;
    happens(at, open);
    // Readers see it before the end of the call, which follows at once.
    expect(types(at.run)).toEqual(BOTH);
    expect(at.run[1]).toMatchObject({ questionID: id, allowed, withdrawn: true, reason: expect.any(String) });
    expect(await outcome).toEqual({ kind });
    expect(signal?.aborted).toBe(true);
    at.abort.abort();
    at.end();
    await open.close();
    expect([types(at.run), types(at.log)]).toEqual([BOTH, BOTH]);
    expect(at.call.atEnd).toEqual([]);
    expect(await refusal(open.answer(id, { allowed: true }))).toBe(
      "question_closed: This question is no longer open: its call has ended, or another answer has allowed it.",
    );
  });

  it("[X1] is refused if its call has 100 open ones", async () => {
    const open = questions();
    const { call, end, run } = callOf();
    const all = Array.from({ length: 101 }, () => open.ask(call, { reason: "May it?", details: PERMISSION }));
    expect(await all[100]).toEqual(FAILED('"t" has 100 open questions, the maximum'));
    end();
    await Promise.all(all);
    expect(run).toHaveLength(200);
  });

  it.each<[string, "own" | "above" | "none", string[]]>([
    ["before it is stored", "own", []],
    ["while it is copied", "above", BOTH],
    ["after that", "none", BOTH],
  ])("is complete or left out in the session that waits: it is withdrawn %s", async (_when, slow, copied) => {
    const gate = Promise.withResolvers<void>();
    const storing = (where: "own" | "above") => (event: DurableEvent) =>
      where === slow && event.type === "question.asked" ? gate.promise : Promise.resolve();
    const own = callOf({ sessionID: "sub", store: storing("own") });
    // As a log does, it refuses an answer to a question that it does not have.
    const stored: string[] = [];
    const above = callOf({
      store: async (event) => {
        await storing("above")(event);
        if (event.type === "question.answered" && stored.length === 0) throw new Error("There is no such question.");
        stored.push(event.type);
      },
    });
    const open = questions({ callsAbove: () => [above.call] });
    const { outcome } = await asked(open, own.call);
    own.abort.abort();
    await new Promise(setImmediate);
    gate.resolve();
    expect(await outcome).toEqual({ kind: "cancelled" });
    await open.close();
    await new Promise(setImmediate);
    expect(stored).toEqual(copied);
  });

  it("stops the clocks of the calls above it, and is shown to their readers", async () => {
    const above = callOf();
    const ended = Promise.withResolvers<string>();
    const clock = new Clock({ ms: 20, waitMs: 1_000 }, () => ended.resolve("out of time"));
    clock.start();
    const open = questions({ callsAbove: () => [{ ...above.call, clock }] });
    const { id, outcome } = await asked(open, callOf().call);
    const later = new Promise((resolve) => setTimeout(resolve, 60, "still open"));
    expect(await Promise.race([ended.promise, later])).toBe("still open");
    await open.answer(id, { allowed: false });
    await outcome;
    expect(types(above.run)).toEqual(BOTH);
    expect(await ended.promise).toBe("out of time");
  });
});

describe("[P3] the first answer counts", () => {
  it.each<[string, QuestionOutcome]>([
    ["here", { kind: "answered", answer: { allowed: false, reason: "here" }, from: "here" }],
    ["elsewhere", { kind: "answered", answer: { allowed: true }, from: "elsewhere" }],
    ["log", { kind: "answered", answer: { allowed: false, reason: "log" }, from: "elsewhere" }],
  ])("%s", async (first, expected) => {
    const open = questions();
    const { call, run, log } = callOf();
    const here = Promise.withResolvers<{ allowed: false; reason: string }>();
    let signal: AbortSignal | undefined;
    const askHere = (given: AbortSignal): typeof here.promise => {
      signal = given;
      return here.promise;
    };
    const { id, outcome } = await asked(open, call, { askHere });
    const ways: Record<string, () => unknown> = {
      here: () => here.resolve({ allowed: false, reason: "here" }),
      elsewhere: () => open.answer(id, { allowed: true }),
      log: () => open.settle(id, { allowed: false, reason: "log" }),
    };
    await ways[first]?.();
    await new Promise(setImmediate);
    for (const [name, answer] of Object.entries(ways)) {
      if (name !== first) await Promise.resolve(answer()).catch(() => {});
    }
    expect(await outcome).toEqual(expected);
    expect(types(run)).toEqual(BOTH);
    // An answer from the log is in the log already.
    expect(types(log)).toEqual(first === "log" ? ["question.asked"] : BOTH);
    expect(signal?.aborted).toBe(first !== "here");
    expect(open.settle(id, { allowed: true })).toBe(false);
    expect(await refusal(open.answer(id, { allowed: true }))).toBe(
      "question_closed: This question has been answered already. The first answer counts.",
    );
  });

  it("of two at once", async () => {
    const open = questions();
    const { call, run } = callOf({ store: () => new Promise(setImmediate) });
    const outcome = open.ask(call, { reason: "May it?", details: PERMISSION });
    await expect.poll(() => open.list()).toHaveLength(1);
    const id = open.list()[0]?.questionID ?? "";
    const both = [open.answer(id, { allowed: true }), open.answer(id, { allowed: false })];
    expect(await Promise.all(both.map(refusal))).toEqual([
      "nothing",
      "question_closed: This question has been answered already. The first answer counts.",
    ]);
    expect(await outcome).toMatchObject({ kind: "answered", answer: { allowed: true } });
    expect(types(run)).toEqual(BOTH);
  });
});

describe("[P3] the way to ask here", () => {
  const cases: [string, boolean, () => Promise<undefined>, QuestionOutcome | "open"][] = [
    ["that cannot ask, if the call is answerable", true, async () => undefined, "open"],
    ["that cannot ask", false, async () => undefined, { kind: "unasked" }],
    ["that fails", true, async () => Promise.reject(new Error("no screen")), FAILED("The question could not be asked")],
  ];
  it.each(cases)("%s", async (_, answerable, askHere, expected) => {
    const open = questions();
    const { call, run } = callOf({ answerable });
    const outcome = open.ask(call, { reason: "May it?", details: PERMISSION, askHere });
    await new Promise(setImmediate);
    if (expected === "open") {
      expect(types(run)).toEqual(["question.asked"]);
      await open.answer(open.list()[0]?.questionID ?? "", { allowed: true });
      expect(await outcome).toMatchObject({ kind: "answered" });
    } else expect(await outcome).toEqual(expected);
    expect(types(run)).toEqual(BOTH);
  });
});

function FAILED(what: string): QuestionOutcome {
  return { kind: "failed", what };
}

describe("[S3] a log that stores events later", () => {
  it("has a question before anybody sees it, and an answer before the call goes on", async () => {
    const stored: PromiseWithResolvers<void>[] = [];
    const store = (): Promise<void> => {
      const next = Promise.withResolvers<void>();
      stored.push(next);
      return next.promise;
    };
    const open = questions();
    const { call, run } = callOf({ store });
    const outcome = open.ask(call, { reason: "May it?", details: PERMISSION });
    await new Promise(setImmediate);
    expect([run, open.list()]).toEqual([[], []]);
    stored[0]?.resolve();
    await new Promise(setImmediate);
    expect(types(run)).toEqual(["question.asked"]);
    let isOver = false;
    void outcome.then(() => (isOver = true));
    const answering = open.answer(open.list()[0]?.questionID ?? "", { allowed: true });
    await new Promise(setImmediate);
    expect([types(run), isOver]).toEqual([["question.asked"], false]);
    stored[1]?.resolve();
    await answering;
    expect([types(run), (await outcome).kind]).toEqual([BOTH, "answered"]);
  });

  it("and fails, refuses the question", async () => {
    const open = questions();
    const { call, run, log } = callOf({ store: async () => Promise.reject(new SessionError("store_full", "Full.")) });
    expect(await open.ask(call, { reason: "May it?", details: PERMISSION })).toEqual(
      FAILED("The question could not be stored"),
    );
    expect([types(run), types(log)]).toEqual([[], ["question.asked"]]);
  });

  it("and fails, refuses the answer", async () => {
    const open = questions();
    const store = async ({ type }: DurableEvent): Promise<void> => {
      if (type === "question.answered") throw new SessionError("store_full", "Full.");
    };
    const { call, run } = callOf({ store });
    const { id, outcome } = await asked(open, call);
    expect(await refusal(open.answer(id, { allowed: true }))).toBe("store_full: Full.");
    expect(await outcome).toEqual(FAILED("The answer could not be stored"));
    expect(types(run)).toEqual(BOTH);
  });

  it("shows an answer before the end of a call that is aborted meanwhile", async () => {
    const open = questions();
    const store = ({ type }: DurableEvent): Promise<void> | undefined =>
      type === "question.answered" ? new Promise(() => {}) : undefined;
    const { call, run, abort } = callOf({ store });
    const { id } = await asked(open, call);
    void open.answer(id, { allowed: true });
    abort.abort();
    expect(run[1]).toMatchObject({ type: "question.answered", allowed: true });
  });

  it("closes a question that is withdrawn before it is stored, and shows it to no reader", async () => {
    const open = questions();
    const stored = Promise.withResolvers<void>();
    const { call, run, log, abort } = callOf({ store: () => stored.promise });
    void open.ask(call, { reason: "May it?", details: PERMISSION });
    abort.abort();
    await new Promise(setImmediate);
    // A log that does not have the question yet would refuse its end.
    expect([types(run), types(log)]).toEqual([[], ["question.asked"]]);
    stored.resolve();
    await open.close();
    expect([types(run), types(log)]).toEqual([[], BOTH]);
  });
});

describe("[P3] an answer", () => {
  const RIGHT = { allowed: true };
  const cases: [QuestionDetails, unknown, string][] = [
    [PERMISSION, undefined, 'The answer must be an object: { "allowed": true } or { "allowed": false }.'],
    [PERMISSION, [true], 'The answer must be an object: { "allowed": true } or { "allowed": false }.'],
    [PERMISSION, {}, '"allowed" must be true or false.'],
    [PERMISSION, { allowed: "yes" }, '"allowed" must be true or false.'],
    [
      PERMISSION,
      { allowed: true, remeber: "session" },
      'There is no field "remeber" in an answer. Fields: allowed, remember, reason, value.',
    ],
    [
      PERMISSION,
      { allowed: true, remember: "once" },
      '"remember" must be "session" or "always". Leave it out to allow this once.',
    ],
    [
      PERMISSION,
      { allowed: true, remember: "always" },
      '"remember": "always" is not offered for this question. Offered: "session", or leave it out to allow this once.',
    ],
    [
      { ...PERMISSION, choices: ["once"] },
      { allowed: true, remember: "session" },
      '"remember": "session" is not offered for this question. Leave it out to allow this once.',
    ],
    [
      PERMISSION,
      { allowed: false, remember: "session" },
      '"remember" is only for a yes: leave it out, or set "allowed" to true.',
    ],
    [PERMISSION, { allowed: false, reason: 5 }, '"reason" must be a string of at most 10000 characters.'],
    [
      PERMISSION,
      { allowed: false, reason: "x".repeat(10_001) },
      '"reason" must be a string of at most 10000 characters.',
    ],
    [PERMISSION, { allowed: true, value: "a" }, '"value" is only for dialogs. This question asks for permission.'],
    [SELECT, { allowed: true }, '"value" must be one of the options: "a", "b".'],
    [SELECT, { allowed: true, value: "c" }, '"value" must be one of the options: "a", "b".'],
    [SELECT, { allowed: false, value: "a" }, '"value" needs "allowed": true. false closes the dialog.'],
    [
      SELECT,
      { allowed: true, value: "a", remember: "session" },
      '"remember" is only for permissions. This question is a dialog.',
    ],
    [{ kind: "dialog", method: "confirm" }, { allowed: true, value: "true" }, '"value" must be true or false.'],
    [{ kind: "dialog", method: "input" }, { allowed: true, value: 5 }, '"value" must be a string.'],
    [{ kind: "dialog", method: "editor" }, { allowed: true }, '"value" must be a string.'],
  ];
  it.each(cases)("to %j that is %j is refused, and the question stays open", async (details, answer, message) => {
    const open = questions();
    const { id, outcome } = await asked(open, callOf().call, { details });
    expect(await refusal(open.answer(id, answer))).toBe(`invalid_answer: ${message}`);
    expect(open.list()).toHaveLength(1);
    await open.answer(id, details.kind === "permission" ? RIGHT : { allowed: false });
    expect(await outcome).toMatchObject({ kind: "answered" });
  });

  it("to an unknown question is refused, or passed on to the process that asked", async () => {
    const unknown =
      "question_not_found: There is no open question with this id. List the open questions, and use the id of one of them.";
    const id = `${Buffer.from("other").toString("base64url")}.${crypto.randomUUID()}`;
    expect(await refusal(questions().answer(id, { allowed: true }))).toBe(unknown);
    const passed: unknown[] = [];
    const open = questions({ forward: async (...all) => void passed.push(all) });
    await open.answer(id, { allowed: true, remember: "always" });
    expect(passed).toEqual([
      ["other", { type: "question.answered", questionID: id, allowed: true, remember: "always" }],
    ]);
    expect(await refusal(open.answer("nonsense", { allowed: true }))).toBe(unknown);
  });

  it.each<[QuestionDetails, object, object]>([
    [PERMISSION, { allowed: true, remember: "always" }, { allowed: true }],
    [PERMISSION, { allowed: true, remember: "session" }, { allowed: true, remember: "session" }],
    [SELECT, { allowed: true, value: "c" }, { allowed: false }],
    [SELECT, { allowed: true, value: "b" }, { allowed: true, value: "b" }],
  ])("in the log to %j that is %j counts as %j", async (details, answer, expected) => {
    const open = questions();
    const { id, outcome } = await asked(open, callOf().call, { details });
    expect(open.settle(id, answer as never)).toBe(true);
    expect(await outcome).toEqual({ kind: "answered", answer: expected, from: "elsewhere" });
  });
});
