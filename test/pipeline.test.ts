import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { Question } from "../src/calls/permission-question.ts";
import type { ToolEvent } from "../src/core/events.ts";
import type { RunEvent } from "../src/core/question.ts";
import { outputOf } from "../src/core/result.ts";
import { allowedToolNames, toMcpServerConfig } from "../src/index.ts";
import type { SdkTransport } from "../src/surfaces/mcp/in-process-server.ts";
import { makeFixture, type Sandbox, sandbox } from "./support/fixture.ts";
import { PATIENT } from "./support/patient.ts";
import { isRunning } from "./support/processes.ts";
import { answering, open } from "./support/toolbox.ts";

function settings({ env }: Sandbox, value: object): void {
  mkdirSync(env.TOOLWRIGHT_HOME as string, { recursive: true });
  writeFileSync(join(env.TOOLWRIGHT_HOME as string, "settings.json"), JSON.stringify(value));
}

describe("[A3] the context of a call", () => {
  it("comes from the request, with defaults for omitted fields", async () => {
    const fixture = makeFixture();
    const { toolbox, say } = await open(fixture, { limits: { importMs: 1000 } });
    const said = { sessionID: "s1", messageID: "m1", callID: "c1", agent: "claude", extra: { model: "x" } };
    const result = await toolbox.call({ name: "context", ...said }).result;
    expect(JSON.parse(outputOf(result))).toEqual({
      ...said,
      directory: fixture.project,
      worktree: fixture.project,
      aborted: false,
    });
    const silent = JSON.parse(await say("context"));
    expect(silent).toMatchObject({ sessionID: "default", messageID: "", agent: "", extra: {} });
    expect(silent.callID).toMatch(/^[0-9a-f-]{36}$/);
    await toolbox.close();
    fixture.remove();
  });
});

describe("[P6] [P8] the events of a call", () => {
  const STEPS = `export default { description: "Reports.", async execute(_, ctx) {
    for (let i = 0; i < 500; i++) { ctx.metadata({ title: "step " + i, metadata: { i } }); if (i % 50 === 0) await new Promise((r) => setTimeout(r, 10)); }
    return { title: "Done", output: "ok", metadata: { steps: 500 } }; } };`;

  it("have what measures of calls need: the name, the source, the time, the outcome and the duration", async () => {
    const { toolbox, at } = await open(
      { "fine.ts": answering('"ok"'), "bad.ts": answering('(() => { throw new Error("no"); })()') },
      { builtins: true, tools: [{ name: "coded", description: "Answers.", inputSchema: {}, handler: () => "ok" }] },
    );
    writeFileSync(join(at.project, "a.txt"), "text");
    const seen: unknown[] = [];
    toolbox.on("call", (event) => {
      const { type, tool, source, at: time } = event;
      const outcome = event.type === "tool.failed" ? event.result.error.code : undefined;
      const durationMs = "result" in event ? event.result.notes.durationMs : 0;
      seen.push([type, tool, source, ...(outcome ? [outcome] : [])]);
      expect([Number.isInteger(time), durationMs >= 0]).toEqual([true, true]);
    });
    for (const name of ["fine", "bad", "coded", "nope"]) await toolbox.call({ name }).result;
    await toolbox.call({ name: "read", input: { filePath: "a.txt" } }).result;
    expect(seen).toEqual([
      ["tool.start", "fine", "custom"],
      ["tool.complete", "fine", "custom"],
      ["tool.start", "bad", "custom"],
      ["tool.failed", "bad", "custom", "failed"],
      ["tool.start", "coded", "custom"],
      ["tool.complete", "coded", "custom"],
      ["tool.start", "nope", undefined],
      ["tool.failed", "nope", undefined, "unknown_tool"],
      ["tool.start", "read", "builtin"],
      ["tool.complete", "read", "builtin"],
    ]);
  });

  it("[U2] have the card that the tool declares, also of a built-in tool", async () => {
    const card = { kind: "command", command: "script" };
    const source = `export default { description: "Runs.", hints: { card: ${JSON.stringify(card)} }, execute: () => "ok" };`;
    const { toolbox } = await open({ "shell.ts": source, "plain.ts": answering('"ok"') }, { builtins: true });
    const cards: unknown[] = [];
    toolbox.on("call", (event) => {
      if (event.type === "tool.start") cards.push(event.card);
    });
    for (const name of ["shell", "plain", "todoread", "unknown"]) await toolbox.call({ name }).result;
    expect(cards).toEqual([card, undefined, { kind: "todos", items: "todos" }, undefined]);
    await toolbox.close();
  });

  it("arrive in order, coalesced, with the newest state last", async () => {
    const { toolbox } = await open({ "steps.ts": STEPS });
    const all: ToolEvent[] = [];
    toolbox.on("call", (event) => all.push(event));
    const run = toolbox.call({ name: "steps", sessionID: "s", input: { a: 1 } });
    const seen: RunEvent[] = [];
    for await (const event of run) seen.push(event);
    expect(seen).toEqual(all);
    expect(seen[0]).toMatchObject({
      type: "tool.start",
      tool: "steps",
      sessionID: "s",
      callID: run.callID,
      input: { a: 1 },
    });
    const updates = seen.filter(({ type }) => type === "tool.update");
    expect(updates.length).toBeGreaterThan(1);
    expect(updates.length).toBeLessThan(50);
    expect(updates[0]).toMatchObject({ title: "step 0", metadata: { i: 0 } });
    expect(updates.at(-1)).toMatchObject({ title: "step 499", metadata: { i: 499 } });
    expect(seen.at(-1)).toMatchObject({
      type: "tool.complete",
      result: { ok: true, data: { steps: 500 }, notes: { title: "Done", durationMs: expect.any(Number) } },
    });
  });

  it("are one line per call in the audit log, with secrets masked, readable only by the user", async () => {
    const at = sandbox({ "login.ts": answering('"in"'), "fails.ts": answering('(() => { throw new Error("no") })()') });
    settings(at, { secrets: ["DEPLOY_KEY"] });
    const { toolbox } = await open(at, { env: { ...at.env, DEPLOY_KEY: "hunter22" } });
    await toolbox.call({ name: "login", input: { user: "ada", password: "s3cret", note: "use hunter22" } }).result;
    await toolbox.call({ name: "fails" }).result;
    await toolbox.close();
    const file = join(at.env.TOOLWRIGHT_HOME as string, "audit.log");
    const lines = readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { tool: "login", ok: true, input: { user: "ada", password: "***", note: "use ***" } },
      { tool: "fails", ok: false, error: { code: "failed", message: "no" } },
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("are logged with the original input, even if the caller changes the object afterwards", async () => {
    const at = sandbox({ "counts.ts": answering('"counted"') });
    const { toolbox } = await open(at);
    const input = { n: 0, list: [] as number[] };
    for (const n of [1, 2]) {
      input.n = n;
      input.list.push(n);
      await toolbox.call({ name: "counts", input }).result;
    }
    await toolbox.close();
    const lines = readFileSync(join(at.env.TOOLWRIGHT_HOME as string, "audit.log"), "utf8")
      .trim()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line).input)).toEqual([
      { n: 1, list: [1] },
      { n: 2, list: [1, 2] },
    ]);
  });
});

