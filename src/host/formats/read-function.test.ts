import { describe, expect, it } from "vitest";
import { callContext, exportAt, FILE, formatHost } from "../../../test/support/forms.ts";
import type { ExtensionAPI, ExtensionContext } from "../../authoring/pi/extension-types.ts";
import { createBashTool, createReadTool } from "../../authoring/pi/pi-builtin-tools.ts";
import type { SessionAction } from "../../core/session.ts";
import type { CallContext } from "../../core/tool.ts";
import type { Contributions } from "./contributions.ts";
import type { ExportContext } from "./export-context.ts";
import { readExportedTool } from "./pi/factory-tools.ts";
import { readFunction } from "./read-function.ts";

// biome-ignore lint/suspicious/noExplicitAny: authors' functions have parameters of any type
type Author = (pi: any) => unknown;

const load = (author: Author, at: Partial<ExportContext> = {}): Promise<Contributions> =>
  readFunction(author, exportAt(at), async () => undefined);
const content = [{ type: "text", text: "done" }];
const hello = { name: "hello", label: "Hello", description: "Says hello", execute: async () => ({ content }) };

describe("the form depends on what the function does", () => {
  it("[A5] [R1] a returned tool: a factory", async () => {
    const { tools, about, dependsOnHost, problems } = await load(() => hello);
    expect(problems).toEqual([]);
    expect(tools).toMatchObject([
      {
        name: "hello",
        description: "Says hello",
        hints: { title: "Hello" },
        input: { json: { type: "object" } },
        origin: { format: "factory", file: FILE.path, exportName: "default.hello" },
      },
    ]);
    expect(about).toEqual({
      format: "factory",
      why: "its default export is a function that returns tools, the shape of custom tools of oh-my-pi",
      unsupportedFeatures: [],
    });
    expect(dependsOnHost).toBe(true);
    expect(await tools[0]?.run({}, callContext())).toEqual({ content });
  });

  it("[A8] serves tools that wrap built-in tools of pi, with the parameters of pi", async () => {
    const { tools, problems, about } = await load((pi) => {
      const read = createReadTool(pi.cwd);
      const bash = createBashTool(pi.cwd);
      pi.registerTool({ ...read, execute: async (id: string, params: never) => read.execute(id, params) });
      pi.registerTool({ name: "shell", label: "x", parameters: bash.parameters, execute: bash.execute });
    });
    expect({ problems, unsupported: about?.unsupportedFeatures }).toEqual({ problems: [], unsupported: [] });
    expect(tools).toMatchObject([
      { name: "read", input: { json: { required: ["path"] } }, limits: {} },
      { name: "shell", input: { json: { required: ["command"] } }, limits: { timeoutMs: 610_000 } },
    ]);
    const called: unknown[] = [];
    const callBuiltin: CallContext["callBuiltin"] = async (tool, input) => {
      called.push([tool, input]);
      return {
        ok: true,
        content: [{ type: "text", text: "     1\thello\n(end of file: 1 line)" }],
        data: { lines: 1 },
      };
    };
    const result = await tools[0]?.run({ path: "a.txt", limit: 1 }, callContext({ callBuiltin }));
    expect(called).toEqual([["read", { filePath: "a.txt", limit: 1 }]]);
    expect(result).toMatchObject({ content: [{ text: "hello\n\n[Showing lines 1-1. Use offset=2 to continue.]" }] });
  });

  it("[A8] registrations: an extension of pi, with or without tools", async () => {
    const { tools, about } = await load((pi: ExtensionAPI) => pi.registerTool(hello as never));
    expect(tools.map(({ origin }) => origin.format)).toEqual(["pi-extension"]);
    expect(about?.why).toBe(
      "its default export is a function that registers tools or handlers, the shape of a pi extension",
    );
    expect(await load((pi) => pi.registerShortcut("x", {}))).toMatchObject({ tools: [], problems: [] });
    const registered = await load((pi) => {
      pi.registerCommand("x", { description: "Old", handler() {} });
      pi.registerCommand("/x", { description: "X", handler() {} });
      pi.registerCommand("", { handler() {} });
    });
    expect(registered.commands?.map(({ name, description }) => [name, description])).toEqual([["x", "X"]]);
    expect(registered.problems.map(({ message }) => message)).toEqual([
      '"" is not a name for a command. Use up to 64 letters, digits, "_", "-", "." and ":".',
    ]);
  });

  it("returned hooks: an OpenCode plugin, which also receives the plugin input", async () => {
    const from = await load(async ({ client, $, directory, project }) => ({
      tool: { where: { description: "Where", execute: () => [!!client, typeof $, directory, project.worktree] } },
    }));
    expect(from.about?.format).toBe("opencode-plugin");
    expect(await from.tools[0]?.run({}, callContext())).toEqual([true, "function", "/p/app", "/p"]);
  });

  it("[A8] [D5] a pi extension or plugin that contributes nothing is no problem", async () => {
    const file = { ...FILE, system: "pi" } as const;
    const late: (() => void)[] = [];
    const from = await load((pi) => void late.push(() => pi.registerTool(hello)), { file });
    expect(from).toMatchObject({ tools: [], problems: [], about: { format: "pi-extension" } });
    late[0]?.();
    await from.onSession?.({ reason: "start" }, { id: "s1" });
    expect(from.tools.map(({ name }) => name)).toEqual(["hello"]);
    const source = 'import type { Plugin } from "@opencode-ai/plugin"';
    const empty = { tools: [], problems: [], about: { format: "opencode-plugin" } };
    expect(await load(async () => ({}), { source })).toMatchObject(empty);
  });

  it("several of these are merged", async () => {
    const { tools, dependsOnHost } = await load((pi) => {
      pi.registerTool({ ...hello, name: "registered" });
      return [{ ...hello, name: "returned" }];
    });
    expect(tools.map(({ name, origin }) => [name, origin.format])).toEqual([
      ["registered", "pi-extension"],
      ["returned", "factory"],
    ]);
    expect(dependsOnHost).toBe(true);
  });

  it("[A13] an exported tool object", async () => {
    const at = exportAt({ source: 'import { defineTool } from "@earendil-works/pi-coding-agent";' });
    const { tools } = await readExportedTool({ ...hello, execute: (...args: unknown[]) => args }, at);
    expect(await tools[0]?.run({ a: 1 }, callContext())).toEqual([
      ...["c1", { a: 1 }, expect.any(AbortSignal), expect.any(Function)],
      expect.objectContaining({ cwd: "/p/app" }),
    ]);
  });
});

