import { FIND_EITHER } from "../support/agents/agent-tools.ts";
import { describeAgent } from "../support/agents/describe-agent.ts";
import { GEMINI } from "../support/agents/gemini-wire.ts";

/** An argument that it gives to every tool, and keeps to itself. */
const ITS_OWN = {
  wait_for_previous: {
    type: "boolean",
    description:
      "Set to true to wait for all previously requested tools in this turn to complete before starting. Set to false (or omit) to run in parallel. Use true when this tool depends on the output of previous tools.",
  },
};

await describeAgent({
  name: "Gemini CLI",
  id: "gemini",
  program: "gemini",
  wire: GEMINI,
  config: {
    file: ".gemini/settings.json",
    before: () => `{
  "security": { "auth": { "selectedType": "gemini-api-key" } }, // the key is in the environment
  "general": { "enableAutoUpdate": false },
  "privacy": { "usageStatisticsEnabled": false }
}
`,
  },
  args: ["--approval-mode", "yolo", "--skip-trust", "--model", "scripted", "--prompt", "Note the cheese."],
  env: (origin) => ({ GOOGLE_GEMINI_BASE_URL: origin, GEMINI_API_KEY: "dummy" }),
  named: (tool) => `mcp_toolwright_${tool}`,
  // Google's API knows no defaults: they are in words.
  schemas: {
    find: { type: "object", properties: { ...FIND_EITHER.properties, ...ITS_OWN } },
    note: {
      type: "object",
      properties: {
        text: { type: "string", description: "The line to add." },
        times: { type: "integer", minimum: 1, maximum: 9, description: "How often to add it. Default: 2." },
        ...ITS_OWN,
      },
      required: ["text"],
    },
    print: { type: "object", properties: ITS_OWN },
  },
  answers: [
    { text: "<untrusted_context>\nAdded 2 times: Käse\n</untrusted_context>" },
    { text: "<untrusted_context>\nFound 2 lines.\n</untrusted_context>" },
    {
      text: `MCP tool 'print' reported tool error for function call: {"name":"print","args":{}} with response: [{"functionResponse":{"name":"print","response":{"content":[{"type":"text","text":"The printer is out of paper: fill it up, then print again."}],"isError":true}}}]`,
      failed: true,
    },
  ],
});
