import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callContext, exportAt, FILE } from "../../../../test/support/forms.ts";
import { put, temporary } from "../../../../test/support/temporary.ts";
import { readMastraTool } from "./mastra.ts";

const MARK = Symbol.for("mastra.core.tool.Tool");
const base = { id: "brew", description: "Brews", inputSchema: z.object({ cups: z.coerce.number().default(1) }) };

/** An instance as version 0 creates it. */
class Old {
  id = "brew";
  inputSchema = undefined;
  execute = (...given: unknown[]): unknown => given[0];
}

describe("tools of Mastra", () => {
  it("[A13] are named by their id, and get the unparsed input", async () => {
    const tool = await readMastraTool(
      { ...base, execute: (input) => input, mcp: { annotations: { readOnlyHint: true } } },
      exportAt(),
    );
    expect(tool).toMatchObject({
      name: "brew",
      description: "Brews",
      hints: { readOnly: true },
      origin: { format: "mastra" },
    });
    expect(await tool.input.check({ cups: "2" })).toEqual({ ok: true, value: { cups: "2" } });
    expect(await tool.input.check({ cups: "many" })).toMatchObject({ ok: false, issues: [{ path: "/cups" }] });
  });

  it("[A13] receive the context of the call", async () => {
    const context = callContext();
    const tool = await readMastraTool(
      { ...base, [MARK]: true, execute: (_: unknown, given: unknown) => given } as never,
      exportAt(),
    );
    expect(await tool.run({}, context)).toMatchObject({
      abortSignal: context.author.abort,
      requestContext: expect.any(Map),
      runtimeContext: expect.any(Map),
      mastra: undefined,
      agent: { agentId: "tester", toolCallId: "c1", messages: ["hello"], threadId: "s1" },
    });
  });

  it("[P6] show what they write", async () => {
    const context = callContext();
    const execute = async (_: unknown, { writer }: { writer: { write(chunk: unknown): unknown } }): Promise<void> => {
      await writer.write("half");
    };
    await (await readMastraTool({ ...base, execute: execute as never }, exportAt())).run({}, context);
    expect(context.shown).toEqual(["half"]);
  });

  it("[A13] of version 0 get one object with the parsed input in it", async () => {
    const tool = await readMastraTool(Object.assign(new Old(), { inputSchema: base.inputSchema }), exportAt());
    expect(await tool.input.check({ cups: "2" })).toEqual({ ok: true, value: { cups: 2 } });
    expect(await tool.run({ cups: 2 }, callContext())).toMatchObject({
      context: { cups: 2 },
      runtimeContext: expect.any(Map),
    });
  });

  it("[A13] of version 1 get the input first, whether instances or plain", async () => {
    const { inputSchema: _, ...plain } = new Old();
    for (const made of [new Old(), plain]) {
      const tool = await readMastraTool(Object.assign(made, made instanceof Old ? { [MARK]: true } : {}), exportAt());
      expect(await tool.run({ cups: 2 }, callContext())).toEqual({ cups: 2 });
    }
  });

  it.each([
    ["0.24.9", { context: { cups: 2 } }],
    ["1.0.4", { cups: 2 }],
  ])("[A13] get what version %s, installed beside the file, passes: no marker is needed", async (version, given) => {
    const folder = temporary();
    put(join(folder, "node_modules/@mastra/core/package.json"), JSON.stringify({ name: "@mastra/core", version }));
    const file = { ...FILE, path: join(folder, "brew.ts") };
    for (const made of [new Old(), { ...base, execute: (input: unknown) => input }]) {
      const tool = await readMastraTool(made, exportAt({ file }));
      expect(await tool.run({ cups: 2 }, callContext())).toMatchObject(given);
    }
  });

  it("[A13] that are plain objects get one object if their function destructures a context and no version is installed", async () => {
    const execute = async ({ context }: { context: unknown }): Promise<unknown> => context;
    const tool = await readMastraTool({ ...base, execute: execute as never }, exportAt());
    expect(await tool.run({ cups: 2 }, callContext())).toEqual({ cups: 2 });
  });

  it("[D5] are instances whose inputSchema is undefined although the file has one: a problem", async () => {
    const source = `export const brew = createTool({ id: "brew", inputSchema: schemas.Brew, execute });
      export const stop = createTool({ id: "stop", execute });`;
    await expect(readMastraTool(new Old(), exportAt({ source }))).rejects.toThrow(
      'inputSchema of "brew" is undefined. The value that it names was probably not imported: check the name in the import, and that no two files import each other. If the tool takes no arguments, remove inputSchema.',
    );
    const stop = await readMastraTool(Object.assign(new Old(), { id: "stop" }), exportAt({ source }));
    expect(stop.input.json).toMatchObject({ properties: {} });
  });

  it("[A4] fail with a validation error of Mastra", async () => {
    const refusal = { error: true, message: "Tool output validation failed", validationErrors: {} };
    const tool = await readMastraTool({ ...base, execute: () => refusal }, exportAt());
    await expect(tool.run({}, callContext())).rejects.toThrow("Tool output validation failed");
  });

  it("[P3] that require approval ask first", async () => {
    const context = callContext();
    await (await readMastraTool({ ...base, requireApproval: true, execute: () => 1 }, exportAt())).run({}, context);
    expect(context.asked).toHaveLength(1);
  });

  it("[A13] can convert their output for the model", async () => {
    const toModelOutput = (output: unknown): object => ({ type: "text", value: `${output} cups` });
    const tool = await readMastraTool({ ...base, execute: () => 2, toModelOutput }, exportAt());
    expect(await tool.run({}, callContext())).toEqual({ content: [{ type: "text", text: "2 cups" }], isError: false });
  });
});
