import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { tool } from "../authoring/tool.ts";
import type { CallContext } from "../core/tool.ts";
import type { ModuleFile } from "./module.ts";
import { fromToolExports } from "./tool.ts";

const FILE: ModuleFile = {
  path: "/p/tools/lint.ts",
  name: "lint",
  source: "custom",
  place: "project",
  system: "toolwright",
};
const hello = { description: "Says hello", execute: () => "hello" };
const bye = { description: "Says bye", execute: () => "bye" };

const load = (module: Record<string, unknown>, file: Partial<ModuleFile> = {}): ReturnType<typeof fromToolExports> =>
  fromToolExports(module, { ...FILE, ...file });

async function namesOf(module: Record<string, unknown>, file: Partial<ModuleFile> = {}): Promise<string[]> {
  const { tools, problems } = await load(module, file);
  expect(problems).toEqual([]);
  return tools.map(({ name }) => name);
}

describe("names", () => {
  it("[A2] are the file's for the default export, and <file>_<export> for named ones", async () => {
    expect(await namesOf({ fix: bye, default: hello })).toEqual(["lint", "lint_fix"]);
  });

  it("[A2] one object exported twice is one tool, as default", async () => {
    expect(await namesOf({ a: hello, default: hello })).toEqual(["lint"]);
  });

  it.each([
    [
      "my tool",
      "default",
      '"my tool" cannot be the name of a tool: names have 1 to 64 letters, digits, "_" and "-". Rename the file "my tool".',
    ],
    [
      "lint",
      "$fix",
      '"lint_$fix" cannot be the name of a tool: names have 1 to 64 letters, digits, "_" and "-". Rename the export "$fix".',
    ],
    [
      "a.b",
      "fix",
      '"a.b_fix" cannot be the name of a tool: names have 1 to 64 letters, digits, "_" and "-". Rename the file "a.b".',
    ],
  ])("[A2] %s, %s: a bad one is reported, not changed", async (name, exportName, message) => {
    expect(await load({ [exportName]: hello, good: bye }, { name: name })).toMatchObject({
      problems: expect.arrayContaining([
        expect.objectContaining({ code: "bad_name", message, file: FILE.path, exportName }),
      ]),
    });
  });
});

describe("tools", () => {
  it("[A1] have schema, origin, limits, hints and access, and run with args and context", async () => {
    const definition = tool({
      description: "Adds",
      args: { a: z.number(), b: z.number().default(1) },
      limits: { timeoutMs: 5 },
      hints: { readOnly: true },
      access: ({ a }) => [{ kind: "read", target: `/${a}` }],
      execute: ({ a, b }, { directory }) => `${a + b} in ${directory}`,
    });
    const { tools } = await load({ default: definition });
    const [made] = tools;
    expect(made).toMatchObject({
      name: "lint",
      description: "Adds",
      input: { json: { type: "object", required: ["a"] } },
      origin: { source: "custom", place: "project", format: "tool", file: "/p/tools/lint.ts", exportName: "default" },
      limits: { timeoutMs: 5 },
      hints: { readOnly: true },
    });
    expect(made?.access?.({ a: 1 }, { cwd: "/" })).toEqual([{ kind: "read", target: "/1" }]);
    expect(await made?.run({ a: 1, b: 2 }, { directory: "/d" } as CallContext)).toBe("3 in /d");
  });

  it("[A1] keep their `this`, and what they throw at once is a rejection", async () => {
    class Counter {
      description = "Counts";
      count = 0;
      execute(): number {
        this.count += 1;
        if (this.count > 1) throw new Error("enough");
        return this.count;
      }
    }
    const { tools } = await load({ default: new Counter() });
    expect(await tools[0]?.run({}, {} as CallContext)).toBe(1);
    await expect(tools[0]?.run({}, {} as CallContext)).rejects.toThrow("enough");
  });

  it("[P3] refuse a call whose declared access makes no sense", async () => {
    const { tools } = await load({ default: { ...hello, access: () => ({ kind: "read" }) } });
    expect(() => tools[0]?.access?.({}, { cwd: "/" })).toThrow(
      'access of "lint" must return a list of { kind: "read" | "write" | "execute" | "network", target: "…" }, or ["undeclared"].',
    );
  });

  it("[D5] are ignored when they are of another form, or no tools at all", async () => {
    const module = {
      default: hello,
      sdk: { ...bye, inputSchema: {} },
      pi: { ...bye, parameters: {} },
      other: { ...bye, handler() {} },
      helper() {},
      list: [bye],
      n: 5,
      no: null,
    };
    expect(await namesOf(module)).toEqual(["lint"]);
  });
});

