import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { callContext, FILE, formatHost } from "../../../../test/support/forms.ts";
import { put, temporary } from "../../../../test/support/temporary.ts";
import type { Contributions, FormatHost, HookedCall, ModuleFile } from "../contributions.ts";
import { readModule } from "../read-module.ts";

/** The folder of a plugin, and that of the user's configuration of OpenClaw. */
let folder: string;

beforeEach(() => {
  folder = temporary();
  vi.stubEnv("OPENCLAW_STATE_DIR", join(folder, "state"));
  return () => vi.unstubAllEnvs();
});

interface Api {
  readonly [member: string]: unknown;
  readonly id: string;
  readonly pluginConfig: Record<string, unknown>;
  readonly logger: Record<"info" | "warn", (...parts: unknown[]) => void>;
  registerTool(tool: unknown, options?: unknown): void;
  registerCommand(command: unknown): void;
  registerService(service: unknown): void;
  registerHook(events: unknown, handler: unknown): void;
  registerTrustedToolPolicy(policy: unknown): void;
  on(event: string, handler: unknown, options?: unknown): void;
  resolvePath(path: string): string;
}

/** Reads a module in the folder of extensions of OpenClaw. */
async function read(
  module: Record<string, unknown>,
  { host = formatHost(), ...changes }: Partial<ModuleFile> & { host?: FormatHost } = {},
): Promise<Contributions> {
  const file: ModuleFile = { ...FILE, path: join(folder, "index.ts"), system: "openclaw", ...changes };
  return readModule(module, file, { host, source: "" });
}

const plugin = (register: (api: Api) => unknown): Record<string, unknown> => ({ default: { id: "notes", register } });

const echo = (name: string): Record<string, unknown> => ({
  name,
  label: "Echo",
  description: "Says a text back.",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  execute: async (id: string, params: { text: string }) => ({
    content: [{ type: "text", text: `${id} ${params.text}` }],
    details: { id },
  }),
});

const names = ({ tools }: Contributions): string[] => tools.map(({ name }) => name);
const messages = ({ problems }: Contributions): string[] => problems.map(({ code, message }) => `${code} ${message}`);
const notes = ({ about }: Contributions): readonly string[] => about?.unsupportedFeatures ?? [];

async function callTool(from: Contributions, name: string, input: unknown, session = "s1"): Promise<unknown> {
  const tool = from.tools.find((each) => each.name === name);
  return tool?.run(input, callContext({ session: { id: session } }));
}

