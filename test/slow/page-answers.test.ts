import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ApiGivenAnswer } from "../../src/core/api-page.ts";
import type { QuestionAnswer } from "../../src/core/question.ts";
import type { NewEvent } from "../../src/core/session-store.ts";
import { dataOf, openSessions, type SessionServer } from "../support/http-sessions.ts";
import { answersOf } from "../support/openapi.ts";

const FILES = {
  ".toolwright/tools/greet.js": `export default { description: "Greets.", args: {}, execute: () => "Hello" };`,
  ".toolwright/tools/paint.ts": `import { tool } from "toolwright";
export default tool({ description: "Paints.", args: {}, execute: async (_, { ask }) => {
  await ask({ permission: "paint", patterns: ["the fence"], always: [], metadata: {} });
  return "Painted";
} });`,
  ".toolwright/tools/save.js": `export default { description: "Saves.", args: { name: { type: "string" } },
  access: ({ name }) => [{ kind: "write", target: name }], execute: () => "Saved" };`,
};

const list = async (server: SessionServer): Promise<readonly ApiGivenAnswer[]> =>
  (await server.client.givenAnswers()).answers;

/** Starts a session whose one call asks, and answers the question. */
async function answered(server: SessionServer, script: string, answer: QuestionAnswer): Promise<string> {
  const id = await server.begin(script);
  const [question] = dataOf(await server.until(id, "permission"), "permission");
  await server.client.sessions.answer(id, question?.questionID ?? "", answer);
  await server.until(id, "completed");
  return id;
}

