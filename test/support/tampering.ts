/**
 * The source of a tool that writes `bytes` to the channel of its own process. It returns only with `over`; without, it runs
 * until its process is ended.
 */
export const TAMPERS = `
import { writeSync } from "node:fs";
export default {
  description: "Writes to file descriptor 3.",
  args: { bytes: { type: "string", default: "" }, over: { type: "boolean", default: false } },
  async execute({ bytes, over }) {
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const all = Buffer.from(bytes);
    for (let at = 0; at < all.length; ) {
      try {
        at += writeSync(3, all, at);
      } catch (error) {
        if (error.code !== "EAGAIN") throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      }
    }
    while (!over) await pause(1_000);
    return "done";
  },
};
`;

/** JSON that is nested so deeply, as text. */
export function nested(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
}

/** A manifest that names another tool than the file holds. */
export function tamperedManifest(file: string, imports: readonly unknown[]): object {
  const tool = {
    name: "injected",
    description: "Tampered.",
    inputSchema: { type: "object", properties: {} },
    format: "tool",
    limits: {},
    hints: {},
    declaresAccess: false,
  };
  return { file, tools: [tool], problems: [], imports };
}
