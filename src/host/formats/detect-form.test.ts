import { describe, expect, it } from "vitest";
import { z } from "zod";
import { FILE } from "../../../test/support/forms.ts";
import { detectForm } from "./detect-form.ts";

const run = (): void => {};
const IMPORTS = 'import { Tool } from "toolwright";\nimport type { Plugin } from "@opencode-ai/plugin";';

function formOf(value: unknown, exportName = "default", path = FILE.path, source = ""): string | undefined {
  return detectForm(value, exportName, { file: { ...FILE, path }, source })?.form;
}

describe("objects", () => {
  it.each([
    ["tool", { description: "d", execute: run }],
    ["tool", { description: "d", args: {}, execute: run, name: "x" }],
    ["tool", { execute: run }],
    ["define", { id: "x", init: run }],
    ["sdk", { name: "x", inputSchema: {}, handler: run }],
    ["sdk", { name: "x", parameters: {}, handler: run }],
    ["sdk", { name: "x", handler: run }],
    ["sdk", { name: "x", inputSchema: {}, execute: run }],
    ["sdk", { name: "x", parameters: {}, execute: ({ id }: { id: string }) => id }],
    ["sdk", { name: "x", parameters: {}, execute: async (args: unknown) => args }],
    ["sdk", { name: "x", parameters: {}, execute: async (_input: unknown, _context: unknown) => "" }],
    ["sdk", { name: "x", config: { description: "d", parameters: {} }, execute: run }],
    ["sdk", { name: "x", config: { title: "X", inputSchema: {} }, handler: run }],
    ["sdk", { config: { name: "x", description: "d" }, callback: run }],
    ["sdk", { name: "x", parameters: { getJsonSchema: run }, execute: run }],
    ["sdk-server", { type: "sdk", name: "x", instance: { connect: run } }],
    ["ai-sdk", { description: "d", inputSchema: {}, execute: run }],
    ["ai-sdk", { parameters: {}, execute: run }],
    ["ai-sdk", { description: "d", inputSchema: {} }],
    ["ai-sdk", { type: "provider", id: "openai.web_search", args: {} }],
    ["mastra", { id: "x", description: "d", inputSchema: undefined, execute: run }],
    ["langchain", { name: "x", schema: {}, invoke: run, lc_namespace: ["langchain", "tools"] }],
    ["openai-agents", { type: "function", name: "x", parameters: {}, invoke: run }],
    ["pi-tool", { name: "x", parameters: {}, execute: run }],
    ["pi-tool", { name: "x", parameters: {}, execute: (_id: string, params: unknown) => params }],
    ["pi-tool", { name: "x", label: "X", execute: run }],
    ["pi-tool", { name: "x", label: "X", parameters: {}, execute: (input: unknown) => input }],
    ["function", { id: "x", server: run }],
    ["list", [{ name: "x", handler: run }]],
    ["record", { a: { description: "d", execute: run }, b: 5 }],
  ])("[A13] a %s: %o", (form, value) => {
    expect(formOf(value, "default", FILE.path, IMPORTS)).toBe(form);
  });

  it.each([
    { id: "x", init: run },
    { id: "x", server: run },
    { id: "x", setup: run },
  ])("[D5] no tool without an import that says so: %o", (value) => {
    expect(formOf(value)).toBeUndefined();
  });

  it.each([
    null,
    5,
    "text",
    {},
    [],
    [1, 2],
    { name: "x" },
    { description: "d" },
    { a: run },
    [run],
    { deep: { deeper: { execute: run } } },
    z.object({ a: z.string() }),
    new Map([["a", { execute: run }]]),
    { description: "d", parameters: {} },
    { name: "x", invoke: run, lc_namespace: ["langchain", "runnables"] },
  ])("[D5] no tool: %o", (value) => {
    expect(formOf(value)).toBeUndefined();
  });

  it("[D5] no tool: an object whose getters throw", () => {
    const config = {
      get key(): never {
        throw new Error("set a key first");
      },
    };
    expect(formOf(config)).toBeUndefined();
  });

  it.each([
    ["pi", ""],
    ["toolwright", 'import type { CustomTool } from "@oh-my-pi/pi-coding-agent"'],
  ] as const)("[A8] in a file written for pi, the call's id always comes first: %s %s", (system, source) => {
    const tool = { name: "x", parameters: {}, execute: (args: unknown) => args };
    expect(detectForm(tool, "default", { file: { ...FILE, system }, source })?.form).toBe("pi-tool");
  });

  it("[A1] explain why the form was detected", () => {
    expect(
      detectForm({ description: "d", inputSchema: {}, execute: run }, "default", { file: FILE, source: "" })?.why,
    ).toBe(
      'it exports an object with "inputSchema" (or "parameters") and "execute", the shape that tool() of the AI SDK returns',
    );
  });
});

describe("functions", () => {
  const PLUGINS = "/p/.opencode/plugin/notify.ts";

  it("[A5] are called as default export only", () => {
    const source = 'import type { CustomToolAPI } from "toolwright"';
    expect(formOf(run, "default", FILE.path, source)).toBe("function");
    expect(formOf(run, "helper", FILE.path, source)).toBeUndefined();
  });

  it.each([
    [PLUGINS, ""],
    ["/home/u/.config/opencode/plugins/notify.ts", ""],
    [FILE.path, 'import type { Plugin } from "@opencode-ai/plugin"\nexport const Notify: Plugin = async () => ({})'],
    [
      FILE.path,
      'import { tool, type Plugin } from "@opencode-ai/plugin"\nexport const Notify = (() => {}) satisfies Plugin',
    ],
    [
      FILE.path,
      "import {\n  type Hooks,\n  type PluginInput,\n} from '@opencode-ai/plugin'\nexport async function Notify(input: PluginInput): Promise<Hooks> {}",
    ],
  ])("[A13] are called under any export name in an OpenCode plugin: %s %s", (path, source) => {
    expect(formOf(run, "Notify", path, source)).toBe("function");
  });

  it.each([
    'import { tool } from "@opencode-ai/plugin"',
    'import { Plugin } from "vite"\nimport { tool } from "@opencode-ai/plugin"',
    'import type { Plugin } from "@opencode-ai/plugin"\nexport function helper(path: string) {}\nexport const Notify: Plugin = async () => ({})',
    "",
  ])("[A13] are not called in a tool file with: %s", (source) => {
    expect(formOf(run, "helper", "/p/.opencode/tool/lint.ts", source)).toBeUndefined();
  });

  it("[A13] that are classes are not called; LangChain classes are tools", () => {
    class Store {}
    class Base {
      invoke(): void {}
      _call(): void {}
    }
    class Shout extends Base {}
    const source = 'import { StructuredTool } from "@langchain/core/tools"';
    expect(formOf(Store, "default", FILE.path, source)).toBeUndefined();
    expect(formOf(Shout, "default", FILE.path, source)).toBe("langchain-class");
    expect(formOf(Shout, "Shout", FILE.path, source)).toBe("langchain-class");
    expect(formOf(Shout)).toBeUndefined();
  });
});
