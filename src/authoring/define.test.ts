import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { Tool } from "./define.ts";

const result: Tool.Result = { title: "t", metadata: {}, output: "done" };

describe("Tool.define()", () => {
  it("[A7] accepts a definition, or a function that returns one", async () => {
    const definition = { description: "d", execute: () => result };
    expect(Tool.define("x", definition)).toMatchObject({ id: "x" });
    const init: Tool.InitContext = { directory: "/d", worktree: "/w", workspace: "/w" };
    expect(await Tool.define("x", definition).init(init)).toBe(definition);
    const made = Tool.define("x", async (context) => ({
      description: context.directory,
      execute: () => result,
    }));
    expect((await made.init(init)).description).toBe("/d");
  });

  it("[A7] infers the arguments", () => {
    const parameters = z.object({ n: z.number().default(1) });
    const defined = Tool.define("x", {
      parameters,
      execute(args, context) {
        expectTypeOf(args).toEqualTypeOf<{ n: number }>();
        expectTypeOf(context).toEqualTypeOf<Tool.Context>();
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
  });
});
