import type { Usage } from "../../../src/core/session-log.ts";

/** Tokens and cost, such as "1,200 tokens in, 300 out, $0.0123". Empty if nothing is known. */
export function usageText({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd }: Usage): string {
  const counts = [
    [inputTokens, "in"],
    [outputTokens, "out"],
    [cacheReadTokens, "from cache"],
    [cacheWriteTokens, "to cache"],
  ] as const;
  const tokens = counts
    .flatMap(([count, what]) => (count ? [[count.toLocaleString("en"), what]] : []))
    .map(([count, what], index) => `${count} ${index === 0 ? "tokens " : ""}${what}`);
  const cost = costUsd ? [`$${costUsd < 0.01 ? costUsd.toFixed(4) : costUsd.toFixed(2)}`] : [];
  return [...tokens, ...cost].join(", ");
}
