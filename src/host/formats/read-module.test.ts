import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { callContext, FILE, formatHost } from "../../../test/support/forms.ts";
import { tool } from "../../authoring/tool-function.ts";
import type { Contributions, ModuleFile } from "./contributions.ts";
import { readModule } from "./read-module.ts";

const hello = { description: "Says hello", execute: () => "hello" };
const bye = { description: "Says bye", execute: () => "bye" };

const load = (module: Record<string, unknown>, file: Partial<ModuleFile> = {}, source = ""): Promise<Contributions> =>
  readModule(module, { ...FILE, ...file }, { host: formatHost(), source });

async function namesOf(module: Record<string, unknown>, file: Partial<ModuleFile> = {}): Promise<string[]> {
  const { tools, problems } = await load(module, file);
  expect(problems).toEqual([]);
  return tools.map(({ name }) => name);
}

describe("names", () => {
  it("[A2] are <file> for the default export, and <file>_<export> for named exports", async () => {
    expect(await namesOf({ fix: bye, default: hello })).toEqual(["lint", "lint_fix"]);
  });

  it("[A2] one object exported twice is one tool, as default", async () => {
    expect(await namesOf({ a: hello, default: hello })).toEqual(["lint"]);
  });

  it.each([
    [
      "my tool",
      "default",
      '"my tool" is not a valid tool name: a name has 1 to 64 letters, digits, "_" and "-". Rename the file "my tool".',
    ],
    [
      "lint",
      "$fix",
      '"lint_$fix" is not a valid tool name: a name has 1 to 64 letters, digits, "_" and "-". Rename the export "$fix".',
    ],
    [
      "a.b",
      "fix",
      '"a.b_fix" is not a valid tool name: a name has 1 to 64 letters, digits, "_" and "-". Rename the file "a.b".',
    ],
  ])("[A2] %s, %s: a bad one is reported, not changed", async (name, exportName, message) => {
    expect(await load({ [exportName]: hello, good: bye }, { name: name })).toMatchObject({
      problems: expect.arrayContaining([
        expect.objectContaining({ code: "bad_name", message, file: FILE.path, exportName }),
      ]),
    });
  });
});