describe("plugins of OpenClaw", () => {
  const register = (api: Api): void => api.registerTool(echo("echo"));

  it.each<[string, Record<string, unknown>, string]>([
    ["an object with register", { default: { id: "a", register } }, "register"],
    ["an object with activate", { default: { name: "a", activate: register } }, "activate"],
    ["a function", { default: register }, "function"],
    ["an async function", { default: async (api: Api) => register(api) }, "function"],
    ["a CommonJS object", { default: { name: "a", register }, "module.exports": { name: "a", register } }, "register"],
    ["a transpiled module", { default: { default: { id: "a", register } }, "module.exports": {} }, "register"],
    ["a module that exports register", { register }, "register"],
    ["a module that exports activate", { activate: register }, "activate"],
    ["a plugin beside other exports", { default: { id: "a", register }, helper: () => {}, tool: echo("other") }, ""],
    ["a default export before register", { default: register, register: () => {} }, "function"],
  ])("[A15] %s is called once with the API", async (_shape, module, why) => {
    const from = await read(module);
    expect(from.problems).toEqual([]);
    expect(names(from)).toEqual(["echo"]);
    expect(from.about).toMatchObject({ format: "openclaw-plugin", why: expect.stringContaining(why) });
    expect(await callTool(from, "echo", { text: "hi" })).toEqual({
      content: [{ type: "text", text: "c1 hi" }],
      details: { id: "c1" },
    });
    expect(from.tools[0]).toMatchObject({ hints: { title: "Echo" }, origin: { format: "openclaw-plugin" } });
  });

  it.each<[string, string, Partial<ModuleFile>, boolean]>([
    ["an import of the SDK", 'import type { OpenClawPluginApi } from "openclaw/plugin-sdk";', {}, true],
    ["an import of a subpath", 'import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";', {}, true],
    ["the former name of the SDK", 'import type { MoltbotPluginApi } from "moltbot/plugin-sdk";', {}, true],
    ["another package", 'import { x } from "openclaw-tools";', {}, false],
    ["nothing", "", {}, false],
    ["a comment", '// import "openclaw/plugin-sdk"', {}, false],
    ["a plugin folder of OpenCode", 'import "openclaw/plugin-sdk";', { path: "/p/.opencode/plugin/a.ts" }, false],
  ])("[A15] [D5] elsewhere, %s decides whether a function is called", async (_what, source, changes, isCalled) => {
    let calls = 0;
    const file: ModuleFile = { ...FILE, path: join(folder, "tools/a.ts"), ...changes };
    const called = vi.fn((api: Api) => {
      calls += 1;
      if ("registrationMode" in api) register(api);
    });
    const from = await readModule({ default: called }, file, { host: formatHost(), source });
    expect(from.about?.format === "openclaw-plugin").toBe(isCalled);
    if (isCalled) expect(calls).toBe(1);
  });

  it.each<[string, Record<string, unknown>, string, boolean]>([
    ["the index file", { "openclaw.plugin.json": "{}" }, "index.ts", true],
    ["another file", { "openclaw.plugin.json": "{}" }, "helper.ts", false],
    ["a file of a dot folder", { "openclaw.plugin.json": "{}" }, ".toolwright/tools/a.ts", false],
    [
      "an entry in package.json",
      { "package.json": '{"openclaw":{"extensions":["./src/main.ts"]}}' },
      "src/main.ts",
      true,
    ],
  ])("[A15] [D5] %s beside a manifest: called, if it is the entry", async (_what, files, path, isCalled) => {
    for (const [name, text] of Object.entries(files)) put(join(folder, name), String(text));
    put(join(folder, "index.ts"));
    put(join(folder, path));
    const from = await read({ default: register }, { system: "toolwright", path: join(folder, path) });
    expect(names(from)).toEqual(isCalled ? ["echo"] : []);
  });

  it("[A15] [D5] an object with register that nothing declares as a plugin is explained", async () => {
    const file: ModuleFile = { ...FILE, path: join(folder, "tools/a.ts") };
    const from = await readModule(plugin(register), file, { host: formatHost(), source: "" });
    expect(messages(from)).toEqual([
      'not_a_tool Its default export has "register", which was not called, because nothing says that it is a plugin of OpenClaw. Put openclaw.plugin.json into its folder, or begin with these two lines: `import type { OpenClawPluginApi } from "openclaw/plugin-sdk/core";` and `export default {`.',
    ]);
  });

  it("[A15] [D5] an entry without a plugin is a problem", async () => {
    expect(messages(await read({ default: { id: "x" }, helper: 1 }))).toEqual([
      'not_a_tool None of its exports (default, helper) is a tool. A plugin of OpenClaw exports a function or an object with "register" as default: export default { id: "…", register(api) { api.registerTool({ … }) } }.',
    ]);
  });

  it("[A12] [A15] a program can pass a plugin as a value", async () => {
    const from = await read(plugin(register), { system: "toolwright", place: "code", path: "/p/a.ts" });
    expect(names(from)).toEqual(["echo"]);
  });

  it("[A15] [D5] a register function that throws is one problem", async () => {
    const from = await read(plugin(() => Promise.reject(new Error("no key"))));
    expect(messages(from)).toEqual(["plugin_failed Its register function failed: no key"]);
  });
});

