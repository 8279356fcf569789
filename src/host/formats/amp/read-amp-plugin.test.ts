import { describe, expect, it } from "vitest";
import { callContext, FILE, formatHost } from "../../../../test/support/forms.ts";
import type { SessionAction } from "../../../core/session.ts";
import type { Contributions, FormatHost, HookedCall, ModuleFile } from "../contributions.ts";
import { readModule } from "../read-module.ts";

type Handler = (event: Readonly<Record<string, unknown>>, context: Context) => unknown;

interface Context {
  readonly ui: { confirm(options: object): Promise<boolean>; notify(text: string): Promise<void> };
  readonly thread: { id: string; append(messages: object[]): Promise<void>; waitForResponse(): never };
  readonly logger: { log(...values: unknown[]): void };
  readonly ai: { ask(question: string): never };
}

interface Amp extends Context {
  onDispose(dispose: () => unknown): void;
  on(event: string, handler: Handler): { unsubscribe(): void };
  registerTool(definition: object): { unsubscribe(): void };
  registerCommand(id: string, options: object, handler: (context: Context) => unknown): { unsubscribe(): void };
  registerAgentMode(definition: object): unknown;
  registerSkill(definition: object): unknown;
  createAgent(definition: object): { run(prompt: string): never };
  readonly helpers: {
    shellCommandFromToolCall(call: object): unknown;
    filesModifiedByToolCall(call: object): URL[] | null;
    filePathFromURI(uri: unknown): string;
    isPluginUINotAvailableError(error: unknown): boolean;
  };
  $(strings: TemplateStringsArray, ...values: unknown[]): Promise<{ exitCode: number; stdout: string; stderr: string }>;
}

const AMP: ModuleFile = { ...FILE, path: "/p/.amp/plugins/guard.ts", name: "guard", system: "amp" };
const CALL: HookedCall = { tool: "bash", input: { n: 1 }, callID: "c1", session: { id: "s1" }, directory: "/p" };
const RESULT = { content: [{ type: "text", text: "done" }], isError: false } as const;
const echo = {
  name: "echo",
  description: "Echoes.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  execute: async ({ text }: { text: string }) => text,
};

async function read(
  plugin: (amp: Amp) => unknown,
  { file = AMP, source = "", host = formatHost() }: { file?: ModuleFile; source?: string; host?: FormatHost } = {},
): Promise<Contributions> {
  return readModule({ default: plugin }, file, { host, source });
}

