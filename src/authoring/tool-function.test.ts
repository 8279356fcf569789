import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { type ToolContext, type ToolDefinition, tool } from "./tool-function.ts";

describe("tool()", () => {
  it("[A1] returns its argument, and has Zod as tool.schema", () => {
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

  it("[A1] infers simple JSON Schema fields, also together with Zod", () => {
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

  it("[A4] accepts any result, sync or async, and access", () => {
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

  it("[A1] rejects an invalid definition", () => {
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

describe("a declared output", () => {
  const count = { description: "…", output: { words: z.number(), longest: z.string().optional() } } as const;

  it("[A1] can be returned directly, or with a text", () => {
    tool({ ...count, execute: () => ({ words: 2 }) });
    tool({ ...count, execute: async () => ({ words: 2, longest: "text" }) });
    tool({ ...count, execute: () => ({ output: "two words", metadata: { words: 2 } }) });
    tool({ ...count, execute: () => ({ content: [{ type: "text", text: "two" }], details: { words: 2 } }) });
    tool({ ...count, execute: () => ({ content: [{ type: "text", text: "No such file." }], isError: true }) });
    tool({ description: "…", output: z.array(z.string()), execute: () => ["a"] });
    tool({ description: "…", output: z.object({ at: z.string().default("now") }), execute: () => ({}) });
    tool({ description: "…", output: { n: { type: "integer" } }, execute: () => ({ n: 1 }) });
    tool({ description: "…", output: { type: "object", properties: {} }, execute: () => "anything" });
    tool({
      description: "…",
      args: { text: z.string() },
      output: { length: z.number() },
      execute: ({ text }, { directory }) => ({ length: text.length + directory.length }),
    });
  });

  it("[A1] is compared with the return type", () => {
    // @ts-expect-error a string is not the declared output
    tool({ ...count, execute: () => "two words" });
    // @ts-expect-error the number is missing
    tool({ ...count, execute: () => ({ longest: "text" }) });
    // @ts-expect-error the number is a string
    tool({ ...count, execute: async () => ({ output: "two words", metadata: { words: "2" } }) });
    // @ts-expect-error the list contains strings
    tool({ description: "…", output: z.array(z.string()), execute: () => [1] });
  });
});
