import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callContext, exportAt } from "../../../../test/support/forms.ts";
import { readSdkTool, type SdkContext } from "./sdk.ts";

type Handler = (input: unknown, context: SdkContext) => unknown;

/** The result for a value that a handler returns. */
async function answered(handler: Handler, context = callContext()): Promise<unknown> {
  const tool = await readSdkTool({ name: "look-up", handler: handler as never }, exportAt());
  return tool.run({ id: 1 }, context);
}

describe("the SDK shape", () => {
  it.each([
    ["JSON Schema", { type: "object", properties: { id: { type: "string" } }, required: ["id"] }],
    ["a Zod object", z.object({ id: z.string() })],
    ["a raw Zod shape", { id: z.string() }],
  ])("[A13] takes %s, as inputSchema and as parameters", async (_, schema) => {
    for (const field of ["inputSchema", "parameters"]) {
      const tool = await readSdkTool({ name: "look-up", [field]: schema, handler: () => 1 }, exportAt());
      expect(tool.input.json).toMatchObject({ properties: { id: { type: "string" } }, required: ["id"] });
    }
  });

  it("[A13] has the name of its definition; annotations are hints; a description is optional", async () => {
    const annotations = { title: "Look", readOnlyHint: true, destructiveHint: false, openWorldHint: "maybe" };
    const tool = await readSdkTool({ name: "look-up", annotations, handler: () => 1 }, exportAt());
    expect(tool).toMatchObject({
      name: "look-up",
      description: "",
      hints: { title: "Look", readOnly: true, destructive: false },
      origin: { format: "sdk" },
    });
  });

  it("[A13] passes a context with the field names of every SDK", async () => {
    const context = callContext();
    expect(await answered((_, given) => ({ ...given }), context)).toMatchObject({
      toolUseId: "c1",
      toolCallId: "c1",
      requestId: "c1",
      toolName: "look-up",
      arguments: { id: 1 },
      sessionId: "s1",
      signal: context.author.abort,
      sessionID: "s1",
      directory: "/p/app",
      messages: ["hello"],
    });
  });

  it("[P6] shows MCP's progress", async () => {
    const context = callContext();
    const params = { progressToken: "c1", progress: 1, total: 2, message: "half" };
    await answered(async (_, { sendNotification }) => {
      await sendNotification({ method: "notifications/progress", params });
      await sendNotification({ method: "notifications/message", params: {} });
    }, context);
    expect(context.shown).toEqual([{ title: "half", metadata: { progress: 1, total: 2, message: "half" } }]);
  });

  it("[A2] refuses an invalid name", async () => {
    await expect(readSdkTool({ name: "look up", handler: () => 1 }, exportAt())).rejects.toMatchObject({
      code: "bad_name",
    });
  });

  it("[A13] calls execute if there is no handler", async () => {
    const tool = await readSdkTool({ name: "x", inputSchema: {}, execute: (input) => input }, exportAt());
    expect(await tool.run({ a: 1 }, callContext())).toEqual({ a: 1 });
  });
});

describe("results", () => {
  it("[A4] of MCP stay as they are", async () => {
    const result = { content: [{ type: "text", text: "x" }], isError: true };
    expect(await answered(() => result)).toBe(result);
  });

  it.each([
    ["success", "fine", undefined, { content: [{ type: "text", text: "fine" }], isError: false }],
    ["failure", "bad", "why", { content: [{ type: "text", text: "bad" }], details: { error: "why" }, isError: true }],
    ["failure", "", "why", { content: [{ type: "text", text: "why" }], details: { error: "why" }, isError: true }],
    [
      "success",
      "ok",
      "warned",
      { content: [{ type: "text", text: "ok" }], details: { error: "warned" }, isError: false },
    ],
    [
      "failure",
      "bad",
      new Error("why"),
      { content: [{ type: "text", text: "bad" }], details: { error: "why" }, isError: true },
    ],
    [
      "failure",
      "bad",
      { code: 5 },
      { content: [{ type: "text", text: "bad" }], details: { error: { code: 5 } }, isError: true },
    ],
    ["failure", "bad", null, { content: [{ type: "text", text: "bad" }], isError: true }],
    ["failure", "bad", 5n, { content: [{ type: "text", text: "bad" }], isError: true }],
    ["failure", "bad", "", { content: [{ type: "text", text: "bad" }], isError: true }],
    ["rejected", "no", undefined, { content: [{ type: "text", text: "no" }], isError: true }],
    ["denied", "no", undefined, { content: [{ type: "text", text: "no" }], isError: true }],
  ])("[A13] of Copilot: %s %o", async (resultType, textResultForLlm, error, result) => {
    expect(await answered(() => ({ resultType, textResultForLlm, error }))).toEqual(result);
  });

  it.each<[object, object]>([
    [{ toolTelemetry: { ms: 5, of: ["a"] } }, { details: { toolTelemetry: { ms: 5, of: ["a"] } } }],
    [{ sessionLog: "read 3 files" }, { details: { sessionLog: "read 3 files" } }],
    [{ error: "e", toolTelemetry: { n: 1n } }, { details: { error: "e" } }],
    [{ toolTelemetry: undefined }, {}],
    [{ toolTelemetry: () => 1 }, {}],
    [
      {
        get toolTelemetry() {
          throw new Error("no");
        },
      },
      {},
    ],
  ])("[A13] of Copilot keep what is not for the model as data (%#)", async (more, details) => {
    const returned = Object.defineProperties(
      { resultType: "success", textResultForLlm: "ok" },
      Object.getOwnPropertyDescriptors(more),
    );
    const content = [{ type: "text", text: "ok" }];
    expect(await answered(() => returned)).toEqual({ content, ...details, isError: false });
  });

  it("[P9] of Copilot with pictures and files", async () => {
    const picture = { type: "image", data: "AAAA", mimeType: "image/png" };
    const file = { type: "resource", data: "BBBB", mimeType: "application/pdf", description: "a.pdf" };
    const returned = { resultType: "success", textResultForLlm: "see", binaryResultsForLlm: [picture, file] };
    expect(await answered(() => returned)).toEqual({
      content: [
        { type: "text", text: "see" },
        picture,
        { type: "file", data: "BBBB", mimeType: "application/pdf", name: "a.pdf" },
      ],
      isError: false,
    });
  });
});