describe("registerTool of plugins of OpenClaw", () => {
  it.each<[string, unknown, unknown, readonly string[]]>([
    ["a tool", echo("a"), undefined, ["a"]],
    ["an optional tool", echo("a"), { optional: true }, ["a"]],
    ["a tool without a name", { ...echo("a"), name: undefined }, { name: "b" }, ["b"]],
    ["a list", [echo("a"), echo("b")], undefined, ["a", "b"]],
    ["a function that returns a tool", () => echo("a"), { name: "a" }, ["a"]],
    ["an async function", async () => echo("a"), undefined, ["a"]],
    ["a function that returns a list", () => [echo("a"), null, echo("b")], { names: ["a", "b"] }, ["a", "b"]],
    ["a function that returns nothing", () => null, { optional: true }, []],
    ["an object with create", { contextVersion: 2, create: () => echo("a") }, { name: "a" }, ["a"]],
    ["inputSchema", { ...echo("a"), parameters: undefined, inputSchema: { type: "object" } }, undefined, ["a"]],
  ])("[A15] takes %s", async (_what, tool, options, expected) => {
    const from = await read(plugin((api) => api.registerTool(tool, options)));
    expect(messages(from)).toEqual([]);
    expect(names(from)).toEqual(expected);
  });

  it.each<[string, unknown, string]>([
    [
      "no execute",
      { name: "a" },
      'bad_definition "a" has no execute function. Write { name: "…", description: "…", parameters: { … }, async execute(toolCallId, params) { … } }.',
    ],
    [
      "a text",
      "a",
      'bad_definition "lint" is not a tool. Write { name: "…", description: "…", parameters: { … }, async execute(toolCallId, params) { … } }.',
    ],
    [
      "a function that throws",
      () => {
        throw new Error("no");
      },
      'bad_definition "lint": no',
    ],
    [
      "a name that is taken",
      echo("echo"),
      'name_taken The plugin registers two tools called "echo". Rename one of them. Until then the first is served.',
    ],
  ])("[A15] [D5] reports %s and serves the other tools", async (_what, tool, message) => {
    const from = await read(
      plugin((api) => {
        api.registerTool(echo("echo"));
        api.registerTool(tool);
        api.registerTool(echo("last"));
      }),
    );
    expect(messages(from)).toEqual([message]);
    expect(names(from)).toEqual(["echo", "last"]);
  });

  it("[A15] [D5] one of several tools that cannot be read costs no other", async () => {
    const broken = {
      get name(): string {
        throw new Error("No name.");
      },
    };
    const from = await read(plugin((api) => api.registerTool(() => [broken, echo("listed")])));
    expect([messages(from), names(from)]).toEqual([['bad_definition "lint": No name.'], ["listed"]]);
  });

  it("[A15] a tool with a handler gets its arguments first", async () => {
    const { execute: _, ...rest } = echo("a");
    const handler = (params: { text: string }, context: { toolCallId: string }): string =>
      `${params.text} ${context.toolCallId}`;
    const from = await read(plugin((api) => api.registerTool({ ...rest, handler })));
    expect(await callTool(from, "a", { text: "hi" })).toBe("hi c1");
  });

  it("[A15] a function is called again for each session, with its context, and its state is that of the session", async () => {
    const contexts: Record<string, unknown>[] = [];
    const factory = (context: Record<string, unknown>): unknown => {
      contexts.push(context);
      let count = 0;
      return { ...echo("count"), execute: () => `${context.sessionId} ${++count}` };
    };
    const from = await read(plugin((api) => api.registerTool(factory, { name: "count" })));
    expect(await callTool(from, "count", {})).toBe("s1 1");
    expect(await callTool(from, "count", {})).toBe("s1 2");
    expect(await callTool(from, "count", {}, "s2")).toBe("s2 1");
    expect(contexts).toHaveLength(3);
    expect(contexts[0]).toMatchObject({ agentId: "main", sessionKey: "agent:main:main", workspaceDir: "/p/app" });
    expect(contexts[1]).toMatchObject({ agentId: "tester", sessionKey: "agent:tester:s1", senderIsOwner: true });
  });

  it("[A15] a tool that a function withdraws in a session says so", async () => {
    let isListing = true;
    const from = await read(plugin((api) => api.registerTool(() => (isListing ? echo("a") : null), { name: "a" })));
    isListing = false;
    await expect(callTool(from, "a", { text: "x" })).rejects.toThrow(
      'The plugin "notes" does not offer "a" in this session.',
    );
  });

  it("[A15] a tool gets the signal and shows progress", async () => {
    const execute = async (_id: string, _params: unknown, signal: AbortSignal, update: (part: unknown) => void) => {
      update({ content: [{ type: "text", text: "half" }] });
      return String(signal.aborted);
    };
    const from = await read(plugin((api) => api.registerTool({ ...echo("a"), execute })));
    const context = callContext({ abort: AbortSignal.abort() });
    expect(await from.tools[0]?.run({ text: "" }, context)).toBe("true");
    expect(context.shown).toEqual([{ content: [{ type: "text", text: "half" }] }]);
  });

  it("[A15] a tool that is registered later is listed", async () => {
    let late: () => void = () => {};
    const from = await read(
      plugin((api) => {
        late = () => api.registerTool(echo("late"));
      }),
    );
    const changed = vi.fn();
    from.onChange?.(changed);
    late();
    await expect.poll(() => names(from)).toEqual(["late"]);
    expect(changed).toHaveBeenCalled();
  });
});

