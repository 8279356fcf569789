// Shows first what it would do; the tool "resolve" does it or throws it away.
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { CustomToolFactory } from "@oh-my-pi/pi-coding-agent";
import { Type } from "@sinclair/typebox";

const factory: CustomToolFactory = (pi) => ({
  name: "write_preview",
  label: "Write with preview",
  description: "Prepares a file. Call resolve to write it, or to throw it away.",
  deferrable: true,
  parameters: Type.Object({ path: Type.String(), text: Type.String() }),
  async execute(_toolCallId, params) {
    const target = resolve(pi.cwd, params.path);
    pi.pushPendingAction({
      label: `Write ${params.path}`,
      sourceToolName: "write_preview",
      details: { bytes: params.text.length },
      apply: async () => {
        await writeFile(target, params.text);
        return { content: [{ type: "text", text: `Wrote ${params.path}` }] };
      },
      reject: async (reason) => ({ content: [{ type: "text", text: `Left ${params.path} alone: ${reason}` }] }),
    });
    return { content: [{ type: "text", text: `Would write ${params.text.length} characters to ${params.path}` }] };
  },
});

export default factory;
