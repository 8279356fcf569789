import type { ApiCall, ApiCallQuery, ApiCallStart, ApiCalls } from "../../../src/core/api-page.ts";
import { CALLERS, type Caller } from "../../../src/core/caller.ts";

/** The spans of time that can be chosen. */
export const RANGES = { "1h": 3_600_000, "24h": 86_400_000, "7d": 604_800_000, "30d": 2_592_000_000 } as const;
export type Range = keyof typeof RANGES;

/** What the address bar chooses. */
export interface Filters {
  readonly range: Range;
  readonly outcome: "ok" | "failed" | undefined;
  readonly tool: string | undefined;
  readonly agent: string | undefined;
  readonly caller: Caller | undefined;
  readonly session: string | undefined;
}

export function filtersOf(query: URLSearchParams): Filters {
  const text = (key: string): string | undefined => query.get(key) || undefined;
  const outcome = text("outcome");
  return {
    range: (Object.keys(RANGES) as Range[]).find((range) => range === text("range")) ?? "24h",
    outcome: outcome === "ok" || outcome === "failed" ? outcome : undefined,
    tool: text("tool"),
    agent: text("agent"),
    caller: CALLERS.find((caller) => caller === text("caller")),
    session: text("session"),
  };
}

/** Without the defaults, to keep the address short. */
export function toAddress({ range, ...more }: Filters): Record<string, string | undefined> {
  return { ...more, range: range === "24h" ? undefined : range };
}

/** The beginning of the span is rounded, so that it changes only once a minute. */
export function toApiQuery({ range, outcome, tool, agent, caller, session }: Filters, now: number): ApiCallQuery {
  return {
    since: Math.floor((now - RANGES[range]) / 60_000) * 60_000,
    ...(outcome === undefined ? {} : { outcome }),
    ...(tool === undefined ? {} : { tool }),
    ...(agent === undefined ? {} : { agent }),
    ...(caller === undefined ? {} : { caller }),
    ...(session === undefined ? {} : { sessionID: session }),
  };
}

/** Who made a call: "page", "demo", "some-editor (mcp)". Empty if an earlier version recorded it. */
export function callerText({ caller, agent }: Pick<ApiCallStart, "caller" | "agent">): string {
  if (agent === "") return caller ?? "";
  return caller === undefined || caller === "agent" ? agent : `${agent} (${caller})`;
}

/** Identifies a call: agents may repeat their ids. */
export function keyOf({ callID, at }: Pick<ApiCall, "callID" | "at">): string {
  return `${at} ${callID}`;
}

/**
 * The list after its first page was read again. Calls that were loaded before follow, unless there may be a gap: then they
 * are dropped, and can be loaded again.
 */
export function withFirstPage(known: ApiCalls, first: ApiCalls): ApiCalls {
  const keys = new Set(first.calls.map(keyOf));
  const isJoined = known.calls.some((call) => keys.has(keyOf(call)));
  if (!isJoined || first.next === undefined) return first;
  const older = known.calls.filter((call) => !keys.has(keyOf(call)));
  const last = known.calls.findLastIndex((call) => keys.has(keyOf(call)));
  if (last === known.calls.length - 1) return first;
  return { calls: [...first.calls, ...older], ...(known.next === undefined ? {} : { next: known.next }) };
}