describe("[P7] long outputs", () => {
  const repeat = (text: string, times: number): string => `${JSON.stringify(text)}.repeat(${times})`;

  it.each([
    ["3,000 short lines", repeat("line\n", 3000), "line\n".repeat(2000), 10_000, "1000 lines omitted"],
    ["one line of 1 MB", repeat("x", 1024 * 1024), `${"x".repeat(50_000)}\n`, 50_000, "998576 bytes omitted"],
    [
      "a character on the cut",
      `"a" + ${repeat("é", 40_000)}`,
      `a${"é".repeat(24_999)}\n`,
      49_999,
      "30002 bytes omitted",
    ],
    ["CRLF", repeat("line\r\n", 2001), "line\r\n".repeat(2000), 12_000, "1 lines omitted"],
  ])("%s are truncated and saved in full", async (_name, expression, kept, keptBytes, omitted) => {
    const { toolbox, at } = await open({ "long.ts": answering(expression) });
    const result = await toolbox.call({ name: "long", sessionID: "s", callID: "c" }).result;
    const file = join(at.env.TOOLWRIGHT_HOME as string, "outputs/s/c.txt");
    expect(outputOf(result)).toBe(`${kept}[truncated: ${omitted}; full output: ${file}]`);
    expect(result.notes.truncated).toMatchObject({ fullOutput: file, keptBytes });
    expect(readFileSync(file, "utf8")).toBe(new Function(`return ${expression}`)());
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["2,000 lines", repeat("line\n", 2000)],
    ["50,000 bytes", repeat("x", 50_000)],
  ])("of exactly %s are not truncated", async (_name, expression) => {
    const { say } = await open({ "long.ts": answering(expression) });
    expect(await say("long")).toBe(new Function(`return ${expression}`)());
  });

  it("follow the limits of the tool, overridden by the settings", async () => {
    const at = sandbox({
      "a.ts": `export default { description: "A.", limits: { maxLines: 2, keep: "tail" }, execute: () => "1\\n2\\n3" };`,
      "b.ts": `export default { description: "B.", limits: { maxLines: 2 }, execute: () => "1\\n2\\n3" };`,
    });
    settings(at, { toolLimits: { b: { maxLines: 1 } } });
    const { say } = await open(at);
    expect(await say("a")).toMatch(/^2\n3\n\[truncated: 1 lines omitted; full output: .*\]$/);
    expect(await say("b")).toMatch(/^1\n\[truncated: 2 lines omitted; full output: .*\]$/);
  });

  it("are truncated in failures and data too", async () => {
    const { toolbox } = await open({
      "fails.ts": answering(`(() => { throw new Error(${repeat("x", 60_000)}) })()`),
      "data.ts": answering(`({ output: "ok", metadata: { rows: ${repeat("x", 60_000)} } })`),
    });
    const failed = await toolbox.call({ name: "fails" }).result;
    expect(outputOf(failed)).toMatch(/^x{50000}\n\[truncated: 10000 bytes omitted; full output: .*\]$/);
    const data = await toolbox.call({ name: "data" }).result;
    expect(data).toMatchObject({ ok: true, data: { truncated: { fullOutput: expect.stringMatching(/\.txt$/) } } });
  });
});

