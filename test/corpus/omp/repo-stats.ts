// The example of the documents: a factory, TypeBox from the API, exec with the signal.
import type { CustomToolFactory } from "@oh-my-pi/pi-coding-agent";

const factory: CustomToolFactory = (pi) => ({
  name: "file_count",
  label: "File count",
  description: "Counts the files of a folder",
  parameters: pi.typebox.Type.Object({
    folder: pi.typebox.Type.Optional(pi.typebox.Type.String({ default: "." })),
  }),

  async execute(toolCallId, params, onUpdate, ctx, signal) {
    onUpdate?.({ content: [{ type: "text", text: "Counting…" }], details: { phase: "count" } });
    const result = await pi.exec("ls", ["-1", params.folder ?? "."], { signal, cwd: pi.cwd });
    if (result.killed) throw new Error("Counting was cancelled");
    if (result.code !== 0) throw new Error(result.stderr || "ls failed");
    const files = result.stdout.split("\n").filter(Boolean);
    return {
      content: [{ type: "text", text: `Found ${files.length} files` }],
      details: { toolCallId, count: files.length, idle: ctx.isIdle() },
    };
  },

  onSession(event) {
    if (event.reason === "shutdown") pi.logger.debug("file_count is done");
  },
});

export default factory;
