// A tool with an id of its own, made by an async function, described by the text beside it.
import { Tool } from "toolwright";
import { z } from "zod";

export const ReleaseNotes = Tool.define("release-notes", async (init) => ({
  parameters: z.object({ changes: z.array(z.string()).min(1), version: z.string().default("next") }),
  async execute({ changes, version }, ctx) {
    ctx.metadata({ title: `Notes for ${version}` });
    return {
      title: version,
      metadata: { changes: changes.length, here: ctx.directory === init?.directory },
      output: [`## ${version}`, ...changes.map((change) => `- ${change}`)].join("\n"),
    };
  },
}));
