import type { OpenClawPluginApi } from "openclaw/plugin-sdk";
import { createEntryTools } from "./tools.js";

interface ToolContext {
  sessionKey?: string;
  workspaceDir?: string;
}

const plugin = {
  id: "journal",
  name: "Journal",
  description: "Keeps entries for each session",
  kind: "memory" as const,

  async register(api: OpenClawPluginApi) {
    await Promise.resolve();
    api.registerTool((ctx: ToolContext) => createEntryTools(ctx.sessionKey ?? "main"), {
      names: ["journal_add", "journal_list"],
    });
    api.registerService({
      id: "journal-flush",
      start: () => api.logger.info("flush started"),
      stop: () => api.logger.info("flush stopped"),
    });
    api.registerCli(({ program }) => program.command("journal"), { commands: ["journal"] });
    api.logger.info?.(`journal ready in ${api.resolvePath("data")}`);
  },
};

export default plugin;
