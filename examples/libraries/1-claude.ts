import { query } from "@anthropic-ai/claude-agent-sdk";
import { createToolbox } from "toolwright";
import { allowedToolNames, toClaudeMcpServer } from "toolwright/adapters";

const toolbox = await createToolbox({ trust: true });
const options = {
  mcpServers: { toolwright: toClaudeMcpServer(toolbox) },
  allowedTools: allowedToolNames(toolbox),
};
for await (const message of query({ prompt: "How many days are there in January 2026?", options })) {
  if (message.type === "result" && message.subtype === "success") console.log(message.result);
}
await toolbox.close();