describe("the API of plugins of OpenClaw", () => {
  it("[A15] has the configuration of the plugin, with variables and the defaults of its schema", async () => {
    vi.stubEnv("NOTES_KEY", "secret");
    const properties = { limit: { type: "number", default: 5 }, nested: { properties: { on: { default: true } } } };
    put(
      join(folder, "openclaw.plugin.json"),
      JSON.stringify({ id: "notes", configSchema: { properties }, version: "2" }),
    );
    put(join(folder, "index.ts"));
    const config = { apiKey: `\${NOTES_KEY}`, other: `\${UNSET_KEY}`, nested: {} };
    put(
      join(folder, "state/openclaw.json"),
      `{ "plugins": { "entries": { "notes": ${JSON.stringify({ config })} } }, /* more */ }`,
    );
    const given: Api[] = [];
    const from = await read({ default: (api: Api) => void given.push(api) });
    const [api] = given;
    expect(api?.pluginConfig).toEqual({ apiKey: "secret", other: `\${UNSET_KEY}`, nested: { on: true }, limit: 5 });
    expect(api).toMatchObject({ id: "notes", version: "2", rootDir: folder, registrationMode: "full" });
    expect(from.reads).toEqual([join(folder, "openclaw.plugin.json"), join(folder, "state/openclaw.json")]);
  });

  it("[A15] a plugin that the user's configuration turns off is not run", async () => {
    put(join(folder, "state/openclaw.json"), '{ "plugins": { "entries": { "notes": { "enabled": false } } } }');
    const register = vi.fn();
    const from = await read(plugin(register));
    expect(register).not.toHaveBeenCalled();
    expect(notes(from)).toEqual([
      `The configuration of OpenClaw turns it off: "plugins.entries.notes.enabled" is false in ${join(folder, "state/openclaw.json")}.`,
    ]);
  });

  it("[A15] [P1] a broken configuration is a problem: the plugin may guard calls by it", async () => {
    put(join(folder, "state/openclaw.json"), "{ plugins");
    expect(messages(await read(plugin(() => {})))).toEqual([
      `plugin_failed ${join(folder, "state/openclaw.json")} is not valid JSON (line 1: invalid symbol), so the plugin is not loaded. Correct it.`,
    ]);
  });

  it("[A15] logs, resolves paths, and can be copied", async () => {
    const host = formatHost();
    const paths: string[] = [];
    await read(
      plugin((api) => {
        const copy = { ...api };
        copy.logger.info("ready", { n: 1 });
        copy.logger.warn(new Error("odd").message);
        paths.push(copy.resolvePath("a.txt"), copy.resolvePath("/b"));
        copy.registerService({ id: "s" });
      }),
      { host },
    );
    expect(host.logged).toEqual([
      ["info", 'notes: ready {"n":1}'],
      ["warn", "notes: odd"],
    ]);
    expect(paths).toEqual(["/p/app/a.txt", "/b"]);
  });

  it("[A15] [U1] names what has no counterpart, and runs none of it", async () => {
    const never = vi.fn();
    const from = await read(
      plugin((api) => {
        const call = (member: string, ...given: unknown[]): unknown =>
          (api[member] as (...all: unknown[]) => unknown)(...given);
        call("registerService", { id: "poll", start: never });
        call("registerGatewayMethod", "notes.list", never);
        call("registerHttpRoute", { path: "/hook", handler: never });
        call("registerCli", never, { commands: ["notes"] });
        call("registerProvider", { id: "local" });
        call("registerSomethingNew", { name: "x" });
        (api.session as { workflow: { enqueue(what: object): void } }).workflow.enqueue({ id: "turn" });
        api.on("before_prompt_build", never);
        expect(api.unregisterTool).toBeUndefined();
        expect(() => (api.runtime as { tts: { speak(): void } }).tts.speak()).toThrow(
          "api.runtime.tts.speak is only available in the agent that this file was written for. Use the context of the call, fetch(), a module of Node or a package from npm in its place.",
        );
      }),
    );
    const only = "Toolwright serves tools, commands, and hooks around calls.";
    expect(messages(from)).toEqual([]);
    expect(notes(from)).toEqual([
      `"poll", which it registers with api.registerService(), is not started: ${only}`,
      `"notes.list", which it registers with api.registerGatewayMethod(), is not served: ${only}`,
      `"/hook", which it registers with api.registerHttpRoute(), is not served: ${only}`,
      `What it registers with api.registerCli() is not added to a command line: ${only}`,
      `"local", which it registers with api.registerProvider(), has no effect: ${only}`,
      `"x", which it registers with api.registerSomethingNew(), has no effect: ${only}`,
      `"turn", which it registers with api.session.workflow.enqueue(), has no effect: ${only}`,
      'Its handler of "before_prompt_build" is never called: only OpenClaw has this event.',
    ]);
    expect(never).not.toHaveBeenCalled();
  });

  it("[A15] [U5] commands answer with a message", async () => {
    const shown: unknown[] = [];
    const host = formatHost({ ui: async (...given) => void shown.push(given.slice(0, 2)) });
    const from = await read(
      plugin((api) => {
        api.registerCommand({
          name: "/note",
          description: "Adds a note.",
          acceptsArgs: true,
          handler: (ctx: Record<string, unknown>) => ({ text: `${ctx.args} ${ctx.commandBody} ${ctx.sessionId}` }),
        });
        api.registerCommand({ name: "no handler" });
        api.registerCommand({ name: "empty", handler: () => {} });
      }),
      { host },
    );
    const at = { session: { id: "s1" }, directory: "/p", signal: new AbortController().signal };
    for (const command of from.commands ?? []) await command.run(" milk ", at);
    expect(from.commands?.map(({ name, description }) => [name, description])).toEqual([
      ["note", "Adds a note."],
      ["empty", undefined],
    ]);
    expect(shown).toEqual([["notify", ["milk /note milk s1", "info"]]]);
    expect(messages(from)).toEqual([
      'bad_definition The command "no handler" has no handler. Add async handler(ctx) { … }.',
    ]);
  });
});

