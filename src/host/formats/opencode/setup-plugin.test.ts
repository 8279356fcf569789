import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callContext, FILE, formatHost } from "../../../../test/support/forms.ts";
import { Agent, define, Plugin, Error as Refusal, Tool as ToolNames } from "../../../authoring/opencode/index.ts";
import type { Tool } from "../../../core/tool.ts";
import type { Contributions, HookedCall, ModuleFile } from "../contributions.ts";
import { readModule } from "../read-module.ts";

interface Registration {
  dispose(): Promise<void>;
}

interface Editor {
  add(...given: unknown[]): void;
  namespace(given: object): Editor;
  update(id: string, change: (tool: Record<string, unknown>) => void): void;
  remove(id: string): void;
}

interface HookEvent {
  readonly tool: string;
  readonly status: string;
  readonly input: { a: number };
  readonly result: { content: unknown; output?: unknown };
  readonly error: { message: string };
}

/** The members that these tests use. */
interface Context {
  readonly options: object;
  readonly app: { readonly version: string };
  readonly location: { readonly directory: string; readonly project: { readonly directory: string } };
  readonly storage: Record<"get" | "set" | "remove" | "scan", (...given: unknown[]) => Promise<unknown>>;
  readonly tool: {
    transform(callback: (editor: Editor) => void): Promise<Registration>;
    list(): Promise<{ readonly id: string }[]>;
    hook(name: string, callback: (event: HookEvent) => void): Promise<Registration>;
  };
  readonly session: {
    hook(name: string, callback: () => void): Promise<unknown>;
    prompt(given: object): Promise<unknown>;
  };
  readonly agent: { transform(callback: () => void): Promise<Registration> };
  readonly catalog: { reload(): Promise<void> };
  readonly command: { list(): Promise<unknown> };
  readonly rpc: { register(...given: object[]): Promise<unknown> };
  readonly event: { subscribe(): AsyncIterable<string> };
}

const PLACE = { ...FILE, path: "/p/.opencode/plugins/acme.ts", name: "acme", system: "opencode" } as const;

function read(
  setup: (ctx: Context) => unknown,
  file: Partial<ModuleFile> = {},
  host = formatHost(),
): Promise<Contributions> {
  return readModule({ default: Plugin.define({ id: "acme", setup }) }, { ...PLACE, ...file }, { host, source: "" });
}

const adding =
  (...tools: object[]) =>
  async (ctx: Context): Promise<void> => {
    await ctx.tool.transform((editor: Editor) => {
      for (const tool of tools) editor.add(tool);
    });
  };

const greet = {
  name: "greet",
  description: "Greets a person.",
  input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  execute: async ({ name }: { name: string }) => ({ content: `Hello ${name}`, output: { name } }),
};

async function only(setup: (ctx: Context) => unknown): Promise<Tool> {
  const { tools, problems } = await read(setup);
  expect(problems).toEqual([]);
  expect(tools).toHaveLength(1);
  return tools[0] as Tool;
}

const textIn = (content: unknown): string => (content as { text: string }[]).map(({ text }) => text).join("");
const namesOf = ({ tools }: Contributions): string[] => tools.map(({ name }) => name);
const text = (value: string): object => ({ content: [{ type: "text", text: value }] });

