export const DEFAULT_COMPACTION_SETTINGS: { enabled: boolean; reserveTokens: number; keepRecentTokens: number } = {
  enabled: true,
  reserveTokens: 16384,
  keepRecentTokens: 20000,
};

interface TokenUsage {
  readonly totalTokens?: number;
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export function calculateContextTokens(usage: TokenUsage): number {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = usage;
  return usage.totalTokens || input + output + cacheRead + cacheWrite;
}

export function shouldCompact(
  contextTokens: number,
  contextWindow: number,
  settings: { enabled: boolean; reserveTokens: number } = DEFAULT_COMPACTION_SETTINGS,
): boolean {
  return settings.enabled && contextTokens > contextWindow - settings.reserveTokens;
}

/** A rough estimate: four characters are about one token. */
export function estimateTokens(message: unknown): number {
  return Math.ceil((JSON.stringify(message) ?? "").length / 4);
}
