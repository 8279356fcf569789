import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { type ToolContext, type ToolDefinition, tool } from "./tool.ts";

describe("tool()", () => {
  it("[A1] gives back what it is given, and has Zod as tool.schema", () => {
    const definition = { description: "Says hello", execute: () => "hello" };
    expect(tool(definition)).toBe(definition);
    expect(tool.schema).toBe(z);
  });

  it("[A1] infers the arguments from a shape of Zod schemas", () => {
    tool({
      description: "…",
      args: {
        text: tool.schema.string().describe("The text"),
        count: z.number().default(3),
        maybe: z.boolean().optional(),
        mode: z.enum(["a", "b"]),
        length: z.string().transform((text) => text.length),
      },
      execute(args, context) {
        expectTypeOf(args).toEqualTypeOf<{
          text: string;
          count: number;
          maybe?: boolean | undefined;
          mode: "a" | "b";
          length: number;
        }>();
        expectTypeOf(context).toEqualTypeOf<ToolContext>();
        return args.text;
      },
    });
  });

  it("[A1] infers the arguments from a whole object, of Zod 4 or 3", () => {
    tool({
      description: "…",
      args: z.object({ a: z.string(), b: z.number().optional() }),
      execute: async (args) => {
        expectTypeOf(args).toEqualTypeOf<{ a: string; b?: number | undefined }>();
      },
    });
    tool({
      description: "…",
      args: { a: z3.string(), b: z3.number().optional() },
      execute: async (args) => {
        expectTypeOf(args).toEqualTypeOf<{ a: string; b?: number | undefined }>();
      },
    });
  });

  it("[A1] infers simple JSON Schema fields, also beside Zod", () => {
    tool({
      description: "…",
      args: {
        s: { type: "string", description: "…" },
        n: { type: "integer", default: 3 },
        b: { type: "boolean" },
        e: { type: "string", enum: ["x", "y"] },
        l: { type: "array", items: { type: "number" } },
        u: { anyOf: [{ type: "string" }] },
        z: z.string(),
      },
      execute(args) {
        expectTypeOf(args).toEqualTypeOf<{
          s: string;
          n: number;
          b: boolean;
          e: "x" | "y";
          l: number[];
          u: unknown;
          z: string;
        }>();
      },
    });
    tool({
      description: "…",
      args: { type: "object", properties: { a: { type: "string" } } },
      execute(args) {
        expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
      },
    });
  });

  it("[A1] takes no arguments when there are no args", () => {
    tool({
      description: "…",
      execute(args) {
        expectTypeOf(args).toEqualTypeOf<Record<never, never>>();
        expectTypeOf<keyof typeof args>().toEqualTypeOf<never>();
      },
    });
  });

  it("[A4] takes any result, at once or later, and what the tool touches", () => {
    tool({ description: "…", execute: () => "text" });
    tool({ description: "…", execute: async () => ({ title: "t", output: "o", metadata: { a: 1 } }) });
    tool({ description: "…", execute: () => ({ content: [{ type: "text", text: "x" }], isError: true }) });
    const last = tool({
      description: "…",
      args: { path: z.string() },
      access: ({ path }, { cwd }) => [{ kind: "read", target: `${cwd}/${path}` }],
      limits: { timeoutMs: 1000, keep: "tail" },
      hints: { readOnly: true },
      execute: async () => 5,
    });
    expectTypeOf(last).toExtend<ToolDefinition>();
    expectTypeOf(last.execute).returns.toEqualTypeOf<number | Promise<number>>();
  });

  it("[A1] refuses what is no definition", () => {
    // @ts-expect-error a description is missing
    tool({ execute: () => "" });
    // @ts-expect-error execute is missing
    tool({ description: "…" });
    tool({
      description: "…",
      args: { a: z.string() },
      // @ts-expect-error there is no field b
      execute: (args) => args.b,
    });
  });
});
