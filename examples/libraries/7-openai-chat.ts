import { OpenAI } from "openai";
import { createToolbox } from "toolwright";
import { toOpenAiTools } from "toolwright/adapters";

const toolbox = await createToolbox({ trust: true });
const runner = new OpenAI().chat.completions.runTools({
  model: "gpt-5",
  tools: toOpenAiTools(toolbox),
  messages: [{ role: "user", content: "How many days are there in January 2026?" }],
});
console.log(await runner.finalContent());
await toolbox.close();
