import type { Usage } from "../../core/session-log.ts";

/** The known fields of a usage that another program has sent, if their values are possible. */
export function toUsage(sent: { readonly [Field in keyof Usage]?: unknown }): Usage {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd, model } = sent;
  const numbers = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd };
  const known = Object.entries(numbers).filter(([, value]) => Number.isFinite(value) && Number(value) >= 0);
  return { ...Object.fromEntries(known), ...(typeof model === "string" ? { model } : {}) };
}