describe("problems", () => {
  it.each([
    [
      "nothing",
      () => {},
      "Its default function registered nothing and returned nothing. Return a tool { name, description, parameters, execute } or a list of tools, call pi.registerTool({ … }), or return { tool: { … } }.",
    ],
    ["a text", () => "hello", expect.stringContaining("registered nothing and returned a string.")],
    ["an object", () => ({ a: 1 }), expect.stringContaining("and returned an object that is not a tool.")],
    ["an empty list", () => [], expect.stringContaining("and returned a list without tools.")],
  ])("[D5] a function that returns %s is not a tool", async (_what, author, message) => {
    expect(await load(author)).toMatchObject({
      tools: [],
      problems: [{ file: FILE.path, exportName: "default", code: "not_a_tool", message }],
    });
  });

  it("[D5] an error of the function is reported with its name", async () => {
    const fail = async (): Promise<never> => {
      throw new Error("no database");
    };
    const message = "Its default function failed: no database";
    expect((await load(fail)).problems).toMatchObject([{ code: "init_failed", message }]);
    const file = { ...FILE, system: "opencode" } as const;
    expect((await load(fail, { file })).problems).toMatchObject([{ code: "plugin_failed", message }]);
  });

  it.each([
    [{ ...hello, name: "a b" }, "bad_name", '"a b" is not a valid tool name'],
    [{ ...hello, name: undefined }, "bad_definition", 'A tool has no name. Add name: "…"'],
    [{ ...hello, execute: 1 }, "bad_definition", '"hello" has no execute function.'],
    [{ ...hello, parameters: 5 }, "bad_schema", 'parameters of "hello": The arguments are described by'],
  ])("[D5] one bad tool is a problem, the others work: %o", async (bad, code, message) => {
    const good = { ...hello, name: "good" };
    for (const author of [
      () => [bad, good],
      (pi: ExtensionAPI) => [bad, good].map((one) => pi.registerTool(one as never)),
    ]) {
      const { tools, problems } = await load(author as Author);
      expect(tools.map(({ name }) => name)).toEqual(["good"]);
      expect(problems).toMatchObject([{ code, message: expect.stringContaining(message) }]);
    }
  });

  it("[D4] of two tools with one name, a factory keeps the first and an extension the last", async () => {
    const second = { ...hello, description: "Second" };
    const factory = await load(() => [hello, second]);
    expect(factory.tools.map(({ description }) => description)).toEqual(["Says hello"]);
    expect(factory.problems).toMatchObject([
      {
        code: "name_taken",
        tool: "hello",
        message:
          'Two of the tools that the function returns are called "hello". Rename one of them. Until then the first is served.',
      },
    ]);
    const extension = await load((pi) => [hello, second].forEach((one) => void pi.registerTool(one)));
    expect(extension).toMatchObject({ tools: [{ description: "Second" }], problems: [] });
  });
});

