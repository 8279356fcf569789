import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { allowedToolNames, toMcpServerConfig } from "../../src/index.ts";
import type { Toolbox } from "../../src/toolbox/toolbox.ts";
import { ANTHROPIC } from "../support/agents/anthropic-wire.ts";
import { CLAUDE_CODE } from "../support/agents/claude-code.ts";
import { type ScriptedModel, startModel } from "../support/agents/scripted-model.ts";
import type { Turn } from "../support/agents/wire.ts";
import { type Sandbox, sandbox, writeTool } from "../support/fixture.ts";
import { installed, MODULES } from "../support/installed.ts";
import { open } from "../support/toolbox.ts";

const PATIENT = { timeout: 50_000, interval: 50 };
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const TOOLS = {
  "greet.js": `export default { description: "Greets.", args: { name: { type: "string", description: "Who", pattern: "^[A-Z]" } }, execute: ({ name }) => "Hello, " + name + "!" };`,
  "fails.js": `export default { description: "Fails.", execute: () => { throw new Error("no luck"); } };`,
  "draws.js": `export default { description: "Draws.", execute: () => ({ content: [{ type: "image", mimeType: "image/png", data: "${PICTURE}" }] }) };`,
  "waits.js": `export default { description: "Waits.", execute: (args, { abort, metadata }) => new Promise((resolve) => {
    metadata({ title: "begun" });
    abort.addEventListener("abort", () => resolve("stopped"));
  }) };`,
};

/** The functions of the SDK that the tests use. */
interface Sdk {
  query(params: { prompt: string | AsyncIterable<unknown>; options: object }): Query;
}

interface Query extends AsyncIterable<{ type: string; subtype?: string; result?: string }> {
  mcpServerStatus(): Promise<{ name: string; status: string }[]>;
}

const missing = await installed("claude-agent-sdk");

async function sdk(): Promise<Sdk> {
  return (await import(join(MODULES["claude-agent-sdk"], "@anthropic-ai/claude-agent-sdk/sdk.mjs"))) as Sdk;
}

async function scripted(turns: readonly Turn[]): Promise<ScriptedModel> {
  const model = await startModel(ANTHROPIC, turns);
  onTestFinished(() => model.close());
  return model;
}

/** A query of the real agent, with the scripted model and only these tools. */
async function ask(at: Sandbox, toolbox: Toolbox, model: ScriptedModel, more: object = {}): Promise<Query> {
  const TMPDIR = join(at.root, "tmp");
  mkdirSync(TMPDIR, { recursive: true });
  const env = { ...at.env, TMPDIR, CLAUDE_CODE_TMPDIR: TMPDIR, ...CLAUDE_CODE.env?.(model.origin) };
  const options = {
    ...{ cwd: at.project, model: "scripted", tools: [], settingSources: [], strictMcpConfig: true, env },
    mcpServers: { toolwright: toMcpServerConfig(toolbox) },
    allowedTools: allowedToolNames(toolbox),
    ...more,
  };
  return (await sdk()).query({ prompt: "Do it.", options });
}

/** The final result of a query. */
async function endOf(query: Query): Promise<string | undefined> {
  let last: string | undefined;
  for await (const message of query) if (message.type === "result") last = message.result;
  return last;
}

const calling = (tool: string, input: Record<string, unknown> = {}): Turn => ({
  call: `mcp__toolwright__${tool}`,
  input,
});

describe.skipIf(missing)(`[R1] the Claude Agent SDK${missing ? ` (${missing})` : ""}`, { timeout: 120_000 }, () => {
  it("connects to toMcpServerConfig(), lists the tools with their schemas, calls them and gets failures", async () => {
    const at = sandbox(TOOLS);
    const { toolbox } = await open(at);
    const model = await scripted([
      calling("greet", { name: "Ada" }),
      calling("greet", { name: "ada" }),
      calling("fails"),
      { say: "Done." },
    ]);
    const query = await ask(at, toolbox, model);
    let statuses: ReturnType<Query["mcpServerStatus"]> | undefined;
    let last: string | undefined;
    for await (const { type, result } of query) {
      if (type === "assistant") statuses ??= query.mcpServerStatus();
      last = result;
    }
    expect(last).toBe("Done.");
    expect((await statuses)?.map(({ name, status }) => [name, status])).toEqual([["toolwright", "connected"]]);
    const [first] = model.heard;
    expect(first?.offered.map(({ name }) => name).sort()).toEqual([...allowedToolNames(toolbox)].sort());
    expect(first?.offered.find(({ name }) => name.endsWith("greet"))).toMatchObject({
      description: "Greets.",
      schema: { properties: { name: { type: "string", description: "Who", pattern: "^[A-Z]" } }, required: ["name"] },
    });
    const answers = model.heard.at(-1)?.answers ?? [];
    expect(answers.map(({ text, failed = false }) => [text.split("\n")[0], failed])).toEqual([
      ["Hello, Ada!", false],
      ['The input for "greet" is not valid:', true],
      ["no luck", true],
    ]);
  });

  it("passes images on to the model", async () => {
    const at = sandbox(TOOLS);
    const { toolbox } = await open(at);
    const model = await scripted([calling("draws"), { say: "Done." }]);
    expect(await endOf(await ask(at, toolbox, model))).toBe("Done.");
    expect(model.heard.at(-1)?.pictures).toEqual([PICTURE]);
  });

  it("aborts the call when the query is interrupted", async () => {
    const at = sandbox(TOOLS);
    const { toolbox } = await open(at);
    const ends: string[] = [];
    const updates: string[] = [];
    toolbox.on("call", (event) => {
      if (event.type === "tool.update") updates.push(event.title ?? "");
      if (event.type === "tool.failed") ends.push(event.result.error.code);
    });
    const model = await scripted([calling("waits"), { say: "Done." }]);
    const abortController = new AbortController();
    const query = await ask(at, toolbox, model, { abortController });
    const ended = endOf(query).catch(() => {});
    await vi.waitFor(() => expect(updates).toEqual(["begun"]), PATIENT);
    abortController.abort();
    await ended;
    await vi.waitFor(() => expect(ends).toEqual(["aborted"]), PATIENT);
  });

  it("serves two queries at once with one config, and lists reloaded tools", async () => {
    const at = sandbox(TOOLS);
    const { toolbox } = await open(at);
    const mcpServers = { toolwright: toMcpServerConfig(toolbox) };
    const models = await Promise.all(
      ["Ada", "Bob"].map((name) => scripted([calling("greet", { name }), { say: `Greeted ${name}.` }])),
    );
    const queries = await Promise.all(models.map((model) => ask(at, toolbox, model, { mcpServers })));
    expect(await Promise.all(queries.map(endOf))).toEqual(["Greeted Ada.", "Greeted Bob."]);
    expect(models.map(({ heard }) => heard.at(-1)?.answers[0]?.text.split("\n")[0])).toEqual([
      "Hello, Ada!",
      "Hello, Bob!",
    ]);
    writeTool(at, "late.js", 'export default { description: "Late.", execute: () => "late" };');
    await toolbox.reload();
    const model = await scripted([calling("late"), { say: "Done." }]);
    expect(await endOf(await ask(at, toolbox, model, { mcpServers, allowedTools: allowedToolNames(toolbox) }))).toBe(
      "Done.",
    );
    expect(model.heard.at(-1)?.answers[0]?.text.split("\n")[0]).toBe("late");
  });
});
