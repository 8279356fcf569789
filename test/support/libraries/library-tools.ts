import { DOT, LARGE, LONE, PAPER } from "../coding-agents/suite-tools.ts";

const PDF = Buffer.from("%PDF-1.4 nothing").toString("base64");

/** The tool files of the suite. */
export const TOOLS: Readonly<Record<string, string>> = {
  "note.ts": `import { tool } from "toolwright";
export default tool({
  description: "Repeats a line.",
  args: {
    text: tool.schema.string().min(1).describe("The line to repeat."),
    times: tool.schema.number().int().min(1).max(9).default(2).describe("How often."),
    tone: tool.schema.enum(["loud", "quiet"]).optional(),
  },
  execute: ({ text, times }) => Array(times).fill(text).join(", "),
});`,
  "print.js": `export default { description: "Prints.", execute: () => { throw new Error("${PAPER}"); } };`,
  "time.js": `export default { description: "Tells the time.", execute: () => "noon" };`,
  "draw.js": `export default { description: "Draws.", execute: () => ({ content: [{ type: "text", text: "A dot:" }, { type: "image", mimeType: "image/png", data: "${DOT}" }] }) };`,
  "scan.js": `export default { description: "Scans.", execute: () => ({ output: "Scanned.", attachments: [{ type: "file", mime: "application/pdf", filename: "scan.pdf", url: "data:application/pdf;base64,${PDF}" }] }) };`,
  "archive.js": `export default { description: "Packs.", execute: () => ({ output: "Packed.", attachments: [{ type: "file", mime: "application/zip", filename: "all.zip", url: "data:application/zip;base64,UEsFBg==" }] }) };`,
  "broken-text.js": `export default { description: "Returns broken text.", execute: () => ${JSON.stringify(LONE)} };`,
  "large.js": `export default { description: "Returns 60 KB.", execute: () => ${JSON.stringify(LARGE)} };`,
  "context.js": `export default { description: "Returns the context of the call.", execute: (_, { sessionID, callID, agent, directory }) => JSON.stringify({ sessionID, callID, agent, directory }) };`,
  "progress.js": `export default { description: "Reports progress.", async execute(_, { metadata }) { metadata({ title: "half" }); await new Promise((resolve) => setTimeout(resolve, 300)); return "whole"; } };`,
  "wait.js": `export default { description: "Waits.", execute: (_, { abort, metadata }) => new Promise((resolve) => {
    metadata({ title: "begun" });
    abort.addEventListener("abort", () => resolve("stopped"));
  }) };`,
};
