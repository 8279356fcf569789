import { describe, expect, it } from "vitest";
import { returnsNothing } from "./returns-nothing.ts";

type Author = (...args: never[]) => unknown;

/** The functions are strings, because a compiler could change them. */
function made(source: string): Author {
  return new Function(`return (${source})`)() as Author;
}

function method(source: string): Author {
  return (new Function(`return ({ ${source} })`)() as { execute: Author }).execute;
}

describe("[A4] a function that forgot to return", () => {
  it.each([
    "() => {}",
    "async ({ a, b }) => { a + b; }",
    "async (args) => { const x = await load(args); `text`; }",
    "args => { String(args); }",
    "function (a) { if (a) return; log(a); }",
    "async function run(a) {\n  return\n  a + 1;\n}",
    "(list) => { list.map((each) => { return each * 2; }); }",
    "(list) => { list.map(function (each) { return each * 2; }); }",
    "(a = {}) => { class B { c() { return 1; } } new B(a); }",
    '() => { log("return 1"); /* return 2 */ }',
    "async (a) => { for await (const b of a) { log(b); } }",
    "async (a) => { try { await a(); } catch (error) { log(error); } }",
  ])("%s", (source) => {
    expect(returnsNothing(made(source))).toBe(true);
  });

  it.each(["execute(args) { args.a; }", "async execute({ a }, context) { await a; }", "execute: async () => { 1; }"])(
    "%s",
    (source) => {
      expect(returnsNothing(method(source))).toBe(true);
    },
  );
});

describe("[A4] a function that returns, or may be meant so", () => {
  it.each([
    "() => 1",
    "async (a) => ({ a })",
    "a => a",
    "(a) => { return a; }",
    "(a) => { if (a) { return { a }; } }",
    "(a) => { switch (a) { case 1: return 1; } }",
    "(a) => { try { return a; } catch (error) { log(error); } }",
    "async (a) => { for await (const b of a) { return b; } }",
    "function (a) { return(a); }",
    "async (a) => { return `\n`; }",
    '(a) => { throw new Error("Not yet."); }',
    "() => { for (;;); }",
    "() => { while (true) {} }",
    "() => { process.exit(1); }",
    '(a, context) => { context.write("text"); }',
    "function* () { yield 1; }",
    "async function* () { yield 1; }",
    '(a) => { return\t"a" }',
    "((a) => {}).bind(null)",
    "Math.max",
  ])("%s", (source) => {
    expect(returnsNothing(made(source))).toBe(false);
  });
});

it("[A4] a long function takes time in proportion to its length", () => {
  const long = made(`(a) => { ${"if (a) { list.map((b) => { return b; }); }\n".repeat(20_000)} }`);
  expect(returnsNothing(long)).toBe(true);
});
