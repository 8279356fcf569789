import { createAgent } from "langchain";
import { createToolbox } from "toolwright";
import { toLangChainTools } from "toolwright/adapters";

const toolbox = await createToolbox({ trust: true });
const agent = createAgent({ model: "openai:gpt-5", tools: await toLangChainTools(toolbox) });
const messages = [{ role: "user", content: "How many days are there in January 2026?" }];
const state = await agent.invoke({ messages });
console.log(state.messages.at(-1)?.text);
await toolbox.close();