describe("functions in plugin folders of OpenCode", () => {
  const opencodePlugin = { options: { strict: true }, disabled: [], configs: [] };
  const inFolder: Partial<ModuleFile> = { path: "/p/.opencode/plugin/lint.ts", system: "opencode", opencodePlugin };
  const inSubfolder: Partial<ModuleFile> = { ...inFolder, path: "/p/.opencode/plugin/lint/index.ts" };
  const plugin =
    (name: string): (() => object) =>
    () => ({ tool: { [name]: hello } });
  const maker = (): object => ({ ...hello });

  it("[A2] give their name to the tool that they return", async () => {
    const makers = { default: () => ({ ...bye }), myTool: maker, lintTool: () => ({ ...hello }) };
    expect(await namesOf(makers, inFolder)).toEqual(["lint", "myTool", "lintTool"]);
    expect(await namesOf({ make: () => ({ ...hello, name: "own", parameters: {} }) }, inFolder)).toEqual(["own"]);
    expect(await namesOf({ set: () => ({ one: { ...hello }, two: { ...bye } }) }, inFolder)).toEqual([
      "set_one",
      "set_two",
    ]);
  });

  it("[A2] are helpers if the file has a plugin with tools, and outside of plugin folders", async () => {
    expect(await namesOf({ myTool: maker, Plug: plugin("plugged") }, inFolder)).toEqual(["plugged"]);
    expect(await namesOf({ default: hello, myTool: maker }, { path: "/p/.opencode/tool/lint.ts" })).toEqual(["lint"]);
  });

  it("are all called, each once, with the plugin input and the options", async () => {
    const given: unknown[] = [];
    const one = (input: { directory: string }, options: unknown): object => {
      given.push(input.directory, options);
      return { tool: { one: hello } };
    };
    expect(await namesOf({ One: one, Again: one, default: one, Two: plugin("two") }, inFolder)).toEqual(["one", "two"]);
    expect(given).toEqual(["/p/app", { strict: true }]);
  });

  it("are called in the index file of a subfolder only if they look like plugins", async () => {
    const helper = (): never => {
      throw new Error("not called");
    };
    expect(await namesOf({ helper, LintPlugin: plugin("lint") }, inSubfolder)).toEqual(["lint"]);
    const destructuring = ({ client }: { client: unknown }): object => ({ tool: { [client ? "got" : "none"]: hello } });
    expect(await namesOf({ helper, lint: destructuring }, inSubfolder)).toEqual(["got"]);
    const ofPackage = { ...inSubfolder, plugin: { name: "acme" } };
    expect(await namesOf({ lint: plugin("packaged") }, ofPackage)).toEqual(["packaged"]);
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["an empty object", {}],
    ["only authentication", { auth: { provider: "acme", methods: [] } }],
    ["hooks of a newer version", { "brand.new": () => {} }],
  ])("[D5] that return %s are no problem", async (_, returned) => {
    const { tools, problems } = await load({ Plug: async () => returned }, inFolder);
    expect([tools, problems]).toEqual([[], []]);
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
    expect(await made?.run({ a: 1, b: 2 }, callContext({ directory: "/d" }))).toBe("3 in /d");
  });

  it("[A1] keep their `this`, and a synchronous error is a rejection", async () => {
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
    expect(await tools[0]?.run({}, callContext())).toBe(1);
    await expect(tools[0]?.run({}, callContext())).rejects.toThrow("enough");
  });

  it("[P3] refuse a call with an invalid declared access", async () => {
    const { tools } = await load({ default: { ...hello, access: () => ({ kind: "read" }) } });
    expect(() => tools[0]?.access?.({}, { cwd: "/" })).toThrow(
      'access of "lint" must return a list of { kind: "read" | "write" | "execute" | "network", target: "…" }, or ["undeclared"].',
    );
  });

  it("[A3] receive the context of the call, without the fields for adapters", async () => {
    const seen: unknown[] = [];
    const { tools } = await load({
      default: { ...hello, execute: (_: unknown, context: object) => seen.push(context) },
    });
    const context = callContext();
    await tools[0]?.run({}, context);
    expect(seen[0]).toBe(context.author);
    expect(seen[0]).toMatchObject({ messages: ["hello"] });
  });

  it("[D5] are found among other exports", async () => {
    class Store {}
    const module = {
      default: hello,
      helper() {},
      Store,
      n: 5,
      no: null,
      list: [1],
      config: { a: 1 },
      bare: { name: "x" },
    };
    expect(await namesOf(module)).toEqual(["lint"]);
  });

  it("[A13] of several forms can share a file, each named by its definition or by the file", async () => {
    const module = {
      default: hello,
      ai: { description: "d", inputSchema: {}, execute: () => 1 },
      sdk: { name: "look-up", description: "d", inputSchema: {}, handler: () => 1 },
      defined: { id: "made", init: async () => hello },
      mastra: { id: "brew", description: "d", inputSchema: {}, execute: () => 1 },
      chain: { name: "chain", description: "d", schema: {}, invoke: () => 1 },
      agent: { type: "function", name: "agent", description: "d", parameters: {}, invoke: () => 1 },
    };
    const { tools, about, dependsOnHost } = await load(module, {}, 'import { Tool } from "toolwright";');
    expect(tools.map(({ name, origin }) => [name, origin.format])).toEqual([
      ["lint", "tool"],
      ["lint_ai", "ai-sdk"],
      ["look-up", "sdk"],
      ["made", "define"],
      ["brew", "mastra"],
      ["chain", "langchain"],
      ["agent", "openai-agents"],
    ]);
    expect(about).toEqual({
      format: "tool",
      why: 'it exports an object with "description" and "execute", the shape that tool() returns',
      unsupportedFeatures: [],
    });
    expect(dependsOnHost).toBe(true);
  });
});

