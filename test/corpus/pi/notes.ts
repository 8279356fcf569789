// Keeps notes in the results of its own calls, and finds them again in the history of the session.
import { StringEnum } from "@mariozechner/pi-ai";
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { Text } from "@mariozechner/pi-tui";
import { Type } from "@sinclair/typebox";

interface NotesDetails {
  notes: string[];
}

export default function notes(pi: ExtensionAPI) {
  let kept: string[] = [];

  const restore = (ctx: ExtensionContext) => {
    kept = [];
    for (const entry of ctx.sessionManager.getBranch()) {
      if (entry.type !== "message") continue;
      const message = entry.message as { role?: string; toolName?: string; details?: NotesDetails };
      if (message.role === "toolResult" && message.toolName === "notes" && message.details)
        kept = message.details.notes;
    }
  };

  pi.on("session_start", async (_event, ctx) => restore(ctx));
  pi.on("session_tree", async (_event, ctx) => restore(ctx));

  pi.registerTool({
    name: "notes",
    label: "Notes",
    description: "Keeps short notes for this session. Actions: add (with text), list, clear.",
    parameters: Type.Object({
      action: StringEnum(["add", "list", "clear"] as const, { description: "What to do" }),
      text: Type.Optional(Type.String({ description: "The note, for add" })),
    }),

    async execute(_toolCallId, params, _signal, _onUpdate, _ctx) {
      if (params.action === "add") {
        if (!params.text) throw new Error("text is required for add");
        kept = [...kept, params.text];
      }
      if (params.action === "clear") kept = [];
      const text = kept.length > 0 ? kept.map((note, index) => `${index + 1}. ${note}`).join("\n") : "No notes";
      return { content: [{ type: "text", text }], details: { notes: kept } satisfies NotesDetails };
    },

    renderCall(args, theme) {
      return new Text(theme.fg("toolTitle", theme.bold("notes ")) + theme.fg("muted", String(args.action)), 0, 0);
    },

    renderResult(result, { expanded }, theme) {
      const { notes = [] } = (result.details ?? {}) as Partial<NotesDetails>;
      const shown = expanded ? notes : notes.slice(0, 2);
      const rest = notes.length - shown.length;
      const lines = shown.map((note) => `${theme.fg("success", "•")} ${note}`);
      return new Text([...lines, ...(rest > 0 ? [theme.fg("dim", `… ${rest} more`)] : [])].join("\n"), 0, 0);
    },
  });
}
