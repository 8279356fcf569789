import { Type } from "typebox";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { Tool, ToolError } from "../index.ts";
import type { ToolArgs } from "./tool-function.ts";

const result: Tool.Result = { title: "t", metadata: {}, output: "done" };
const context = {} as Tool.Context;

/** A tool whose result is its arguments. */
function echoing(parameters: z.ZodObject): Tool.Info {
  return Tool.define("x", {
    parameters,
    execute: (args) => ({ ...result, output: JSON.stringify(args) }),
  }) as Tool.Info;
}

describe("Tool.define()", () => {
  it("[A7] accepts a definition, or a function that returns one", async () => {
    const definition = { description: "d", execute: () => result };
    expect(Tool.define("x", definition)).toMatchObject({ id: "x" });
    const init: Tool.InitContext = { directory: "/d", worktree: "/w", workspace: "/w" };
    expect(await Tool.define("x", definition).init(init)).toEqual({ ...definition, execute: expect.any(Function) });
    const made = Tool.define("x", async (given) => ({
      description: given.directory,
      execute: () => result,
    }));
    expect((await made.init(init)).description).toBe("/d");
  });

  it.each<[string, Parameters<Tool.Info["init"]>[0], Tool.InitContext]>([
    [
      "nothing",
      undefined,
      { agent: undefined, directory: process.cwd(), worktree: process.cwd(), workspace: process.cwd() },
    ],
    [
      "an agent",
      { agent: { name: "build" } },
      { agent: { name: "build" }, directory: process.cwd(), worktree: process.cwd(), workspace: process.cwd() },
    ],
    ["a directory", { directory: "/d" }, { agent: undefined, directory: "/d", worktree: "/d", workspace: "/d" }],
    [
      "a worktree",
      { directory: "/w/d", worktree: "/w" },
      { agent: undefined, directory: "/w/d", worktree: "/w", workspace: "/w" },
    ],
  ])("[A7] init may be called with %s", async (_, given, received) => {
    const all: unknown[] = [];
    const tool = Tool.define("x", (init) => {
      all.push(init);
      return { execute: () => result };
    });
    await tool.init(given);
    expect(all).toEqual([received]);
  });

  it.each<[string, ToolArgs, unknown, string]>([
    ["a Zod schema", z.object({ n: z.number() }), { n: "5" }, "- /n: Invalid input: expected number, received string"],
    ["fields", { n: z.number() }, {}, "- /n: is required, expected number"],
    [
      "TypeBox",
      Type.Object({ n: Type.Number() }) as object as ToolArgs,
      { n: "x" },
      "- /n: expected number, received string",
    ],
    [
      "JSON Schema",
      { type: "object", properties: { n: { type: "number" } } },
      { n: "x" },
      "- /n: expected number, received string",
    ],
    ["no arguments", z.object({ n: z.number() }), undefined, "- /n: is required, expected number"],
  ])("[A7] [P2] execute refuses arguments that do not match %s", async (_, parameters, args, issue) => {
    let runs = 0;
    const tool = Tool.define("x", {
      parameters,
      execute: () => {
        runs += 1;
        return result;
      },
    });
    const initialised = await tool.init();
    const refused = await initialised.execute(args as never, context).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "invalid_input", message: expect.stringContaining(issue) });
    expect([ToolError.is(refused), runs]).toEqual([true, 0]);
  });

  it("[A7] [P2] execute gets parsed arguments, once, and keeps its `this`", async () => {
    const parameters = z.object({ n: z.string().transform(Number), m: z.number().default(2) });
    const { execute } = await echoing(parameters).init();
    expect((await execute({ n: "1" } as never, context)).output).toBe('{"n":1,"m":2}');

    class Definition {
      readonly #factor = 3;
      readonly parameters: typeof parameters = parameters;
      execute({ n }: { n: number }): Tool.Result {
        return { ...result, output: String(n * this.#factor) };
      }
    }
    const made = await Tool.define("x", () => new Definition()).init();
    expect((await made.execute({ n: "2", m: 1 } as never, context)).output).toBe("6");
  });

  it("[A7] the message for invalid arguments is that of formatValidationError", async () => {
    const tool = Tool.define("x", {
      parameters: z.object({ n: z.number() }),
      formatValidationError: () => "n counts",
      execute: () => result,
    });
    await expect((await tool.init()).execute({} as never, context)).rejects.toThrow(
      'The input for "x" is not valid:\n- input: n counts\nCorrect it and call the tool again.',
    );
  });

  it("[A7] a definition may be spread, as registries do", async () => {
    const spread = { id: "x", ...(await echoing(z.object({ n: z.number() })).init({ agent: { name: "build" } })) };
    await expect(spread.execute({ n: "1" } as never, context)).rejects.toThrow("expected number");
    expect((await spread.execute({ n: 1 } as never, context)).output).toBe('{"n":1}');
  });

  it("[A7] infers the arguments, and has types for the metadata", () => {
    const parameters = z.object({ n: z.number().default(1) });
    const defined = Tool.define("x", {
      parameters,
      execute(args, given) {
        expectTypeOf(args).toEqualTypeOf<{ n: number }>();
        given.metadata({ title: "t", metadata: { anything: 1 } });
        return result;
      },
    });
    expectTypeOf(defined).toExtend<Tool.Info<typeof parameters>>();
    Tool.define("x", async () => ({
      parameters,
      execute(args) {
        expectTypeOf(args).toEqualTypeOf<{ n: number }>();
        return result;
      },
    }));
    const counted = Tool.define<typeof parameters, { count: number }>("x", async ({ agent }) => ({
      description: agent?.name ?? "",
      parameters,
      async execute(args, given: Tool.Context<{ count: number }>) {
        given.metadata({ metadata: { count: args.n } });
        // @ts-expect-error: the metadata has another type
        given.metadata({ metadata: { count: "1" } });
        return { title: "t", metadata: { count: 1 }, output: "o" };
      },
    }));
    expectTypeOf(counted).toEqualTypeOf<Tool.Info<typeof parameters, { count: number }>>();
    expectTypeOf(counted.init).toBeCallableWith();
  });
});
