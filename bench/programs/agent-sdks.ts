import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { MODEL, shout, type Talkers, type TalkersOptions, TOOL, urlOf } from "./agent-talkers.ts";

/** The SDKs, as a program without Toolwright would use them: with one tool, streaming, and the agent's own tools. */
export const SDKS: Readonly<Record<string, (options: TalkersOptions) => Promise<Talkers>>> = {
  claude,
  copilot,
  langchain,
};

// biome-ignore lint/suspicious/noExplicitAny: The packages are installed on demand, so that their types are not known here.
async function load(modules: string, name: string): Promise<any> {
  const file = createRequire(join(modules, "package.json")).resolve(name);
  return import(pathToFileURL(file).href);
}

const KEY = "dummy";

async function copilot({ agent, folder, modules, origin }: TalkersOptions): Promise<Talkers> {
  const { CopilotClient } = await load(modules, "@github/copilot-sdk");
  const client = new CopilotClient({ workingDirectory: folder, env: process.env, logLevel: "error" });
  const provider = { type: "openai", wireApi: "completions", baseUrl: urlOf(agent, origin), apiKey: KEY };
  const parameters = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
  return {
    async open() {
      const session = await client.createSession({
        model: MODEL[agent],
        provider,
        workingDirectory: folder,
        streaming: true,
        tools: [{ ...TOOL, parameters, skipPermission: true, handler: ({ text }: { text: string }) => shout(text) }],
        onPermissionRequest: () => ({ kind: "approve-once" }),
      });
      return { send: async (prompt) => (await session.sendAndWait(prompt))?.data.content };
    },
    close: () => client.stop(),
  };
}

async function claude({ agent, folder, modules, origin }: TalkersOptions): Promise<Talkers> {
  const sdk = await load(modules, "@anthropic-ai/claude-agent-sdk");
  const ends: (() => void)[] = [];
  return {
    async open() {
      const prompts = new TransformStream<object>();
      const writer = prompts.writable.getWriter();
      const handler = async ({ text }: { text: string }) => ({ content: [{ type: "text", text: shout(text) }] });
      const tools = [sdk.tool(TOOL.name, TOOL.description, { text: z.string() }, handler)];
      const query = sdk.query({
        prompt: prompts.readable,
        options: {
          cwd: folder,
          model: MODEL[agent],
          env: {
            ...process.env,
            ANTHROPIC_BASE_URL: urlOf(agent, origin),
            ANTHROPIC_API_KEY: KEY,
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
            CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "false",
            DISABLE_AUTOUPDATER: "1",
          },
          includePartialMessages: true,
          strictMcpConfig: true,
          settingSources: ["user", "project", "local"],
          systemPrompt: { type: "preset", preset: "claude_code" },
          allowedTools: [`mcp__toolwright__${TOOL.name}`],
          mcpServers: { toolwright: sdk.createSdkMcpServer({ name: "toolwright", tools, alwaysLoad: true }) },
        },
      });
      const messages = query[Symbol.asyncIterator]();
      ends.push(() => query.close());
      return {
        async send(prompt) {
          void writer.write({ type: "user", message: { role: "user", content: prompt }, parent_tool_use_id: null });
          for (;;) {
            const { value, done } = await messages.next();
            if (done) throw new Error("Claude Code has ended.");
            if (value.type === "result") return value.result;
          }
        },
      };
    },
    close: async () => {
      for (const end of ends) end();
    },
  };
}

async function langchain({ agent, modules, origin }: TalkersOptions): Promise<Talkers> {
  const { createAgent, tool } = await load(modules, "langchain");
  const { ChatOpenAI } = await load(modules, "@langchain/openai");
  const { MemorySaver } = await load(modules, "@langchain/langgraph");
  const model = new ChatOpenAI({
    model: MODEL[agent],
    apiKey: KEY,
    configuration: { baseURL: urlOf(agent, origin) },
  });
  const schema = z.object({ text: z.string() });
  const tools = [tool(({ text }: { text: string }) => shout(text), { ...TOOL, schema })];
  const systemPrompt = "You are a coding agent.";
  const app = createAgent({ model, tools, systemPrompt, checkpointer: new MemorySaver() });
  return {
    async open() {
      const config = { configurable: { thread_id: crypto.randomUUID() }, recursionLimit: 100 };
      return {
        async send(prompt) {
          const input = { messages: [{ role: "user", content: prompt }] };
          let last = { id: "", text: "" };
          for await (const [{ id, text }] of await app.stream(input, { ...config, streamMode: "messages" })) {
            last = { id, text: id === last.id ? last.text + text : text };
          }
          return last.text;
        },
      };
    },
    close: async () => {},
  };
}
