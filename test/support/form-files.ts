import { fileURLToPath } from "node:url";

/** The abilities of a form: the columns of the matrix in the docs. */
export const ABILITIES = [
  "load",
  "schema",
  "call",
  "error",
  "abort",
  "progress",
  "image",
  "render",
  "session event",
] as const;

export type Ability = (typeof ABILITIES)[number];

/** A call that tests one ability. */
interface Use {
  readonly tool: string;
  readonly input: unknown;
}

/** One row of the matrix: files in a form, and a call for each ability of the form. */
export interface FormCase {
  /** The name in the docs. */
  readonly form: string;
  readonly format: string;
  /** File contents by path in the project. */
  readonly files: Readonly<Record<string, string>>;
  readonly can: Partial<Record<Exclude<Ability, "load" | "schema">, Use>>;
  /** The message of the error. Default: "failed as asked". */
  readonly words?: string;
  /** The expected progress. Default: "halfway". */
  readonly shows?: string;
  /** A call whose result shows that the abort arrived, if the tool cannot create a file. */
  readonly stopped?: Use & { readonly output: string };
  readonly settings?: object;
  /** Packages that must be installed. */
  readonly needs?: "frameworks" | "agent-libraries" | "mcp-servers" | "bun";
}

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** The body of the tool in most forms. It does what its input requests. `tell` is the code that shows progress. */
const body = (args: string, signal: string, tell: string, image: string, directory: string): string => `
    const told = ${args}.act;
    if (told === "fail") throw new Error("failed as asked");
    if (told === "show") {
      ${tell}
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    if (told === "image") return ${image};
    if (told === "wait") {
      writeFileSync(${directory} + "/begun", "");
      await new Promise((resolve) => ${signal}.addEventListener("abort", resolve));
      writeFileSync(${directory} + "/stopped", "by the signal");
      throw new Error("stopped");
    }`;

const HEAD = 'import { writeFileSync } from "node:fs";\n';
const MCP_IMAGE = `{ content: [{ type: "text", text: "A dot:" }, { type: "image", data: "${PNG}", mimeType: "image/png" }] }`;
const V2_IMAGE = `{ content: [{ type: "text", text: "A dot:" }, { type: "file", uri: "data:image/png;base64,${PNG}", mime: "image/png" }] }`;
const ACTS = '["say", "fail", "wait", "show", "image"]';

const uses = (tool: string, acts: Partial<Record<Ability, string>>): FormCase["can"] =>
  Object.fromEntries(Object.entries(acts).map(([ability, act]) => [ability, { tool, input: { act } }]));

const BASIC = { call: "say", error: "fail", abort: "wait", image: "image" } as const;
const WITH_PROGRESS = { ...BASIC, progress: "show" } as const;
const ALL = { ...WITH_PROGRESS, render: "say", "session event": "say" } as const;

const toolForm = (module: string): string => `${HEAD}
import { tool } from "${module}";
export default tool({
  description: "Does as it is told.",
  args: { act: tool.schema.enum(${ACTS}) },
  async execute(args, context) {
    ${body("args", "context.abort", 'context.metadata({ title: "halfway" });', MCP_IMAGE, "context.directory")}
    return "said";
  },
});
`;

const PI_TELL = 'onUpdate({ content: [{ type: "text", text: "halfway" }], details: { step: 1 } });';
const RENDERERS = `
    renderCall: (args, ...rest) => new Text("doing " + args.act, 0, 0),
    renderResult: (result) => new Text("done: " + result.content[0].text, 0, 0),`;

const bunForm = `
export default {
  description: "Does as it is told, in Bun.",
  args: { act: { type: "string", enum: ${ACTS} } },
  async execute(args, context) {
    const writeFileSync = (path, text) => Bun.write(path, text);
    ${body("args", "context.abort", 'context.metadata({ title: "halfway" });', MCP_IMAGE, "context.directory")}
    return (await Bun.$\`echo said\`.text()).trim();
  },
};
`;

