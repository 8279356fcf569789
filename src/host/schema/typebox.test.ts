import { Type as Type0 } from "@sinclair/typebox";
import Type from "typebox";
import { describe, expect, it } from "vitest";
import { toSchema } from "./to-schema.ts";

async function check(schema: unknown, input: unknown): Promise<unknown> {
  const checked = await (await toSchema(schema)).check(input);
  return checked.ok ? checked.value : Object.fromEntries(checked.issues.map(({ path, message }) => [path, message]));
}

/** The builders have the same names in both versions; the types of one are used for both. */
describe.each([
  ["typebox 1", Type as unknown as typeof Type0],
  ["@sinclair/typebox 0.34", Type0],
])("%s", (line, T) => {
  const decode = (text: string): number => {
    if (text === "bad") throw new Error("not a good text");
    return text.length;
  };
  const coded =
    line === "typebox 1"
      ? Type.Codec(Type.String())
          .Decode(decode)
          .Encode(() => "")
      : Type0.Transform(Type0.String())
          .Decode(decode)
          .Encode(() => "");

  it("[A1] is converted to JSON Schema 2020-12", async () => {
    const { json } = await toSchema(
      T.Object({
        pair: T.Tuple([T.String(), T.Number()]),
        big: T.BigInt({ description: "Large" }),
        inner: T.Object({ a: T.Number({ default: 1 }), b: T.String() }),
      }),
    );
    expect(json).toEqual({
      type: "object",
      properties: {
        pair: expect.objectContaining({
          type: "array",
          prefixItems: [{ type: "string" }, { type: "number" }],
          items: false,
        }),
        big: { description: "Large" },
        inner: {
          type: "object",
          properties: { a: { type: "number", default: 1 }, b: { type: "string" } },
          required: ["b"],
        },
      },
      required: ["pair", "big", "inner"],
    });
    expect(json.properties).not.toHaveProperty("pair.additionalItems");
  });

  it("[P2] converts, fills defaults, decodes, and keeps keys that the schema allows", async () => {
    const schema = T.Object({ n: T.Number(), flag: T.Boolean(), d: T.Number({ default: 4 }), coded: coded as never });
    expect(await check(schema, { n: "5", flag: "true", coded: "abc", more: 1 })).toEqual({
      n: 5,
      flag: true,
      d: 4,
      coded: 3,
      more: 1,
    });
    const refused = (await check(schema, { n: 1, flag: true, coded: "bad" })) as Record<string, string>;
    expect(Object.values(refused).join()).toBe("could not be decoded: not a good text");
  });

  it("[P2] explains each issue in plain English", async () => {
    const schema = T.Object(
      {
        missing: T.String(),
        mode: T.Union([T.Literal("a"), T.Literal("b")]),
        unsafe: T.Unsafe({ type: "string", enum: ["a", "b"] }),
        mail: T.String({ format: "email" }),
        deep: T.Array(T.Object({ n: T.Number() })),
      },
      { additionalProperties: false },
    );
    expect(await check(schema, { mode: "c", unsafe: "c", mail: "x", deep: [{ n: "q" }], surplus: 1 })).toEqual({
      "/missing": "is required, expected string",
      "/mode": 'expected "a" or "b", received "c"',
      "/unsafe": 'expected one of "a"|"b", received "c"',
      "/mail": 'must match format "email"',
      "/deep/0/n": "expected number, received string",
      "/surplus": "is not a known field; the fields are missing, mode, unsafe, mail, deep",
    });
    const good = { missing: "", mode: "a", unsafe: "a", mail: "a@b.cc", deep: [] };
    expect(await check(schema, good)).toEqual(good);
  });

  it("[P2] leaves checks that JSON Schema cannot express to the library", async () => {
    const schema = T.Object({ big: T.BigInt(), mail: T.String({ format: "email" }) });
    expect(await check(schema, { big: "12", mail: "a@b.cc" })).toEqual({ big: 12n, mail: "a@b.cc" });
    expect(await check(schema, { big: {}, mail: "a@b.cc" })).toEqual({ "/big": expect.stringMatching(/bigint/i) });
  });

  it("[P2] supports recursion, with references that any client can resolve", async () => {
    const node =
      line === "typebox 1"
        ? Type.Cyclic({ Node: Type.Object({ kids: Type.Array(Type.Ref("Node")) }) }, "Node")
        : Type0.Recursive((This) => Type0.Object({ kids: Type0.Array(This) }));
    const schema = T.Object({ node: node as never });
    expect(JSON.stringify((await toSchema(schema)).json)).toMatch(/"\$ref":"#\/properties\/node/);
    expect(JSON.stringify((await toSchema(schema)).json)).not.toContain("$id");
    expect(await check(schema, { node: { kids: [{ kids: [] }] } })).toEqual({ node: { kids: [{ kids: [] }] } });
    expect(await check(schema, { node: { kids: [{}] } })).toEqual({
      "/node/kids/0/kids": "is required, expected array",
    });
  });
});