describe("hooks of plugins of OpenClaw", () => {
  const CALL: HookedCall = {
    tool: "bash",
    input: { n: 1, m: 1 },
    callID: "c1",
    session: { id: "s1" },
    directory: "/p",
  };
  const RESULT = { content: [{ type: "text", text: "done" }], isError: false } as const;

  async function answerOf(register: (api: Api) => unknown, host?: FormatHost, call = CALL): Promise<unknown> {
    const from = await read(plugin(register), host ? { host } : {});
    return from.hooks?.before?.(call);
  }

  it.each<[string, unknown, unknown]>([
    ["nothing", undefined, undefined],
    ["block: false", { block: false }, undefined],
    ["block", { block: true, blockReason: "Not that." }, { refuse: "Not that." }],
    [
      "block without a reason",
      { block: true },
      { refuse: 'The plugin "notes" blocked this call. Do not repeat it unchanged.' },
    ],
    ["params", { params: { n: 2 } }, { input: { n: 2, m: 1 } }],
    ["an unknown value", "no", undefined],
  ])("[P1] [A15] a handler that returns %s decides", async (_what, answer, expected) => {
    expect(await answerOf((api) => api.on("before_tool_call", async () => answer))).toEqual(expected);
  });

  it("[P1] [A15] a handler that throws refuses the call", async () => {
    const refusal = await answerOf((api) =>
      api.on("before_tool_call", () => {
        throw new Error("no rules");
      }),
    );
    expect(refusal).toEqual({
      refuse: 'The plugin "notes" failed in its before_tool_call handler, so the call was not made: no rules',
    });
  });

  it("[A15] a handler gets the call under the names of OpenClaw, as a copy", async () => {
    const seen: unknown[] = [];
    const answer = await answerOf((api) =>
      api.on("before_tool_call", (event: { params: { n: number } }, context: unknown) => {
        seen.push(structuredClone(event), context);
        event.params.n = 9;
      }),
    );
    expect(answer).toBeUndefined();
    expect(seen).toMatchObject([
      { toolName: "exec", params: { n: 1, m: 1 }, toolCallId: "c1" },
      { toolName: "exec", toolCallId: "c1", agentId: "main", sessionId: "s1", sessionKey: "agent:main:s1" },
    ]);
  });

  it("[A15] handlers run by priority; policies are first, a block ends, and the last params count", async () => {
    const order: string[] = [];
    const handler = (name: string, answer?: unknown) => () => {
      order.push(name);
      return answer;
    };
    const answer = await answerOf((api) => {
      api.on("before_tool_call", handler("low", { params: { n: 3 } }), { priority: -1 });
      api.on("before_tool_call", handler("first", { params: { n: 2 } }));
      api.registerHook(["before_tool_call", "command:new"], handler("second"));
      api.on("before_tool_call", handler("high"), { priority: 5 });
      api.registerTrustedToolPolicy({ id: "p", evaluate: handler("policy") });
      api.registerTrustedToolPolicy({ id: "q", evaluate: handler("policy 2") });
    });
    expect(order).toEqual(["policy", "policy 2", "high", "first", "second", "low"]);
    expect(answer).toEqual({ input: { n: 3, m: 1 } });
  });

  it.each<[string, unknown, boolean]>([
    ["its name", ["exec"], true],
    ["the name in Toolwright", ["bash"], true],
    ["another name", ["read"], false],
    ["a text", "exec", true],
    ["nothing that is understood", { regex: "x" }, true],
    ["all tools", ["*"], true],
    ["its name in other letters", "Bash", true],
    ["a pattern", ["ex*"], true],
    ["alternatives", "exec|read", true],
    ["an expression", /exec/, true],
    ["a name and something else", ["read", /exec/], true],
  ])("[P1] [A15] a matcher with %s", async (_what, matcher, isCalled) => {
    const block = { block: true, blockReason: "no" };
    const answer = await answerOf((api) => api.on("before_tool_call", () => block, { matcher }));
    expect(answer).toEqual(isCalled ? { refuse: "no" } : undefined);
  });

  it.each<[string, (api: Api) => void, string]>([
    ["handler", (api) => api.on("before_tool_call", undefined), 'The handler of "before_tool_call" is not a function.'],
    [
      "policy",
      (api) => api.registerTrustedToolPolicy({ id: "p" }),
      'A policy of registerTrustedToolPolicy() has no "evaluate".',
    ],
  ])("[P1] [A15] a guard without a function is an error: %s", async (_what, register, message) => {
    const { problems } = await read(plugin(register));
    expect(problems).toMatchObject([{ code: "plugin_failed", message: `Its register function failed: ${message}` }]);
  });

  it.each<[unknown, unknown]>([
    [{ allow: false, reason: "Over budget." }, { refuse: "Over budget." }],
    [{ block: true, blockReason: "Over budget." }, { refuse: "Over budget." }],
    [{ allow: true }, undefined],
  ])("[P1] [A15] a trusted policy that answers %j decides", async (answer, expected) => {
    const policy = { id: "budget", evaluate: async () => answer };
    expect(await answerOf((api) => api.registerTrustedToolPolicy(policy))).toEqual(expected);
  });

  describe("[P1] [A15] that require an approval", () => {
    const resolutions: unknown[] = [];
    const requireApproval = {
      title: "Run command",
      description: "Really?",
      onResolution: (decision: unknown) => void resolutions.push(decision),
    };
    beforeEach(() => void resolutions.splice(0));
    const ask = (host: FormatHost, more = {}): Promise<unknown> =>
      answerOf((api) => {
        api.on("before_tool_call", () => ({ requireApproval: { ...requireApproval, ...more }, params: { n: 2 } }));
        api.on("before_tool_call", () => ({ params: { n: 3 } }), { priority: -1 });
      }, host);

    it("ask the user, and keep the arguments that the user was asked about", async () => {
      const asked: unknown[] = [];
      const ui: FormatHost["ui"] = async (method, args) => {
        asked.push(method, args);
        return true;
      };
      expect(await ask(formatHost({ hasUI: true, ui }))).toEqual({ input: { n: 2, m: 1 } });
      expect(asked).toEqual(["confirm", ["Run command", "Really?"]]);
      expect(resolutions).toEqual(["allow-once"]);
    });

    it.each<[string, FormatHost["ui"], object, string, string]>([
      ["refuses", async () => false, {}, "deny", "The user did not approve this call"],
      ["leaves", async () => Promise.reject(new Error("gone")), {}, "deny", "The user did not approve this call"],
      [
        "does not answer",
        (_method, _args, signal) =>
          new Promise((resolve) => signal?.addEventListener("abort", () => resolve(undefined))),
        { timeoutMs: 20 },
        "timeout",
        "No person approved this call in time",
      ],
    ])("refuse the call if the user %s", async (_what, ui, more, decision, reason) => {
      expect(await ask(formatHost({ hasUI: true, ui }), more)).toEqual({
        refuse: `${reason} (Run command), as the plugin "notes" requires. Do not repeat it unchanged.`,
      });
      expect(resolutions).toEqual([decision]);
    });

    it("may say nothing about it", async () => {
      const answer = await answerOf(
        (api) => api.on("before_tool_call", () => ({ requireApproval: true })),
        formatHost(),
      );
      expect(answer).toEqual({
        refuse:
          'The plugin "notes" requires approval of this call (Tool call), and no user can be asked, so the call was not made.',
      });
    });

    it("refuse the call without a user interface", async () => {
      expect(await ask(formatHost())).toEqual({
        refuse:
          'The plugin "notes" requires approval of this call (Run command), and no user can be asked, so the call was not made.',
      });
      expect(resolutions).toEqual(["cancelled"]);
    });
  });

  it("[A15] after_tool_call observes results and errors, and changes nothing", async () => {
    const seen: unknown[] = [];
    const host = formatHost();
    const from = await read(
      plugin((api) => {
        api.on("after_tool_call", (event: unknown) => void seen.push(event));
        api.on("after_tool_call", () => {
          throw new Error("deaf");
        });
      }),
      { host },
    );
    expect(await from.hooks?.before?.(CALL)).toBeUndefined();
    expect(await from.hooks?.after?.(CALL, { ...RESULT, data: { n: 1 } })).toBeUndefined();
    expect(await from.hooks?.after?.(CALL, { ...RESULT, isError: true })).toBeUndefined();
    expect(seen).toMatchObject([
      { toolName: "exec", toolCallId: "c1", result: { content: RESULT.content, details: { n: 1 } } },
      { toolName: "exec", error: "done" },
    ]);
    expect(host.logged).toContainEqual([
      "warn",
      `${join(folder, "index.ts")} failed in its after_tool_call handler: deaf`,
    ]);
  });

  it("[A15] handlers hear of sessions", async () => {
    const heard: unknown[] = [];
    const from = await read(
      plugin((api) => {
        api.on("session_start", (event: { sessionId: string }) => void heard.push(["start", event.sessionId]));
        api.on("session_end", (event: { sessionId: string }) => void heard.push(["end", event.sessionId]));
      }),
    );
    for (const reason of ["start", "branch", "shutdown"] as const) await from.onSession?.({ reason }, { id: "s1" });
    expect(heard).toEqual([
      ["start", "s1"],
      ["end", "s1"],
    ]);
  });
});