const JSON_FILE = {
  name: "matrix",
  version: "1.0.0",
  tools: [
    {
      name: "json_say",
      description: "Says something.",
      inputSchema: { type: "object", properties: { act: { type: "string" } }, required: ["act"] },
      handler: { type: "shell", command: "printf %s {{act}}" },
    },
    {
      name: "json_fail",
      description: "Fails.",
      inputSchema: { type: "object", properties: { act: { type: "string" } } },
      handler: { type: "shell", command: "echo failed as asked >&2; exit 3" },
    },
    {
      name: "json_wait",
      description: "Waits.",
      inputSchema: { type: "object", properties: { act: { type: "string" } } },
      handler: {
        type: "shell",
        command: "trap 'echo stopped > stopped; exit' TERM; echo > begun; while :; do sleep 0.05; done",
      },
    },
    {
      name: "json_show",
      description: "Shows progress.",
      inputSchema: { type: "object", properties: { act: { type: "string" } } },
      handler: { type: "shell", command: "echo halfway; sleep 0.3; echo done" },
    },
    {
      name: "json_image",
      description: "Reads a picture.",
      inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      handler: { type: "file-read", basePath: "." },
    },
  ],
};

const SERVER = fileURLToPath(new URL("../fixture/mcp/stdio.mjs", import.meta.url));
const act = (act: string): { act: string } => ({ act });

/** Code of a tool on an MCP server that shows progress. */
const SERVER_TELL = (notify: string, meta: string): string =>
  `await ${notify}({ method: "notifications/progress", params: { progressToken: ${meta}.progressToken, message: "halfway", progress: 1 } });`;