describe("schemas that are missing", () => {
  const run = (): number => 1;
  const FORMS: readonly (readonly [form: string, field: string, without: object])[] = [
    ["tool", "args", { description: "d", execute: run }],
    ["sdk", "inputSchema", { name: "x", description: "d", handler: run }],
    ["sdk", "parameters", { name: "x", description: "d", handler: run }],
    ["ai-sdk", "inputSchema", { description: "d", execute: run }],
    ["ai-sdk", "parameters", { description: "d", execute: run }],
    ["mastra", "inputSchema", { id: "x", description: "d", execute: run }],
    ["langchain", "schema", { name: "x", description: "d", invoke: run }],
    ["openai-agents", "parameters", { type: "function", name: "x", description: "d", invoke: run }],
    ["factory", "parameters", { name: "x", label: "X", description: "d", execute: run }],
  ];
  const missing = (field: string, name: string, value: unknown): string =>
    `${field} of "${name}" is ${value}. The value that it names was probably not imported: check the name in the import, and that no two files import each other. If the tool takes no arguments, remove ${field}.`;

  it.each(FORMS)("[D5] %s: %s without a value is a problem", async (_form, field, without) => {
    const name = "name" in without || "id" in without ? "x" : "lint";
    for (const value of [undefined, null]) {
      const { tools, problems } = await load({ default: { ...without, [field]: value } });
      expect(tools).toEqual([]);
      expect(problems).toMatchObject([{ code: "bad_schema", message: missing(field, name, value) }]);
    }
  });

  it("[D5] in a config, in Tool.define and in a registered tool too", async () => {
    const module = {
      config: { name: "x", config: { description: "d", inputSchema: undefined }, execute: run },
      defined: { id: "y", init: () => ({ description: "d", parameters: undefined, execute: run }) },
      default: (pi: { registerTool(tool: object): void }) =>
        pi.registerTool({ name: "z", description: "d", parameters: undefined, execute: run }),
    };
    const { tools, problems } = await load(module, { system: "pi" }, 'import { Tool } from "toolwright";');
    expect(tools).toEqual([]);
    expect(problems.map(({ code, message }) => [code, message]).sort()).toEqual([
      ["bad_schema", missing("inputSchema", "x", undefined)],
      ["bad_schema", missing("parameters", "y", undefined)],
      ["bad_schema", missing("parameters", "z", undefined)],
    ]);
  });

  it("[A1] a form without the field takes no arguments", async () => {
    for (const without of [FORMS[0]?.[2], FORMS[1]?.[2], FORMS[8]?.[2]]) {
      const { tools, problems } = await load({ default: without });
      expect(problems).toEqual([]);
      expect(tools[0]?.input.json).toMatchObject({ type: "object", properties: {} });
    }
  });
});

it("[D5] a file with only types is no problem, unless it had tools before", async () => {
  const source = "export interface Note {\n  text: string;\n}\nexport type Notes = Note[];\n";
  expect(await load({}, {}, source)).toMatchObject({
    tools: [],
    problems: [],
    problemsIfToolsExpected: [{ code: "not_a_tool" }],
  });
  expect(await load({}, {}, "const x = 1;")).toMatchObject({ tools: [], problems: [{ code: "not_a_tool" }] });
});

