/** Returns the name that it greets and the agent that called it. */
export const GREET = `
import { tool } from "toolwright";
export default tool({
  description: "Greets somebody.",
  args: { name: tool.schema.string().describe("Who it is") },
  execute: ({ name }, context) => \`Hello, \${name}! From \${context.agent}.\`,
});
`;

/** Records that it has started, waits, and records that it was aborted. */
export const WAITS = `
import { writeFileSync } from "node:fs";
import { join } from "node:path";
export default {
  description: "Waits until it is told to stop.",
  execute: (args, { abort, directory }) =>
    new Promise((_, reject) => {
      writeFileSync(join(directory, "begun"), "");
      abort.addEventListener("abort", () => {
        writeFileSync(join(directory, "stopped"), "");
        reject(new Error("stopped"));
      });
    }),
};
`;

/** Asks for permission to deploy. */
export const ASKS = `
export default {
  description: "Asks before it does something.",
  execute: async (args, context) => {
    await context.ask({ permission: "deploy", patterns: ["staging"], always: ["staging"], metadata: {} });
    return "deployed";
  },
};
`;

/** Prints to all outputs. */
export const PRINTS = `
import { writeSync } from "node:fs";
export default {
  description: "Prints.",
  execute: () => {
    console.log("printed by console.log");
    console.error("printed by console.error");
    process.stdout.write("written to stdout\\n");
    writeSync(1, "written to descriptor 1\\n");
    return "quiet";
  },
};
`;

/** Returns images and files. */
export const FILES = `
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const file = (name, mimeType, bytes) => ({ type: "file", name, mimeType, data: Buffer.from(bytes).toString("base64") });
export const picture = { description: "A picture.", execute: () => ({ output: "A dot:", attachments: [{ type: "image", data: png, mimeType: "image/png" }] }) };
export const pictures = { description: "Pictures alone.", execute: () => ({ content: [{ type: "image", data: png, mimeType: "image/png" }, { type: "image", data: png, mimeType: "image/png" }] }) };
export const nothing = { description: "Nothing.", execute: () => undefined };
export const small = { description: "A small file.", execute: () => ({ output: "", attachments: [file("a.txt", "text/plain", "small")] }) };
export const binary = { description: "A few bytes.", execute: () => ({ output: "", attachments: [file("a.bin", "application/octet-stream", [0, 255])] }) };
export const large = { description: "A large file.", execute: () => ({ output: "", attachments: [file("a.csv", "text/csv", "x".repeat(200_000))] }) };
export const local = { description: "A file of the project.", execute: () => ({ output: "", attachments: [{ type: "file", mimeType: "text/plain", url: "out/c d.txt" }] }) };
export const named = { description: "A file elsewhere.", execute: () => ({ output: "", attachments: [{ type: "file", name: "b.txt", mimeType: "text/plain", url: "https://example.com/b.txt" }] }) };
export const sound = { description: "A sound.", execute: () => ({ content: [{ type: "audio", data: "UklGRg==", mimeType: "audio/wav" }] }) };
export const broken = { description: "A broken picture.", execute: () => ({ content: [{ type: "image", data: "not base64!", mimeType: "image/png" }] }) };
`;

/** Reports progress. */
export const STEPS = `
export default {
  description: "Goes step by step.",
  execute: async (args, context) => {
    for (const [at, title] of ["one", "two", "three"].entries()) {
      context.metadata({ title, metadata: { progress: (at + 1) * 10, total: 30 } });
      await new Promise((resolve) => setTimeout(resolve, 80));
    }
    return "there";
  },
};
`;
