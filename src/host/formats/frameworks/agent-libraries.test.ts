import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callContext, FILE, formatHost } from "../../../../test/support/forms.ts";
import type { Tool } from "../../../core/tool.ts";
import type { Contributions } from "../contributions.ts";
import { readModule } from "../read-module.ts";

const ADK_TOOL = Symbol.for("google.adk.baseTool");
const AGENT_KIT = 'import { createTool } from "@inngest/agent-kit";';

/** A file whose default export is this value. */
async function read(value: unknown, source = ""): Promise<Contributions> {
  return readModule({ default: value }, FILE, { host: formatHost(), source });
}

async function only(value: unknown, source?: string): Promise<Tool> {
  const { tools, problems } = await read(value, source);
  expect(problems).toEqual([]);
  expect(tools).toHaveLength(1);
  return tools[0] as Tool;
}

const describeAs = (name: string): { name: string; description: string } => ({ name, description: "Brews." });
const cups = z.object({ cups: z.coerce.number().default(1) });
const CUPS = { type: "object", properties: { cups: { type: "number", default: 1 } }, required: ["cups"] };

const anthropic = (fields: object = {}): object => ({
  ...describeAs("brew"),
  type: "custom",
  input_schema: CUPS,
  run: (input: unknown) => JSON.stringify(input),
  parse: (input: unknown) => cups.parse(input),
  ...fields,
});
const llama = (fields: object = {}): object => ({
  metadata: { ...describeAs("brew"), parameters: CUPS, ...fields },
  call: async (input: unknown) => JSON.stringify(cups.parse(input)),
});
const strands = (fields: object = {}): object => ({
  name: "brew",
  toolSpec: { ...describeAs("brew"), inputSchema: CUPS },
  _inputSchema: cups,
  invoke: async (input: unknown) => JSON.stringify(cups.parse(input)),
  ...fields,
});
const volt = (fields: object = {}): object => ({
  ...describeAs("brew"),
  type: "user-defined",
  parameters: cups,
  execute: (input: unknown) => JSON.stringify(input),
  ...fields,
});
const tanstack = (fields: object = {}): object => ({
  ...describeAs("brew"),
  __toolSide: "server",
  inputSchema: cups,
  outputSchema: undefined,
  execute: (input: unknown) => JSON.stringify(input),
  ...fields,
});
const kit = (fields: object = {}): object => ({
  ...describeAs("brew"),
  parameters: cups,
  handler: (input: unknown) => JSON.stringify(input),
  ...fields,
});
const adk = (fields: object = {}): object => ({
  ...describeAs("brew"),
  [ADK_TOOL]: true,
  parameters: cups,
  _getDeclaration: () => ({ name: "brew", parameters: { type: "OBJECT", properties: {} } }),
  runAsync: async ({ args }: { args: unknown }) => JSON.stringify(cups.parse(args)),
  ...fields,
});

const EACH = [
  ["anthropic", anthropic, ""],
  ["llamaindex", llama, ""],
  ["strands", strands, ""],
  ["voltagent", volt, ""],
  ["tanstack-ai", tanstack, ""],
  ["agentkit", kit, AGENT_KIT],
  ["adk", adk, ""],
] as const;

