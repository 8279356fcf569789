import { CopilotClient } from "@github/copilot-sdk";
import { createToolbox } from "toolwright";
import { toCopilotTools } from "toolwright/adapters";

const toolbox = await createToolbox({ trust: true });
const client = new CopilotClient();
const session = await client.createSession({
  tools: toCopilotTools(toolbox),
  // Toolwright has already cut large results. Without this, Copilot replaces them by a preview.
  largeOutput: { enabled: false },
  // The handler is asked before each call. Without it, Copilot refuses all of them.
  onPermissionRequest: ({ kind }) => ({ kind: kind === "custom-tool" ? "approve-once" : "reject" }),
  // Without a provider, Copilot uses the models of your GitHub account.
  model: "gpt-5",
  provider: {
    type: "openai",
    baseUrl: process.env.OPENAI_BASE_URL ?? "https://api.openai.com/v1",
    apiKey: process.env.OPENAI_API_KEY ?? "",
  },
});
const answer = await session.sendAndWait({ prompt: "How many days are there in January 2026?" });
console.log(answer?.data.content);
await client.stop();
await toolbox.close();
