import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outputOf, type ToolResult } from "../../src/core/result.ts";
import { createToolbox } from "../../src/index.ts";
import type { Toolbox } from "../../src/toolbox/toolbox.ts";
import { makeSandbox, writeTool } from "../support/fixture.ts";
import { installed, MODULES } from "../support/installed.ts";

const FILES: Record<string, string> = {
  "ai.ts": `
    import { dynamicTool, jsonSchema, tool } from "ai";
    import { z } from "zod";
    export default tool({
      description: "Multiplies.",
      inputSchema: z.object({ a: z.number(), b: z.number().default(2) }),
      execute: async ({ a, b }, { toolCallId, abortSignal }) => ({ product: a * b, told: Boolean(toolCallId && abortSignal) }),
    });
    export const plain = tool({
      description: "Repeats.",
      inputSchema: jsonSchema<{ text: string }>({ type: "object", properties: { text: { type: "string" } }, required: ["text"] }),
      execute: ({ text }) => text,
    });
    export const steps = tool({
      inputSchema: z.object({}),
      async *execute() { yield "one"; yield "two"; },
      toModelOutput: ({ output }) => ({ type: "content", value: [{ type: "text", text: "at last " + output }, { type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } }] }),
    });
    export const browser = tool({ description: "Runs elsewhere.", inputSchema: z.object({}) });
    export const dynamic = dynamicTool({ description: "Any.", inputSchema: z.object({ q: z.string() }), execute: async (input) => JSON.stringify(input) });
    export const measured = tool({
      description: "Measures.",
      inputSchema: z.object({}),
      outputSchema: z.object({ cm: z.number() }),
      execute: () => ({ cm: 3 }),
      toModelOutput: ({ output }) => ({ type: "text", value: output.cm + " cm" }),
    });
    export const tools = { shout: tool({ description: "Shouts.", inputSchema: z.object({ t: z.string() }), execute: ({ t }) => t.toUpperCase() }) };`,
  "mastra.ts": `
    import { createTool } from "@mastra/core/tools";
    import { z } from "zod";
    export const brew = createTool({
      id: "brew-coffee",
      description: "Brews.",
      inputSchema: z.object({ cups: z.string().transform(Number) }),
      outputSchema: z.object({ cups: z.number() }),
      execute: async ({ cups }, context) => {
        await context.writer?.write("grinding");
        return { cups: cups + (context.requestContext?.get("more") ?? 0) };
      },
    });
    export const wrong = createTool({ id: "wrong", description: "Wrong.", outputSchema: z.object({ n: z.number() }), execute: async () => ({ n: "x" }) as never });
    export const fails = createTool({ id: "spill", description: "Fails.", execute: async () => { throw new Error("spilt"); } });`,
  "chain.ts": `
    import { DynamicTool, StructuredTool, tool } from "@langchain/core/tools";
    import { z } from "zod";
    export const add = tool(async ({ a, b }) => String(a + b), {
      name: "add", description: "Adds.", schema: z.object({ a: z.string().transform(Number), b: z.number().default(3) }),
    });
    export const paint = tool(
      async () => [[{ type: "text", text: "see" }, { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }], { size: 4 }],
      { name: "paint", description: "Paints.", schema: z.object({}), responseFormat: "content_and_artifact" },
    );
    export const echo = new DynamicTool({ name: "echo", description: "Echoes.", func: async (input) => "got " + input });
    export const count = tool(async function* () { yield "one"; return "done"; }, { name: "count", description: "Counts.", schema: { type: "object", properties: {} } });
    export class Shout extends StructuredTool {
      name = "shout-class";
      description = "Shouts.";
      schema = z.object({ t: z.string() });
      async _call({ t }: { t: string }) { return t.toUpperCase(); }
    }`,
  "agents.ts": `
    import { tool } from "@openai/agents-core";
    import { z } from "zod";
    export const weather = tool({
      name: "get_weather", description: "Tells.", parameters: z.object({ city: z.string() }),
      execute: async ({ city }, run) => "Sunny in " + city + ", " + typeof (run as { context: { directory: string } }).context.directory,
    });
    export const picture = tool({ name: "picture", description: "Draws.", parameters: z.object({}), execute: async () => ({ type: "image", image: { data: "AAAA", mediaType: "image/png" } }) });
    export const area = tool({ name: "area", description: "Measures.", parameters: z.object({}), outputSchema: z.object({ m2: z.number() }), execute: async () => ({ m2: 12 }) });
    export const guarded = tool({ name: "guarded", description: "Asks.", parameters: z.object({}), needsApproval: true, execute: async () => "went on" });`,
  "claude.ts": `
    import { tool } from "@anthropic-ai/claude-agent-sdk";
    import { z } from "zod";
    export default [
      tool("greet-you", "Greets.", { who: z.string() }, async ({ who }, extra) => ({ content: [{ type: "text", text: "Hello " + who + ", " + ((extra as { signal: AbortSignal }).signal instanceof AbortSignal) }] }), { annotations: { readOnlyHint: true } }),
    ];`,
  "copilot.ts": `
    import { defineTool } from "@github/copilot-sdk";
    import { z } from "zod";
    const make = (name: string, resultType: "success" | "failure") => defineTool(name, {
      description: "Looks up.",
      parameters: z.object({ id: z.string() }),
      handler: async ({ id }, { toolName, sessionId }) => ({ textResultForLlm: toolName + " " + id + " " + typeof sessionId, resultType }),
    });
    export const found = make("find-it", "success");
    export const lost = make("lose-it", "failure");`,
};