describe("[P3] permissions", () => {
  const TOUCHES = `export default { description: "Writes.", args: { path: { type: "string" } },
    access: ({ path }, { cwd }) => [{ kind: "write", target: cwd + "/" + path }], execute: ({ path }) => "wrote " + path };`;

  it("a deny rule refuses every caller, and the model reads the reason", async () => {
    const at = sandbox({ "deploy.ts": answering('"deployed"') });
    settings(at, { permissions: [{ tool: "deploy", action: "deny" }] });
    const { toolbox } = await open(at, { approve: async () => ({ allowed: true }) });
    const result = await toolbox.call({ name: "deploy" }).result;
    expect(result).toMatchObject({ ok: false, error: { code: "denied" } });
    expect(outputOf(result)).toMatch(/^"deploy" was not allowed to run\. /);
  });

  it("an ask rule asks a person, and refuses without an approver", async () => {
    const at = sandbox({ "writes.ts": TOUCHES });
    settings(at, { permissions: [{ tool: "writes", match: "src/**", action: "ask" }] });
    const questions: Question[] = [];
    const asked = await open(at, {
      approve: async (question) => {
        questions.push(question);
        return { allowed: false, reason: "Not on a Friday." };
      },
    });
    expect(await asked.say("writes", { path: "docs/a.md" })).toBe("wrote docs/a.md");
    expect(await asked.say("writes", { path: "src/a.ts" })).toBe('"writes" was not allowed to run. Not on a Friday.');
    expect(questions).toMatchObject([
      {
        tool: "writes",
        input: { path: "src/a.ts" },
        access: [{ kind: "write", target: join(at.project, "src/a.ts") }],
      },
    ]);
    const alone = await open(at);
    expect(await alone.say("writes", { path: "src/a.ts" })).toMatch(
      /No person can be asked here, so it was refused\. Find another way, or tell the user\.$/,
    );
  });

  it("[X1] a link does not evade a rule about a path", async () => {
    const at = sandbox({ "writes.ts": TOUCHES });
    mkdirSync(join(at.project, "secrets"));
    symlinkSync(join(at.project, "secrets"), join(at.project, "public"));
    settings(at, { permissions: [{ tool: "writes", match: "secrets/**", action: "deny" }] });
    const { toolbox } = await open(at);
    const call = (path: string): Promise<unknown> => toolbox.call({ name: "writes", input: { path } }).result;
    expect(await call("public/new.txt")).toMatchObject({ ok: false, error: { code: "denied" } });
    expect(await call("docs/new.txt")).toMatchObject({ ok: true });
  });

  it("an invalid input is refused without a question", async () => {
    const at = sandbox({ "writes.ts": TOUCHES });
    settings(at, { permissions: [{ tool: "*", action: "ask" }] });
    let asked = 0;
    const approve = async (): Promise<{ allowed: true }> => {
      asked += 1;
      return { allowed: true };
    };
    const { toolbox } = await open(at, { approve });
    expect(await toolbox.call({ name: "writes", input: {} }).result).toMatchObject({
      error: { code: "invalid_input" },
    });
    expect(asked).toBe(0);
  });

  it("a call that no rule matches asks a person only if the caller has not asked", async () => {
    const files = { "a.ts": answering('"a"') };
    expect(await (await open(files)).say("a")).toBe("a");
    expect(await (await open(files, { callerIsAsked: false })).say("a")).toMatch(/No person can be asked here/);
  });

  it("plan mode refuses tools that do not declare their access", async () => {
    const at = sandbox({ "a.ts": answering('"a"') });
    settings(at, { mode: "plan" });
    const { toolbox } = await open(at);
    expect(await toolbox.call({ name: "a" }).result).toMatchObject({ error: { code: "denied" } });
  });

  it("ctx.ask() rejects when refused, and the tool may handle it", async () => {
    const asks = `export default { description: "Asks.", async execute(_, ctx) {
      try { await ctx.ask({ permission: "deploy", patterns: ["prod"] }); return "yes"; } catch (error) { return "no: " + error.message; } } };`;
    const { say } = await open(
      { "asks.ts": asks },
      { approve: async ({ request }) => ({ allowed: false, reason: `never ${request?.patterns[0]}` }) },
    );
    expect(await say("asks")).toBe("no: never prod");
  });
});

