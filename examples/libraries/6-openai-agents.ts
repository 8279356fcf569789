import { Agent, run } from "@openai/agents";
import { createToolbox } from "toolwright";
import { toOpenAiTools } from "toolwright/adapters";

const toolbox = await createToolbox({ trust: true });
const agent = new Agent({ name: "Calendar", model: "gpt-5", tools: toOpenAiTools(toolbox) });
const { finalOutput } = await run(agent, "How many days are there in January 2026?");
console.log(finalOutput);
await toolbox.close();
