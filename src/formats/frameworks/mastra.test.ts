import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callContext, exportAt } from "../../../test/support/forms.ts";
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
      abortSignal: context.abort,
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
    for (const made of [new Old(), { ...new Old() }]) {
      const tool = await readMastraTool(Object.assign(made, made instanceof Old ? { [MARK]: true } : {}), exportAt());
      expect(await tool.run({ cups: 2 }, callContext())).toEqual({ cups: 2 });
    }
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
