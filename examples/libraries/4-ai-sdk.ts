import { openai } from "@ai-sdk/openai";
import { stepCountIs, streamText } from "ai";
import { createToolbox } from "toolwright";
import { toAiSdkTools } from "toolwright/adapters";

const toolbox = await createToolbox({ trust: true });
const result = streamText({
  model: openai("gpt-5"),
  tools: toAiSdkTools(toolbox),
  stopWhen: stepCountIs(10),
  prompt: "How many days are there in January 2026?",
});
for await (const part of result.fullStream) {
  // Preliminary results have the progress of tools: { type: "update", title?, metadata? }.
  if (part.type === "tool-result" && part.preliminary) console.error(part.output);
}
console.log(await result.text);
await toolbox.close();
