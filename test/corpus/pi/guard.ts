// No tools of its own: it looks at the calls of all others.
import { type ExtensionAPI, isToolCallEventType } from "@earendil-works/pi-coding-agent";

const SECRET = /(^|\/)\.env(\.|$)/;

export default function (pi: ExtensionAPI) {
  pi.on("tool_call", async (event, ctx) => {
    const path = event.input.path;
    if (typeof path === "string" && SECRET.test(path)) {
      if (ctx.hasUI && (await ctx.ui.confirm("Secrets", `Let ${event.toolName} touch ${path}?`))) return;
      return { block: true, reason: `"${path}" holds secrets. Ask the user for the value you need.` };
    }
    if (isToolCallEventType<"notes", { text?: string }>("notes", event) && event.input.text) {
      event.input.text = event.input.text.trim();
    }
  });

  pi.on("tool_result", (event) => {
    const content = event.content.map((part) =>
      part.type === "text" ? { ...part, text: part.text.replaceAll(/sk-\w{8,}/g, "[key]") } : part,
    );
    return { content };
  });
}
