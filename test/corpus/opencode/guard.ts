// A plugin: one tool of its own, and an eye on the calls of all others.
import { type Plugin, tool } from "@opencode-ai/plugin";

export const GuardPlugin: Plugin = async ({ client, directory, $ }) => {
  let blocked = 0;
  await client.app.log({ body: { service: "guard", level: "info", message: `watching ${directory}` } });
  return {
    tool: {
      guard_status: tool({
        description: "How many calls were blocked, and where",
        args: {},
        async execute() {
          const where = await $`printf ${"%s"} ${directory}`.text();
          return `${blocked} blocked in ${where === directory ? "the project" : where}`;
        },
      }),
    },
    "tool.execute.before": async (_input, output) => {
      if (!JSON.stringify(output.args ?? {}).includes(".env")) return;
      blocked += 1;
      throw new Error("Do not touch .env files");
    },
    "chat.params": async (_input, output) => {
      output.temperature = 0;
    },
  };
};
