import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callContext, exportAt, FILE } from "../../../../test/support/forms.ts";
import { put, temporary } from "../../../../test/support/temporary.ts";
import { readAiSdkTool } from "./ai-sdk.ts";

const MARK = Symbol.for("vercel.ai.schema");
const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };

describe("tools of the AI SDK", () => {
  it("[A13] are named by their export, and need no description", async () => {
    const tool = await readAiSdkTool({ inputSchema: z.object({}), title: "T", execute: () => 1 }, exportAt());
    expect(tool).toMatchObject({ name: "lint", description: "", hints: { title: "T" }, origin: { format: "ai-sdk" } });
  });

  it("[A13] receive the context of the call", async () => {
    const context = callContext();
    const tool = await readAiSdkTool({ inputSchema: {}, execute: (_, options) => options }, exportAt());
    expect(await tool.run({}, context)).toMatchObject({
      toolCallId: "c1",
      messages: ["hello"],
      abortSignal: context.author.abort,
      directory: "/p/app",
    });
  });

  it.each([
    ["a schema of a library", z.object({ n: z.number() })],
    ["a wrapped one", { [MARK]: true, jsonSchema: schema }],
    ["a wrapped one that takes time", { [MARK]: true, jsonSchema: Promise.resolve(schema) }],
    ["a function that makes one", () => ({ [MARK]: true, jsonSchema: schema })],
  ])("[A13] take %s", async (_, inputSchema) => {
    const tool = await readAiSdkTool({ inputSchema, execute: () => 1 }, exportAt());
    expect(tool.input.json).toMatchObject(schema);
    expect(await tool.input.check({ n: 1 })).toEqual({ ok: true, value: { n: 1 } });
    expect((await tool.input.check({ n: "x" })).ok).toBe(false);
  });

  it("[P2] check with the validate function of the schema", async () => {
    const validate = (value: unknown): object =>
      value === 1 ? { success: true, value: { n: 2 } } : { success: false, error: new Error("must be 1") };
    const inputSchema = { [MARK]: true, jsonSchema: schema, validate };
    const tool = await readAiSdkTool({ inputSchema, execute: () => 1 }, exportAt());
    expect(await tool.input.check(1)).toEqual({ ok: true, value: { n: 2 } });
    expect(await tool.input.check(3)).toEqual({ ok: false, issues: [{ path: "", message: "must be 1" }] });
  });

  it("[P6] that are generators show each value, and the last is the result", async () => {
    const context = callContext();
    async function* execute(): AsyncGenerator<string> {
      yield "a";
      yield "b";
    }
    const tool = await readAiSdkTool({ inputSchema: {}, execute }, exportAt());
    expect(await tool.run({}, context)).toBe("b");
    expect(context.shown).toEqual(["a", "b"]);
  });

  it("[A4] that return an object with an output show the whole object to the model", async () => {
    const tool = await readAiSdkTool({ inputSchema: {}, execute: () => ({ output: "x", code: 1 }) }, exportAt());
    expect(await tool.run({}, callContext())).toEqual({ content: [{ type: "text", text: '{"output":"x","code":1}' }] });
  });

  it("[P3] that need approval ask first", async () => {
    const context = callContext();
    const needsApproval = ({ risky }: { risky: boolean }): boolean => risky;
    const tool = await readAiSdkTool({ inputSchema: {}, needsApproval, execute: () => 1 }, exportAt());
    await tool.run({ risky: false }, context);
    expect(context.asked).toEqual([]);
    await tool.run({ risky: true }, context);
    expect(context.asked).toEqual([
      { permission: "lint", patterns: ["*"], always: ["*"], metadata: { input: { risky: true } } },
    ]);
  });

  it.each([
    [
      { description: "d", inputSchema: {} },
      '"lint" has no execute function, so only a client could run it. Add async execute(input) { … }.',
    ],
    [
      { type: "provider", id: "openai.web_search" },
      '"lint" is run by the provider of a model, so it cannot be served. Pass it to the AI SDK directly.',
    ],
  ])("[D5] without execute cannot be served: %o", async (definition, message) => {
    await expect(readAiSdkTool(definition, exportAt())).rejects.toMatchObject({ code: "bad_definition", message });
  });
});

describe("toModelOutput", () => {
  const shown = async (given: unknown): Promise<unknown> => {
    const tool = await readAiSdkTool({ inputSchema: {}, execute: () => "raw", toModelOutput: () => given }, exportAt());
    return tool.run({}, callContext());
  };
  const text = (words: string, isError = false): object => ({ content: [{ type: "text", text: words }], isError });

  it.each([
    [{ type: "text", value: "x" }, text("x")],
    [{ type: "json", value: { a: 1 } }, text('{"a":1}')],
    [{ type: "error-text", value: "x" }, text("x", true)],
    [{ type: "error-json", value: [1] }, text("[1]", true)],
    [{ type: "content", value: [{ type: "text", text: "x" }] }, { content: [{ type: "text", text: "x" }] }],
  ])("[A13] %o", async (given, expected) => {
    expect(await shown(given)).toEqual(expected);
  });

  it.each([
    [
      { type: "media", data: "AA", mediaType: "image/png" },
      { data: "AA", mimeType: "image/png" },
    ],
    [
      { type: "image-data", data: "AA", mediaType: "image/png" },
      { data: "AA", mimeType: "image/png" },
    ],
    [
      { type: "image-url", url: "https://x/y.png" },
      { url: "https://x/y.png", mimeType: "image/*" },
    ],
    [
      { type: "file-data", data: "AA", mediaType: "a/b", filename: "f" },
      { data: "AA", mimeType: "a/b", filename: "f" },
    ],
    [
      { type: "file", mediaType: "a/b", data: { type: "data", data: "AA" } },
      { data: "AA", mimeType: "a/b" },
    ],
    [
      { type: "file", mediaType: "a/b", data: { type: "url", url: new URL("https://x/y") } },
      { url: "https://x/y", mimeType: "a/b" },
    ],
  ])("[P9] %o is a file", async (part, file) => {
    expect(await shown({ type: "content", value: [part] })).toEqual({ content: [{ type: "file", ...file }] });
  });

  it("[P3] that denies fails the call as denied", async () => {
    await expect(shown({ type: "execution-denied", reason: "not now" })).rejects.toMatchObject({
      code: "denied",
      message: "not now",
    });
  });

  it.each([
    ["5.0.1", "raw"],
    ["7.0.0", { toolCallId: "c1", input: {}, output: "raw" }],
    [undefined, { toolCallId: "c1", input: {}, output: "raw" }],
  ])("[A13] gets the argument of the installed version: %s", async (version, expected) => {
    const folder = temporary();
    if (version) put(`${folder}/node_modules/ai/package.json`, JSON.stringify({ name: "ai", version }));
    const given: unknown[] = [];
    const toModelOutput = (output: unknown): unknown => given.push(output);
    const at = exportAt({ file: { ...FILE, path: `${folder}/lint.ts` } });
    await (await readAiSdkTool({ inputSchema: {}, execute: () => "raw", toModelOutput }, at)).run({}, callContext());
    expect(given).toEqual([expected]);
  });
});
