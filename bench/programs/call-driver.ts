/** Measures calls to a toolbox and to an echo process, one block for each message. Started by the case `call`. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import type { Toolbox, ToolboxOptions } from "../../src/toolbox/toolbox.ts";
import { treeCpuMs } from "../tree-cpu.ts";

const [library = "", echoProgram = "", directory = ""] = process.argv.slice(2);

interface Library {
  createToolbox(options: ToolboxOptions): Promise<Toolbox>;
}

const { createToolbox } = (await import(pathToFileURL(library).href)) as Library;
const toolbox = await createToolbox({ cwd: directory, trust: true });
const echo = fork(echoProgram, { serialization: "advanced" });
await once(echo, "message");

const CONTENDERS: Readonly<Record<string, () => Promise<void>>> = {
  async call() {
    const result = await toolbox.call({ name: "hello", input: { name: "Ada" } }).result;
    if (!result.ok) throw result.error;
  },
  echo: () => echoOnce(echo),
};

process.on("message", async ({ what, count }: { what: string; count: number }) => {
  const one = CONTENDERS[what];
  if (!one) throw new Error(`Unknown contender: ${what}.`);
  process.send?.(await block(one, count));
});
process.on("disconnect", async () => {
  echo.disconnect();
  await toolbox.close();
});
process.send?.("ready");

async function block(one: () => Promise<void>, count: number): Promise<Record<string, number>> {
  const cpu = treeCpuMs();
  const startedAt = performance.now();
  for (let done = 0; done < count; done++) await one();
  const ms = performance.now() - startedAt;
  const thousands = count / 1000;
  return { wall: ms / thousands, cpu: (treeCpuMs() - cpu) / thousands, perSecond: (count / ms) * 1000 };
}

/** Has the same fields and size as the message of a call. */
function echoOnce(peer: ChildProcess): Promise<void> {
  const context = { sessionID: "default", messageID: "", agent: "", directory, worktree: directory, extra: {} };
  const callID = "01234567-89ab-cdef-0123-456789abcdef";
  const output = { maxLines: 2000, maxBytes: 50_000, keep: "head", folder: `${directory}/toolwright/outputs` };
  const file = `${directory}/.toolwright/tools/hello.ts`;
  const call = { file, tool: "hello", input: { name: "Ada" }, context: { ...context, callID }, output };
  return new Promise((resolve) => {
    peer.once("message", () => resolve());
    peer.send({ type: "call", id: 1, call });
  });
}
