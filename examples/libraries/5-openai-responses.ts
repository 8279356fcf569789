import { OpenAI } from "openai";
import { createToolbox } from "toolwright";
import { runOpenAiCalls, toOpenAiTools } from "toolwright/adapters";

const toolbox = await createToolbox({ trust: true });
const tools = toOpenAiTools(toolbox);
const client = new OpenAI();
const request = { model: "gpt-5", tools };
let response = await client.responses.create({ ...request, input: "How many days are there in January 2026?" });
for (let step = 0; step < 10; step += 1) {
  const results = await runOpenAiCalls(tools, response.output);
  if (results.length === 0) break;
  response = await client.responses.create({ ...request, input: results, previous_response_id: response.id });
}
console.log(response.output_text);
await toolbox.close();
