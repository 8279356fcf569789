import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "toolwright";

/** Shows its progress, and stops when the call is cancelled or reaches its time limit. */
export default tool({
  description: "Counts down, one step every tenth of a second.",
  args: { from: tool.schema.number().int().min(1).max(100).default(5).describe("Where to start") },
  limits: { timeoutMs: 20_000 },
  async execute({ from }, { abort, metadata }) {
    for (let left = from; left > 0; left -= 1) {
      metadata({ title: `${left} to go`, metadata: { left } });
      await sleep(100, undefined, { signal: abort });
    }
    return "Lift-off.";
  },
});