/** The matrix, row by row. */
export const FORMS: readonly FormCase[] = [
  {
    form: "`tool()`",
    format: "tool",
    files: { ".toolwright/tools/plain.ts": toolForm("toolwright") },
    can: uses("plain", WITH_PROGRESS),
  },
  {
    form: "OpenCode tool file",
    format: "tool",
    files: { ".opencode/tool/plain.ts": toolForm("@opencode-ai/plugin") },
    can: uses("plain", WITH_PROGRESS),
  },
  {
    form: "OpenCode plugin",
    format: "opencode-plugin",
    files: {
      ".opencode/plugin/plugin.ts": `${HEAD}
import { type Plugin, tool } from "@opencode-ai/plugin";
export const Matrix: Plugin = async ({ directory }) => {
  const heard = [];
  return {
    event: async ({ event }) => void heard.push(event.type),
    tool: {
      plugged: tool({
        description: "Does as it is told.",
        args: { act: tool.schema.enum(${ACTS}) },
        async execute(args, context) {
          ${body("args", "context.abort", 'context.metadata({ title: "halfway" });', MCP_IMAGE, "directory")}
          return "said, having heard " + heard.join();
        },
      }),
    },
  };
};
`,
    },
    can: uses("plugged", { ...WITH_PROGRESS, "session event": "say" }),
  },
  {
    form: "OpenCode 2 plugin",
    format: "opencode-plugin",
    files: {
      ".opencode/plugins/set-up.ts": `${HEAD}
import { Plugin } from "@opencode/plugin";
export default Plugin.define({
  id: "matrix",
  async setup(ctx) {
    await ctx.tool.transform((tools) => {
      tools.add({
        name: "set_up",
        description: "Does as it is told.",
        input: { type: "object", properties: { act: { type: "string", enum: ${ACTS} } }, required: ["act"] },
        async execute(input, context) {
          ${body("input", "context.signal", 'await context.progress({ status: "halfway" });', V2_IMAGE, "ctx.location.directory")}
          return { content: "said" };
        },
      });
    });
  },
});
`,
    },
    can: uses("set_up", WITH_PROGRESS),
  },
  {
    form: "factory module (oh-my-pi)",
    format: "factory",
    files: {
      ".omp/tools/made.ts": `${HEAD}
import { Text } from "@oh-my-pi/pi-tui";
import type { CustomToolFactory } from "@oh-my-pi/pi-coding-agent";
const heard = [];
const factory: CustomToolFactory = (pi) => ({
    name: "made",
    label: "Made",
    description: "Does as it is told.",
    parameters: pi.typebox.Type.Object({ act: pi.typebox.Type.String() }),
    async execute(toolCallId, params, onUpdate, ctx, signal) {
      ${body("params", "signal", PI_TELL, MCP_IMAGE, "pi.cwd")}
      return { content: [{ type: "text", text: "said, having heard " + heard.join() }], details: {} };
    },
    onSession: (event) => void heard.push(event.reason),${RENDERERS}
});
export default factory;
`,
    },
    can: uses("made", ALL),
  },
  {
    form: "pi extension",
    format: "pi-extension",
    files: {
      ".pi/extensions/extends.ts": `${HEAD}
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { Text } from "@mariozechner/pi-tui";
import { Type } from "@sinclair/typebox";
export default function (pi: ExtensionAPI) {
  const heard = [];
  pi.on("session_start", (event) => void heard.push(event.reason));
  pi.registerTool({
    name: "extended",
    label: "Extended",
    description: "Does as it is told.",
    parameters: Type.Object({ act: Type.String() }),
    async execute(toolCallId, params, signal, onUpdate, ctx) {
      ${body("params", "signal", PI_TELL, MCP_IMAGE, "ctx.cwd")}
      return { content: [{ type: "text", text: "said, having heard " + heard.join() }], details: {} };
    },${RENDERERS}
  });
}
`,
    },
    can: uses("extended", ALL),
  },
  {
    form: "OpenClaw plugin",
    format: "openclaw-plugin",
    files: {
      ".openclaw/extensions/matrix/openclaw.plugin.json": JSON.stringify({ id: "matrix", configSchema: {} }),
      ".openclaw/extensions/matrix/index.ts": `${HEAD}
import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";
import { Type } from "@sinclair/typebox";
const heard = [];
export default definePluginEntry({
  id: "matrix",
  name: "Matrix",
  description: "Does as it is told.",
  register(api) {
    api.on("session_start", () => void heard.push("start"));
    api.registerTool((ctx) => ({
      name: "clawed",
      label: "Clawed",
      description: "Does as it is told.",
      parameters: Type.Object({ act: Type.String() }),
      async execute(toolCallId, params, signal, onUpdate) {
        ${body("params", "signal", PI_TELL, MCP_IMAGE, "ctx.workspaceDir")}
        return { content: [{ type: "text", text: "said, having heard " + heard.join() }], details: {} };
      },
    }), { name: "clawed" });
  },
});
`,
    },
    can: uses("clawed", { ...WITH_PROGRESS, "session event": "say" }),
  },
  {
    form: "`Tool.define`",
    format: "define",
    files: {
      ".toolwright/tools/defined.ts": `${HEAD}
import { Tool } from "toolwright";
import { z } from "zod";
export const DefinedTool = Tool.define("defined", async ({ directory }) => ({
  parameters: z.object({ act: z.enum(${ACTS}) }),
  async execute(args, context) {
    ${body("args", "context.abort", 'context.metadata({ title: "halfway" });', `{ title: "dot", metadata: {}, output: "A dot:", attachments: [{ type: "file", mime: "image/png", url: "data:image/png;base64,${PNG}" }] }`, "directory")}
    return { title: "Said", metadata: {}, output: "said" };
  },
}));
`,
      ".toolwright/tools/defined.txt": "Does as it is told in $" + "{directory}.",
    },
    can: uses("defined", WITH_PROGRESS),
  },
  {
    form: "JSON tools",
    format: "json",
    files: { ".toolwright/tools/matrix.json": JSON.stringify(JSON_FILE), "dot.png": PNG },
    can: {
      call: { tool: "json_say", input: act("said") },
      error: { tool: "json_fail", input: {} },
      abort: { tool: "json_wait", input: {} },
      progress: { tool: "json_show", input: {} },
      image: { tool: "json_image", input: { path: "dot.png" } },
    },
  },
  {
    form: "SDK shape `{ name, inputSchema, handler }`",
    format: "sdk",
    files: {
      ".claude/tools/handler.ts": `${HEAD}
export default {
  name: "handled",
  description: "Does as it is told.",
  inputSchema: { type: "object", properties: { act: { type: "string" } }, required: ["act"] },
  async handler(input, context) {
    ${body("input", "context.signal", 'context.metadata({ title: "halfway" });', MCP_IMAGE, "context.directory")}
    return { content: [{ type: "text", text: "said" }] };
  },
};
`,
    },
    can: uses("handled", WITH_PROGRESS),
  },
  {
    form: "Claude Agent SDK `tool()`",
    format: "sdk",
    needs: "frameworks",
    files: {
      ".claude/tools/claude.ts": `${HEAD}
import { tool } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
export default tool("for-claude", "Does as it is told.", { act: z.enum(${ACTS}) }, async (args, extra) => {
    ${body("args", "extra.signal", "", MCP_IMAGE, "process.cwd()")}
    return { content: [{ type: "text", text: "said" }] };
});
`,
    },
    can: uses("for-claude", BASIC),
  },
  {
    form: "Copilot SDK `defineTool()`",
    format: "sdk",
    needs: "frameworks",
    files: {
      ".toolwright/tools/copilot.ts": `${HEAD}
import { defineTool } from "@github/copilot-sdk";
import { z } from "zod";
export default defineTool("for-copilot", {
  description: "Does as it is told.",
  parameters: z.object({ act: z.enum(${ACTS}) }),
  handler: async (args, invocation) => {
    ${body("args", "invocation.signal", "", `{ textResultForLlm: "A dot:", resultType: "success", binaryResultsForLlm: [{ type: "image", data: "${PNG}", mimeType: "image/png" }] }`, "process.cwd()")}
    return { textResultForLlm: "said", resultType: "success" };
  },
});
`,
    },
    can: uses("for-copilot", BASIC),
  },
  {
    form: "Copilot CLI extension (`joinSession()`)",
    format: "sdk",
    files: {
      ".github/extensions/matrix/extension.mjs": `${HEAD}
import { joinSession } from "@github/copilot-sdk/extension";
const heard = [];
await joinSession({
  hooks: { onSessionStart: async ({ source }) => void heard.push(source) },
  tools: [
    {
      name: "extended",
      description: "Does as it is told.",
      parameters: { type: "object", properties: { act: { enum: ${ACTS} } }, required: ["act"] },
      handler: async (args, invocation) => {
        ${body("args", "invocation.signal", "", `{ textResultForLlm: "A dot:", resultType: "success", binaryResultsForLlm: [{ type: "image", data: "${PNG}", mimeType: "image/png" }] }`, "process.cwd()")}
        return "said, having heard " + heard.join();
      },
    },
  ],
});
`,
    },
    can: uses("extended", { ...BASIC, "session event": "say" }),
  },
  {
    form: "MCP `registerTool()` as an object `{ name, config, execute }`",
    format: "sdk",
    files: {
      ".toolwright/tools/configured.mjs": `${HEAD}
export const configured = {
  name: "configured",
  config: {
    description: "Does as it is told.",
    inputSchema: { type: "object", properties: { act: { enum: ${ACTS} } }, required: ["act"] },
  },
  async execute(args, { signal, sendNotification }) {
    ${body("args", "signal", 'await sendNotification({ method: "notifications/progress", params: { message: "halfway", progress: 1 } });', MCP_IMAGE, "process.cwd()")}
    return { content: [{ type: "text", text: "said" }] };
  },
};
`,
    },
    can: uses("configured", WITH_PROGRESS),
  },
  {
    form: "module with an MCP server, both versions of the SDK",
    format: "mcp-module",
    needs: "mcp-servers",
    files: {
      ".toolwright/tools/server.ts": `${HEAD}
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
const server = new McpServer({ name: "matrix", version: "1.0.0" });
server.registerTool(
  "served",
  { description: "Does as it is told.", inputSchema: { act: z.enum(${ACTS}) } },
  async (args, { signal, sendNotification, _meta }) => {
    ${body("args", "signal", SERVER_TELL("sendNotification", "_meta"), MCP_IMAGE, "process.cwd()")}
    return { content: [{ type: "text", text: "said" }] };
  },
);
await server.connect(new StdioServerTransport());
`,
      ".toolwright/tools/newer.ts": `${HEAD}
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
serveStdio(() => {
  const server = new McpServer({ name: "matrix", version: "2.0.0" });
  server.registerTool(
    "served-newer",
    { description: "Does as it is told.", inputSchema: z.object({ act: z.enum(${ACTS}) }) },
    async (args, { mcpReq }) => {
      ${body("args", "mcpReq.signal", SERVER_TELL("mcpReq.notify", "mcpReq._meta"), MCP_IMAGE, "process.cwd()")}
      return { content: [{ type: "text", text: "said" }] };
    },
  );
  return server;
});
`,
    },
    can: {
      ...uses("served", WITH_PROGRESS),
      image: { tool: "served-newer", input: { act: "image" } },
      progress: { tool: "served-newer", input: { act: "show" } },
    },
  },
  {
    form: "FastMCP server",
    format: "mcp-module",
    needs: "mcp-servers",
    files: {
      ".toolwright/tools/fast.ts": `${HEAD}
import { FastMCP } from "fastmcp";
import { z } from "zod";
const server = new FastMCP({ name: "matrix", version: "1.0.0" });
server.addTool({
  name: "fast",
  description: "Does as it is told.",
  parameters: z.object({ act: z.enum(${ACTS}) }),
  execute: async (args, { reportProgress, signal }) => {
    ${body("args", "signal", "await reportProgress({ progress: 1, total: 2 });", MCP_IMAGE, "process.cwd()")}
    return "said";
  },
});
server.start({ transportType: "stdio" });
`,
    },
    can: uses("fast", WITH_PROGRESS),
    shows: '"progress":1,"total":2',
  },
  {
    form: "function that adds tools to an MCP server",
    format: "mcp-module",
    files: {
      ".toolwright/tools/register.ts": `${HEAD}
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
export function registerActTool(server: McpServer) {
  server.tool("registered", "Does as it is told.", { act: z.enum(${ACTS}) }, async (args, { signal, sendNotification, _meta }) => {
    ${body("args", "signal", SERVER_TELL("sendNotification", "_meta"), MCP_IMAGE, "process.cwd()")}
    return { content: [{ type: "text", text: "said" }] };
  });
}
`,
    },
    can: uses("registered", WITH_PROGRESS),
  },
  {
    form: "xmcp tool",
    format: "xmcp",
    files: {
      "xmcp.config.ts":
        'import type { XmcpConfig } from "xmcp";\nexport default { http: true } satisfies XmcpConfig;\n',
      "src/tools/act.ts": `${HEAD}
import { z } from "zod";
import type { InferSchema, ToolExtraArguments } from "xmcp";
export const schema = { act: z.enum(${ACTS}) };
export const metadata = { name: "x-act", description: "Does as it is told." };
export default async function act(args: InferSchema<typeof schema>, { signal, sendNotification, _meta }: ToolExtraArguments) {
  ${body("args", "signal", SERVER_TELL("sendNotification", "_meta"), MCP_IMAGE, "process.cwd()")}
  return "said";
}
`,
    },
    can: uses("x-act", WITH_PROGRESS),
  },
  {
    form: "AI SDK `tool()`",
    format: "ai-sdk",
    needs: "frameworks",
    files: {
      ".toolwright/tools/for-ai.ts": `${HEAD}
import { tool } from "ai";
import { z } from "zod";
export default tool({
  description: "Does as it is told.",
  inputSchema: z.object({ act: z.enum(${ACTS}) }),
  async *execute(args, { abortSignal }) {
    ${body("args", "abortSignal", 'yield "halfway";', MCP_IMAGE, "process.cwd()").replace(`return ${MCP_IMAGE};`, `{ yield ${MCP_IMAGE}; return; }`)}
    yield "said";
  },
});
`,
    },
    can: uses("for-ai", WITH_PROGRESS),
  },
  {
    form: "Mastra `createTool()`",
    format: "mastra",
    needs: "frameworks",
    files: {
      ".toolwright/tools/mastra.ts": `${HEAD}
import { createTool } from "@mastra/core/tools";
import { z } from "zod";
export default createTool({
  id: "for-mastra",
  description: "Does as it is told.",
  inputSchema: z.object({ act: z.enum(${ACTS}) }),
  execute: async (args, context) => {
    ${body("args", "context.abortSignal", 'await context.writer.write("halfway");', MCP_IMAGE, "process.cwd()")}
    return "said";
  },
});
`,
    },
    can: uses("for-mastra", WITH_PROGRESS),
  },
  {
    form: "LangChain `tool()`, `StructuredTool`",
    format: "langchain",
    needs: "frameworks",
    files: {
      ".toolwright/tools/chain.ts": `${HEAD}
import { tool } from "@langchain/core/tools";
import { z } from "zod";
export default tool(
  async function* (args, config) {
    ${body("args", "config.signal", 'yield "halfway";', "IMAGE", "process.cwd()").replace("return IMAGE;", `return [{ type: "text", text: "A dot:" }, { type: "image_url", image_url: { url: "data:image/png;base64,${PNG}" } }];`)}
    return "said";
  },
  { name: "for-langchain", description: "Does as it is told.", schema: z.object({ act: z.enum(${ACTS}) }) },
);
`,
    },
    can: uses("for-langchain", WITH_PROGRESS),
  },
  {
    form: "OpenAI Agents `tool()`",
    format: "openai-agents",
    needs: "frameworks",
    files: {
      ".toolwright/tools/agents.ts": `${HEAD}
import { tool } from "@openai/agents-core";
import { z } from "zod";
export default tool({
  name: "for_agents",
  description: "Does as it is told.",
  parameters: z.object({ act: z.enum(${ACTS}) }),
  execute: async (args, run, details) => {
    ${body("args", "details.signal", "", `{ type: "image", image: { data: "${PNG}", mediaType: "image/png" } }`, "process.cwd()")}
    return "said";
  },
});
`,
    },
    // The SDK hides the message of the error.
    words: "An error occurred while running the tool. Please try again.",
    can: uses("for_agents", BASIC),
  },
  {
    form: "Anthropic SDK `betaZodTool()`, `betaTool()`",
    format: "anthropic",
    needs: "agent-libraries",
    files: {
      ".toolwright/tools/anthropic.ts": `${HEAD}
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import { z } from "zod";
export default betaZodTool({
  name: "for_anthropic",
  description: "Does as it is told.",
  inputSchema: z.object({ act: z.enum(${ACTS}) }),
  run: async (args, { signal }) => {
    ${body("args", "signal", "", `[{ type: "text", text: "A dot:" }, { type: "image", source: { type: "base64", media_type: "image/png", data: "${PNG}" } }]`, "process.cwd()")}
    return "said";
  },
});
`,
    },
    can: uses("for_anthropic", BASIC),
  },
  {
    form: "LlamaIndex `tool()`, `FunctionTool`",
    format: "llamaindex",
    needs: "agent-libraries",
    files: {
      ".toolwright/tools/llama.ts": `${HEAD}
import { tool } from "@llamaindex/core/tools";
import { z } from "zod";
export default tool({
  name: "for_llama",
  description: "Does as it is told.",
  parameters: z.object({ act: z.enum(${ACTS}) }),
  execute: async (args) => {
    ${body("args", "new EventTarget()", "", MCP_IMAGE, "process.cwd()")}
    return "said";
  },
});
`,
    },
    can: uses("for_llama", { call: "say", error: "fail", image: "image" }),
  },
  {
    form: "Strands Agents `tool()`, `FunctionTool`",
    format: "strands",
    needs: "agent-libraries",
    files: {
      ".toolwright/tools/strands.ts": `${HEAD}
import { ImageBlock, TextBlock, tool } from "@strands-agents/sdk";
import { z } from "zod";
export default tool({
  name: "for_strands",
  description: "Does as it is told.",
  inputSchema: z.object({ act: z.enum(${ACTS}) }),
  callback: async function* (args, context) {
    ${body("args", "context.cancelSignal", 'yield "halfway";', `[new TextBlock("A dot:"), new ImageBlock({ format: "png", source: { bytes: Buffer.from("${PNG}", "base64") } })]`, "process.cwd()")}
    return "said";
  },
});
`,
    },
    can: uses("for_strands", WITH_PROGRESS),
  },
  {
    form: "VoltAgent `createTool()`",
    format: "voltagent",
    files: {
      ".toolwright/tools/volt.ts": `${HEAD}
import { z } from "zod";
class Tool {
  type = "user-defined";
  name = "for_volt";
  description = "Does as it is told.";
  parameters = z.object({ act: z.enum(${ACTS}) });
  execute = async function* (args, { toolContext }) {
    ${body("args", "toolContext.abortSignal", 'yield "halfway";', "IMAGE", "process.cwd()").replace("return IMAGE;", `{ yield ${MCP_IMAGE}; return; }`)}
    yield "said";
  };
}
export default new Tool();
`,
    },
    can: uses("for_volt", WITH_PROGRESS),
  },
  {
    form: "TanStack AI `toolDefinition().server()`",
    format: "tanstack-ai",
    needs: "agent-libraries",
    files: {
      ".toolwright/tools/tanstack.ts": `${HEAD}
import { toolDefinition } from "@tanstack/ai";
import { z } from "zod";
export default toolDefinition({
  name: "for_tanstack",
  description: "Does as it is told.",
  inputSchema: z.object({ act: z.enum(${ACTS}) }),
}).server(async (args, context) => {
  ${body("args", "context.abortSignal", 'context.emitCustomEvent("progress", { text: "halfway" });', `[{ type: "text", content: "A dot:" }, { type: "image", source: { type: "data", value: "${PNG}", mimeType: "image/png" } }]`, "process.cwd()")}
  return "said";
});
`,
    },
    can: uses("for_tanstack", WITH_PROGRESS),
  },
  {
    form: "AgentKit `createTool()`",
    format: "agentkit",
    files: {
      ".toolwright/tools/kit.ts": `${HEAD}
import type { Tool } from "@inngest/agent-kit";
import { z } from "zod";
const tool: Tool = {
  name: "for_kit",
  description: "Does as it is told.",
  parameters: z.object({ act: z.enum(${ACTS}) }),
  async handler(args, { network, step, abort }) {
    ${body("args", "abort", "", MCP_IMAGE, "process.cwd()")}
    network.state.data.said = await step.run("say", async () => "said");
    return network.state.kv.get("said");
  },
};
export default tool;
`,
    },
    can: uses("for_kit", BASIC),
  },
  {
    form: "Google ADK `FunctionTool`",
    format: "adk",
    files: {
      ".toolwright/tools/adk.ts": `${HEAD}
class FunctionTool {
  [Symbol.for("google.adk.baseTool")] = true;
  name = "for_adk";
  description = "Does as it is told.";
  _getDeclaration() {
    const act = { type: "STRING", enum: ${ACTS} };
    return { name: this.name, parameters: { type: "OBJECT", properties: { act }, required: ["act"] } };
  }
  async runAsync({ args, toolContext }) {
    ${body("args", "toolContext.abortSignal", "", MCP_IMAGE, "process.cwd()")}
    toolContext.state.set("said", "said");
    return toolContext.state.get("said");
  }
}
export default new FunctionTool();
`,
    },
    can: uses("for_adk", BASIC),
  },
  {
    form: "Roo Code custom tool",
    format: "roo",
    files: {
      ".roo/tools/roo.ts": `${HEAD}
import { parametersSchema as z, defineCustomTool } from "@roo-code/types";
export default defineCustomTool({
  name: "for_roo",
  description: "Does as it is told.",
  parameters: z.object({ act: z.enum(${ACTS}) }),
  async execute(args, { mode, task, abort }) {
    ${body("args", "abort", 'await task.say("text", "halfway");', MCP_IMAGE, "task.cwd")}
    return "said";
  },
});
`,
    },
    can: uses("for_roo", WITH_PROGRESS),
  },
  {
    form: "Amp plugin",
    format: "amp-plugin",
    files: {
      ".amp/plugins/amp.ts": `${HEAD}
import type { PluginAPI } from "@ampcode/plugin";
export default function (amp: PluginAPI) {
  const heard = [];
  amp.on("session.start", (event) => void heard.push("start of " + event.thread.id));
  amp.registerTool({
    name: "for_amp",
    description: "Does as it is told.",
    inputSchema: { type: "object", properties: { act: { type: "string", enum: ${ACTS} } }, required: ["act"] },
    async execute(input, { abort, directory }) {
      ${body("input", "abort", "", `[{ type: "text", text: "A dot:" }, { type: "image", data: "${PNG}", mimeType: "image/png" }]`, "directory")}
      return "said, having heard " + heard.join();
    },
  });
}
`,
    },
    can: uses("for_amp", { ...BASIC, "session event": "say" }),
  },
  {
    form: "MCP server",
    format: "mcp",
    files: {
      ".mcp.json": JSON.stringify({ mcpServers: { matrix: { command: process.execPath, args: [SERVER] } } }),
    },
    settings: { mcp: { import: true } },
    words: "No such branch.",
    shows: "step 1",
    stopped: { tool: "matrix_cancelled", input: {}, output: "1" },
    can: {
      call: { tool: "matrix_echo", input: { text: "said" } },
      error: { tool: "matrix_fails_softly", input: {} },
      abort: { tool: "matrix_waits", input: {} },
      progress: { tool: "matrix_progress", input: {} },
      image: { tool: "matrix_picture", input: {} },
    },
  },
  {
    form: "any of these in a file that uses Bun",
    format: "tool",
    needs: "bun",
    files: { ".opencode/tool/bunned.ts": bunForm },
    can: uses("bunned", WITH_PROGRESS),
  },
];