const missing = await installed("frameworks");

describe.skipIf(missing)(`[A13] tools of frameworks${missing ? ` (${missing})` : ""}`, () => {
  let toolbox: Toolbox;
  const at = makeSandbox();
  afterAll(at.remove);

  beforeAll(async () => {
    symlinkSync(MODULES.frameworks, join(at.project, "node_modules"));
    for (const [name, text] of Object.entries(FILES)) writeTool(at, name, text);
    toolbox = await createToolbox({ cwd: at.project, env: at.env, trust: true, builtins: false });
  });
  afterAll(() => toolbox.close());

  const run = (name: string, input: object = {}): Promise<ToolResult> => toolbox.call({ name, input }).result;

  it("are listed with their formats, and the one that cannot run is reported with the reason", () => {
    expect(toolbox.list().map(({ name, format }) => `${name} ${format}`)).toEqual([
      "add langchain",
      "ai ai-sdk",
      "ai_dynamic ai-sdk",
      "ai_measured ai-sdk",
      "ai_plain ai-sdk",
      "ai_steps ai-sdk",
      "area openai-agents",
      "brew-coffee mastra",
      "count langchain",
      "echo langchain",
      "find-it sdk",
      "get_weather openai-agents",
      "greet-you sdk",
      "guarded openai-agents",
      "lose-it sdk",
      "paint langchain",
      "picture openai-agents",
      "shout ai-sdk",
      "shout-class langchain",
      "spill mastra",
      "wrong mastra",
    ]);
    expect(toolbox.problems().map(({ message }) => message)).toEqual([
      '"ai_browser" has no execute function, so only a client could run it. Add async execute(input) { … }.',
    ]);
  });

  it.each([
    ["ai", { a: 4 }, '{"product":8,"told":true}'],
    ["ai_plain", { text: "hi" }, "hi"],
    ["ai_steps", {}, "at last two"],
    ["ai_dynamic", { q: "x" }, '{"q":"x"}'],
    ["shout", { t: "hey" }, "HEY"],
    ["brew-coffee", { cups: "2" }, '{"cups":2}'],
    ["add", { a: "4" }, "7"],
    ["paint", {}, "see"],
    ["echo", { input: "you" }, "got you"],
    ["count", {}, "done"],
    ["shout-class", { t: "hey" }, "HEY"],
    ["get_weather", { city: "Rome" }, "Sunny in Rome, string"],
    ["greet-you", { who: "you" }, "Hello you, true"],
    ["find-it", { id: "7" }, "find-it 7 string"],
  ])("%s returns its result", async (name, input, output) => {
    const result = await run(name, input);
    expect([result.ok, outputOf(result)]).toEqual([true, output]);
  });

  it.each([
    ["ai", { a: "x" }, "/a"],
    ["ai_plain", {}, "text"],
    ["brew-coffee", {}, "/cups"],
    ["add", {}, "/a"],
    ["get_weather", {}, "city"],
    ["greet-you", {}, "/who"],
    ["find-it", {}, "/id"],
  ])("[P2] %s with %o is refused, with the path", async (name, input, where) => {
    const result = await run(name, input);
    expect(result).toMatchObject({ ok: false, error: { code: "invalid_input" } });
    expect(outputOf(result)).toContain(where);
  });

  it.each([
    ["spill", "spilt"],
    ["lose-it", "lose-it 7 string"],
    ["wrong", expect.stringContaining("validation failed")],
  ])("[A4] %s fails with its message", async (name, output) => {
    const result = await run(name, { id: "7" });
    expect([result.ok, outputOf(result)]).toEqual([false, output]);
  });

  it.each([
    ["ai_measured", {}, "3 cm", { cm: 3 }],
    ["brew-coffee", { cups: "2" }, '{"cups":2}', { cups: 2 }],
    ["area", {}, '{"m2":12}', { m2: 12 }],
  ])("[A13] %s returns the data that it declares", async (name, input, output, data) => {
    const [field = ""] = Object.keys(data);
    expect(toolbox.get(name)?.outputSchema).toMatchObject({
      type: "object",
      properties: { [field]: { type: "number" } },
    });
    const result = await run(name, input);
    expect([result.data, outputOf(result)]).toEqual([data, output]);
  });

  it.each(["ai_steps", "paint", "picture"])("[P9] %s returns an image", async (name) => {
    expect((await run(name)).content).toContainEqual({ type: "image", data: "AAAA", mimeType: "image/png" });
  });

  it("[A4] an artifact becomes data", async () => {
    expect(await run("paint")).toMatchObject({ ok: true, data: { size: 4 } });
  });

  it.each([
    ["ai_steps", {}, "two"],
    ["brew-coffee", { cups: "1" }, "grinding"],
    ["count", {}, "one"],
  ])("[P6] %s shows its progress", async (name, input, shown) => {
    const updates: unknown[] = [];
    for await (const event of toolbox.call({ name, input })) {
      if (event.type === "tool.update") updates.push(event.metadata?.output);
    }
    expect(updates.at(-1)).toBe(shown);
  });

  it("[P3] a tool that needs approval is refused if there is no approver", async () => {
    expect(await run("guarded")).toMatchObject({ ok: false, error: { code: "denied" } });
  });

  it("annotations become hints", () => {
    expect(toolbox.list().find(({ name }) => name === "greet-you")?.hints).toEqual({ readOnly: true });
  });
});

