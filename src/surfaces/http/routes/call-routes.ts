import type { ApiCallQuery, ApiCallSummary } from "../../../core/api-page.ts";
import { CALLERS } from "../../../core/caller.ts";
import { json } from "../../../http/json-response.ts";
import { listCalls } from "../../../pipeline/audit-reader.ts";
import { summarizeCalls } from "../../../pipeline/call-summary.ts";
import { auditFile } from "../../../pipeline/recorder.ts";
import { type FieldChecks, integerIn, oneOf, queryProblem } from "./body-fields.ts";
import type { RouteContext, RouteHandler } from "./route-context.ts";

const text = (value: unknown): string | undefined =>
  String(value).length <= 1_000 ? undefined : "must have at most 1000 characters";

const FILTERS: FieldChecks<Omit<ApiCallQuery, "cursor" | "limit">> = {
  tool: text,
  outcome: oneOf(["ok", "failed"]),
  sessionID: text,
  agent: text,
  caller: oneOf(CALLERS),
  since: integerIn(0, Number.MAX_SAFE_INTEGER),
};

const PAGES: FieldChecks<ApiCallQuery> = { ...FILTERS, cursor: text, limit: integerIn(1, 200) };

/** Lists calls from the audit log. */
export function listCallRecords({ toolbox, fail }: RouteContext): RouteHandler {
  return async ({ req }) => {
    const query = new URL(req.url).searchParams;
    const problem = queryProblem(query, PAGES);
    if (problem !== undefined) return fail({ code: "bad_request", message: problem });
    try {
      return json(await listCalls(auditFile(toolbox.project.homes.toolwrightHome), toQuery(query)));
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
    const query = new URL(req.url).searchParams;
    const problem = queryProblem(query, FILTERS);
    if (problem !== undefined) return fail({ code: "bad_request", message: problem });
    return json(await summaryOf(toQuery(query)));
  };
}

function toQuery(query: URLSearchParams): ApiCallQuery {
  const { token: _, limit, since, ...texts } = Object.fromEntries(query);
  return {
    ...(texts as Pick<ApiCallQuery, "cursor" | "tool" | "outcome" | "sessionID" | "agent" | "caller">),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(since === undefined ? {} : { since: Number(since) }),
  };
}
