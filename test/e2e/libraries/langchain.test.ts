import { join } from "node:path";
import { toLangChainTools } from "../../../src/surfaces/libraries/index.ts";
import { RESPONSES } from "../../support/agents/responses-wire.ts";
import { MODULES } from "../../support/installed.ts";
import { describeLibrary } from "../../support/libraries/describe-library.ts";

await describeLibrary({
  title: "toLangChainTools",
  package: "libraries",
  wire: RESPONSES,
  failed: (message) => `Error: ${message}`,
  carriesImages: true,
  carriesPdfs: false,
  showsProgress: true,
  passesCallIDs: true,
  ownSession: /^thread-1$/,
  async ask({ toolbox, origin, prompt, sessionID, signal, onProgress }) {
    const { createAgent } = await import(join(MODULES.libraries, "langchain/dist/index.js"));
    const { ChatOpenAI } = await import(join(MODULES.libraries, "@langchain/openai/dist/index.js"));
    const configuration = { baseURL: `${origin}/v1` };
    const agent = createAgent({
      model: new ChatOpenAI({ model: "gpt-5", apiKey: "dummy", useResponsesApi: true, configuration }),
      tools: await toLangChainTools(toolbox, { agent: "tester", ...(sessionID === undefined ? {} : { sessionID }) }),
    });
    let last = "";
    const options = { signal, streamMode: ["custom", "values"], configurable: { thread_id: "thread-1" } };
    for await (const [mode, chunk] of await agent.stream({ messages: [{ role: "user", content: prompt }] }, options)) {
      if (mode === "custom") onProgress(chunk);
      else last = chunk.messages.at(-1).text;
    }
    return last;
  },
});
