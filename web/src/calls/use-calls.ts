import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { ApiCall, ApiCallStart, ApiCallSummary, ApiCalls } from "../../../src/core/api-page.ts";
import { type Resource, useClient, useLiveEvents, useResource } from "../server.ts";
import { type Filters, toApiQuery, withFirstPage } from "./calls-query.ts";

export interface CallsState {
  readonly first: Resource<ApiCalls>;
  readonly summary: Resource<ApiCallSummary>;
  readonly calls: readonly ApiCall[];
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly moreError: Error | undefined;
  readonly loadMore: () => void;
}

const ENDS = ["call_ended", "calls"] as const;
const SUMMARY_MS = 2_000;

const NONE: ApiCalls = { calls: [] };

/** The calls that match, read again when a call has ended. Older pages are loaded on request. */
export function useCalls(filters: Filters): CallsState {
  const client = useClient();
  const key = JSON.stringify(filters);
  const values = [key];
  const first = useResource((signal) => client.calls(toApiQuery(filters, Date.now()), { signal }), {
    values,
    events: ENDS,
  });
  const summary = useResource((signal) => client.callSummary(toApiQuery(filters, Date.now()), { signal }), { values });
  useSlowRefetch(summary.refetch);
  const [list, setList] = useState({ key, page: NONE });
  const [more, setMore] = useState<{ readonly loading: boolean; readonly error?: Error }>({ loading: false });

  useEffect(() => {
    const page = first.value;
    if (page) setList((old) => ({ key, page: withFirstPage(old.key === key ? old.page : NONE, page) }));
  }, [first.value, key]);

  const { calls, next } = list.key === key ? list.page : NONE;
  const loadMore = (): void => {
    if (next === undefined || more.loading) return;
    setMore({ loading: true });
    client.calls({ ...toApiQuery(filters, Date.now()), cursor: next }).then(
      (page) => {
        setMore({ loading: false });
        const joined = (old: ApiCalls): ApiCalls => ({ ...page, calls: [...old.calls, ...page.calls] });
        setList((old) => (old.key === key && old.page.next === next ? { key, page: joined(old.page) } : old));
      },
      (error: Error) => setMore({ loading: false, error }),
    );
  };
  return {
    first,
    summary,
    calls,
    hasMore: next !== undefined,
    isLoadingMore: more.loading,
    moreError: more.error,
    loadMore,
  };
}

/** Reads the summary again some time after a call: the server reads the whole log for it. */
function useSlowRefetch(refetch: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const run = useEffectEvent(refetch);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLiveEvents(ENDS, () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      run();
    }, SUMMARY_MS);
  });
}

/** The calls that have started and not ended since the page was connected. */
export function useRunningCalls(): readonly ApiCallStart[] {
  const [running, setRunning] = useState<readonly ApiCallStart[]>([]);
  useLiveEvents(["hello", "calls", "call_started", "call_ended"], (name, data) => {
    // Ends may have been left out.
    if (name === "hello" || name === "calls") return setRunning([]);
    const changed = data as ApiCallStart;
    setRunning((old) => (name === "call_started" ? [...old, changed] : withoutFirst(old, changed)));
  });
  return running;
}

/** Call ids may repeat, in other sessions and in the same. */
function withoutFirst(running: readonly ApiCallStart[], ended: ApiCallStart): readonly ApiCallStart[] {
  const at = running.findIndex(({ callID, sessionID }) => callID === ended.callID && sessionID === ended.sessionID);
  return running.filter((_, index) => index !== at);
}
