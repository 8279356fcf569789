// Registers its tool only when a session begins, as extensions do that first have to look at the project.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

export default function (pi: ExtensionAPI) {
  pi.on("session_start", (event, ctx) => {
    pi.registerTool({
      name: "late_echo",
      label: "Late echo",
      description: "Says a message back.",
      promptSnippet: "Say a message back",
      promptGuidelines: ["Use late_echo when an exact echo is asked for."],
      parameters: Type.Object({ message: Type.String() }),
      async execute(_id, { message }) {
        return { content: [{ type: "text", text: `[${event.reason}] ${message}` }], details: {} };
      },
    });
    ctx.ui.notify("late_echo is ready", "info");
  });

  pi.registerCommand("late", {
    description: "Says that the extension is there",
    handler: async (_args, ctx) => ctx.ui.notify("here", "info"),
  });
}