describe("problems", () => {
  it.each([
    [
      { execute() {} },
      "bad_definition",
      '"lint" has no description. Add description: "…", a text that tells a model what the tool does and when to use it.',
    ],
    [
      { ...hello, description: 5 },
      "bad_definition",
      '"lint" has no description. Add description: "…", a text that tells a model what the tool does and when to use it.',
    ],
    [
      { ...hello, args: { a: "string" } },
      "bad_schema",
      'args of "lint": Field "a" is no schema but of type string. Write a Zod schema such as z.string(), or a JSON Schema such as { type: "string" }.',
    ],
    [
      { ...hello, limits: { timeoutMs: 0 } },
      "bad_definition",
      '"lint": limits.timeoutMs is 0. Write a number above 0.',
    ],
    [
      { ...hello, limits: { timeout: 5 } },
      "bad_definition",
      '"lint": limits.timeout is not known. Use any of timeoutMs, maxLines, maxBytes, keep.',
    ],
    [
      { ...hello, limits: { keep: "middle" } },
      "bad_definition",
      '"lint": limits.keep is "middle". Write "head", "tail" or "both".',
    ],
    [
      { ...hello, limits: 5 },
      "bad_definition",
      '"lint": limits is 5. Write an object with any of timeoutMs, maxLines, maxBytes, keep.',
    ],
    [
      { ...hello, hints: { readOnly: "yes" } },
      "bad_definition",
      '"lint": hints.readOnly is "yes". Write true or false.',
    ],
    [{ ...hello, hints: { title: 1 } }, "bad_definition", '"lint": hints.title is 1. Write a text.'],
    [
      { ...hello, access: [] },
      "bad_definition",
      '"lint": access is []. Write a function (args, { cwd }) => [{ kind, target }].',
    ],
  ])("[D5] %# says what to write, and the file's other tools load", async (broken, code, message) => {
    const { tools, problems } = await load({ default: broken, good: bye });
    expect(problems).toEqual([{ file: FILE.path, code, message, tool: "lint", exportName: "default" }]);
    expect(tools.map(({ name }) => name)).toEqual(["lint_good"]);
  });

  it("[D5] exports that throw when they are read cost nobody else anything", async () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error("hands off");
        },
      },
    );
    const worse = {
      get execute(): never {
        throw hostile;
      },
    };
    const module = Object.defineProperty({ good: bye, hostile, worse }, "default", {
      enumerable: true,
      get: () => {
        throw new Error("not yet");
      },
    }) as Record<string, unknown>;
    const { tools, problems } = await load(module);
    expect(tools.map(({ name }) => name)).toEqual(["lint_good"]);
    expect(problems.map(({ exportName, code, message }) => [exportName, code, message])).toEqual([
      ["default", "bad_definition", '"lint": not yet'],
      ["hostile", "bad_definition", '"lint_hostile": hands off'],
      ["worse", "bad_definition", '"lint_worse": something that cannot be shown was thrown'],
    ]);
  });

  it("[D5] a file without a tool says what one must export", async () => {
    const must =
      'A tool file exports an object with description and execute, as default or by name: export default tool({ description: "…", args: { … }, async execute(args, context) { … } }).';
    expect(await load({})).toEqual({
      tools: [],
      problems: [{ file: FILE.path, code: "not_a_tool", message: `It exports nothing. ${must}` }],
    });
    expect((await load({ helper() {}, x: 1 })).problems).toEqual([
      { file: FILE.path, code: "not_a_tool", message: `It exports helper, x, and none of these is a tool. ${must}` },
    ]);
  });
});

describe("CommonJS", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-formats-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  const object = (text: string): string => `{ description: "d", execute() { return ${JSON.stringify(text)} } }`;
  it.each([
    ["the tool itself", `module.exports = ${object("x")}`, ["lint"]],
    ["one for each export", `exports.a = ${object("a")}; exports.b = ${object("b")}`, ["lint_a", "lint_b"]],
    ["names that Node cannot see", `Object.assign(exports, { ["a" + 1]: ${object("a")} })`, ["lint_a1"]],
    [
      "a compiled default",
      `Object.defineProperty(exports, "__esModule", { value: true }); exports.default = ${object("x")}; exports.a = exports.default; exports.b = ${object("b")}`,
      ["lint", "lint_b"],
    ],
  ])("[A1] %s", async (title, code, names) => {
    const path = join(folder, `${title.replaceAll(" ", "-")}.cjs`);
    writeFileSync(path, code);
    const module = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Record<string, unknown>;
    expect((await namesOf(module, { path })).sort()).toEqual(names);
    const { "module.exports": _, ...before23 } = module;
    expect((await namesOf(before23, { path })).sort()).toEqual(names);
  });
});
