import type { ApiCallQuery, ApiCallSummary } from "../core/api-page.ts";
import { callsBackwards } from "./audit-reader.ts";

const DAY_MS = 24 * 60 * 60_000;
const BUCKETS = 48;
/** Clients may call any number of unknown names. */
const MAX_TOOLS = 200;

/** Counts and durations of the calls in an audit log; by default those of the last 24 hours. */
export async function summarizeCalls(
  file: string,
  { since, ...filter }: Omit<ApiCallQuery, "cursor" | "limit">,
  now: number = Date.now(),
): Promise<ApiCallSummary> {
  const from = Math.min(since ?? now - DAY_MS, now - 1);
  const span = (now - from) / BUCKETS;
  const buckets = Array.from({ length: BUCKETS }, (_, at) => ({ at: Math.round(from + at * span), ok: 0, failed: 0 }));
  const tools = new Map<string, { durations: number[]; failed: number }>();
  for await (const { call } of callsBackwards(file, { ...filter, since: from })) {
    const outcome = call.ok ? "ok" : "failed";
    const bucket = buckets[Math.min(BUCKETS - 1, Math.floor((call.at - from) / span))];
    if (bucket) bucket[outcome] += 1;
    const counted = tools.get(call.tool) ?? { durations: [], failed: 0 };
    counted.durations.push(call.durationMs);
    if (!call.ok) counted.failed += 1;
    tools.set(call.tool, counted);
  }
  return {
    since: from,
    until: now,
    total: sum(buckets.map(({ ok, failed }) => ok + failed)),
    failed: sum(buckets.map(({ failed }) => failed)),
    buckets,
    tools: [...tools]
      .map(([tool, { durations, failed }]) => {
        const sorted = durations.sort((a, b) => a - b);
        return { tool, calls: sorted.length, failed, p50: percentile(sorted, 50), p95: percentile(sorted, 95) };
      })
      .sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1))
      .slice(0, MAX_TOOLS),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** The smallest value that is at least as large as so many percent of the values. */
function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0;
}
