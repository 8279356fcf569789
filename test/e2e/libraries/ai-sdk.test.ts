import { join } from "node:path";
import { toAiSdkTools } from "../../../src/surfaces/libraries/index.ts";
import { RESPONSES } from "../../support/agents/responses-wire.ts";
import { MODULES } from "../../support/installed.ts";
import { describeLibrary } from "../../support/libraries/describe-library.ts";

await describeLibrary({
  title: "toAiSdkTools",
  package: "libraries",
  wire: RESPONSES,
  failed: (message) => JSON.stringify({ error: `Error: ${message}` }),
  carriesImages: true,
  carriesPdfs: true,
  showsProgress: true,
  passesCallIDs: true,
  async ask({ toolbox, origin, prompt, sessionID, signal, onProgress }) {
    const { stepCountIs, streamText } = await import(join(MODULES.libraries, "ai/dist/index.js"));
    const { createOpenAI } = await import(join(MODULES.libraries, "@ai-sdk/openai/dist/index.js"));
    const { fullStream, text } = streamText({
      model: createOpenAI({ baseURL: `${origin}/v1`, apiKey: "dummy" }).responses("gpt-5"),
      prompt,
      tools: toAiSdkTools(toolbox, { agent: "tester", ...(sessionID === undefined ? {} : { sessionID }) }),
      stopWhen: stepCountIs(9),
      abortSignal: signal,
    });
    for await (const part of fullStream) if (part.preliminary) onProgress(part.output);
    return text;
  },
});
