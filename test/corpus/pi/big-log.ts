// Cuts its own output, and says where the whole of it is.
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "@earendil-works/pi-ai";
import {
  DEFAULT_MAX_BYTES,
  DEFAULT_MAX_LINES,
  type ExtensionAPI,
  formatSize,
  truncateTail,
  withFileMutationQueue,
} from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.registerTool({
    name: "big_log",
    label: "Big log",
    description: `Writes a long log. Only the last ${DEFAULT_MAX_LINES} lines or ${formatSize(DEFAULT_MAX_BYTES)} are shown.`,
    parameters: Type.Object({ lines: Type.Integer({ minimum: 0, maximum: 100000, default: 10 }) }),
    async execute(_id, params, signal, onUpdate) {
      onUpdate?.({ content: [{ type: "text", text: "writing…" }], details: {} });
      const log = Array.from({ length: params.lines }, (_, index) => `line ${index + 1}`).join("\n");
      if (signal?.aborted) throw new Error("stopped");
      const cut = truncateTail(log);
      if (!cut.truncated) return { content: [{ type: "text", text: log }], details: {} };
      const file = join(await mkdtemp(join(tmpdir(), "big-log-")), "log.txt");
      await withFileMutationQueue(file, () => writeFile(file, log));
      const notice = `[Last ${cut.outputLines} of ${cut.totalLines} lines. All of them: ${file}]`;
      return { content: [{ type: "text", text: `${cut.content}\n\n${notice}` }], details: { file } };
    },
  });
}
