import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { outputOf, type QuestionAskedEvent, SessionError, type Toolbox } from "../../src/index.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { openServer } from "../support/http-server.ts";
import { open } from "../support/toolbox.ts";

const PLAIN = 'export default { description: "Touches nothing known.", execute: () => "done" };';
const FILES = { "plain.js": PLAIN, "other.js": PLAIN };
const RULE = { tool: "plain", match: "undeclared", action: "allow" };
const ALWAYS = { allowed: true, remember: "always" } as const;

const home = (at: Sandbox): string => at.env.TOOLWRIGHT_HOME as string;
const settingsOf = (at: Sandbox): string => join(home(at), "settings.json");
const rulesIn = (at: Sandbox): unknown[] => {
  try {
    return JSON.parse(readFileSync(settingsOf(at), "utf8").replace(/^\s*\/\/.*$/gm, "")).permissions ?? [];
  } catch {
    return [];
  }
};

function settings(at: Sandbox, text: string): void {
  mkdirSync(home(at), { recursive: true });
  writeFileSync(settingsOf(at), text);
}

/** A toolbox with sessions on disk, in which calls need approval from elsewhere. */
async function opened(at: Sandbox): Promise<Toolbox> {
  return (await open(at, { callerIsAsked: false, sessions: "disk" })).toolbox;
}

/** Begins a call in a session, and resolves to its question. */
async function asking(toolbox: Toolbox, { name = "plain", sessionID = "s" } = {}) {
  await toolbox.sessions.open(sessionID);
  const question = new Promise<QuestionAskedEvent>((resolve) => {
    const stop = toolbox.on("question", (event) => {
      if (event.type !== "question.asked" || event.tool !== name || event.sessionID !== sessionID) return;
      stop();
      resolve(event);
    });
  });
  const run = toolbox.call({ name, sessionID, answerable: true });
  const said = run.result.then((result) => outputOf(result));
  const asked = await Promise.race([question, said]);
  if (typeof asked === "string") throw new Error(`The call ended without a question: ${asked}`);
  return { run, questionID: asked.questionID, said };
}

async function refusal(work: Promise<unknown>): Promise<[string, string]> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return SessionError.is(error) ? [error.code, error.message] : ["none", String(error)];
}

/** The durations of the yeses in the log of a session. */
async function remembered(toolbox: Toolbox, sessionID = "s"): Promise<unknown[]> {
  const events = await (await toolbox.sessions.store()).read(sessionID, 0, 100);
  return events.flatMap((event) => (event.type === "question.answered" ? [event.remember ?? "once"] : []));
}