describe("the API object", () => {
  it("[A5] has all members of a factory, and accepts unknown ones", async () => {
    let seen: Record<string, unknown> = {};
    const host = formatHost({ hasUI: true });
    const at = { host, source: 'import "@oh-my-pi/pi-coding-agent"' };
    await load((pi) => {
      const { cwd, exec, ui, hasUI, logger, typebox, zod, ...rest } = pi;
      seen = {
        cwd,
        hasUI,
        promise: pi.then,
        exec: typeof exec,
        ui: typeof ui.select,
        push: typeof rest.pushPendingAction,
      };
      seen.typebox = typebox.Type.String().type;
      seen.zod = [zod.string().parse("a"), zod.z.string().parse("b")];
      seen.pi = [typeof pi.pi.truncateHead, typeof pi.pi.Text, typeof pi.pi.logger.debug];
      logger.warn("careful", { a: 1 });
      pi.registerNewThing("x");
      pi.someNewFunction();
      pi.someNewFunction();
      return hello;
    }, at);
    expect(seen).toEqual({
      ...{ cwd: "/p/app", hasUI: true, promise: undefined, exec: "function", ui: "function", push: "function" },
      typebox: "string",
      zod: ["a", "b"],
      pi: ["function", "function", "function"],
    });
    expect(host.logged).toEqual([
      ["warn", `${FILE.path}: careful`, { a: 1 }],
      ["info", `${FILE.path}: pi.someNewFunction() has no effect in Toolwright.`],
    ]);
  });

  it("[A5] arktype must be installed in the project", async () => {
    const { problems } = await load((pi) => ({ ...hello, parameters: pi.arktype({ a: "string" }) }));
    expect(problems[0]?.message).toBe(
      'Its default function failed: pi.arktype is not installed: run "npm install arktype" in the folder of /p/tools/lint.ts, or describe the parameters with pi.typebox or pi.zod.',
    );
  });

  it("[A5] a pending action needs a label and apply", async () => {
    let push: (action: unknown) => void = () => {};
    const pushed: unknown[] = [];
    const host = formatHost({ pushPendingAction: (action) => void pushed.push(action) });
    await load(
      ({ pushPendingAction }) => {
        push = pushPendingAction;
        return hello;
      },
      { host },
    );
    expect(() => push({ apply: () => {} })).toThrow("pushPendingAction() needs label");
    expect(() => push({ label: "x" })).toThrow("pushPendingAction() needs apply(reason)");
    push({ label: "x", apply: () => "applied" });
    expect(pushed).toEqual([{ label: "x", sourceToolName: "custom_tool", apply: expect.any(Function) }]);
  });

  it("[A8] session actions of an extension reach the host", async () => {
    const acts: SessionAction[] = [];
    const session = { id: "s1", name: "one", activeTools: ["a"], thinkingLevel: "high" };
    const tools = [{ name: "a", description: "", parameters: {} }];
    const host = formatHost({ act: (action) => void acts.push(action), session: () => session, allTools: () => tools });
    const seen: unknown[] = [];
    await load(
      async (pi) => {
        pi.registerFlag("fast", { type: "boolean", default: true });
        seen.push(pi.getFlag("fast"), pi.getFlag("slow"), pi.getSessionName(), pi.getActiveTools(), pi.getAllTools());
        seen.push(pi.getThinkingLevel(), await pi.setModel({}), pi.getCommands());
        pi.sendMessage({ customType: "x", content: "m" }, { triggerTurn: true });
        pi.sendUserMessage("hi");
        pi.setSessionName("two");
        pi.setActiveTools(["b"]);
        pi.appendEntry("state", { n: 1 });
        pi.setLabel("e1", "here");
        pi.registerTool(hello);
      },
      { host },
    );
    expect(seen).toEqual([true, undefined, "one", ["a"], tools, "high", false, []]);
    const entry = { id: expect.stringMatching(/^[\da-f]{8}$/), parentId: null, timestamp: expect.any(String) };
    expect(acts).toEqual([
      { type: "message", message: { customType: "x", content: "m" }, options: { triggerTurn: true } },
      { type: "user-message", content: "hi" },
      { type: "name", name: "two" },
      { type: "active-tools", names: ["b"] },
      { type: "entry", entry: { ...entry, type: "custom", customType: "state", data: { n: 1 } } },
      { type: "entry", entry: { ...entry, type: "label", targetId: "e1", label: "here" } },
    ]);
  });

  it("[A8] pi.events connects the files of one host only", async () => {
    const host = formatHost();
    const heard: unknown[] = [];
    await load((pi) => pi.events.on("ping", (data: unknown) => heard.push(data)) && hello, { host });
    await load((pi) => pi.events.emit("ping", 1), { host });
    await load((pi) => pi.events.emit("ping", 2));
    expect(heard).toEqual([1]);
  });
});

