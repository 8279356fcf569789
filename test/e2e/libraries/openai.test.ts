import { join } from "node:path";
import { type OpenAiOutputItem, runOpenAiCalls, toOpenAiTools } from "../../../src/surfaces/libraries/index.ts";
import { CHAT } from "../../support/agents/chat-wire.ts";
import { RESPONSES } from "../../support/agents/responses-wire.ts";
import { MODULES } from "../../support/installed.ts";
import { describeLibrary } from "../../support/libraries/describe-library.ts";
import type { Library, Question } from "../../support/libraries/library.ts";

const OPENAI: Pick<Library, "package" | "failed" | "showsProgress"> = {
  package: "libraries",
  failed: (message) => `Error: ${message}`,
  showsProgress: false,
};

const toolsFor = ({ toolbox, sessionID }: Question): ReturnType<typeof toOpenAiTools> =>
  toOpenAiTools(toolbox, { agent: "tester", ...(sessionID === undefined ? {} : { sessionID }) });

/** The part of the client that the tests use. */
interface Client {
  readonly responses: {
    create(body: object, options: object): Promise<{ output: OpenAiOutputItem[]; output_text: string }>;
  };
  readonly chat: { completions: { runTools(body: object, options: object): { finalContent(): Promise<string> } } };
}

async function clientOf({ origin }: Question): Promise<Client> {
  const { OpenAI } = await import(join(MODULES.libraries, "openai/index.mjs"));
  return new OpenAI({ baseURL: `${origin}/v1`, apiKey: "dummy", maxRetries: 0 });
}

await describeLibrary({
  ...OPENAI,
  title: "toOpenAiTools with the Responses API",
  wire: RESPONSES,
  carriesImages: true,
  carriesPdfs: true,
  passesCallIDs: true,
  async ask(question) {
    const { prompt, signal } = question;
    const client = await clientOf(question);
    const tools = toolsFor(question);
    const input: unknown[] = [{ role: "user", content: prompt }];
    for (let step = 0; step < 9; step += 1) {
      const response = await client.responses.create({ model: "gpt-5", input, tools }, { signal });
      const results = await runOpenAiCalls(tools, response.output, { signal });
      if (results.length === 0) return response.output_text;
      input.push(...response.output, ...results);
    }
    return "";
  },
});

await describeLibrary({
  ...OPENAI,
  title: "toOpenAiTools with @openai/agents",
  wire: RESPONSES,
  carriesImages: true,
  carriesPdfs: true,
  passesCallIDs: true,
  async ask(question) {
    const { Agent, OpenAIResponsesModel, run, setTracingDisabled } = await import(
      join(MODULES.libraries, "@openai/agents/dist/index.mjs")
    );
    setTracingDisabled(true);
    const model = new OpenAIResponsesModel(await clientOf(question), "gpt-5");
    const agent = new Agent({ name: "Tester", model, tools: toolsFor(question) });
    return (await run(agent, question.prompt, { signal: question.signal })).finalOutput;
  },
});

await describeLibrary({
  ...OPENAI,
  title: "toOpenAiTools with chat.completions.runTools",
  wire: CHAT,
  carriesImages: false,
  carriesPdfs: false,
  passesCallIDs: false,
  async ask(question) {
    const { prompt, signal } = question;
    const client = await clientOf(question);
    const messages = [{ role: "user", content: prompt }];
    const tools = toolsFor(question);
    return client.chat.completions.runTools({ model: "gpt-5", messages, tools }, { signal }).finalContent();
  },
});