describe("sets of tools", () => {
  const named = { name: "look-up", description: "d", inputSchema: {}, handler: () => 1 };

  it("[A2] are named after file, export and key; default ones after file and key; names in definitions are kept", async () => {
    expect(await namesOf({ tools: { a: hello, b: bye, own: named, other: 5 } })).toEqual([
      "lint_tools_a",
      "lint_tools_b",
      "look-up",
    ]);
    expect(await namesOf({ default: { a: hello } })).toEqual(["lint_a"]);
    expect(await namesOf({ default: [named] })).toEqual(["look-up"]);
  });

  it("[A2] do not list a tool twice that is exported by itself too", async () => {
    expect(await namesOf({ a: hello, all: [hello], tools: { a: hello, b: bye } })).toEqual(["lint_a", "lint_tools_b"]);
  });

  it("[A2] have the key of each member in its origin", async () => {
    const { tools, about } = await load({ tools: { a: hello } });
    expect(tools[0]?.origin.exportName).toBe("tools.a");
    expect(about?.why).toBe(
      'it exports a set of tools, each an object with "description" and "execute", the shape that tool() returns',
    );
  });

  it("[A5] can be returned by a function, as can one tool of any form", async () => {
    const omp = { system: "omp" } as const;
    expect(await namesOf({ default: async () => ({ a: hello, own: named }) }, omp)).toEqual(["lint_a", "look-up"]);
    expect(await namesOf({ default: () => [named] }, omp)).toEqual(["look-up"]);
    const module = { default: () => ({ description: "d", args: {}, execute: () => "x" }) };
    const { tools, about, dependsOnHost } = await load(module, omp);
    expect(tools).toMatchObject([{ name: "lint", origin: { format: "tool" } }]);
    expect(about?.why).toBe(
      'it has a function that returns an object with "description" and "execute", the shape that tool() returns',
    );
    expect(dependsOnHost).toBe(true);
  });

  it("[A13] a plugin that is exported with and without an id is called once", async () => {
    let calls = 0;
    const server = async (): Promise<object> => ({ tool: { hello: { ...hello, description: `Call ${++calls}` } } });
    const source = 'import type { Plugin, PluginModule } from "@opencode-ai/plugin"';
    const helper = (): never => {
      throw new Error("not to be called");
    };
    const module = { server, helper, default: { id: "greetings", server } };
    const { tools, problems } = await load(module, {}, source);
    expect([tools.map(({ description }) => description), problems]).toEqual([["Call 1"], []]);
  });

  it("[A13] other functions of a plugin module are not called", async () => {
    const source = 'import type { Plugin } from "@opencode-ai/plugin"\nexport const Greetings: Plugin = async () => {}';
    const module = { createHello: () => hello, Greetings: async () => ({ tool: { hello } }) };
    expect((await load(module, {}, source)).tools.map(({ name }) => name)).toEqual(["hello"]);
  });

  it("[D5] elements of a list need names", async () => {
    expect((await load({ tools: [hello, named] })).problems).toEqual([
      {
        file: FILE.path,
        tool: "lint_tools_0",
        exportName: "tools",
        code: "bad_definition",
        message:
          'Element [0] of the list "tools" has no name. Export an object, { name: tool }, instead of a list, or export the tool by itself.',
      },
    ]);
  });

  it("[A2] an invalid key is reported with what to rename", async () => {
    expect((await load({ tools: { "a b": hello } })).problems[0]?.message).toBe(
      '"lint_tools_a b" is not a valid tool name: a name has 1 to 64 letters, digits, "_" and "-". Rename "a b".',
    );
  });

  it("[D4] two exports of one name: the first stays", async () => {
    const { tools, problems } = await load({ first: named, second: { ...named } });
    expect(tools.map(({ origin }) => origin.exportName)).toEqual(["first"]);
    expect(problems).toEqual([
      {
        file: FILE.path,
        code: "name_taken",
        tool: "look-up",
        exportName: "second",
        message:
          'The exports "first" and "second" are both called "look-up". Rename one of them. Until then "first" is served.',
      },
    ]);
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
      'args of "lint": Field "a" is not a schema but a value of type string. Write a Zod schema such as z.string(), or a JSON Schema such as { type: "string" }.',
    ],
    [
      { ...hello, limits: { timeoutMs: 0 } },
      "bad_definition",
      '"lint": limits.timeoutMs is 0. Write a number above 0.',
    ],
    [
      { ...hello, limits: { timeout: 5 } },
      "bad_definition",
      '"lint": limits.timeout is not a known field. Use any of timeoutMs, maxLines, maxBytes, keep, own.',
    ],
    [
      { ...hello, limits: { keep: "middle" } },
      "bad_definition",
      '"lint": limits.keep is "middle". Write "head", "tail" or "both".',
    ],
    [
      { ...hello, limits: 5 },
      "bad_definition",
      '"lint": limits is 5. Write an object with any of timeoutMs, maxLines, maxBytes, keep, own.',
    ],
    [
      { ...hello, hints: { readOnly: "yes" } },
      "bad_definition",
      '"lint": hints.readOnly is "yes". Write true or false.',
    ],
    [{ ...hello, hints: { title: 1 } }, "bad_definition", '"lint": hints.title is 1. Write a text.'],
    [
      { ...hello, hints: { card: { kind: "file" } } },
      "bad_definition",
      '"lint": hints.card is {"kind":"file"}. Write { kind: "command", command }, { kind: "file", path }, { kind: "diff", path, before, after }, { kind: "list", pattern, path } or { kind: "todos", items }, each with the names of parameters.',
    ],
    [
      { ...hello, access: [] },
      "bad_definition",
      '"lint": access is []. Write a function (args, { cwd }) => [{ kind, target }].',
    ],
  ])("[D5] %# tells what to write, and the other tools of the file load", async (broken, code, message) => {
    const { tools, problems } = await load({ default: broken, good: bye });
    expect(problems).toEqual([{ file: FILE.path, code, message, tool: "lint", exportName: "default" }]);
    expect(tools.map(({ name }) => name)).toEqual(["lint_good"]);
  });

  it("[D5] contain the name from the definition", async () => {
    const { problems } = await load({ sdk: { name: "look-up", inputSchema: { a: 5 }, handler() {} } });
    expect(problems).toMatchObject([{ tool: "look-up", exportName: "sdk", code: "bad_schema" }]);
  });

  it("[D5] do not include a function without tools if another export has some", async () => {
    const plugin = { path: "/p/.opencode/plugin/x.ts" };
    const gives = (): object => ({ tool: { greet: hello } });
    expect(await namesOf({ helper: () => undefined, gives }, plugin)).toEqual(["greet"]);
    expect((await load({ helper: () => 1 }, plugin)).problems).toMatchObject([{ code: "not_a_tool" }]);
  });

  it("[D5] an export whose getter throws does not affect the others", async () => {
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
      ["worse", "bad_definition", '"lint_worse": a value that cannot be printed was thrown'],
    ]);
  });

  it("[D5] a file without a tool is a problem that explains what to export", async () => {
    const must =
      'Export a tool as default or by name: export default tool({ description: "…", args: { … }, async execute(args, context) { … } }). Tools of Tool.define, the Claude and Copilot SDKs, the AI SDK, Mastra, LangChain and OpenAI Agents are accepted too, and default functions written for pi, oh-my-pi, OpenCode or OpenClaw.';
    expect(await load({})).toEqual({
      tools: [],
      problems: [{ file: FILE.path, code: "not_a_tool", message: `It exports nothing. ${must}` }],
    });
    expect((await load({ y: "", x: 1 })).problems).toEqual([
      { file: FILE.path, code: "not_a_tool", message: `None of its exports (y, x) is a tool. ${must}` },
    ]);
    const called =
      "Functions that are exported by name are not called: if createLint() creates a tool, export the tool itself.";
    expect((await load({ x: 1, createLint() {} })).problems).toEqual([
      {
        file: FILE.path,
        code: "not_a_tool",
        message: `None of its exports (x, createLint) is a tool. ${called} ${must}`,
      },
    ]);
  });
});