describe("calls", () => {
  it("[A8] a call gets its context, and a tool registered during it is listed afterwards", async () => {
    const acts: unknown[] = [];
    const host = formatHost({ act: (action) => void acts.push(action) });
    const from = await load(
      (pi) =>
        pi.registerTool({
          ...hello,
          execute: async (_id: string, _p: object, signal: AbortSignal, _u: unknown, ctx: ExtensionContext) => {
            pi.registerTool({ ...hello, name: "more" });
            ctx.abort();
            const known = [ctx.model, ctx.mode, ctx.hasUI, ctx.cwd];
            return [signal.aborted, ...known, ctx.getContextUsage(), ctx.getSystemPrompt(), ctx.isIdle()];
          },
        }),
      { host },
    );
    const session = { id: "s1", model: { id: "m" }, systemPrompt: "Be kind." };
    expect(await from.tools[0]?.run({}, callContext({ session, directory: "/d" }))).toEqual([
      ...[false, { id: "m" }, "print", false, "/d", undefined, "Be kind.", false],
    ]);
    expect(acts).toEqual([{ type: "stop" }]);
    expect(from.tools.map(({ name }) => name)).toEqual(["hello", "more"]);
  });

  it("[A8] prepareArguments changes the arguments before they are validated", async () => {
    const parameters = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    const prepareArguments = (args: { old?: number; n?: number }): unknown => {
      if (args.old === 0) throw new Error("zero is too old");
      return { n: args.old ?? args.n };
    };
    const { tools } = await load((pi) => pi.registerTool({ ...hello, parameters, prepareArguments }));
    const check = tools[0]?.input.check ?? (() => undefined);
    expect(await check({ old: 3 })).toEqual({ ok: true, value: { n: 3 } });
    expect(await check({ n: "x" })).toMatchObject({ ok: false, issues: [{ path: "/n" }] });
    expect(await check({ old: 0 })).toEqual({
      ok: false,
      issues: [{ path: "", message: "was rejected by prepareArguments of the tool: zero is too old" }],
    });
  });
});
