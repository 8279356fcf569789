import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callContext, FILE, formatHost } from "../../../../test/support/forms.ts";
import { put, temporary } from "../../../../test/support/temporary.ts";
import { acceptedContent, type InputResponses, inputRequired } from "../../../authoring/xmcp/index.ts";
import type { Tool } from "../../../core/tool.ts";
import type { Contributions, ModuleFile } from "../contributions.ts";
import { readModule } from "../read-module.ts";

interface Extra {
  readonly inputResponses?: InputResponses;
  elicit(params: object): Promise<unknown>;
  sample(): Promise<unknown>;
  sendNotification(notification: object): Promise<void>;
}

type Handler = (args: never, extra: Extra) => unknown;

const PLACE = { ...FILE, path: "/p/src/tools/deep/word-count.ts", name: "word-count", system: "xmcp" } as const;

function read(
  handler: unknown,
  exports: object = {},
  {
    file = PLACE,
    source = "",
    host = formatHost(),
  }: { file?: ModuleFile; source?: string; host?: ReturnType<typeof formatHost> } = {},
): Promise<Contributions> {
  return readModule({ default: handler, ...exports }, file, { host, source });
}

async function only(handler: Handler, exports: object = {}, host = formatHost()): Promise<Tool> {
  const { tools, problems } = await read(handler, exports, { host });
  expect(problems).toEqual([]);
  return tools[0] as Tool;
}

const text = (text: string): object[] => [{ type: "text", text }];
const OUTPUT = { outputSchema: { total: z.number() } };

describe("tools of xmcp", () => {
  it("[A15] have the name of their metadata, else of their file, and its hints", async () => {
    const metadata = { name: "count", description: "Counts.", annotations: { title: "Count", readOnlyHint: true } };
    const schema = { text: z.string().describe("The text") };
    const tool = await only(() => 1, { metadata, schema });
    expect(tool).toMatchObject({
      name: "count",
      description: "Counts.",
      hints: { title: "Count", readOnly: true },
      origin: { format: "xmcp" },
      input: { json: { properties: { text: { type: "string", description: "The text" } }, required: ["text"] } },
    });
    expect(await only(() => 1)).toMatchObject({ name: "word-count", description: "" });
  });

  it.each<[string, object, unknown, unknown]>([
    ["a text", {}, "three", { content: text("three") }],
    ["a number", {}, 3, { content: text("3") }],
    ["a result of MCP", {}, { content: text("x"), isError: true }, { content: text("x"), isError: true }],
    ["structured content", {}, { structuredContent: { a: 1 } }, { content: [], structuredContent: { a: 1 } }],
    ["an object for its output schema", OUTPUT, { total: 2 }, { content: [], structuredContent: { total: 2 } }],
    ["a number for its output schema", OUTPUT, 2, { content: text("2"), structuredContent: { total: 2 } }],
    ["a text that does not fit its output schema", OUTPUT, "none", { content: text("none") }],
    ["another object", {}, { a: 1 }, { a: 1 }],
  ])("[A4] [A15] return %s", async (_, exports, returned, result) => {
    const tool = await only(async () => returned, exports);
    expect(await tool.run({}, callContext())).toEqual(result);
  });

  it("[A4] return something", async () => {
    const tool = await only(() => undefined);
    await expect(tool.run({}, callContext())).rejects.toThrow(
      '"word-count" returned undefined. Return a string, a number or { content: [{ type: "text", text }] }.',
    );
  });

  it("[A15] get the signal, the ids and the notifications of the call", async () => {
    const context = callContext();
    const tool = await only(async (_, extra) => {
      await extra.sendNotification({ method: "notifications/progress", params: { progress: 1, message: "half" } });
      return JSON.stringify(Object.keys(extra).sort());
    });
    await tool.run({}, context);
    expect(context.shown).toEqual([{ title: "half", metadata: { progress: 1, message: "half" } }]);
    const seen = await only((_, extra) => ({ content: [], _meta: { ...extra } }));
    expect(await seen.run({}, context)).toMatchObject({
      _meta: { signal: context.author.abort, requestId: "c1", sessionId: "s1" },
    });
  });

  const requestedSchema = { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] };
  const asks: Handler = async (_, extra) =>
    JSON.stringify(await extra.elicit({ mode: "form", message: "Sure?", requestedSchema }));
  const asksByResult: Handler = (_, { inputResponses }) => {
    const answer = acceptedContent(inputResponses, "sure");
    if (answer !== undefined) return JSON.stringify(answer);
    return inputRequired({
      inputRequests: { sure: inputRequired.elicit({ message: "Sure?", requestedSchema }) as never },
    });
  };

  it("[A15] ask the user, by a request or by a result", async () => {
    const host = formatHost({ hasUI: true, ui: async () => true });
    expect(await (await only(asks, {}, host)).run({}, callContext())).toEqual({
      content: text('{"action":"accept","content":{"sure":true}}'),
    });
    expect(await (await only(asksByResult, {}, host)).run({}, callContext())).toEqual({
      content: text('{"sure":true}'),
    });
  });

  it("[A15] get no answer from a question that the user closes", async () => {
    const host = formatHost({ hasUI: true, ui: async () => undefined });
    expect(await (await only(asks, {}, host)).run({}, callContext())).toEqual({ content: text('{"action":"cancel"}') });
    const confirms: Handler = async (_, extra) =>
      JSON.stringify(
        await extra.elicit({ mode: "form", message: "Sure?", requestedSchema: { type: "object", properties: {} } }),
      );
    expect(await (await only(confirms, {}, host)).run({}, callContext())).toEqual({
      content: text('{"action":"cancel"}'),
    });
  });

  it("[A15] get no answer where no person can be asked", async () => {
    expect(await (await only(asks)).run({}, callContext())).toEqual({ content: text('{"action":"cancel"}') });
    await expect((await only(asksByResult)).run({}, callContext())).rejects.toThrow(
      "The tool asks the user, and got no answer that it accepts.",
    );
  });

  it("[D5] are recognized by their place or their imports, and are not run", async () => {
    const body = (): never => {
      throw new Error("called");
    };
    const elsewhere = { ...FILE, path: join(temporary(), "tool.ts") };
    const schema = { a: z.string() };
    const imports = 'import { type InferSchema } from "xmcp";';
    const found = async (...[exports, options]: [object, Parameters<typeof read>[2]]): Promise<unknown> =>
      (await read(body, exports, options)).tools.map(({ origin }) => origin.format);
    expect(await found({}, { file: PLACE })).toEqual(["xmcp"]);
    expect(await found({ schema }, { file: elsewhere, source: imports })).toEqual(["xmcp"]);
    expect(await found({ metadata: {} }, { file: elsewhere, source: imports })).toEqual(["xmcp"]);
    expect(await found({}, { file: elsewhere, source: imports })).toEqual([]);
    expect(await found({ schema }, { file: elsewhere })).toEqual([]);
    put(join(elsewhere.path, "../xmcp.config.ts"));
    expect(await found({ schema }, { file: elsewhere })).toEqual(["xmcp"]);
  });

  it("[D5] a schema that is none is a problem", async () => {
    const { tools, problems } = await read(() => 1, { schema: { a: () => 1 } });
    expect([tools, problems]).toMatchObject([[], [{ code: "bad_schema", tool: "word-count" }]]);
  });
});
