import type { CustomToolFactory } from "toolwright";

/** A factory module of oh-my-pi. It previews a change, which the tool `resolve` applies or discards. */
const factory: CustomToolFactory = (pi) => ({
  name: "rename-preview",
  label: "Rename",
  description: "Shows what renaming a file would do. Call resolve afterwards to apply or discard it.",
  parameters: pi.typebox.Type.Object({
    from: pi.typebox.Type.String({ description: "The file, relative to the project" }),
    to: pi.typebox.Type.String({ description: "Its new name" }),
  }),
  async execute(_toolCallId, { from, to }, onUpdate, _ctx, signal) {
    onUpdate?.({ content: [{ type: "text", text: `Looking for uses of ${from} …` }], details: {} });
    const found = await pi.exec("grep", ["-rlF", "--exclude-dir=node_modules", "--", from, "."], { signal });
    const files = found.stdout.split("\n").filter(Boolean);
    pi.pushPendingAction({
      label: `${from} → ${to}`,
      apply: async () => {
        const { code, stderr } = await pi.exec("mv", ["--", from, to]);
        if (code !== 0) throw new Error(stderr);
        return { content: [{ type: "text", text: `Renamed ${from} to ${to}.` }] };
      },
    });
    return {
      content: [{ type: "text", text: `${files.length} files name ${from}. Call resolve to apply or discard.` }],
      details: { files },
    };
  },
});

export default factory;
