import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { outputOf, type Question } from "../src/index.ts";
import { sandbox, writeTool } from "./support/fixture.ts";
import { answering, open } from "./support/toolbox.ts";

/** A tool that evaluates an expression with its context, and returns the value or the error. */
const trying = (expression: string): string =>
  `import { z } from "zod";
  export default { description: "Tries.", args: { value: z.any().optional() }, async execute(args, context) {
    try { return JSON.stringify((${expression})) ?? "nothing"; } catch (error) { return error.code + ": " + error.message; }
  } };`;

function settings(at: { env: Record<string, string> }, value: object): void {
  const home = at.env.TOOLWRIGHT_HOME as string;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "settings.json"), JSON.stringify(value));
}

describe("[A3] the context of a tool", () => {
  it("state belongs to the session, is shared by its tools, and is plain JSON", async () => {
    const { toolbox } = await open({
      "put.ts": trying("await context.state.set('note', args.value)"),
      "got.ts": trying("await context.state.get('note')"),
    });
    const say = async (name: string, sessionID: string, value?: unknown): Promise<string> =>
      outputOf(await toolbox.call({ name, sessionID, input: { value } }).result);
    expect(await say("got", "a")).toBe("nothing");
    expect(await say("put", "a", { deep: [1, null] })).toBe("nothing");
    expect(await say("got", "a")).toBe('{"deep":[1,null]}');
    expect(await say("got", "b")).toBe("nothing");
    await say("put", "a");
    expect(await say("got", "a")).toBe("nothing");
  });

  it("[X1] state refuses large values", async () => {
    const { toolbox } = await open({ "put.ts": trying("await context.state.set('note', 'x'.repeat(args.value))") });
    const say = async (value: number): Promise<string> =>
      outputOf(await toolbox.call({ name: "put", input: { value } }).result);
    expect(await say(999_990)).toBe("nothing");
    expect(await say(2_000_000)).toContain(
      "A session state value may have at most 1000000 characters as JSON, and this one has 2000006. Write it to a file, and store the path of the file.",
    );
  });

  it("limits are those of the definition, overridden by the settings", async () => {
    const at = sandbox({
      "bounded.ts": `export default { description: "Bounded.", limits: { maxLines: 5, own: { results: 10, depth: 3 } },
        execute: (args, context) => JSON.stringify(context.limits) };`,
      "plain.ts": answering("JSON.stringify(context.limits)"),
    });
    settings(at, { toolLimits: { bounded: { results: 20, maxBytes: 4000, timeoutMs: 5000, resluts: 1 } } });
    const { toolbox, say } = await open(at);
    expect(JSON.parse(await say("bounded"))).toEqual({
      timeoutMs: 5000,
      maxLines: 5,
      maxBytes: 4000,
      keep: "head",
      own: { results: 20, depth: 3, resluts: 1 },
    });
    expect(JSON.parse(await say("plain"))).toMatchObject({ maxLines: 2000, own: {} });
    expect(toolbox.status.warnings.map(({ message }) => message)).toEqual([
      '"toolLimits.bounded.resluts" is not a limit of "bounded". Did you mean "results"? It is ignored.',
    ]);
  });

  it("invalid limits are a problem of the file", async () => {
    const { toolbox } = await open({
      "bad.ts": `export default { description: "Bad.", limits: { own: { results: 0 } }, execute: () => "" };`,
      "worse.ts": `export default { description: "Worse.", providers: "openai", execute: () => "" };`,
    });
    expect(toolbox.problems().map(({ message }) => message)).toEqual([
      '"bad": limits.own.results is 0. Write a number above 0.',
      '"worse": providers is "openai". Write a list of names such as "anthropic" or "openai/gpt-*".',
    ]);
  });

  it("[P3] permit() checks the rules, and then asks a person, about another target", async () => {
    const at = sandbox({ "touch.ts": trying("await context.permit(args.value)") });
    settings(at, {
      permissions: [
        { tool: "touch", match: "/secret/**", action: "deny" },
        { tool: "touch", match: "git push*", action: "ask" },
      ],
    });
    const questions: Question[] = [];
    const { say } = await open(at, {
      approve: async (question) => {
        questions.push(question);
        return question.access.some((each) => typeof each === "object" && each.target === "git push -f")
          ? { allowed: false, reason: "Not with force." }
          : { allowed: true };
      },
    });
    const touch = (kind: string, target: string, named?: boolean): Promise<string> =>
      say("touch", { value: { kind, target, named } });
    expect(await touch("read", "a.txt")).toBe("nothing");
    expect(await touch("read", "/secret/key")).toBe(
      'denied: The tool "touch" reading "/secret/key" is denied by the user\'s rule {"tool":"touch","match":"/secret/**","action":"deny"}. Do not retry it in another form. Find another way, or tell the user which rule denies it.',
    );
    expect(await touch("execute", "git push")).toBe("nothing");
    expect(await touch("execute", "git push -f")).toMatch(/^denied: .*Not with force\./);
    expect(questions.map(({ access }) => access)).toEqual([
      [{ kind: "execute", target: "git push" }],
      [{ kind: "execute", target: "git push -f" }],
    ]);
    expect(await touch("eat", "a.txt")).toBe(
      'undefined: permit() needs { kind: "read" | "write" | "execute" | "network", target: string }.',
    );
  });

  it("[P3] [B13] a general rule does not cover a target that must be named", async () => {
    const at = sandbox({ "touch.ts": trying("await context.permit(args.value)") });
    settings(at, { mode: "bypass", permissions: [{ tool: "*", action: "allow" }] });
    const { say } = await open(at);
    const touch = (kind: string, target: string): Promise<string> =>
      say("touch", { value: { kind, target, named: true } });
    expect(await touch("read", join(at.project, "a.txt"))).toBe("nothing");
    expect(await touch("read", "/etc/hostname")).toMatch(
      /^denied: The tool "touch" reading "\/etc\/hostname" needs a person's approval: it is outside the project, and no rule names that path\./,
    );
    expect(await touch("network", "http://127.0.0.1:9/")).toMatch(/^denied: /);
    symlinkSync("/etc", join(at.project, "link"));
    expect(await touch("read", join(at.project, "link/hostname"))).toMatch(/^denied: /);
  });

  it("[P3] permit() does not ask again about a target that is already permitted", async () => {
    const at = sandbox({
      "twice.ts": `export default { description: "Twice.", access: () => [{ kind: "read", target: "/etc/hostname", named: true }],
        async execute(args, context) {
          await context.permit({ kind: "read", target: "/etc/hostname", named: true });
          await context.permit({ kind: "write", target: "/etc/hostname", named: true });
          return "done";
        } };`,
    });
    const asked: unknown[] = [];
    const { say } = await open(at, {
      approve: async ({ access }) => {
        asked.push(access);
        return { allowed: true };
      },
    });
    expect(await say("twice")).toBe("done");
    expect(asked).toEqual([
      [{ kind: "read", target: "/etc/hostname", named: true }],
      [{ kind: "write", target: "/etc/hostname", named: true }],
    ]);
  });

  it("permitted() returns whether the rules allow a target, without a question", async () => {
    const at = sandbox();
    writeTool(at, "see.ts", trying("await context.permitted(args.value)"));
    settings(at, {
      permissions: [
        { tool: "see", match: "*.env", action: "deny" },
        { tool: "see", match: "b", action: "ask" },
      ],
    });
    const { say } = await open(at, {
      approve: async () => {
        throw new Error("nobody is to be asked");
      },
    });
    const read = (path: string): object => ({ kind: "read", target: join(at.project, path) });
    expect(await say("see", { value: [read("a.txt"), read("x.env"), read("b/c")] })).toBe("[true,false,false]");
    expect(await say("see", { value: [] })).toBe("[]");
  });
});

