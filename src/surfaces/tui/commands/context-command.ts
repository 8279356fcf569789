import type { ChatCommand } from "../chat-actions.ts";
import { contextReport } from "../context-report.ts";
import { awaitTools } from "./await-tools.ts";

/** `/context`. */
export const contextCommand: ChatCommand = {
  name: "context",
  about: "Shows the tools that the model is given and what they cost, what is off and why, and problems.",
  async run(_, chat) {
    // Tools of files that are still being read would be missing.
    await awaitTools(chat, chat.toolbox.ready());
    chat.show(contextReport(chat));
  },
};
