import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Answer, Approver, Question, ToolboxOptions } from "../../src/index.ts";
import { outputOf } from "../../src/index.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { open } from "../support/toolbox.ts";

const WRITES = `export default { description: "Writes.", args: { path: { type: "string" } },
  access: ({ path }, { cwd }) => [{ kind: "write", target: path.startsWith("/") ? path : cwd + "/" + path, named: true }],
  execute: ({ path }) => "wrote " + path };`;
const PLAIN = `export default { description: "Says nothing of what it touches.", execute: () => "done" };`;
const ASKS = `export default { description: "Asks.", args: { where: { type: "string" }, always: { type: "array", default: [] } },
  async execute({ where, always }, context) {
    await context.ask({ permission: "deploy", patterns: [where], always });
    return "deployed to " + where;
  } };`;
const FILES = { "writes.ts": WRITES, "plain.ts": PLAIN, "asks.ts": ASKS };

const home = (at: Sandbox): string => at.env.TOOLWRIGHT_HOME as string;
const settingsOf = (at: Sandbox): string => join(home(at), "settings.json");

function settings(at: Sandbox, text: string): Sandbox {
  mkdirSync(home(at), { recursive: true });
  writeFileSync(settingsOf(at), text);
  return at;
}

/** An approver that gives these answers in order, and records the questions. */
function person(...answers: Answer[]): { approve: Approver; asked: Question[] } {
  const asked: Question[] = [];
  const approve: Approver = async (question) => {
    asked.push(question);
    return answers.shift() ?? { allowed: false, reason: "No further question was expected." };
  };
  return { approve, asked };
}

async function opened(at: Sandbox, options: ToolboxOptions) {
  const { toolbox } = await open(at, { callerIsAsked: false, ...options });
  const say = async (name: string, input: unknown = {}, sessionID = "own", agent?: string): Promise<string> => {
    const more = { sessionID, ...(agent === undefined ? {} : { agent }) };
    return outputOf(await toolbox.call({ name, input, ...more }).result);
  };
  return { toolbox, say };
}

const NO_MORE = '"plain" was not allowed to run. No further question was expected.';