describe("[A14] a plugin of OpenCode 2", () => {
  it("adds tools with schema, data and origin", async () => {
    const { tools, about, dependsOnHost } = await read(adding(greet));
    expect(tools).toMatchObject([
      { name: "greet", origin: { format: "opencode-plugin", exportName: "default.greet" }, hints: {} },
    ]);
    expect(await tools[0]?.input.check({})).toMatchObject({ ok: false });
    expect(await tools[0]?.run({ name: "Ada" }, callContext())).toEqual({
      ...text("Hello Ada"),
      structuredContent: { name: "Ada" },
    });
    expect({ about, dependsOnHost }).toEqual({
      about: {
        format: "opencode-plugin",
        why: 'its default export has "setup", the shape of an OpenCode 2 plugin',
        unsupportedFeatures: [],
      },
      dependsOnHost: true,
    });
  });

  it.each<[string, object]>([
    ["input", { input: greet.input }],
    ["jsonSchema, in a beta", { jsonSchema: greet.input }],
    ["a Standard Schema", { input: z.object({ name: z.string() }) }],
  ])("describes its arguments by %s", async (_, fields) => {
    const { input: _input, ...rest } = greet;
    const tool = await only(adding({ ...rest, ...fields }));
    expect(tool.input.json).toMatchObject({ properties: { name: { type: "string" } }, required: ["name"] });
  });

  it.each<[string, string, (editor: Editor) => void]>([
    [
      "a namespace",
      "team_greet",
      (editor) => editor.add({ ...greet, options: { namespace: "team", codemode: false } }),
    ],
    ["a group, in a beta", "team_greet", (editor) => editor.add({ ...greet, options: { group: "team" } })],
    ["a namespace with a dot", "a_b_greet", (editor) => editor.add({ ...greet, options: { namespace: "a.b" } })],
    [
      "a declared namespace",
      "greet",
      (editor) => [editor.namespace({ name: "team", description: "" }), editor.add(greet)],
    ],
    ["the editor of a namespace", "team_greet", (editor) => editor.namespace({ name: "team" }).add(greet)],
    ["a name and options, in a beta", "g_hi", (editor) => editor.add("hi", greet, { group: "g" })],
    [
      "a record, in a beta",
      "g_hi",
      (editor) => editor.add({ hi: { description: "Hi.", execute: greet.execute } }, { group: "g" }),
    ],
  ])("names a tool by %s: %s", async (_, name, add) => {
    const { tools } = await read((ctx) => ctx.tool.transform(add));
    expect(tools.map((tool) => tool.name)).toEqual([name]);
  });

  it.each<[string, unknown, unknown]>([
    ["a text", { content: "a" }, text("a")],
    [
      "parts",
      {
        content: [
          { type: "text", text: "a" },
          { type: "file", uri: "data:x", mime: "image/png" },
        ],
      },
      {
        content: [
          { type: "text", text: "a" },
          { type: "file", uri: "data:x", mime: "image/png" },
        ],
      },
    ],
    [
      "structured data, in a beta",
      { content: "a", structured: { n: 1 } },
      { ...text("a"), structuredContent: { n: 1 } },
    ],
    ["only data", { output: { n: 1 } }, { ...text('{"n":1}'), structuredContent: { n: 1 } }],
    [
      "metadata with a title",
      { content: "a", metadata: { title: "T" } },
      { ...text("a"), title: "T", structuredContent: { title: "T" } },
    ],
    ["a plain text", "a", "a"],
  ])("may return %s", async (_, returned, expected) => {
    const tool = await only(adding({ ...greet, execute: async () => returned }));
    expect(await tool.run({}, callContext())).toEqual(expected);
  });

  it("passes the ids of a call, its signal and progress", async () => {
    const given: Record<string, unknown> = {};
    const tool = await only(
      adding({ ...greet, execute: async (_: unknown, context: object) => void Object.assign(given, context) }),
    );
    const context = callContext();
    await tool.run({}, context);
    const { sessionID, agent, messageID, assistantMessageID, id, toolCallID, signal } = given;
    expect({ sessionID, agent, messageID, assistantMessageID, id, toolCallID, signal }).toEqual({
      sessionID: "s1",
      agent: "tester",
      messageID: "m1",
      assistantMessageID: "m1",
      id: "c1",
      toolCallID: "c1",
      signal: context.author.abort,
    });
    await (given.progress as (update: object) => Promise<void>)({ status: "halfway", step: 1 });
    expect(context.shown).toEqual([{ title: "halfway", metadata: { status: "halfway", step: 1 } }]);
  });

  it("refuses with the errors of its package", async () => {
    const tool = await only(
      adding({ ...greet, execute: () => Promise.reject(new Refusal({ message: "Not today." })) }),
    );
    await expect(tool.run({}, callContext())).rejects.toThrow("Not today.");
    expect(new ToolNames.Error("x")).toBeInstanceOf(Error);
    expect((Agent as { ID: { make(id: string): unknown } }).ID.make("build")).toBe("build");
    expect(define(greet)).toBe(greet);
  });

  it("changes, removes and disposes its tools, and adds others later", async () => {
    let later: Context | undefined;
    let registration: Registration | undefined;
    const from = await read(async (ctx) => {
      later = ctx;
      registration = await ctx.tool.transform((editor: Editor) => editor.add(greet));
      await ctx.tool.transform((editor: Editor) => {
        editor.add({ ...greet, name: "bye" });
        editor.update("greet", (tool) => {
          tool.description = "Greets politely.";
          tool.name = "ignored";
        });
        editor.update("read", () => {});
      });
    });
    let changes = 0;
    from.onChange?.(() => {
      changes += 1;
    });
    expect(from.tools.map(({ name, description }) => [name, description])).toEqual([
      ["greet", "Greets politely."],
      ["bye", "Greets a person."],
    ]);
    await later?.tool.transform((editor: Editor) => {
      editor.remove("bye");
      editor.add({ ...greet, name: "late" });
    });
    expect(namesOf(from)).toEqual(["greet", "late"]);
    await registration?.dispose();
    expect([namesOf(from), changes]).toEqual([["late"], 2]);
    expect((await later?.tool.list())?.map(({ id }) => id)).toEqual(["late"]);
    expect(from.about?.unsupportedFeatures).toContain(
      'tools.update("read") has no effect: a plugin can change only its own tools.',
    );
  });

  it("has options, a location and storage", async () => {
    const seen: unknown[] = [];
    const plugin = { options: { strict: true }, disabled: [], configs: [] };
    await read(
      async (ctx) => {
        await ctx.storage.set("a/1", { n: 1 });
        await ctx.storage.set("b", 2);
        await ctx.storage.remove("b");
        seen.push(ctx.options, ctx.location.directory, ctx.location.project.directory, ctx.app.version);
        seen.push(await ctx.storage.get("a/1"), await ctx.storage.get("b"), await ctx.storage.scan({ prefix: "a/" }));
      },
      { opencodePlugin: plugin },
    );
    const stored = { entries: [{ key: "a/1", value: { n: 1 } }] };
    expect(seen).toEqual([{ strict: true }, "/p/app", "/p", "2.0.0", { n: 1 }, undefined, stored]);
  });

  it("accepts what only OpenCode has, and reports it", async () => {
    const ended: string[] = [];
    let failure = "";
    const from = await read(async (ctx) => {
      await ctx.session.hook("context", () => {});
      const { dispose } = await ctx.agent.transform(() => {
        throw new Error("not called");
      });
      await dispose();
      await ctx.catalog.reload();
      expect(await ctx.command.list()).toEqual([]);
      await ctx.rpc.register({}, {});
      await ctx.session.prompt({ text: "hi" }).catch((error: Error) => {
        failure = error.message;
      });
      void (async () => {
        for await (const event of ctx.event.subscribe()) ended.push(event);
        ended.push("ended");
      })();
      return () => void ended.push("cleaned up");
    });
    expect(from.problems).toEqual([]);
    expect(failure).toBe(
      "ctx.session.prompt() is not available: Toolwright does not run the OpenCode server. Tools and tool hooks of the plugin work without it.",
    );
    expect(from.about?.unsupportedFeatures).toEqual([
      'ctx.session.hook("context") has no effect: it changes OpenCode, not its tools.',
      "ctx.agent.transform() has no effect: it changes OpenCode, not its tools.",
      "ctx.rpc.register() has no effect: it changes OpenCode, not its tools.",
      "ctx.event.subscribe() yields nothing: only OpenCode has these events.",
    ]);
    expect(ended).toEqual([]);
    await from.close?.();
    await expect.poll(() => ended).toEqual(["cleaned up", "ended"]);
  });

  it("logs an error of its clean-up function", async () => {
    const host = formatHost();
    const from = await read(() => () => Promise.reject(new Error("too late")), {}, host);
    await from.close?.();
    expect(host.logged).toEqual([["warn", "/p/.opencode/plugins/acme.ts failed in its clean-up function: too late"]]);
  });

  it("sees and changes the calls of all tools", async () => {
    const call: HookedCall = { tool: "lint", input: { a: 1 }, callID: "c1", session: { id: "s1" }, directory: "/p" };
    const events: unknown[] = [];
    const { hooks } = await read(async (ctx) => {
      await ctx.tool.hook("execute.before", (event) => {
        events.push({ ...event });
        if (event.input.a === 9) throw new Error("no nines");
        event.input.a += 1;
      });
      await ctx.tool.hook("execute.after", (event) => {
        events.push(event.status);
        if (event.status === "completed") event.result.content = `${textIn(event.result.content)}!`;
        else event.error.message += " again";
      });
    });
    expect(await hooks?.before?.(call)).toEqual({ input: { a: 2 } });
    expect(events[0]).toMatchObject({ tool: "lint", sessionID: "s1", id: "c1", toolCallID: "c1" });
    expect(await hooks?.before?.({ ...call, input: { a: 9 } })).toEqual({ refuse: "no nines" });
    const result = { content: [{ type: "text", text: "done" }], data: { n: 1 }, isError: false } as const;
    expect(await hooks?.after?.(call, result)).toEqual(text("done!"));
    expect(await hooks?.after?.(call, { ...result, isError: true })).toEqual(text("done again"));
    expect(events.slice(2)).toEqual(["completed", "error"]);
  });

  it("keeps images that a hook does not change", async () => {
    const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
    const { hooks } = await read((ctx) =>
      ctx.tool.hook("execute.after", (event) => {
        (event.result.content as object[]).push({ type: "text", text: "more" });
        event.result.output = { n: 2 };
      }),
    );
    const call: HookedCall = { tool: "lint", input: {}, callID: "c1", session: { id: "s1" }, directory: "/p" };
    expect(await hooks?.after?.(call, { content: [image], isError: false })).toEqual({
      content: [image, { type: "text", text: "more" }],
      data: { n: 2 },
    });
  });

  it.each<[string, object, string, string]>([
    [
      "written with Effect",
      { id: "acme", effect: () => {} },
      "bad_definition",
      'It is a plugin of OpenCode 2 that is written with Effect, which Toolwright does not run. Write it as Plugin.define({ id, setup(ctx) { … } }) of "@opencode/plugin".',
    ],
    [
      "whose setup throws",
      { id: "acme", setup: () => Promise.reject(new Error("no key")) },
      "plugin_failed",
      "Its setup function failed: no key",
    ],
    [
      "with a tool that has no function",
      { id: "acme", setup: adding({ name: "greet" }) },
      "bad_definition",
      '"greet" has no execute. Write tools.add({ name: "…", description: "…", input: { type: "object", properties: { … } }, execute: async (input) => ({ content: "…" }) }).',
    ],
    [
      "with a schema of Effect",
      { id: "acme", setup: adding({ ...greet, input: { ast: {} } }) },
      "bad_schema",
      'input of "greet" is a schema of Effect, which Toolwright does not read. Write a JSON Schema, { type: "object", properties: { … } }, or a schema of Zod.',
    ],
  ])("%s is a problem in words", async (_, plugin, code, message) => {
    const { problems } = await readModule({ default: plugin }, PLACE, { host: formatHost(), source: "" });
    expect(problems).toMatchObject([{ file: PLACE.path, code, message }]);
  });

  it.each<[string, object]>([
    ["setup", { id: "acme.one", setup: adding(greet) }],
    ["server", { id: "acme.one", server: async () => ({ tool: { greet: { description: "x", execute: () => "" } } }) }],
  ])("is turned off by its id, with %s", async (_, plugin) => {
    const opencodePlugin = { options: {}, disabled: ["acme.*"], configs: [] };
    const file = { ...PLACE, opencodePlugin };
    const { tools, problems, about } = await readModule({ default: plugin }, file, { host: formatHost(), source: "" });
    expect([tools, problems]).toEqual([[], []]);
    expect(about?.unsupportedFeatures).toEqual(['The configuration of OpenCode turns it off ("-acme.*").']);
  });

  it("may be CommonJS, have other exports, or only a part of the terminal interface", async () => {
    const host = formatHost();
    const plugin = { id: "acme", setup: adding(greet) };
    const common = await readModule({ default: plugin, "module.exports": plugin }, PLACE, { host, source: "" });
    const helper = (): never => {
      throw new Error("not called");
    };
    const mixed = await readModule({ default: plugin, plugin, helper }, PLACE, { host, source: "" });
    expect([namesOf(common), namesOf(mixed)]).toEqual([["greet"], ["greet"]]);
    const tui = await readModule({ default: { id: "acme", tui: helper } }, PLACE, { host, source: "" });
    expect([tui.tools, tui.problems]).toEqual([[], []]);
  });
});
