import { readFileSync } from "node:fs";

/**
 * A tool with a side effect: one line with the ids of the call, in one write, in the file of EFFECTS. It may wait before and after, and ask before.
 */
export const EFFECT_TOOL = `import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export default {
  description: "Appends a line to a file.",
  args: { ms: { type: "number" }, ask: { type: "boolean" } },
  access: () => [],
  async execute({ ms, ask }, context) {
    if (ask) await context.ask({ permission: "effect", patterns: ["once"] });
    context.metadata({ title: "Before" });
    await sleep(ms / 2);
    appendFileSync(process.env.EFFECTS, JSON.stringify([context.sessionID, context.callID]) + "\\n");
    context.metadata({ title: "After" });
    await sleep(ms / 2);
    return "Appended.";
  },
};
`;

/** The number of side effects of each call, by session and call. Throws if a line is not whole. */
export function effectsIn(file: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of readFileSync(file, "utf8").split("\n").slice(0, -1)) {
    const [sessionID, callID] = JSON.parse(line) as [string, string];
    const key = keyOf(sessionID, callID);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

export function keyOf(sessionID: string, callID: string): string {
  return `${sessionID} ${callID}`;
}
