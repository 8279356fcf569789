import type { Usage } from "../../core/session-log.ts";

const COUNTS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "costUsd"] as const;

/** The sum of the numbers that are known, with the newest model. */
export function sumUsage(total: Usage, more: Usage): Usage {
  const sums = COUNTS.flatMap((key) => {
    const counts = [total[key], more[key]].filter((count) => count !== undefined);
    return counts.length === 0 ? [] : [[key, counts.reduce((sum, count) => sum + count, 0)]];
  });
  const model = more.model ?? total.model;
  return { ...Object.fromEntries(sums), ...(model === undefined ? {} : { model }) };
}
