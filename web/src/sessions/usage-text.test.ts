import { describe, expect, it } from "vitest";
import type { Usage } from "../../../src/core/session-log.ts";
import { usageText } from "./usage-text.ts";

describe("tokens and cost for people", () => {
  it.each<[Usage, string]>([
    [{}, ""],
    [{ inputTokens: 0, outputTokens: 0 }, ""],
    [{ inputTokens: 1_200 }, "1,200 tokens in"],
    [{ inputTokens: 1_200, outputTokens: 3 }, "1,200 tokens in, 3 out"],
    [{ outputTokens: 3, cacheReadTokens: 4, cacheWriteTokens: 5 }, "3 tokens out, 4 from cache, 5 to cache"],
    [{ inputTokens: 1, costUsd: 0.00123 }, "1 tokens in, $0.0012"],
    [{ costUsd: 12.345 }, "$12.35"],
  ])("[U4] %j is %j", (usage, text) => {
    expect(usageText(usage)).toBe(text);
  });
});