describe("[P3] an approval", () => {
  it('[P3] with "once" applies to this call only', async () => {
    const { approve, asked } = person({ allowed: true });
    const { say } = await opened(sandbox(FILES), { approve });
    expect(await say("plain")).toBe("done");
    expect(await say("plain")).toBe(NO_MORE);
    expect(asked).toHaveLength(2);
  });

  it("[P3] for the session answers the same question again, in that session and for that agent", async () => {
    const { approve, asked } = person({ allowed: true, remember: "session" });
    const { say } = await opened(sandbox(FILES), { approve });
    expect(await say("plain", {}, "one", "build")).toBe("done");
    expect(await say("plain", {}, "one", "build")).toBe("done");
    expect(asked).toHaveLength(1);
    expect(await say("plain", {}, "one", "other")).toBe(NO_MORE);
    expect(await say("plain", {}, "two", "build")).toBe(NO_MORE);
  });

  it("[P3] withdraws the other questions that it answers, and no others", async () => {
    const questions: { question: Question; signal: AbortSignal; answer: (answer: Answer) => void }[] = [];
    const all = Promise.withResolvers<void>();
    const approve: Approver = (question, signal) =>
      new Promise((answer) => {
        questions.push({ question, signal, answer });
        if (questions.length === 4) all.resolve();
      });
    const { say } = await opened(sandbox(FILES), { approve });
    const said = [say("plain"), say("plain"), say("plain", {}, "another"), say("writes", { path: "a" })];
    await all.promise;
    const of = (name: string, session: string) =>
      questions.filter(({ question: { tool, sessionID } }) => tool === name && sessionID === session);
    const [first, second] = of("plain", "own");
    first?.answer({ allowed: true, remember: "session" });
    expect(await Promise.all(said.slice(0, 2))).toEqual(["done", "done"]);
    expect(second?.signal.aborted).toBe(true);
    const others = [...of("plain", "another"), ...of("writes", "own")];
    expect(others.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    for (const { answer } of others) answer({ allowed: false, reason: "No." });
    expect(await said[3]).toBe('"writes" was not allowed to run. No.');
  });

  it('[P3] with "always" withdraws the same question in every session, although those calls began under the old rules', async () => {
    const questions: { signal: AbortSignal; answer: (answer: Answer) => void }[] = [];
    const both = Promise.withResolvers<void>();
    const approve: Approver = (_, signal) =>
      new Promise((answer) => {
        questions.push({ signal, answer });
        if (questions.length === 2) both.resolve();
      });
    const { say } = await opened(sandbox(FILES), { approve });
    const said = ["one", "two"].map((session) => say("writes", { path: "a" }, session));
    await both.promise;
    questions[0]?.answer({ allowed: true, remember: "always" });
    expect(await Promise.all(said)).toEqual(["wrote a", "wrote a"]);
    expect(questions[1]?.signal.aborted).toBe(true);
  });

  it("[P3] is offered with the rules that it would add, and their file", async () => {
    const at = sandbox(FILES);
    const { approve, asked } = person({ allowed: true });
    const { say } = await opened(at, { approve });
    await say("writes", { path: "a*.ts" }, "s", "build");
    const target = join(at.project, "a*.ts");
    expect(asked).toEqual([
      {
        tool: "writes",
        callID: expect.any(String),
        sessionID: "s",
        agent: "build",
        input: { path: "a*.ts" },
        access: [{ kind: "write", target, named: true }],
        reason: `The tool "writes" writing "${target}" needs approval: no rule covers it.`,
        choices: ["once", "session", "always"],
        rules: [{ tool: "writes", match: target.replace("*", "[*]"), agent: "build", action: "allow" }],
        settingsFile: settingsOf(at),
      },
    ]);
  });

  it("[P3] for the session answers an ask rule and a path that no rule names, but never a deny rule", async () => {
    const at = settings(
      sandbox(FILES),
      JSON.stringify({
        permissions: [
          { tool: "*", action: "allow" },
          { tool: "writes", match: "asked.txt", action: "ask" },
          { tool: "writes", match: "denied.txt", action: "deny" },
        ],
      }),
    );
    const yes: Answer = { allowed: true, remember: "session" };
    const { approve, asked } = person(yes, yes, yes);
    const { say } = await opened(at, { approve });
    for (const path of ["asked.txt", "/etc/other.txt", "asked.txt", "/etc/other.txt", "free.txt"]) {
      expect(await say("writes", { path })).toBe(`wrote ${path}`);
    }
    expect(asked.map(({ access }) => access[0])).toMatchObject([
      { target: join(at.project, "asked.txt") },
      { target: "/etc/other.txt" },
    ]);
    expect(await say("writes", { path: "denied.txt" })).toContain("is denied by the user's rule");
    expect(asked).toHaveLength(2);
  });

  it('[P3] with "always" adds a rule to the settings of the user, makes no other change, and applies at once and in later runs', async () => {
    const at = settings(sandbox(FILES), '{\n  // mine\n  "mode": "default", // as it is\n}\n');
    const { approve, asked } = person({ allowed: true, remember: "always" });
    const { say, toolbox } = await opened(at, { approve });
    expect(await say("writes", { path: "a.ts" })).toBe("wrote a.ts");
    const rule = `{ "tool": "writes", "match": ${JSON.stringify(join(at.project, "a.ts"))}, "action": "allow" }`;
    expect(readFileSync(settingsOf(at), "utf8")).toBe(
      `{\n  // mine\n  "mode": "default", // as it is\n  "permissions": [\n    ${rule}\n  ],\n}\n`,
    );
    expect(await say("writes", { path: "a.ts" }, "another")).toBe("wrote a.ts");
    expect(asked).toHaveLength(1);
    expect(toolbox.project.settings.permissions.user).toEqual([JSON.parse(rule)]);
    await toolbox.reload();
    expect(toolbox.project.settings.permissions.user).toEqual([JSON.parse(rule)]);
    const later = await opened(at, {});
    expect(await later.say("writes", { path: "a.ts" })).toBe("wrote a.ts");
    expect(await later.say("writes", { path: "b.ts" })).toContain("No person can be asked here, so it was refused.");
  });

  it('[X2] with "always" creates a settings file that only the user can read', async () => {
    const at = sandbox(FILES);
    const { approve } = person({ allowed: true, remember: "always" });
    const { say } = await opened(at, { approve });
    expect(await say("plain")).toBe("done");
    expect(readFileSync(settingsOf(at), "utf8")).toBe(
      '{\n  "permissions": [\n    { "tool": "plain", "match": "undeclared", "action": "allow" }\n  ]\n}\n',
    );
    expect(statSync(settingsOf(at)).mode & 0o777).toBe(0o600);
  });

  it('[P3] with "always" applies to the session if the settings are invalid, with a warning', async () => {
    const at = settings(sandbox(FILES), '{ "limits": {');
    const { approve, asked } = person({ allowed: true, remember: "always" });
    const { say, toolbox } = await opened(at, { approve });
    expect(await say("plain")).toBe("done");
    expect(await say("plain")).toBe("done");
    expect(asked).toHaveLength(1);
    expect(await say("plain", {}, "another")).toBe(NO_MORE);
    expect(readFileSync(settingsOf(at), "utf8")).toBe('{ "limits": {');
    expect(toolbox.status.warnings.at(-1)).toEqual({
      file: settingsOf(at),
      message: "The rule could not be saved here, so the answer applies to this session only. It is not valid JSON.",
    });
  });

  it('[P3] with "always" is not offered if the project asks: it then applies to the session', async () => {
    const at = sandbox(FILES);
    writeFileSync(
      join(at.project, ".toolwright/settings.json"),
      JSON.stringify({ permissions: [{ tool: "plain", action: "ask" }] }),
    );
    const { approve, asked } = person({ allowed: true, remember: "always" });
    const { say } = await opened(at, { approve });
    expect(await say("plain")).toBe("done");
    expect(await say("plain")).toBe("done");
    expect(asked.map(({ choices }) => choices)).toEqual([["once", "session"]]);
    expect(() => readFileSync(settingsOf(at))).toThrow("ENOENT");
  });
});

describe("[P3] a question", () => {
  const BOTH = `export default { description: "Touches two things.", args: { first: { type: "string" } },
  access: ({ first }) => [first, "/etc/shadow"].map((target) => ({ kind: "read", target, named: true })),
  execute: () => "done" };`;

  it("[P3] names every target that needs permission, and no other", async () => {
    const { approve, asked } = person();
    const at = sandbox({ "both.ts": BOTH });
    const { say } = await opened(at, { approve });
    await say("both", { first: "/etc/hosts" });
    await say("both", { first: join(at.project, "a") });
    const why = (path: string): string =>
      `The tool "both" reading "${path}" needs a person's approval: it is outside the project, and no rule names that path.`;
    expect(asked.map(({ reason }) => reason)).toEqual([
      `${why("/etc/hosts")} ${why("/etc/shadow")}`,
      why("/etc/shadow"),
    ]);
  });

  it("[P3] contains the number of further targets that need permission", async () => {
    const { approve, asked } = person();
    const many = `export default { description: "Touches many things.",
      access: () => Array.from({ length: 13 }, (_, at) => ({ kind: "read", target: "/etc/" + at, named: true })),
      execute: () => "done" };`;
    await (await opened(sandbox({ "many.ts": many }), { approve })).say("many");
    expect(asked[0]?.reason).toMatch(/\/etc\/9" [^.]*\. It touches 3 more targets that need permission\.$/);
  });

  it("[P4] [P5] without an answer delays neither the end of a cancelled call nor other calls", async () => {
    const asked = Promise.withResolvers<void>();
    const { toolbox } = await opened(
      sandbox({
        "permits.ts": `export default { description: "Permits.", access: () => [], execute: async (_, context) => {
          await context.permit({ kind: "read", target: "/etc/hosts", named: true });
        } };`,
        "other.ts": `export default { description: "Other.", access: () => [], execute: (_, { state }) => new Promise((done) => {
          const look = async () => ((await state.get("go")) ? done("fine") : setTimeout(look, 50));
          look();
        }) };`,
        "go.ts": `export default { description: "Go.", access: () => [], execute: (_, { state }) => state.set("go", true) };`,
      }),
      {
        approve: () => {
          asked.resolve();
          return new Promise(() => {});
        },
      },
    );
    const other = toolbox.call({ name: "other" });
    const run = toolbox.call({ name: "permits" });
    await asked.promise;
    run.abort();
    expect(await run.result).toMatchObject({ ok: false, error: { code: "aborted" } });
    await new Promise((done) => setTimeout(done, 1_500));
    await toolbox.call({ name: "go" }).result;
    expect(outputOf(await other.result)).toBe("fine");
  });
});

describe("[P3] a refusal", () => {
  it("[P3] reaches the model with its reason", async () => {
    const { approve } = person({ allowed: false, reason: "The user said: not on Fridays." });
    const { say } = await opened(sandbox(FILES), { approve });
    expect(await say("plain")).toBe('"plain" was not allowed to run. The user said: not on Fridays.');
  });

  it("[P3] is assumed for anything that is not a valid answer", async () => {
    const nothing = (async () => ({})) as unknown as Approver;
    const { say } = await opened(sandbox(FILES), { approve: nothing });
    expect(await say("plain")).toBe(
      '"plain" was not allowed to run. The user said no. Find another way, or tell the user.',
    );
    const broken = await opened(sandbox(FILES), { approve: () => Promise.reject(new Error("no screen")) });
    expect(await broken.say("plain")).toBe(
      '"plain" was not allowed to run. The tool "plain", which does not declare what it touches, needs approval: no rule covers it. The question could not be asked, so it was refused. Find another way, or tell the user.',
    );
  });

  it("[B13] without an approver contains the rule that would allow a path outside the project", async () => {
    const at = settings(sandbox(FILES), JSON.stringify({ mode: "bypass" }));
    const { say } = await opened(at, { callerIsAsked: true });
    expect(await say("writes", { path: "/etc/x?" })).toBe(
      `"writes" was not allowed to run. The tool "writes" writing "/etc/x?" needs a person's approval: it is outside the project, and no rule names that path. No person can be asked here, so it was refused. To allow it, the user can add {"tool":"writes","match":"/etc/x[?]","action":"allow"} to "permissions" in ${settingsOf(at)}.`,
    );
    settings(at, JSON.stringify({ permissions: [{ tool: "writes", match: "/etc/x[?]", action: "allow" }] }));
    const allowed = await opened(at, {});
    expect(await allowed.say("writes", { path: "/etc/x?" })).toBe("wrote /etc/x?");
  });
});

describe("[P3] a question that a tool asks", () => {
  it("[P3] is answered by an earlier approval for the session", async () => {
    const { approve, asked } = person({ allowed: true, remember: "session" });
    const { say } = await opened(sandbox(FILES), { approve, callerIsAsked: true });
    expect(await say("asks", { where: "prod" })).toBe("deployed to prod");
    expect(await say("asks", { where: "prod" })).toBe("deployed to prod");
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      reason: '"asks" asks for permission: deploy.',
      choices: ["once", "session", "always"],
      rules: [{ tool: "asks", match: "ask:deploy:prod", action: "allow" }],
      request: { permission: "deploy", patterns: ["prod"] },
    });
    expect(await say("asks", { where: "moon" })).toBe("No further question was expected.");
  });

  it("[P3] answered with always adds the rules that the tool proposes; a rule can also deny it", async () => {
    const at = sandbox(FILES);
    const { approve, asked } = person({ allowed: true, remember: "always" });
    const { say } = await opened(at, { approve, callerIsAsked: true });
    expect(await say("asks", { where: "prod-1", always: ["prod-*"] })).toBe("deployed to prod-1");
    const later = await opened(at, { callerIsAsked: true });
    expect(await later.say("asks", { where: "prod-2" })).toBe("deployed to prod-2");
    expect(await later.say("asks", { where: "moon" })).toBe(
      '"asks" asks for permission: deploy. No person can be asked here, so it was refused. Find another way, or tell the user.',
    );
    expect(asked).toHaveLength(1);
    settings(at, JSON.stringify({ permissions: [{ tool: "asks", match: "ask:deploy:moon", action: "deny" }] }));
    const denied = await opened(at, { approve, callerIsAsked: true });
    expect(await denied.say("asks", { where: "moon" })).toContain(
      `The tool "asks" asking for "deploy:moon" is denied by the user's rule`,
    );
  });

  it("[P3] is not answered by a general rule, in any mode", async () => {
    const at = settings(
      sandbox(FILES),
      JSON.stringify({ mode: "bypass", permissions: [{ tool: "*", action: "allow" }] }),
    );
    const { say } = await opened(at, {});
    expect(await say("asks", { where: "prod" })).toContain("No person can be asked here");
  });
});