describe('[P3] [S2] an answer "always" resolves when its rule is on disk', () => {
  it("in the library, also of a question of another process", async () => {
    const at = sandbox(FILES);
    const first = await opened(at);
    const { questionID, said } = await asking(first);
    await first.sessions.answer(questionID, ALWAYS);
    expect(rulesIn(at)).toEqual([RULE]);
    expect(await said).toBe("done");

    const second = await opened(at);
    const next = await asking(first, { name: "other" });
    await second.sessions.answer(next.questionID, ALWAYS);
    expect(rulesIn(at)).toEqual([RULE, { ...RULE, tool: "other" }]);
    expect(await next.said).toBe("done");
    expect(await remembered(first)).toEqual(["always", "always"]);
  });

  it("in the REST API, and tells a client that it could not be written", async () => {
    const server = await openServer(
      { ".toolwright/tools/plain.js": PLAIN },
      { tools: { callerIsAsked: false, sessions: "disk" }, settings: {} },
    );
    const { questionID, said } = await asking(server.toolbox);
    writeFileSync(settingsOf(server.at), '{ "limits": {');
    const refused = await server.post(`/api/questions/${questionID}`, ALWAYS);
    expect([refused.status, ((await refused.json()) as { error: { message: string } }).error.message]).toEqual([
      500,
      `The rule was not saved in ${settingsOf(server.at)}: It is not valid JSON. The question is still open. Correct that and answer again, or allow it with "remember": "session", or once.`,
    ]);
    writeFileSync(settingsOf(server.at), "{}");
    expect((await server.post(`/api/questions/${questionID}`, ALWAYS)).status).toBe(200);
    expect(rulesIn(server.at)).toEqual([RULE]);
    expect(await said).toBe("done");
  });

  it.each<[name: string, prepare: (at: Sandbox) => void, reason: string]>([
    ["broken JSON", (at) => settings(at, '{ "limits": {'), "It is not valid JSON."],
    ["another type", (at) => settings(at, "[]"), "It is not a JSON object."],
    ["no list of rules", (at) => settings(at, '{ "permissions": {} }'), '"permissions" in it is not a list.'],
    [
      "a read-only file",
      (at) => {
        settings(at, "{}");
        chmodSync(settingsOf(at), 0o444);
      },
      "It is read-only.",
    ],
    ["a folder", (at) => mkdirSync(settingsOf(at), { recursive: true }), "EISDIR"],
    [
      "a link to a pipe or device",
      (at) => {
        mkdirSync(home(at), { recursive: true });
        execFileSync("mkfifo", [join(at.root, "pipe")]);
        symlinkSync(join(at.root, "pipe"), settingsOf(at));
      },
      "It is not a regular file.",
    ],
  ])("otherwise the question stays open, and nothing is written: %s", async (_, prepare, reason) => {
    const at = sandbox(FILES);
    prepare(at);
    const before = lstatSync(settingsOf(at)).isFile() ? readFileSync(settingsOf(at), "utf8") : undefined;
    const toolbox = await opened(at);
    const { questionID, said } = await asking(toolbox);
    const [code, message] = await refusal(toolbox.sessions.answer(questionID, ALWAYS));
    expect([code, message.includes(reason)]).toEqual(["rules_not_saved", true]);
    expect(message).toContain("The question is still open.");
    expect(toolbox.sessions.questions().map((each) => each.questionID)).toEqual([questionID]);
    if (before !== undefined) expect(readFileSync(settingsOf(at), "utf8")).toBe(before);
    await toolbox.sessions.answer(questionID, { allowed: true });
    expect(await said).toBe("done");
    expect(await remembered(toolbox)).toEqual(["once"]);
  });

  it.each<[name: string, rules: readonly object[], undone: object | undefined]>([
    ["of the tool", [{ tool: "plain", action: "deny" }], { tool: "plain", action: "deny" }],
    ["of all tools", [{ tool: "*", action: "deny" }], { tool: "*", action: "deny" }],
    ["of what it touches", [{ ...RULE, action: "deny" }], { ...RULE, action: "deny" }],
    [
      "of the agents that have no name",
      [{ tool: "plain", agent: "*", action: "deny" }],
      { tool: "plain", agent: "*", action: "deny" },
    ],
    ["of one agent", [{ tool: "p*", agent: "demo", action: "deny" }], { tool: "p*", agent: "demo", action: "deny" }],
    ["after an allow", [RULE, { tool: "plain", action: "deny" }], { tool: "plain", action: "deny" }],
    ["before an allow", [{ tool: "plain", action: "deny" }, RULE], undefined],
    [
      "before a question",
      [
        { tool: "plain", action: "deny" },
        { tool: "plain", action: "ask" },
      ],
      undefined,
    ],
    ["of another tool", [{ tool: "other", action: "deny" }], undefined],
    ["of another target", [{ tool: "plain", match: "src/**", action: "deny" }], undefined],
  ])("does not undo a denial that was added while the question was open: %s", async (_, rules, undone) => {
    const at = sandbox(FILES);
    const toolbox = await opened(at);
    const other = await opened(at);
    for (const answering of [toolbox, other]) {
      settings(at, "{}");
      await sleep(30);
      const { run, questionID, said } = await asking(toolbox, { sessionID: answering === other ? "t" : "s" });
      settings(at, JSON.stringify({ permissions: rules }));
      const [code, message] = await refusal(answering.sessions.answer(questionID, ALWAYS));
      const written = [...rules, ...(rules.includes(RULE) && rules.at(-1) === RULE ? [] : [RULE])];
      expect([code, rulesIn(at)]).toEqual(undone ? ["rules_not_saved", rules] : ["none", written]);
      if (undone)
        expect(message).toBe(
          `The rule was not saved in ${settingsOf(at)}: It has the rule ${JSON.stringify(undone)} now, which the new rule would undo. The question is still open. Correct that and answer again, or allow it with "remember": "session", or once.`,
        );
      run.abort();
      await said;
    }
  });

  it("does not undo a denial that was added while an approver of the program was asked", async () => {
    const at = sandbox(FILES);
    const denial = { tool: "plain", action: "deny" };
    const approve = async () => {
      settings(at, JSON.stringify({ permissions: [denial] }));
      // Settings are looked at again after 20 ms.
      await sleep(30);
      return ALWAYS;
    };
    const { toolbox } = await open(at, { callerIsAsked: false, sessions: "disk", approve });
    for (const sessionID of ["s", undefined])
      expect(
        outputOf(await toolbox.call({ name: "plain", ...(sessionID === undefined ? {} : { sessionID }) }).result),
        sessionID,
      ).toMatch(/is denied by the user's rule \{"tool":"plain","action":"deny"\}/);
    expect(rulesIn(at)).toEqual([denial]);
  });

  it("an approver of the program: the log does not say always", async () => {
    const at = sandbox(FILES);
    settings(at, '{ "limits": {');
    const { toolbox } = await open(at, { callerIsAsked: false, sessions: "disk", approve: async () => ALWAYS });
    await toolbox.sessions.open("s");
    expect(outputOf(await toolbox.call({ name: "plain", sessionID: "s" }).result)).toBe("done");
    expect(await remembered(toolbox)).toEqual(["session"]);
    expect(toolbox.status.warnings.at(-1)?.message).toBe(
      "The rule could not be saved here, so the answer applies to this session only. It is not valid JSON.",
    );
  });

  it("keeps comments, and a link to the settings, also one that leads to no file yet", async () => {
    const at = sandbox(FILES);
    mkdirSync(join(at.root, "dotfiles"));
    const real = join(at.root, "dotfiles/toolwright.json");
    mkdirSync(home(at), { recursive: true });
    symlinkSync(real, settingsOf(at));
    const toolbox = await opened(at);
    const { questionID } = await asking(toolbox);
    await toolbox.sessions.answer(questionID, ALWAYS);
    expect(lstatSync(settingsOf(at)).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(real, "utf8")).permissions).toEqual([RULE]);
    writeFileSync(real, `{\n  // mine\n  "permissions": []\n}\n`);
    const next = await asking(toolbox, { name: "other" });
    await toolbox.sessions.answer(next.questionID, ALWAYS);
    expect(lstatSync(settingsOf(at)).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, "utf8")).toContain("// mine");
    expect(readFileSync(real, "utf8")).toContain('"other"');
  });

  it("two answers at once: the first counts, and its rule alone", async () => {
    const at = sandbox(FILES);
    const toolbox = await opened(at);
    const { questionID, said } = await asking(toolbox);
    const answers = await Promise.all(
      [ALWAYS, { allowed: false }, ALWAYS].map((answer) => refusal(toolbox.sessions.answer(questionID, answer))),
    );
    expect(answers.map(([code]) => code)).toEqual(["none", "question_closed", "question_closed"]);
    expect([await said, rulesIn(at)]).toEqual(["done", [RULE]]);
  });

  it("answers of two processes at once lose no rule; a refused answer leaves none", async () => {
    const at = sandbox(FILES);
    const [first, second] = [await opened(at), await opened(at)];
    const plain = await asking(first);
    const other = await asking(second, { name: "other", sessionID: "t" });
    await Promise.all([
      second.sessions.answer(plain.questionID, ALWAYS),
      first.sessions.answer(other.questionID, ALWAYS),
    ]);
    expect(new Set(rulesIn(at).map((rule) => JSON.stringify(rule)))).toEqual(
      new Set([RULE, { ...RULE, tool: "other" }].map((rule) => JSON.stringify(rule))),
    );
    expect([await plain.said, await other.said]).toEqual(["done", "done"]);
    for (let round = 0; round < 10; round += 1) {
      settings(at, "{}");
      // Settings are looked at again after 20 ms.
      await sleep(30);
      const { questionID, said } = await asking(first, { sessionID: `r${round}` });
      const [no, yes] = await Promise.all([
        refusal(first.sessions.answer(questionID, { allowed: false })),
        refusal(second.sessions.answer(questionID, ALWAYS)),
      ]);
      const isYes = yes[0] === "none";
      expect([no[0], yes[0]].sort()).toEqual(["none", "question_closed"]);
      expect([(await said) === "done", rulesIn(at)]).toEqual([isYes, isYes ? [RULE] : []]);
    }
  });

  it("a call that ends while the rule is written does not get stuck", async () => {
    const at = sandbox(FILES);
    const toolbox = await opened(at);
    const { questionID, run } = await asking(toolbox);
    const answered = refusal(toolbox.sessions.answer(questionID, ALWAYS));
    run.abort();
    expect(await run.result).toMatchObject({ ok: false, error: { code: "aborted" } });
    const [code] = await answered;
    expect([code, rulesIn(at)]).toEqual(code === "none" ? ["none", [RULE]] : ["question_closed", []]);
    expect(toolbox.sessions.questions()).toEqual([]);
  });

  it("a kill at any time: no log has an answer without its rule", async () => {
    const at = sandbox(FILES);
    const program = join(at.root, "answer.mjs");
    const index = new URL("../../src/index.ts", import.meta.url).href;
    writeFileSync(
      program,
      `import { createToolbox } from ${JSON.stringify(index)};
const toolbox = await createToolbox({ cwd: ${JSON.stringify(at.project)}, trust: true, builtins: false, callerIsAsked: false, sessions: "disk" });
await toolbox.sessions.open(process.argv[2]);
toolbox.on("question", (event) => {
  if (event.type !== "question.asked") return;
  process.stdout.write("asked");
  void toolbox.sessions.answer(event.questionID, { allowed: true, remember: "always" });
});
toolbox.call({ name: "plain", sessionID: process.argv[2], answerable: true });
setInterval(() => {}, 1000);`,
    );
    for (let round = 0; round < 12; round += 1) {
      rmSync(settingsOf(at), { force: true });
      const id = `k${round}`;
      const child: ChildProcess = spawn(process.execPath, [program, id], { env: at.env, stdio: ["ignore", "pipe", 2] });
      const ended = once(child, "exit");
      if (child.stdout) await once(child.stdout, "data");
      await new Promise((done) => setTimeout(done, round * 2));
      child.kill("SIGKILL");
      await ended;
      const toolbox = await opened(at);
      await toolbox.sessions.open(id);
      const saysAlways = (await remembered(toolbox, id)).includes("always");
      expect([round, saysAlways && rulesIn(at).length === 0]).toEqual([round, false]);
      await toolbox.close();
    }
  });
});