it("[A3] [P3] permittedBelow() is true only for folders of the project, if no rule restricts the tool", async () => {
  const at = sandbox();
  writeTool(at, "see.ts", trying("await context.permittedBelow(args.value)"));
  writeTool(at, "look.ts", trying("await context.permittedBelow(args.value)"));
  settings(at, {
    permissions: [
      { tool: "see", match: "deep/*.env", action: "deny" },
      { tool: "*", match: "/etc", action: "allow" },
    ],
  });
  const { say } = await open(at);
  expect(await say("look", { value: at.project })).toBe("true");
  expect(await say("look", { value: join(at.project, "src") })).toBe("true");
  for (const value of ["/etc", "/", "src", join(at.project, "..")]) expect(await say("look", { value })).toBe("false");
  expect(await say("see", { value: at.project })).toBe("false");
});

describe("[A3] [P6] [P7] the output of write()", () => {
  it("precedes the returned text, is shown as progress, and is saved in full", async () => {
    const { toolbox } = await open({
      "writes.ts": `export default { description: "Writes.", limits: { maxBytes: 1000, keep: "both" }, async execute(args, context) {
        context.metadata({ title: "Writing", metadata: { step: 1 } });
        for (let at = 0; at < 1000; at += 1) context.write("line " + at + "\\n");
        await new Promise((resolve) => setTimeout(resolve, 100));
        return { output: "done", metadata: { lines: 1000 } };
      } };`,
    });
    const run = toolbox.call({ name: "writes" });
    const updates = [];
    for await (const event of run) if (event.type === "tool.update") updates.push(event);
    expect(updates.at(-1)).toMatchObject({
      title: "Writing",
      metadata: { step: 1, output: expect.stringMatching(/line 998\nline 999\n$/) },
    });
    const result = await run.result;
    expect(outputOf(result)).toMatch(
      /^line 0\nline 1\n[\s\S]+line 999\ndone\n\[truncated: \d+ bytes omitted; full output: .+\]$/,
    );
    expect(result).toMatchObject({ ok: true, data: { lines: 1000 } });
    const whole = readFileSync(result.notes.truncated?.fullOutput ?? "", "utf8");
    expect(whole).toBe(`${Array.from({ length: 1000 }, (_, at) => `line ${at}\n`).join("")}done`);
  });

  it("stays in the result if the tool fails, returns nothing or is stopped", async () => {
    const { toolbox, say } = await open({
      "fails.ts": `export default { description: "Fails.", execute(args, context) { context.write("so far"); throw new Error("no further"); } };`,
      "silent.ts": `export default { description: "Silent.", execute(args, context) { context.write("only this"); } };`,
      "stops.ts": `export default { description: "Stops.", async execute(args, context) {
        context.write("begun");
        await new Promise((resolve) => context.abort.addEventListener("abort", resolve));
        return " and ended";
      } };`,
    });
    expect(await toolbox.call({ name: "fails" }).result).toMatchObject({
      ok: false,
      error: { code: "failed", message: "no further" },
      content: [{ type: "text", text: "so far" }],
    });
    expect(await say("silent")).toBe("only this");
    const run = toolbox.call({ name: "stops" });
    for await (const event of run) if (event.type === "tool.update") run.abort();
    expect(await run.result).toMatchObject({
      ok: false,
      error: { code: "aborted" },
      content: [{ type: "text", text: "begun and ended" }],
    });
  });

  it("is dropped once the call is over, and leaves no file behind", async () => {
    const at = sandbox({
      "late.ts": `export default { description: "Late.", execute(args, context) {
        globalThis.wrote = new Promise((resolve) => setTimeout(() => resolve(context.write("x".repeat(100_000))), 20));
        return "done";
      } };`,
      "after.ts": `export default { description: "After.", execute: async () => String(await globalThis.wrote) };`,
    });
    const { say } = await open(at);
    expect(await say("late")).toBe("done");
    expect(await say("after")).toBe("undefined");
    expect(existsSync(join(at.env.TOOLWRIGHT_HOME as string, "outputs"))).toBe(false);
  });
});

describe("[P7] [B13] the full text of a truncated output", () => {
  it("can be read by its own session only", async () => {
    const at = sandbox({ "long.ts": answering('"line\\n".repeat(3000) + "the end"') });
    const { toolbox } = await open(at, { builtins: ["read", "grep", "write"] });
    const call = async (name: string, input: object, sessionID: string): Promise<string> =>
      outputOf(await toolbox.call({ name, input, sessionID }).result);
    const [, path = ""] = /full output: (.+)\]/.exec(await call("long", {}, "mine")) ?? [];
    expect(await call("read", { filePath: path, offset: 3001 }, "mine")).toContain("the end");
    expect(await call("grep", { pattern: "the end", path }, "mine")).toContain("3001: the end");
    expect(await call("read", { filePath: path }, "another")).toContain("it is outside the project");
    expect(await call("write", { filePath: path, content: "" }, "mine")).toContain("it is outside the project");
  });
});