describe("[A15] a plugin of Amp", () => {
  it.each([
    ["in .amp/plugins", AMP, "", true],
    ["in a folder that a path names", { ...AMP, place: "configured" }, "", true],
    ["in ~/.config/amp/plugins", { ...FILE, path: "/home/u/.config/amp/plugins/a/index.ts" }, "", true],
    ["by an import", FILE, 'import type { PluginAPI } from "@ampcode/plugin";', true],
    [
      "by a type in JSDoc",
      { ...FILE, path: "/p/a.js" },
      '/** @param {import("@ampcode/plugin").PluginAPI} amp */',
      true,
    ],
    ["not by a comment", FILE, '// import type { PluginAPI } from "@ampcode/plugin";', false],
    ["not elsewhere", FILE, "", false],
  ] as const)("[D5] [R1] is called if it is one: %s", async (_, file, source, isCalled) => {
    let calls = 0;
    const { tools, problems } = await read(
      (amp) => {
        calls += 1;
        amp.registerTool(echo);
      },
      { file: file as ModuleFile, source },
    );
    expect(calls).toBe(isCalled ? 1 : 0);
    expect(tools.map(({ name, origin }) => [name, origin.format])).toEqual(isCalled ? [["echo", "amp-plugin"]] : []);
    expect(problems.map(({ code }) => code)).toEqual(isCalled ? [] : ["not_a_tool"]);
  });

  it("[A4] has tools whose text and blocks are results", async () => {
    const blocks = [
      { type: "text", text: "A dot:" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
    ];
    const { tools } = await read(async (amp) => {
      amp.registerTool(echo);
      amp.registerTool({ ...echo, name: "draw", execute: async () => blocks });
      amp.registerTool({ ...echo, name: "quiet", inputSchema: { type: "object" }, execute: async () => {} });
    });
    expect(await tools[0]?.run({ text: "hi" }, callContext())).toBe("hi");
    expect(await tools[1]?.run({ text: "" }, callContext())).toEqual({ content: blocks });
    expect(await tools[2]?.run({}, callContext())).toBeUndefined();
  });

  it("[D5] has a problem for each tool that cannot be served, and serves the others", async () => {
    const { tools, problems } = await read((amp) => {
      amp.registerTool({ ...echo, name: undefined });
      amp.registerTool({ ...echo, name: "idle", execute: undefined });
      amp.registerTool({ ...echo, name: "a b" });
      amp.registerTool(echo);
    });
    expect(tools.map(({ name }) => name)).toEqual(["echo"]);
    const advice =
      'Write amp.registerTool({ name: "…", description: "…", inputSchema: { … }, async execute(input, ctx) { … } }).';
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ["bad_definition", `A tool of amp.registerTool() has no name. ${advice}`],
      ["bad_definition", `A tool of amp.registerTool() has no function execute. ${advice}`],
      ["bad_name", expect.stringContaining('"a b" is not a valid tool name')],
    ]);
  });

  it("[D5] that throws is a problem", async () => {
    const { tools, problems } = await read(() => {
      throw new Error("No key.");
    });
    expect(tools).toEqual([]);
    expect(problems).toMatchObject([{ code: "plugin_failed", message: "Its default function failed: No key." }]);
  });

  it.each([
    ["allow", () => ({ action: "allow" }), undefined],
    ["no answer", () => undefined, undefined],
    ["a new input", () => ({ action: "modify", input: { n: 2 } }), { input: { n: 2 } }],
    ["a rejection", () => ({ action: "reject-and-continue", message: "Not here." }), { refuse: "Not here." }],
    ["an error", () => ({ action: "error", message: "Broken." }), { refuse: "Broken." }],
    [
      "a rejection without a reason",
      () => ({ action: "reject-and-continue" }),
      { refuse: "The plugin /p/.amp/plugins/guard.ts rejected this call. Do not repeat it unchanged." },
    ],
    [
      "a result",
      () => ({ action: "synthesize", result: { output: "42" } }),
      { refuse: "The plugin /p/.amp/plugins/guard.ts answered in place of the tool: 42" },
    ],
    [
      "an input that is no object",
      () => ({ action: "modify", input: 5 }),
      {
        refuse:
          "The plugin /p/.amp/plugins/guard.ts changed the input to a value that is no object, so the call was not made.",
      },
    ],
    ...[{ action: "ask" }, {}, true, "reject-and-continue"].map((answer) => [
      `the unknown answer ${JSON.stringify(answer)}`,
      () => answer,
      {
        refuse:
          'The plugin /p/.amp/plugins/guard.ts answered with an unknown action, so the call was not made. Return { action: "allow" } or { action: "reject-and-continue", message }.',
      },
    ]),
    [
      "a throw",
      () => {
        throw new Error("Offline.");
      },
      {
        refuse:
          "The plugin /p/.amp/plugins/guard.ts failed in its tool.call handler, so the call was not made: Offline.",
      },
    ],
    [
      "a dialog without a user interface",
      (_: unknown, { ui }: Context) => ui.confirm({ title: "Allow?" }),
      {
        refuse:
          "The plugin /p/.amp/plugins/guard.ts failed in its tool.call handler, so the call was not made: ui.confirm() needs a user interface, and this program has none. Run the tool in toolwright chat.",
      },
    ],
    [
      "a question to a model",
      (_: unknown, { ai }: Context) => ai.ask("Is it safe?"),
      {
        refuse:
          "The plugin /p/.amp/plugins/guard.ts failed in its tool.call handler, so the call was not made: ask() needs an agent of Amp, and this call has none.",
      },
    ],
  ] as [string, Handler, unknown][])("[P1] guards calls: %s", async (_, handler, expected) => {
    const { hooks } = await read((amp) => amp.on("tool.call", handler));
    expect(await hooks?.before?.(CALL)).toEqual(expected);
  });

  it("[P1] has handlers that see what those before them changed, until one refuses", async () => {
    const seen: unknown[] = [];
    const { hooks } = await read((amp) => {
      amp.on("tool.call", (event) => {
        seen.push(event);
        (event.input as { n: number }).n = 9;
        return { action: "modify", input: { n: 2 } };
      });
      const removed = amp.on("tool.call", () => ({ action: "error", message: "Removed." }));
      removed.unsubscribe();
      amp.on("tool.call", ({ input }) => void seen.push(input));
    });
    expect(await hooks?.before?.(CALL)).toEqual({ input: { n: 2 } });
    expect(CALL.input).toEqual({ n: 1 });
    expect(seen).toEqual([{ thread: { id: "s1" }, toolUseID: "c1", tool: "bash", input: { n: 9 } }, { n: 2 }]);
  });

  it("[P1] sees results and replaces them", async () => {
    const seen: unknown[] = [];
    const answers: unknown[] = [
      undefined,
      { status: "done", output: "new" },
      { status: "error", error: "Wrong." },
      { status: "done", output: { a: 1 } },
      { status: "done", output: [{ type: "image", data: "AAAA", mimeType: "image/png" }] },
    ];
    const { hooks } = await read((amp) => {
      amp.on("tool.result", (event) => {
        seen.push([event.status, event.output, event.error]);
        return answers.shift();
      });
    });
    expect(await hooks?.after?.(CALL, RESULT)).toEqual({});
    expect(await hooks?.after?.(CALL, RESULT)).toEqual({ content: [{ type: "text", text: "new" }], isError: false });
    expect(await hooks?.after?.(CALL, { ...RESULT, isError: true })).toEqual({
      content: [{ type: "text", text: "Wrong." }],
      isError: true,
    });
    expect(await hooks?.after?.(CALL, RESULT)).toEqual({
      content: [{ type: "text", text: '{"a":1}' }],
      isError: false,
    });
    expect(await hooks?.after?.(CALL, RESULT)).toMatchObject({ content: [{ type: "image" }] });
    expect(seen.slice(1, 3)).toEqual([
      ["done", "done", undefined],
      ["error", "done", "done"],
    ]);
  });

  it("[P1] reports handlers and tools that it registers after its function has returned", async () => {
    let amp: Amp | undefined;
    const from = await read((api) => {
      amp = api;
    });
    const reported: [boolean, readonly string[]][] = [];
    from.onChange?.(() => reported.push([from.hooks !== undefined, from.tools.map(({ name }) => name)]));
    amp?.on("tool.call", () => ({ action: "reject-and-continue", message: "No." }));
    const added = amp?.registerTool(echo);
    await expect.poll(() => reported.length).toBe(2);
    expect(await from.hooks?.before?.(CALL)).toEqual({ refuse: "No." });
    added?.unsubscribe();
    await expect
      .poll(() => reported.slice(1))
      .toEqual([
        [true, ["echo"]],
        [true, []],
      ]);
  });

  it("[A8] keeps its other tools if one cannot be read", async () => {
    const broken = {
      get name(): string {
        throw new Error("No name.");
      },
    };
    const from = await read((amp) => {
      amp.registerTool(broken);
      amp.registerTool(echo);
    });
    expect([from.tools.map(({ name }) => name), from.problems.length]).toEqual([["echo"], 1]);
  });

  it("[A8] hears of sessions, runs commands, and lists tools that it registers later", async () => {
    const heard: string[] = [];
    const from = await read((amp) => {
      amp.on("session.start", async ({ thread }, context) => {
        heard.push(`${(thread as { id: string }).id} ${context.thread.id}`);
        amp.registerTool(echo);
      });
      amp.registerCommand("say-hi", { title: "Say hi", category: "test" }, ({ thread }) => void heard.push(thread.id));
    });
    expect(from.tools).toEqual([]);
    await from.onSession?.({ reason: "start" }, { id: "s7" });
    expect(from.tools.map(({ name }) => name)).toEqual(["echo"]);
    expect(from.commands).toMatchObject([{ name: "say-hi", description: "Say hi" }]);
    const at = { session: { id: "s8" }, directory: "/p", signal: new AbortController().signal };
    await from.commands?.[0]?.run("", at);
    expect(heard).toEqual(["s7 s7", "s8"]);
  });

  it("[D6] is told when it is unloaded, the newest function first", async () => {
    const logged: unknown[] = [];
    const disposed: string[] = [];
    const host = formatHost({ log: (...line) => void logged.push(line) });
    const from = await read(
      (amp) => {
        amp.onDispose(async () => void disposed.push("first"));
        amp.onDispose(() => {
          throw new Error("No file.");
        });
        amp.onDispose(() => void disposed.push("last"));
        amp.registerTool({ ...echo, title: "Echo" });
      },
      { host },
    );
    expect(from.tools[0]?.hints).toEqual({ title: "Echo" });
    await from.close?.();
    await from.close?.();
    expect([disposed, logged]).toEqual([
      ["last", "first"],
      [["warn", "/p/.amp/plugins/guard.ts: onDispose() failed: No file."]],
    ]);
  });

  it("[U1] names what has no effect, and fails where Amp is needed", async () => {
    const acts: SessionAction[] = [];
    const logged: unknown[] = [];
    const host = formatHost({ act: (action) => void acts.push(action), log: (...line) => void logged.push(line) });
    const { about, tools } = await read(
      (amp) => {
        amp.registerAgentMode({});
        amp.registerSkill({});
        amp.on("agent.end", () => {});
        const agent = amp.createAgent({ model: "m" });
        amp.registerTool({ ...echo, name: "review", execute: async () => agent.run("review") });
        amp.registerTool({
          ...echo,
          name: "post",
          execute: async (_: unknown, { thread, logger, ui }: Context) => {
            logger.log("posting", { n: 1 });
            await ui.notify("Posted");
            await thread.append([{ type: "user-message", content: "Go on." }]);
          },
        });
      },
      { host },
    );
    expect(about?.unsupportedFeatures).toEqual([
      "amp.registerAgentMode() has no effect in Toolwright.",
      "amp.registerSkill() has no effect in Toolwright.",
      "amp.createAgent() has no effect in Toolwright.",
      'Its handler of "agent.end" is never called by Toolwright.',
    ]);
    await expect(tools[0]?.run({}, callContext())).rejects.toThrow(
      "run() needs an agent of Amp, and this call has none.",
    );
    await tools[1]?.run({}, callContext());
    expect(acts).toEqual([{ type: "user-message", content: "Go on." }]);
    expect(logged).toEqual([
      ["info", 'posting {"n":1}'],
      ["info", "Posted"],
    ]);
  });

  it("[A15] has helpers and a shell", async () => {
    const apis: Amp[] = [];
    const host = formatHost({ cwd: import.meta.dirname });
    await read((amp) => void apis.push(amp), { host });
    const { helpers, $ } = apis[0] as Amp;
    expect(helpers.shellCommandFromToolCall({ tool: "bash", input: { command: "ls", workdir: "a" } })).toEqual({
      command: "ls",
      dir: "a",
    });
    expect(helpers.shellCommandFromToolCall({ tool: "Bash", input: { cmd: "ls" } })).toEqual({ command: "ls" });
    expect(helpers.shellCommandFromToolCall({ tool: "read", input: { command: "ls" } })).toBeNull();
    const files = helpers.filesModifiedByToolCall({ tool: "edit", input: { filePath: "/p/a b.ts" } });
    expect(files?.map((file) => helpers.filePathFromURI(file))).toEqual(["/p/a b.ts"]);
    const patch = "*** Begin Patch\n*** Update File: /p/a.ts\n@@\n*** Delete File: /p/b.ts\n";
    const patched = helpers.filesModifiedByToolCall({ tool: "apply_patch", input: { patchText: patch } });
    expect(patched?.map(helpers.filePathFromURI)).toEqual(["/p/a.ts", "/p/b.ts"]);
    expect(helpers.filesModifiedByToolCall({ tool: "read", input: { path: "a" } })).toBeNull();
    expect(await $`echo ${"a b"}`).toEqual({ exitCode: 0, stdout: "a b\n", stderr: "" });
    expect(await $`ls /none-of-this`).toMatchObject({ exitCode: expect.any(Number), stdout: "" });
  });
});
