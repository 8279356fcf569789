import { Type as Type0 } from "@sinclair/typebox";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { toOutputSchema } from "./to-schema.ts";

const WORDS = { type: "object", properties: { words: { type: "number" } }, required: ["words"] };

describe("the schema of an output", () => {
  it.each([
    ["a shape of Zod 4", { words: z.number() }],
    ["an object of Zod 4", z.object({ words: z.number() })],
    ["a shape of Zod 3", { words: z3.number() }],
    ["an object of Zod 3", z3.object({ words: z3.number() })],
    ["a shape of TypeBox 1", { words: Type.Number() }],
    ["an object of TypeBox 1", Type.Object({ words: Type.Number() })],
    ["an object of TypeBox 0.34", Type0.Object({ words: Type0.Number() })],
    ["a shape of JSON Schema", { words: { type: "number" } }],
    ["a whole JSON Schema", WORDS],
    ["a Standard Schema", standard()],
  ])("[A1] may be %s", async (_, given) => {
    const output = await toOutputSchema(given);
    expect(output.json).toMatchObject(WORDS);
    expect(await output.check({ words: 2 })).toEqual({ ok: true, value: { words: 2 } });
    expect(await output.check({ words: "two" })).toMatchObject({ ok: false });
  });

  it("[A1] describes the output, not the input of its transforms", async () => {
    const output = await toOutputSchema({
      size: z.string().transform((text) => text.length),
      at: z.date(),
      unit: z.string().default("m"),
    });
    expect(output.json).toMatchObject({
      properties: { size: {}, at: { type: "string" }, unit: { type: "string" } },
      required: ["size", "at", "unit"],
    });
    const old = await toOutputSchema(z3.object({ size: z3.string().transform((text) => text.length), at: z3.date() }));
    expect(old.json.properties).toEqual({ size: {}, at: { type: "string", format: "date-time" } });
  });

  it("[A1] does not decode a TypeBox codec, whose schema describes the encoded value", async () => {
    const at = Type.Codec(Type.String())
      .Decode((text) => new Date(text))
      .Encode((date) => date.toISOString());
    const output = await toOutputSchema(Type.Object({ at }));
    expect(await output.check({ at: "2026-01-01" })).toEqual({ ok: true, value: { at: "2026-01-01" } });
  });

  it("[A1] may describe any type, and is marked as an object only if it is certainly one", async () => {
    expect((await toOutputSchema(z.array(z.string()))).json).toEqual({ type: "array", items: { type: "string" } });
    expect((await toOutputSchema({ type: "string" })).json).toEqual({ type: "string" });
    const either = await toOutputSchema(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]));
    expect(either.json.type).toBe("object");
    expect((await toOutputSchema(z.union([z.string(), z.object({})]))).json.type).toBeUndefined();
  });

  it("[A1] that is invalid is refused with advice", async () => {
    await expect(toOutputSchema("text")).rejects.toThrow(
      "The output is described by a value of type string. Write an object of fields such as { count: z.number() }, a z.object(…), or a JSON Schema.",
    );
    await expect(toOutputSchema({ words: 5 })).rejects.toThrow(
      'Field "words" is not a schema but a value of type number.',
    );
  });
});

function standard(): unknown {
  const isFit = (value: unknown): boolean => typeof (value as { words?: unknown }).words === "number";
  return {
    "~standard": {
      vendor: "ours",
      validate: (value: unknown) => (isFit(value) ? { value } : { issues: [{ message: "no words", path: ["words"] }] }),
      jsonSchema: { input: () => ({ type: "string" }), output: () => WORDS },
    },
  };
}