describe("[A15] [R1] tools of agent libraries", () => {
  it.each(EACH)("%s: have their name, description, format and schema", async (format, make, source) => {
    const tool = await only(make(), source);
    expect(tool).toMatchObject({ name: "brew", description: "Brews.", origin: { format } });
    expect(tool.input.json).toMatchObject({ properties: { cups: { type: "number", default: 1 } } });
    expect(tool.input.json.required ?? []).toEqual([]);
  });

  it.each(EACH)("[P2] %s: the author's schema applies once", async (_, make, source) => {
    const tool = await only(make(), source);
    const checked = await tool.input.check({});
    expect(checked).toMatchObject({ ok: true });
    expect(await tool.run((checked as { value: unknown }).value, callContext())).toBe('{"cups":1}');
    expect(await tool.input.check({ cups: "many" })).toMatchObject({ ok: false, issues: [{ path: "/cups" }] });
  });

  it.each(EACH)("%s: are read in lists, records and module.exports", async (format, make, source) => {
    for (const set of [[make()], { brew: make() }]) {
      const { tools } = await read(set, source);
      expect(tools.map(({ name, origin }) => [name, origin.format])).toEqual([["brew", format]]);
    }
    const exported = make();
    const common = await readModule(
      { default: exported, "module.exports": exported },
      { ...FILE, path: "/p/tools/lint.cjs" },
      { host: formatHost(), source },
    );
    expect(common.tools.map(({ name }) => name)).toEqual(["brew"]);
  });

  it.each([
    [
      'bad_definition: "memory" has no input_schema: a tool of the type "memory_20250818" is described by the API of Anthropic, so it cannot be served. Write one with betaZodTool() or betaTool().',
      anthropic({ input_schema: undefined, type: "memory_20250818", name: "memory" }),
      "",
    ],
    [
      'bad_schema: inputSchema of "brew": The arguments are described by a value of type number. Write an object of fields such as { path: z.string() }, a z.object(…), or a JSON Schema of an object.',
      strands({ _inputSchema: undefined, toolSpec: { name: "brew", inputSchema: 5 } }),
      "",
    ],
    [
      'bad_schema: parameters of "brew" is undefined. The value that it names was probably not imported: check the name in the import, and that no two files import each other. If the tool takes no arguments, remove parameters.',
      llama({ parameters: undefined }),
      "",
    ],
    [
      'bad_schema: parameters of "brew" is null. The value that it names was probably not imported: check the name in the import, and that no two files import each other. If the tool takes no arguments, remove parameters.',
      volt({ parameters: null }),
      "",
    ],
    [
      'bad_definition: "brew" has no execute function, so only a client of VoltAgent could run it. Add async execute(args, options) { … }.',
      volt({ execute: undefined }),
      "",
    ],
    [
      'bad_definition: "brew" is a definition without a function. Export what its server() returns: export const brew = definition.server(async (args) => { … }).',
      tanstack({ __toolSide: "definition", execute: undefined }),
      "",
    ],
    [
      'bad_definition: "brew-tea" is a definition without a function. Export what its server() returns: export const tool = definition.server(async (args) => { … }).',
      tanstack({ __toolSide: "definition", execute: undefined, name: "brew-tea" }),
      "",
    ],
    [
      'bad_definition: "brew" is a tool for the browser, so it cannot be served. Export what server() of its definition returns.',
      tanstack({ __toolSide: "client" }),
      "",
    ],
    [
      'bad_definition: "brew" has no function. Pass it to server() of its definition: definition.server(async (args) => { … }).',
      tanstack({ execute: undefined }),
      "",
    ],
    [
      'bad_schema: parameters of "brew": The arguments are described by a value of type number. Write an object of fields such as { path: z.string() }, a z.object(…), or a JSON Schema of an object.',
      kit({ parameters: 5 }),
      AGENT_KIT,
    ],
    [
      'bad_definition: "brew" has no declaration: it is run by Google\'s models, so it cannot be served. Export a FunctionTool.',
      adk({ parameters: undefined, _getDeclaration: () => undefined }),
      "",
    ],
  ])("[D5] cannot be served: %s", async (expected, value, source) => {
    const { tools, problems } = await read(value, source);
    expect(tools).toEqual([]);
    expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([expected]);
  });
});

