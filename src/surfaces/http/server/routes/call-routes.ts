import { listCalls } from "../../../../calls/audit-reader.ts";
import { summarizeCalls } from "../../../../calls/call-summary.ts";
import { auditFile } from "../../../../calls/recorder.ts";
import type { ApiCallQuery, ApiCallSummary } from "../../../../core/api-page.ts";
import { json } from "../../parts/json-response.ts";
import { readQuery } from "./read-request.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";

/** Lists calls from the audit log. */
export function listCallRecords({ toolbox, fail }: RouteContext): RouteHandler {
  return async ({ req }) => {
    const read = readQuery(req.url, "GET /api/calls");
    if (read.kind === "invalid") return fail(read.error);
    try {
      return json(await listCalls(auditFile(toolbox.project.homes.toolwrightHome), read.query));
    } catch (error) {
      if (error instanceof RangeError) return fail({ code: "bad_request", message: error.message });
      throw error;
    }
  };
}

/** How long a summary is used again: the whole log is read for it, and every open page asks for it after each call. */
const SUMMARY_MS = 2_000;
const MAX_SUMMARIES = 20;

export function summarizeCallRecords({ toolbox, fail }: RouteContext): RouteHandler {
  const recent = new Map<string, { readonly at: number; readonly summary: Promise<ApiCallSummary> }>();
  const summaryOf = (query: ApiCallQuery): Promise<ApiCallSummary> => {
    const key = JSON.stringify(query);
    const now = performance.now();
    const known = recent.get(key);
    if (known && now - known.at < SUMMARY_MS) return known.summary;
    const summary = summarizeCalls(auditFile(toolbox.project.homes.toolwrightHome), query);
    recent.delete(key);
    recent.set(key, { at: now, summary });
    const [oldest] = recent.keys();
    if (recent.size > MAX_SUMMARIES && oldest !== undefined) recent.delete(oldest);
    return summary;
  };
  return async ({ req }) => {
    const read = readQuery(req.url, "GET /api/calls/summary");
    return read.kind === "invalid" ? fail(read.error) : json(await summaryOf(read.query));
  };
}
