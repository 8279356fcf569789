import type { ReactElement } from "react";
import { Badge, Spinner } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorState, Note } from "../components/error-state.tsx";
import { Link, navigate, pathTo, useRoute } from "../router.ts";
import { useShortcuts } from "../shortcuts.ts";
import { CallDetails } from "./call-details.tsx";
import { CallFilters } from "./call-filters.tsx";
import { CallList } from "./call-list.tsx";
import { CallsChart } from "./calls-chart.tsx";
import { type Filters, filtersOf, keyOf, toAddress } from "./calls-query.ts";
import { ToolDurations } from "./tool-durations.tsx";
import { type CallsState, useCalls, useRunningCalls } from "./use-calls.ts";
import "./calls.css";

/** The view "Calls": what ran, who called it, how long, how it ended. */
export function CallsView(): ReactElement {
  const { id, query } = useRoute();
  const filters = filtersOf(query);
  const state = useCalls(filters);
  const running = useRunningCalls();
  const { summary, calls } = state;
  useShortcuts({ j: focusFirstCall, k: focusFirstCall });
  const change = (next: Filters): void => navigate(pathTo("calls", undefined, toAddress(next)));
  const selected = calls.find((call) => keyOf(call) === id);
  const agents = [...new Set(calls.map(({ agent }) => agent).filter((agent) => agent !== ""))].sort();
  return (
    <div className="pane grow">
      <div className="pane-head">
        <h1 className="grow">Calls</h1>
        {running.length > 0 && (
          <Badge tone="accent" title={running.map(({ tool }) => tool).join(", ")}>
            {running.length} running
          </Badge>
        )}
        {state.first.loading && <Spinner />}
      </div>
      <div className="pane-body padded">
        <div className="column calls-column">
          <CallFilters
            filters={filters}
            tools={summary.value?.tools.map(({ tool }) => tool).sort() ?? []}
            agents={agents}
            onChange={change}
          />
          {id !== undefined && !selected && state.first.value && !state.first.loading && (
            <Note tone="warn">
              The call in the address is not in the list below. Choose a longer time, or load older calls.
            </Note>
          )}
          {summary.error && <Note tone="bad">The summary cannot be read. {summary.error.message}</Note>}
          {summary.value && summary.value.total > 0 && (
            <Overview
              summary={summary.value}
              addressOf={(tool) => pathTo("calls", undefined, toAddress({ ...filters, tool }))}
            />
          )}
          <Calls state={state} filters={filters} />
        </div>
      </div>
      {selected && <CallDetails call={selected} onClose={() => change(filters)} />}
    </div>
  );
}

/** Inside the list, these keys move the focus. At its end, they do nothing. */
function focusFirstCall(): void {
  if (!document.activeElement?.matches(".call-row")) document.querySelector<HTMLElement>(".call-row")?.focus();
}

interface OverviewProps {
  readonly summary: NonNullable<CallsState["summary"]["value"]>;
  readonly addressOf: (tool: string) => string;
}

function Overview({ summary, addressOf }: OverviewProps): ReactElement {
  const { total, failed } = summary;
  return (
    <div className="calls-overview">
      <section className="card calls-card" aria-label="Calls over time">
        <p>
          <strong className="calls-total">{total.toLocaleString("en")}</strong>{" "}
          <span className="muted">{total === 1 ? "call" : "calls"}, </span>
          <span className={failed > 0 ? "bad" : "muted"}>
            {failed.toLocaleString("en")} failed{failed > 0 && ` (${percent(failed, total)})`}
          </span>
        </p>
        <CallsChart summary={summary} />
      </section>
      <section className="card calls-card" aria-label="Tools">
        <ToolDurations tools={summary.tools} addressOf={addressOf} />
      </section>
    </div>
  );
}

function percent(part: number, whole: number): string {
  const value = (part / whole) * 100;
  return value < 1 ? "under 1 %" : `${Math.round(value)} %`;
}

function Calls({ state, filters }: { readonly state: CallsState; readonly filters: Filters }): ReactElement | null {
  const { first, calls, hasMore, isLoadingMore, moreError, loadMore } = state;
  if (first.error && calls.length === 0) {
    return <ErrorState title="The calls cannot be read" error={first.error} onRetry={first.refetch} />;
  }
  if (!first.value && first.loading) return null;
  if (calls.length === 0) return <NoCalls filters={filters} />;
  return (
    <section className="stack" aria-label="List">
      <CallList calls={calls} onOpen={(call) => navigate(pathTo("calls", keyOf(call), toAddress(filters)))} />
      {moreError && <Note tone="bad">{moreError.message}</Note>}
      {hasMore && (
        <div className="row">
          <Button onClick={loadMore} disabled={isLoadingMore}>
            Load older calls
          </Button>
        </div>
      )}
    </section>
  );
}

function NoCalls({ filters }: { readonly filters: Filters }): ReactElement {
  const { tool, agent, session, outcome } = filters;
  if (tool !== undefined || agent !== undefined || session !== undefined || outcome !== undefined) {
    return (
      <EmptyState icon="calls" title="No such calls">
        <Link to={pathTo("calls", undefined, { range: filters.range })}>Remove the filters</Link>, or choose a longer
        time.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="calls" title="No calls in this time">
      Run a <Link to={pathTo("tools")}>tool</Link>, or choose a longer time. Calls of all your projects and agents are
      listed here.
    </EmptyState>
  );
}