describe("[A15] a tool of the Anthropic SDK", () => {
  it("returns text, images and documents", async () => {
    const content = [
      { type: "text", text: "Tea" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
      { type: "image", source: { type: "url", url: "https://a.example/b.png" } },
      { type: "document", title: "d.pdf", source: { type: "base64", media_type: "application/pdf", data: "BBBB" } },
      { type: "document", source: { type: "text", media_type: "text/plain", data: "Leaves" } },
    ];
    const tool = await only(anthropic({ run: () => content }));
    expect(await tool.run({}, callContext())).toEqual({
      content: [
        { type: "text", text: "Tea" },
        { type: "file", mimeType: "image/png", data: "AAAA" },
        { type: "file", mimeType: "image/*", url: "https://a.example/b.png" },
        { type: "file", mimeType: "application/pdf", filename: "d.pdf", data: "BBBB" },
        { type: "text", text: "Leaves" },
      ],
    });
  });

  it("fails with the content of its error", async () => {
    const blocks = [{ type: "text", text: "No water." }];
    const run = (): never => {
      throw Object.assign(new Error("Tool failed"), { content: blocks });
    };
    expect(await (await only(anthropic({ run }))).run({}, callContext())).toEqual({ content: blocks, isError: true });
    const plain = await only(anthropic({ run: () => Promise.reject(new Error("No tea.")) }));
    await expect(plain.run({}, callContext())).rejects.toThrow("No tea.");
  });

  it("gets the use of the tool and the signal", async () => {
    const context = callContext();
    const tool = await only(anthropic({ run: (_: unknown, given: unknown) => given }));
    expect(await tool.run({ cups: 2 }, context)).toMatchObject({
      toolUse: { type: "tool_use", id: "c1", name: "brew", input: { cups: 2 } },
      signal: context.author.abort,
    });
  });

  it("[P2] is checked by its JSON Schema if parse returns its argument, or is missing", async () => {
    for (const parse of [(input: unknown) => input, undefined]) {
      const tool = await only(anthropic({ parse }));
      expect(await tool.input.check({ cups: "many" })).toMatchObject({ ok: false, issues: [{ path: "/cups" }] });
      expect(await tool.input.check({ cups: 2 })).toEqual({ ok: true, value: { cups: 2 } });
    }
  });

  it("[P2] is refused with the words of any other parse", async () => {
    const parse = (): never => {
      throw new Error("Cups must be even.");
    };
    expect(await (await only(anthropic({ parse }))).input.check({ cups: 3 })).toEqual({
      ok: false,
      issues: [{ path: "", message: "Cups must be even." }],
    });
  });
});

describe("[A15] a tool of Strands", () => {
  it("shows what it yields, and returns the blocks of its result", async () => {
    async function* stream(): AsyncGenerator<unknown, unknown> {
      yield { type: "toolStreamEvent", data: "half" };
      const image = {
        type: "imageBlock",
        format: "png",
        source: { type: "imageSourceBytes", bytes: new Uint8Array(2) },
      };
      const content = [{ text: "Tea" }, { type: "jsonBlock", json: { $value: [1] } }, { json: { a: 1 } }, image];
      return { status: "success", content };
    }
    const context = callContext();
    expect(await (await only(strands({ stream }))).run({}, context)).toEqual({
      content: [
        { type: "text", text: "Tea" },
        { type: "text", text: "[1]" },
        { type: "text", text: '{"a":1}' },
        { type: "file", mimeType: "image/png", data: new Uint8Array(2) },
      ],
      isError: false,
    });
    expect(context.shown).toEqual(["half"]);
  });

  it("fails with the error of its callback, or with the content of a result of its own", async () => {
    async function* thrown(): AsyncGenerator<unknown, unknown> {
      yield "half";
      return { status: "error", error: new Error("No tea."), content: [{ text: "Error: No tea." }] };
    }
    async function* returned(): AsyncGenerator<unknown, unknown> {
      yield "half";
      return { status: "error", content: [{ text: "No milk." }] };
    }
    await expect((await only(strands({ stream: thrown }))).run({}, callContext())).rejects.toThrow("No tea.");
    expect(await (await only(strands({ stream: returned }))).run({}, callContext())).toEqual({
      content: [{ type: "text", text: "No milk." }],
      isError: true,
    });
  });

  it("has state, and says what needs an agent", async () => {
    type Context = { agent: { appState: Map<string, unknown> }; interrupt(): never };
    const invoke = (_: unknown, { agent, interrupt }: Context): unknown => {
      agent.appState.set("cups", 3);
      return agent.appState.get("cups") === 3 && interrupt();
    };
    await expect((await only(strands({ invoke }))).run({}, callContext())).rejects.toThrow(
      "interrupt() needs an agent of Strands, and this call has none.",
    );
  });
});

describe("[A15] a tool of VoltAgent", () => {
  it("gets its options, and keeps its context for a session", async () => {
    const host = formatHost();
    const execute = (_: unknown, options: { context: Map<string, number> }): unknown => {
      options.context.set("calls", (options.context.get("calls") ?? 0) + 1);
      return [options.context.get("calls"), options];
    };
    const { tools } = await readModule({ default: volt({ execute }) }, FILE, { host, source: "" });
    const context = callContext();
    await tools[0]?.run({}, context);
    expect(await tools[0]?.run({}, context)).toMatchObject([
      2,
      { conversationId: "s1", toolContext: { name: "brew", callId: "c1", abortSignal: context.author.abort } },
    ]);
    expect(await tools[0]?.run({}, callContext({ sessionID: "s2" }))).toMatchObject([1, {}]);
  });

  it("[P3] asks first if it needs approval, and calls its hooks", async () => {
    const seen: unknown[] = [];
    const hooks = {
      onStart: ({ args }: { args: unknown }) => void seen.push(args),
      onEnd: ({ output, error }: { output?: unknown; error?: unknown }) =>
        error === undefined ? { output: `${output}!` } : void seen.push(error),
    };
    const context = callContext();
    const needsApproval = ({ cups }: { cups: number }): boolean => cups > 1;
    const tool = await only(volt({ hooks, needsApproval }));
    expect(await tool.run({ cups: 1 }, context)).toBe('{"cups":1}!');
    expect(context.asked).toEqual([]);
    await tool.run({ cups: 2 }, context);
    expect(context.asked).toHaveLength(1);
    const error = new Error("No tea.");
    const failing = await only(volt({ hooks, execute: () => Promise.reject(error) }));
    await expect(failing.run({}, context)).rejects.toThrow("No tea.");
    expect(seen).toEqual([{ cups: 1 }, { cups: 2 }, {}, error]);
  });

  it("[A4] shows what its toModelOutput returns", async () => {
    const toModelOutput = ({ output }: { output: unknown }): object => ({ type: "text", value: `Output: ${output}` });
    const tool = await only(volt({ toModelOutput, execute: () => 2 }));
    expect(await tool.run({}, callContext())).toEqual({
      content: [{ type: "text", text: "Output: 2" }],
      isError: false,
    });
  });
});

describe("[A15] a tool of TanStack AI", () => {
  it("[P3] [P6] asks first, shows events, and returns structured content for its output schema", async () => {
    const context = callContext();
    type Given = { toolCallId: string; emitCustomEvent(name: string, value: object): void };
    const execute = (_: unknown, { toolCallId, emitCustomEvent }: Given): unknown => {
      emitCustomEvent("progress", { step: 1 });
      return { id: toolCallId };
    };
    const tool = await only(tanstack({ execute, needsApproval: true, outputSchema: z.object({ id: z.string() }) }));
    expect(await tool.run({}, context)).toEqual({ content: [], structuredContent: { id: "c1" } });
    expect(context.asked).toHaveLength(1);
    expect(context.shown).toEqual([{ title: "progress", metadata: { step: 1 } }]);
  });

  it("[D5] is served without a problem of its definition in the same file", async () => {
    const definition = tanstack({ __toolSide: "definition", execute: undefined });
    const module = { brewDef: definition, brewClient: tanstack({ __toolSide: "client" }), brew: tanstack() };
    const { tools, problems } = await readModule(module, FILE, { host: formatHost(), source: "" });
    expect([tools.map(({ name }) => name), problems]).toEqual([["brew"], []]);
    const other = await readModule({ ...module, tea: { ...definition, name: "tea" } }, FILE, {
      host: formatHost(),
      source: "",
    });
    expect(other.problems).toMatchObject([{ tool: "tea", code: "bad_definition" }]);
  });

  it("without an input schema takes no arguments", async () => {
    expect((await only(tanstack({ inputSchema: undefined }))).input.json).toMatchObject({ properties: {} });
  });
});

describe("[A15] a tool of AgentKit", () => {
  it("is one only in a file that imports AgentKit", async () => {
    expect((await only(kit())).origin.format).toBe("sdk");
    expect((await only(kit(), 'import type { Tool } from "@inngest/agent-kit";')).origin.format).toBe("agentkit");
    expect((await only(kit(), "// @inngest/agent-kit")).origin.format).toBe("sdk");
  });

  it("runs steps at once, and shares the state of its network with other calls of the session", async () => {
    type Given = {
      step: { run(id: string, work: (add: number) => number, add: number): Promise<number>; sleep(): never };
      network: { state: { data: { cups?: number }; kv: Map<string, unknown> } };
    };
    const host = formatHost();
    const handler = async ({ stop }: { stop?: boolean }, { step, network }: Given): Promise<unknown> => {
      const { data, kv } = network.state;
      data.cups = (data.cups ?? 0) + (await step.run("pour", (add) => add, 2));
      return stop ? step.sleep() : kv.get("cups");
    };
    const { tools } = await readModule({ default: kit({ handler }) }, FILE, { host, source: AGENT_KIT });
    await tools[0]?.run({}, callContext());
    expect(await tools[0]?.run({}, callContext())).toBe(4);
    expect(await tools[0]?.run({}, callContext({ sessionID: "s2" }))).toBe(2);
    await expect(tools[0]?.run({ stop: true }, callContext())).rejects.toThrow(
      "sleep() needs an agent of Inngest, and this call has none.",
    );
  });
});

describe("[A15] a tool of ADK", () => {
  it("is one by its mark or by an import, and is not asked for its declaration otherwise", async () => {
    const unmarked = { ...adk(), [ADK_TOOL]: undefined };
    const { tools } = await read({ ...adk() });
    expect(tools).toHaveLength(1);
    const bare = Object.fromEntries(Object.entries(unmarked));
    expect((await only(bare, 'import { BaseTool } from "@google/adk";')).origin.format).toBe("adk");
    const declared: string[] = [];
    const found = await read({ ...bare, _getDeclaration: () => void declared.push("asked") });
    expect([found.tools, declared]).toEqual([[], []]);
    expect(found.problems).toMatchObject([{ code: "not_a_tool" }]);
  });

  it("without a Zod schema is described by its declaration", async () => {
    const properties = {
      size: { type: "INTEGER", nullable: true },
      kinds: { type: "ARRAY", items: { type: "STRING" }, minItems: "1" },
      how: { anyOf: [{ type: "STRING" }, { type: "NUMBER" }] },
    };
    const parameters = { type: "OBJECT", properties, required: ["kinds"] };
    const tool = await only(adk({ parameters: undefined, _getDeclaration: () => ({ name: "brew", parameters }) }));
    expect(tool.input.json).toMatchObject({
      type: "object",
      required: ["kinds"],
      properties: {
        size: { type: ["integer", "null"] },
        kinds: { type: "array", items: { type: "string" }, minItems: 1 },
        how: { anyOf: [{ type: "string" }, { type: "number" }] },
      },
    });
    const json = { type: "object", properties: { a: { type: "string" } } };
    const other = await only(adk({ parameters: undefined, _getDeclaration: () => ({ parametersJsonSchema: json }) }));
    expect(other.input.json).toMatchObject(json);
    const none = await only(adk({ parameters: undefined, _getDeclaration: () => ({ name: "brew" }) }));
    expect(none.input.json).toMatchObject({ type: "object" });
  });

  it("[P3] asks first if it requires confirmation, and then is confirmed", async () => {
    const context = callContext();
    const runAsync = async ({ toolContext }: { toolContext: object }): Promise<unknown> => toolContext;
    const tool = await only(adk({ requireConfirmation: () => true, runAsync }));
    expect(await tool.run({}, context)).toMatchObject({
      functionCallId: "c1",
      sessionId: "s1",
      toolConfirmation: { confirmed: true },
    });
    expect(context.asked).toHaveLength(1);
  });

  it("fails with the message of the author's error, and says what needs an agent", async () => {
    const thrown = Object.assign(new Error("Error in tool 'brew': No tea."), {});
    const failing = await only(adk({ runAsync: () => Promise.reject(thrown) }));
    await expect(failing.run({}, callContext())).rejects.toThrow(/^No tea\.$/);
    type Context = { state: Map<string, unknown>; saveArtifact(): never };
    const saving = await only(
      adk({
        runAsync: async ({ toolContext }: { toolContext: Context }) => {
          toolContext.state.set("a", 1);
          return toolContext.state.get("a") === 1 && toolContext.saveArtifact();
        },
      }),
    );
    await expect(saving.run({}, callContext())).rejects.toThrow(
      "saveArtifact() needs an agent of ADK, and this call has none.",
    );
  });
});
