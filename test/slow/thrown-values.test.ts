import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { answering, open } from "../support/toolbox.ts";

const UNPRINTABLE = "The tool threw a value that cannot be printed";

/** Values that a tool throws, as expressions, each with the beginning of the message of the failed call. */
const THROWN: readonly [string, string, string][] = [
  ["20,000 causes", "chain((cause) => new Error('m', { cause }))", "m"],
  ["20,000 causes that are no errors", "chain((cause) => ({ message: 'm', cause }))", "m"],
  ["20,000 errors, each in the next", "chain((each) => new AggregateError([each], 'm'))", "m: m: m"],
  ["an error that is its own cause", "with_(new Error('m'), (e) => { e.cause = e; })", "m"],
  [
    "two errors that are causes of each other",
    "with_(new Error('m'), (e) => { e.cause = new Error('n', { cause: e }); })",
    "m",
  ],
  ["a cause whose getter throws", "with_(new Error('m'), (e) => trap(e, 'cause'))", "m"],
  ["a message whose getter throws", "with_(new Error('m'), (e) => trap(e, 'message'))", UNPRINTABLE],
  ["a stack whose getter throws", "with_(new Error('m'), (e) => trap(e, 'stack'))", "m"],
  ["a name whose getter throws", "with_(new Error(), (e) => trap(e, 'name'))", UNPRINTABLE],
  ["a code whose getter throws", "with_(new Error('m'), (e) => trap(e, 'code'))", "m"],
  [
    "a cause of a cause whose getter throws",
    "new Error('m', { cause: with_(new Error('n'), (e) => trap(e, 'cause')) })",
    "m",
  ],
  ["an object in 20,000 objects", "chain((o) => ({ o }))", UNPRINTABLE],
  ["a proxy that refuses everything", "hostile()", UNPRINTABLE],
  ["an error with such a cause", "new Error('m', { cause: hostile() })", "m"],
  ["a revoked proxy", "revoked()", UNPRINTABLE],
  ["a toJSON that throws", "({ toJSON() { throw new Error('no'); } })", UNPRINTABLE],
  ["a message that is no text", "with_(new Error(), (e) => { e.message = { a: 1 }; })", "The tool threw"],
];

const VALUES = `
const chain = (next) => { let each = new Error("first"); for (let i = 0; i < 20_000; i++) each = next(each); return each; };
const with_ = (value, change) => { change(value); return value; };
const trap = (value, key) => Object.defineProperty(value, key, { get() { throw new Error("getter"); } });
const refuse = () => { throw new Error("trap"); };
const hostile = () => new Proxy({}, Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((key) => [key, refuse])));
const revoked = () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; };
const thrown = (at) => [${THROWN.map(([, expression]) => `() => ${expression}`).join(", ")}][at]();
`;

const SOURCE = `${VALUES}
let calls = 0;
export default {
  description: "Throws.",
  args: { at: { type: "number" }, late: { type: "boolean" } },
  async execute({ at, late }) {
    calls += 1;
    if (late) await new Promise((resolve) => setTimeout(resolve, 1));
    throw thrown(at);
  },
};
export const count = { description: "Counts the calls in this process.", args: {}, execute: () => String(calls) };
`;

describe("[A4] a tool that throws", () => {
  it.each(THROWN.map(([name, , message], at) => [name, at, message] as const))(
    "%s fails the call, and nothing else",
    async (_, at, message) => {
      const { toolbox, say } = await open({ "throws.ts": SOURCE });
      for (const late of [false, true]) {
        const result = await toolbox.call({ name: "throws", input: { at, late } }).result;
        expect(result).toMatchObject({
          ok: false,
          error: { code: "failed", message: expect.stringMatching(startOf(message)) },
        });
      }
      // The host process did not end.
      expect(await say("throws_count")).toBe("2");
    },
  );
});

describe("[D5] a file that throws", () => {
  it.each(THROWN.map(([name], at) => [name, at] as const))("%s at import is one problem", async (_, at) => {
    const { toolbox, say } = await open({
      "throws.ts": `${VALUES}\nthrow thrown(${at});`,
      "good.ts": answering('"good"'),
    });
    expect(toolbox.problems().map(({ file, code }) => [basename(file), code])).toEqual([
      ["throws.ts", "import_failed"],
    ]);
    expect(await say("good")).toBe("good");
  });
});

function startOf(message: string): RegExp {
  return new RegExp(`^${message.replaceAll(/[.?*+^$[\]\\(){}|]/g, "\\$&")}`);
}

const CHECKED = `import { tool } from "toolwright";
${VALUES}
let at = -1;
const fails = () => { if (at >= 0) throw thrown(at); return true; };
const input = tool.schema.string().refine(fails);
const set = { description: "Chooses what is thrown.", args: { to: { type: "number" } }, execute: (args) => { at = args.to; return "set"; } };
export { set };
export const refined = tool({ description: "Has an input whose check throws.", args: { input }, execute: () => "ran" });
export const declared = { description: "Has an output whose check throws.", args: {},
  output: tool.schema.object({ input }), execute: () => ({ input: "a" }) };
export const touching = { description: "Has an access that throws.", args: {},
  access: () => { fails(); return []; }, execute: () => "ran" };
`;

describe("[P2] [P5] a check or declaration that throws", () => {
  it.each(THROWN.map(([name], at) => [name, at] as const))("%s fails the call, and nothing else", async (_, at) => {
    const { toolbox, say } = await open({ "checked.ts": CHECKED });
    await toolbox.call({ name: "checked_set", input: { to: at } }).result;
    const codes = { refined: "invalid_input", declared: "invalid_output", touching: "failed" };
    for (const [name, code] of Object.entries(codes)) {
      const result = await toolbox.call({ name: `checked_${name}`, input: { input: "a" } }).result;
      expect([name, result]).toMatchObject([name, { ok: false, error: { code } }]);
    }
    // The host process did not end: the tool has not forgotten what it was told.
    expect(await toolbox.call({ name: "checked_refined", input: { input: "a" } }).result).toMatchObject({ ok: false });
    await say("checked_set", { to: -1 });
    expect(await say("checked_refined", { input: "a" })).toBe("ran");
  });
});
