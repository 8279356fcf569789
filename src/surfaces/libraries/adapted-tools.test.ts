import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { sandbox } from "../../../test/support/fixture.ts";
import { createToolbox, Tool } from "../../index.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import { toAiSdkTools } from "./ai-sdk-tools.ts";
import { toCopilotTools } from "./copilot-tools.ts";
import { allowedToolNames, toMcpServerConfig } from "./mcp-server-config.ts";
import { runOpenAiCalls, toOpenAiTools } from "./openai-tools.ts";

const LONG = "a-name-that-is-longer-than-the-prefix-of-claude-allows";

const find = Tool.define("find", {
  description: "Finds.",
  parameters: z.union([z.object({ id: z.number() }), z.object({ name: z.string() })]),
  execute: async (input) => ({ title: "", metadata: {}, output: JSON.stringify(input) }),
});

const TOOLS = {
  greet: {
    description: "Greets. \uD83D",
    args: { name: { type: "string" } },
    execute: ({ name }: { name: string }) => `Hello, ${name}!`,
  },
  hello: { description: "Says hello.", execute: () => "Hello!" },
  find,
  [LONG]: { description: "Has a long name.", execute: () => "long" },
};

async function toolboxOf(options: Parameters<typeof createToolbox>[0] = {}): Promise<Toolbox> {
  const { project, env } = sandbox();
  const toolbox = await createToolbox({
    cwd: project,
    env,
    tools: TOOLS as never,
    builtins: ["read", "bash"],
    ...options,
  });
  onTestFinished(() => toolbox.close());
  return toolbox;
}

/** The names that each function gives the tools. */
const NAMES: Readonly<Record<string, (toolbox: Toolbox, view: object) => string[]>> = {
  toAiSdkTools: (toolbox, view) => Object.keys(toAiSdkTools(toolbox, view)),
  toCopilotTools: (toolbox, view) => toCopilotTools(toolbox, view).map(({ name }) => name),
  toOpenAiTools: (toolbox, view) => toOpenAiTools(toolbox, view).map(({ name }) => name),
  toMcpServerConfig: (toolbox, view) => toMcpServerConfig(toolbox, view).tools.map(({ name }) => name),
};

describe.each(Object.entries(NAMES))("[G8] %s", (_, namesOf) => {
  it("includes custom tools, and built-in tools only if the view says so", async () => {
    const toolbox = await toolboxOf();
    const custom = [expect.stringMatching(/^a-name-/), "find", "greet", "hello"];
    expect(namesOf(toolbox, {}).sort()).toEqual(custom);
    expect(namesOf(toolbox, { builtins: ["read"] }).sort()).toEqual([...custom, "read"]);
    expect(namesOf(toolbox, { builtins: true }).sort()).toEqual([custom[0], "bash", "find", "greet", "hello", "read"]);
  });
});

describe("[G8] the tools of a library", () => {
  it("have names and schemas that the APIs of models accept, and are called by their own names", async () => {
    const toolbox = await toolboxOf();
    const tools = toOpenAiTools(toolbox);
    const find = tools.find(({ name }) => name === "find");
    expect(find?.parameters).toMatchObject({ type: "object", properties: { id: {}, name: {} } });
    expect(find?.parameters).not.toHaveProperty("anyOf");
    expect(await find?.call('{"id":1}')).toBe('{"id":1}');
    expect(tools.find(({ name }) => name === "greet")?.description).toBe("Greets. \uFFFD");
    const claude = toMcpServerConfig(toolbox).tools.find(({ name }) => name.startsWith("a-name"));
    expect(`mcp__toolwright__${claude?.name}`).toHaveLength(64);
    expect(allowedToolNames(toolbox)).toContain(`mcp__toolwright__${claude?.name}`);
    expect(await claude?.handler({})).toEqual({ content: [{ type: "text", text: "long" }] });
  });

  it("are asked about if the toolbox asks, and the model reads the reason of a refusal", async () => {
    const approve = async (): Promise<{ allowed: false; reason: string }> => ({ allowed: false, reason: "not today" });
    const toolbox = await toolboxOf({ callerIsAsked: false, approve });
    const { textResultForLlm } =
      (await toCopilotTools(toolbox)
        .find(({ name }) => name === "hello")
        ?.handler({})) ?? {};
    expect(textResultForLlm).toBe('"hello" was not allowed to run. not today');
  });
});

describe("[G8] toCopilotTools", () => {
  it("leaves out parameters that the runtime would drop the tool for", async () => {
    const tools = toCopilotTools(await toolboxOf());
    expect(tools.find(({ name }) => name === "hello")).not.toHaveProperty("parameters");
    expect(tools.find(({ name }) => name === "greet")?.parameters).toMatchObject({ properties: { name: {} } });
  });
});

describe("[G8] toOpenAiTools", () => {
  it("is the declaration of the Responses API when it is sent", async () => {
    const hello = toOpenAiTools(await toolboxOf()).find(({ name }) => name === "hello");
    expect(JSON.parse(JSON.stringify(hello))).toEqual({
      type: "function",
      name: "hello",
      description: "Says hello.",
      parameters: { type: "object", properties: {} },
      strict: false,
    });
  });

  it.each([
    ["", "Hello!"],
    ["{}", "Hello!"],
    ["{", 'Error: The arguments of "hello" are not valid JSON. Send them again as one JSON object.'],
  ])("reads the arguments %j", async (args, expected) => {
    const tool = toOpenAiTools(await toolboxOf()).find(({ name }) => name === "hello");
    expect(await tool?.call(args)).toBe(expected);
  });

  it("answers every function call of a response, also of a tool that does not exist", async () => {
    const tools = toOpenAiTools(await toolboxOf());
    const output = [
      { type: "reasoning" },
      { type: "function_call", name: "greet", arguments: '{"name":"Ada"}', call_id: "1" },
      { type: "function_call", name: "great", arguments: "{}", call_id: "2" },
      { type: "message" },
    ];
    expect(await runOpenAiCalls(tools, output)).toEqual([
      { type: "function_call_output", call_id: "1", output: "Hello, Ada!" },
      { type: "function_call_output", call_id: "2", output: 'Error: There is no tool "great". Did you mean "greet"?' },
    ]);
  });
});
