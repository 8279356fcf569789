/** Measures single calls to a toolbox, alone or beside a flood of slow ones. Started by the case `slow-pattern`. */
import { pathToFileURL } from "node:url";
import type { Toolbox, ToolboxOptions } from "../../src/toolbox/toolbox.ts";
import { percentile } from "../statistics.ts";

const [library = "", directory = ""] = process.argv.slice(2);

interface Library {
  createToolbox(options: ToolboxOptions): Promise<Toolbox>;
}

const CLIENTS = 8;
const SLOW_TEXT = `${"a".repeat(40)}b`;

const { createToolbox } = (await import(pathToFileURL(library).href)) as Library;
const toolbox = await createToolbox({ cwd: directory, trust: true });

process.on("message", async ({ what, count }: { what: string; count: number }) => {
  const flood = what === "flood" ? startFlood() : undefined;
  const sample = await measure(count);
  await flood?.stop();
  process.send?.(sample);
});
process.on("disconnect", () => void toolbox.close());
process.send?.("ready");

async function measure(count: number): Promise<Record<string, number>> {
  const times: number[] = [];
  for (let done = 0; done < count; done++) {
    const startedAt = performance.now();
    const result = await toolbox.call({ name: "hello", input: { name: "Ada" } }).result;
    times.push(performance.now() - startedAt);
    if (!result.ok) throw result.error;
  }
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

/** Clients that each send the next slow call as soon as the last one has failed. */
function startFlood(): { stop(): Promise<void> } {
  let isOver = false;
  const client = async (): Promise<void> => {
    while (!isOver) {
      const result = await toolbox.call({ name: "slow", input: { text: SLOW_TEXT } }).result;
      if (result.ok || result.error.code !== "timeout") throw new Error("A slow call did not end with a timeout.");
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  return {
    async stop() {
      isOver = true;
      await clients;
    },
  };
}