describe("GET /api/permissions/answers", () => {
  it("[P3][U4] lists answers, the latest first, with what they allowed, and takes them back", async () => {
    const server = await openSessions(FILES);
    const check = await answersOf(server);
    expect(await list(server)).toEqual([]);
    const once = await answered(server, "call greet", { allowed: true });
    const refused = await answered(server, "call greet", { allowed: false, reason: "not now" });
    const save = 'call save {"name":"a.txt"}';
    const session = await answered(server, save, { allowed: true, remember: "session" });
    const always = await answered(server, "call greet", { allowed: true, remember: "always" });
    const file = join(server.at.env.TOOLWRIGHT_HOME as string, "settings.json");
    const base = {
      ...{ questionID: expect.any(String), callID: expect.any(String), agent: "demo", at: expect.any(Number) },
      question: expect.stringContaining("needs approval"),
    };
    const [greet, target] = [
      { ...base, tool: "greet", title: "call greet", access: ["undeclared"] },
      join(server.at.project, "a.txt"),
    ];
    const rule = { tool: "greet", match: "undeclared", agent: "demo", action: "allow" };
    const grants = [{ tool: "save", match: target, agent: "demo", action: "allow" }];
    expect(await list(server)).toEqual([
      {
        ...{ ...greet, sessionID: always, allowed: true, remember: "always" },
        rules: [{ ...rule, from: "user", file, position: 1, line: expect.any(Number) }],
      },
      {
        ...{ ...base, tool: "save", title: save, sessionID: session, allowed: true, remember: "session", grants },
        access: [expect.objectContaining({ kind: "write", target })],
      },
      { ...greet, sessionID: refused, allowed: false, reason: "not now" },
      { ...greet, sessionID: once, allowed: true },
    ]);
    await check("/api/permissions/answers", "get", await server.ask("/api/permissions/answers"));

    const [kept, granted] = await list(server);
    for (const grant of granted?.grants ?? []) await server.client.sessions.removeGrant(session, grant);
    for (const { from: _, file: __, line: ___, ...rule } of kept?.rules ?? []) await server.client.removeRule(rule);
    expect(JSON.parse(readFileSync(file, "utf8")).permissions).toEqual([]);
    const effects = (await list(server)).flatMap(({ rules = [], grants: left = [] }) => [...rules, ...left]);
    expect(effects).toEqual([]);
  });

  it("[P3][U4] names what a tool itself asked for while it ran", async () => {
    const rule = { tool: "paint", match: "undeclared", action: "allow" };
    const server = await openSessions(FILES, { settings: { permissions: [rule] } });
    await answered(server, "call paint", { allowed: true });
    const [answer] = await list(server);
    expect(answer).toMatchObject({ tool: "paint", request: { permission: "paint", patterns: ["the fence"] } });
    await (await answersOf(server))("/api/permissions/answers", "get", await server.ask("/api/permissions/answers"));
  });

  it("[P3][U4] a branch does not repeat answers; those of a removed session are gone", async () => {
    const server = await openSessions(FILES);
    const id = await answered(server, "call greet", { allowed: true, remember: "session" });
    const branch = await server.client.sessions.branch(id);
    expect((await list(server)).map(({ sessionID }) => sessionID)).toEqual([id]);
    await server.client.sessions.remove(id);
    expect(await list(server)).toEqual([]);
    expect(branch.id).not.toBe(id);
  });

  it("[P3][U4] reads what is appended, leaves out dialogs and withdrawn questions, and knows a new session with the id of a removed one", async () => {
    const server = await openSessions(FILES);
    const store = await server.toolbox.sessions.store();
    const put = async (...events: NewEvent[]): Promise<number> => store.append("s", events);
    await store.create({ id: "s", directory: server.at.project });
    await put(asked(1), asked(2), { ...asked(3), kind: "dialog", method: "confirm" } as NewEvent);
    await put({ type: "question.answered", questionID: questionID(1), allowed: true });
    await put({ type: "question.answered", questionID: questionID(3), allowed: true, value: true });
    expect((await list(server)).map(({ callID }) => callID)).toEqual(["c1"]);
    await put({ type: "question.answered", questionID: questionID(2), allowed: false, withdrawn: true });
    await put(asked(4), { type: "question.answered", questionID: questionID(4), allowed: true, remember: "always" });
    expect((await list(server)).map(({ callID, remember }) => [callID, remember])).toEqual([
      ["c4", undefined],
      ["c1", undefined],
    ]);
    await store.remove("s");
    await store.create({ id: "s", directory: server.at.project });
    expect(await list(server)).toEqual([]);
  });

  it("[X1][U4] is bounded: 200 answers, 20 targets each, long texts are cut", async () => {
    const server = await openSessions(FILES);
    const store = await server.toolbox.sessions.store();
    await store.create({ id: "s", directory: server.at.project });
    const access = Array.from({ length: 100 }, () => ({ kind: "execute", target: "x".repeat(10_000) }) as const);
    const reason = "y".repeat(10_000);
    for (let n = 0; n < 250; n += 1) {
      const answer = { type: "question.answered", questionID: questionID(n), allowed: false, reason } as const;
      await store.append("s", [{ ...asked(n), reason, access } as NewEvent, answer]);
    }
    const answers = await list(server);
    expect(answers).toHaveLength(200);
    expect(answers[0]).toMatchObject({
      callID: "c249",
      question: `${"y".repeat(999)}…`,
      reason: `${"y".repeat(999)}…`,
    });
    expect(answers[0]?.access).toHaveLength(20);
    expect(answers[0]?.access[0]).toEqual({ kind: "execute", target: `${"x".repeat(499)}…` });
  });

  it("[U6] sessions that cannot be read: 503", async () => {
    const server = await openSessions(FILES);
    writeFileSync(join(server.at.env.TOOLWRIGHT_HOME as string, "sessions.db"), "not a database");
    const answer = await server.ask("/api/permissions/answers");
    expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: "sessions_unavailable" } }]);
  });
});

function questionID(n: number): string {
  return `${Buffer.from("s").toString("base64url")}.00000000-0000-0000-0000-${String(n).padStart(12, "0")}`;
}

function asked(n: number): NewEvent {
  const call = { callID: `c${n}`, tool: "greet", agent: "", reason: "It needs approval." };
  const question = { kind: "permission", input: {}, access: ["undeclared"], choices: ["once"], rules: [] } as const;
  return { type: "question.asked", questionID: questionID(n), ...call, ...question, settingsFile: "" };
}