describe("[P5] isolation", () => {
  it("file: each file has its own process", async () => {
    const files = { "a.ts": answering("String(process.pid)"), "b.ts": answering("String(process.pid)") };
    const shared = await open(files);
    expect(await shared.say("a")).toBe(await shared.say("b"));
    const apart = await open(files, { isolation: "file" });
    expect(await apart.say("a")).not.toBe(await apart.say("b"));
  });

  it("none: tools run in this process, under the same rules", async () => {
    const { toolbox, say } = await open({ "a.ts": answering("String(process.pid)") }, { isolation: "none" });
    expect(await say("a")).toBe(String(process.pid));
    expect(await toolbox.call({ name: "a", input: { x: 1 } }).result).toMatchObject({ ok: true });
  });

  it("a child process of a tool ends with its host", async () => {
    const { toolbox, say } = await open({
      "spawns.ts": `import { spawn } from "node:child_process"; export default { description: "Spawns.", execute: () => String(spawn("sleep", ["60"], { stdio: "ignore" }).pid) };
        export const detached = { description: "Spawns and hangs.", execute: (_, { metadata }) => { metadata({ metadata: { output: String(spawn("sleep", ["61"], { stdio: "ignore", detached: true }).pid) } }); return new Promise(() => {}); } };`,
    });
    const child = Number(await say("spawns"));
    const stuck = await toolbox.call({ name: "spawns_detached", timeoutMs: 300 }).result;
    const detached = Number(stuck.content[0]?.type === "text" && stuck.content[0].text);
    await expect.poll(() => [child, detached].map(isRunning)).toEqual([false, false]);
  });
});

describe("[R1] the tools as an MCP server in this process", () => {
  it("has the enabled tools, their schemas and handlers that never reject", async () => {
    const at = sandbox({
      "echo.ts": `export default { description: "Echoes.", args: { text: { type: "string" } }, execute: ({ text }, { callID, sessionID }) => [text, callID, sessionID].join(" ") };`,
      "off.ts": answering('"off"'),
    });
    settings(at, { tools: { disabled: ["off"] } });
    const { toolbox } = await open(at);
    expect([toolbox.count, toolbox.has("echo"), toolbox.has("nope")]).toEqual([2, true, false]);
    expect(allowedToolNames(toolbox)).toEqual(["mcp__toolwright__echo"]);
    const { tools, instance: _live, ...server } = toMcpServerConfig(toolbox);
    expect(server).toEqual({ type: "sdk", name: "toolwright", version: expect.any(String) });
    expect(tools.map(({ name, inputSchema }) => [name, inputSchema.required])).toEqual([["echo", ["text"]]]);
    const context = { toolUseId: "t1", sessionId: "s1" };
    expect(await tools[0]?.handler({ text: "hi" }, context)).toEqual({ content: [{ type: "text", text: "hi t1 s1" }] });
    expect(await tools[0]?.handler({})).toMatchObject({ isError: true });
  });

  it("responds to an agent that sends as soon as connect was called, in the order of its messages", async () => {
    const { toolbox } = await open({ "echo.ts": answering('"echo"') });
    const { connect } = toMcpServerConfig(toolbox).instance as unknown as {
      connect(transport: SdkTransport): Promise<void>;
    };
    const heard: { id?: number; result?: { tools?: { name: string }[] } }[] = [];
    const transport: SdkTransport = {
      start: async () => {},
      send: async (message) => void heard.push(message as (typeof heard)[number]),
      close: async () => transport.onclose?.(),
    };
    const say = (message: object): void => transport.onmessage?.({ jsonrpc: "2.0", ...message } as never);
    const clientInfo = { name: "agent", version: "1" };
    const connecting = connect(transport);
    say({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
    say({ method: "notifications/initialized" });
    say({ id: 2, method: "tools/list" });
    await connecting;
    say({ id: 3, method: "ping" });
    await vi.waitFor(() => expect(heard.map(({ id }) => id)).toEqual([1, 2, 3]), PATIENT);
    expect(heard[1]?.result?.tools?.map(({ name }) => name)).toEqual(["echo"]);
    await transport.close();
  });
});