const OLDER_FILES: Record<string, string> = {
  "mastra.ts": `
    import { createTool } from "@mastra/core/tools";
    import { z } from "zod";
    export const brew = createTool({
      id: "brew-coffee",
      description: "Brews.",
      inputSchema: z.object({ cups: z.string().transform(Number), milk: z.boolean().default(true) }),
      execute: async ({ context, runtimeContext }, options) => ({ ...context, told: [typeof runtimeContext.get, typeof options.abortSignal] }),
    });
    const schemas: Record<string, z.ZodTypeAny> = {};
    export const lost = createTool({ id: "lost", description: "Lost.", inputSchema: schemas.Lost, execute: async () => 1 });
    export const stop = createTool({ id: "stop", description: "Stops.", execute: async () => "stopped" });`,
  "plain.ts": `
    import { z } from "zod";
    export default { id: "plain-object", description: "Plain.", inputSchema: z.object({ n: z.number() }), execute: async ({ context }) => context.n + 1 };`,
  "fusion.ts": `
    import { Tool, zodSchema } from "modelfusion";
    import { z } from "zod";
    export const calculator = new Tool({
      name: "calculator",
      description: "Adds.",
      parameters: zodSchema(z.object({ a: z.number().describe("The first number"), b: z.number().default(2) })),
      execute: async (numbers) => numbers.a + numbers.b,
    });`,
};

const missingOlder = await installed("older-frameworks");

describe.skipIf(missingOlder)(`[A13] tools of older frameworks${missingOlder ? ` (${missingOlder})` : ""}`, () => {
  let toolbox: Toolbox;
  const at = makeSandbox();
  afterAll(at.remove);

  beforeAll(async () => {
    symlinkSync(MODULES["older-frameworks"], join(at.project, "node_modules"));
    for (const [name, text] of Object.entries(OLDER_FILES)) writeTool(at, name, text);
    toolbox = await createToolbox({ cwd: at.project, env: at.env, trust: true, builtins: false });
  });
  afterAll(() => toolbox.close());

  it.each([
    ["brew-coffee", { cups: "2" }, '{"cups":2,"milk":true,"told":["function","object"]}'],
    ["stop", {}, "stopped"],
    ["plain-object", { n: 1 }, "2"],
    ["calculator", { a: 1 }, "3"],
  ])("%s returns its result", async (name, input, output) => {
    const result = await toolbox.call({ name, input }).result;
    expect([result.ok, outputOf(result)]).toEqual([true, output]);
  });

  it("[P2] refuse a wrong input", async () => {
    for (const [name, input, where] of [
      ["brew-coffee", {}, "/cups"],
      ["calculator", { a: "x" }, "a"],
    ] as const) {
      const result = await toolbox.call({ name, input }).result;
      expect(result).toMatchObject({ ok: false, error: { code: "invalid_input" } });
      expect(outputOf(result)).toContain(where);
    }
  });

  it("have a schema, also if a schema object describes itself; a missing one is reported", () => {
    expect(toolbox.get("calculator")?.inputSchema).toMatchObject({
      properties: { a: { type: "number", description: "The first number" } },
      required: ["a"],
    });
    expect(toolbox.problems()).toMatchObject([
      { tool: "lost", code: "bad_schema", message: expect.stringMatching(/^inputSchema of "lost" is undefined\./) },
    ]);
  });
});
