import {
  type KeyboardEvent,
  type ReactElement,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import type { ApiSession } from "../../../src/core/api-sessions.ts";
import { Badge, Spinner } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorState } from "../components/error-state.tsx";
import { Icon } from "../components/icon.tsx";
import { Keys } from "../components/keys.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { VisibleText } from "../components/visible-text.tsx";
import { Link, navigate, pathTo } from "../router.ts";
import { useShortcuts } from "../shortcuts.ts";
import { STATUSES, StatusBadge } from "./session-status.tsx";
import { type SessionFilter, useSessionList } from "./use-session-list.ts";

/** All sessions of the project, with search and filter. */
export function SessionList({ selected }: { readonly selected: string | undefined }): ReactElement {
  const [filter, setFilter] = useState<SessionFilter>({ search: "", status: "" });
  const applied = useDeferredValue(filter);
  const { value, error, loading, refetch, more } = useSessionList(applied);
  const field = useRef<HTMLInputElement>(null);
  const sessions = value?.sessions ?? [];
  // A session that was just created here is listed at once. The event that reports it may take a second.
  const list = useEffectEvent(() => {
    if (selected !== undefined && !sessions.some(({ id }) => id === selected)) refetch();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each session, since it may not match the filter.
  useEffect(() => list(), [selected]);
  const move = (step: number): void => {
    const next = sessions[Math.max(0, sessions.findIndex(({ id }) => id === selected) + step)];
    if (next) navigate(pathTo("sessions", next.id));
  };
  useShortcuts({
    // With an open session, the key belongs to the search in its transcript.
    ...(selected === undefined ? { "/": () => field.current?.focus() } : {}),
    j: () => move(1),
    k: () => move(-1),
  });
  return (
    <section className="pane" aria-label="Sessions" onKeyDown={moveFocus}>
      <div className="pane-head">
        <div className="search">
          <Icon name="search" />
          <input
            ref={field}
            className="input"
            type="search"
            aria-label="Search sessions by title or id"
            placeholder="Search"
            value={filter.search}
            onChange={(event) => setFilter({ ...filter, search: event.target.value })}
            onKeyDown={(event) => {
              if (event.key !== "Escape") return;
              event.preventDefault();
              event.currentTarget.blur();
            }}
          />
          {selected === undefined && filter.search === "" && <Keys of="/" />}
        </div>
        <select
          className="input session-filter"
          aria-label="Filter by status"
          value={filter.status}
          onChange={(event) => setFilter({ ...filter, status: event.target.value as SessionFilter["status"] })}
        >
          <option value="">All</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {status}
            </option>
          ))}
        </select>
        <Button
          icon="plus"
          aria-label="New session"
          onClick={() => navigate(pathTo("sessions", undefined, { new: "1" }))}
        />
      </div>
      <div className="pane-body session-list">
        {error && sessions.length === 0 && (
          <ErrorState title="The sessions cannot be read" error={error} onRetry={refetch} />
        )}
        {!value && loading && !error && (
          <div className="state">
            <Spinner />
          </div>
        )}
        {value && sessions.length === 0 && <NoSessions isFiltered={filter.search !== "" || filter.status !== ""} />}
        <ul>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} isSelected={session.id === selected} />
          ))}
        </ul>
        {value?.hasMore && (
          <div className="session-more">
            <Button size="small" onClick={more} disabled={loading}>
              Show more
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

/** The arrow keys move the focus from the search through the rows. Enter opens the row with the focus. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || event.target instanceof HTMLSelectElement) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(".session-row")];
  const next = rows[rows.indexOf(event.target as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function SessionRow({
  session,
  isSelected,
}: {
  readonly session: ApiSession;
  readonly isSelected: boolean;
}): ReactElement {
  const { id, title, agent, status, queuePosition, updatedAt, branchOf, parent } = session;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    <li ref={row}>
      <Link className="list-row session-row" to={pathTo("sessions", id)} aria-current={isSelected || undefined}>
        <span className="truncate session-title">
          <VisibleText>{title || id}</VisibleText>
        </span>
        <span className="row small muted">
          <StatusBadge status={status} queuePosition={queuePosition} />
          {branchOf && <Badge title={`A branch of ${branchOf.sessionID}`}>branch</Badge>}
          {parent && <Badge title={`Of a sub-agent, for session ${parent.sessionID}`}>sub-agent</Badge>}
          <span className="truncate grow">{agent ?? ""}</span>
          <TimeAgo className="session-time" at={updatedAt} />
        </span>
      </Link>
    </li>
  );
}

function NoSessions({ isFiltered }: { readonly isFiltered: boolean }): ReactElement {
  if (isFiltered)
    return (
      <EmptyState icon="search" title="No session matches">
        Change the search or the filter.
      </EmptyState>
    );
  return (
    <EmptyState icon="sessions" title="No sessions yet">
      <Link to={pathTo("sessions", undefined, { new: "1" })}>Start one</Link>. The agent "demo" needs no model and no
      account.
    </EmptyState>
  );
}