describe("[D5] an object that is a tool except for its function", () => {
  it.each([
    [{ exectue: () => "" }, '"default" has a description and "exectue". Did you mean "execute"?'],
    [{ run: () => "" }, '"default" has a description, but no function "execute". Add it.'],
    [{ execute: "ls" }, '"execute" of "default" is not a function. Correct it.'],
  ])("is a problem that says so: %o", async (fields, sentence) => {
    expect((await load({ default: { description: "Lists files.", ...fields } })).problems).toEqual([
      { file: FILE.path, code: "not_a_tool", message: `None of its exports (default) is a tool. ${sentence}` },
    ]);
  });
});

describe("the reader of a form", () => {
  it.each([
    ["tool", "{ description: 'd', execute() {} }", []],
    ["sdk", "{ name: 'x', inputSchema: {}, handler() {} }", ["sdk.ts"]],
    ["define", "{ id: 'x', init: async () => ({ description: 'd', execute() {} }) }", ["read-defined-tool.ts"]],
  ])("[A13] is loaded on first use: %s", (_, value, loaded) => {
    const here = JSON.stringify(import.meta.dirname);
    const program = `
      import { registerHooks } from "node:module";
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url.split("/").at(-1)), next(url, context)) });
      const { readModule } = await import(${here} + "/read-module.ts");
      const file = { path: "/p/x.ts", name: "x", source: "custom", place: "project", system: "toolwright" };
      const { tools } = await readModule({ default: ${value} }, file, { host: { cwd: "/p", worktree: "/p" }, source: 'import { Tool } from "toolwright"' });
      console.log(JSON.stringify({ tools: tools.length, loaded }));`;
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" });
    const answer = JSON.parse(printed) as { tools: number; loaded: string[] };
    expect(answer.tools).toBe(1);
    expect(answer.loaded.filter((file) => FORMS.includes(file))).toEqual(loaded);
  });

  const FORMS = [
    "read-defined-tool.ts",
    "sdk.ts",
    "ai-sdk.ts",
    "mastra.ts",
    "langchain.ts",
    "openai-agents.ts",
    "plugin.ts",
    "read-function.ts",
    "factory-tools.ts",
  ];
});

describe("CommonJS", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-formats-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  const object = (text: string): string => `{ description: "d", execute() { return ${JSON.stringify(text)} } }`;
  it.each([
    ["the tool itself", `module.exports = ${object("x")}`, ["lint"]],
    ["one for each export", `exports.a = ${object("a")}; exports.b = ${object("b")}`, ["lint_a", "lint_b"]],
    ["names that Node cannot see", `Object.assign(exports, { ["a" + 1]: ${object("a")} })`, ["lint_a1"]],
    ["one of another form", `module.exports = { name: "x", description: "d", inputSchema: {}, handler() {} }`, ["x"]],
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
