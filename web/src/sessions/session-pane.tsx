import { type ReactElement, useRef, useState } from "react";
import { Spinner } from "../components/badge.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorState, Note } from "../components/error-state.tsx";
import { Link, navigate, pathTo } from "../router.ts";
import { useClient, useResource } from "../server.ts";
import { useShortcuts } from "../shortcuts.ts";
import { Composer } from "./composer.tsx";
import { FeedStatus } from "./feed-status.tsx";
import { SearchBar } from "./search-bar.tsx";
import { SessionHead } from "./session-head.tsx";
import { TranscriptView } from "./transcript-view.tsx";
import { usageText } from "./usage-text.ts";
import { useSessionFeed } from "./use-session-feed.ts";
import { useTarget } from "./use-target.ts";
import { useTranscriptSearch } from "./use-transcript-search.ts";

const CONTINUE = "Continue. Your last turn did not end.";

/** One session: its transcript, its questions, and the field for the next message. */
export function SessionPane({ id, at }: { readonly id: string; readonly at: number | undefined }): ReactElement {
  const { sessions } = useClient();
  const feed = useSessionFeed(id);
  const { transcript } = feed;
  const details = useResource((signal) => sessions.get(id, { signal }), { values: [id], events: ["sessions"] });
  const [query, setQuery] = useState<string>();
  const found = useTranscriptSearch(feed, query ?? "");
  const { target, current, move } = useTarget(feed, { at, matches: found.matches, query: query ?? "" });
  const [error, setError] = useState<string>();
  const searchField = useRef<HTMLInputElement>(null);
  const messageField = useRef<HTMLTextAreaElement>(null);

  const isLoaded = feed.state.kind !== "loading" || transcript.position >= (details.value?.position ?? Infinity);
  const status = isLoaded ? transcript.status : (details.value?.status ?? "idle");
  const isRunning = status === "running" || status === "waiting";
  const queuePosition = isRunning ? (transcript.queuePosition ?? details.value?.queuePosition) : undefined;
  const last = transcript.items.at(-1);

  const attempt = (work: Promise<unknown>): void => {
    setError(undefined);
    work.catch((thrown: unknown) => setError(thrown instanceof Error ? thrown.message : String(thrown)));
  };
  const openSearch = (): void => {
    setQuery((old) => old ?? "");
    searchField.current?.select();
  };
  const cancel = (): void => attempt(sessions.cancel(id));
  const branch = async (position?: number): Promise<void> => {
    const created = await sessions.branch(id, position === undefined ? {} : { at: position });
    navigate(pathTo("sessions", created.id));
  };
  const find = (event: KeyboardEvent): void =>
    query === undefined ? openSearch() : move(event.shiftKey || event.key === "N" ? -1 : 1);
  const leave = ({ target }: KeyboardEvent): unknown => {
    const field =
      target instanceof Element ? target.closest<HTMLElement>(".question-card input, .question-card textarea") : null;
    if (field) return field.blur();
    if (query !== undefined) return setQuery(undefined);
    return isRunning ? cancel() : false;
  };
  const write = (): void => messageField.current?.focus();
  // The search of the browser finds only the rows that are drawn.
  const search = { "/": openSearch, "mod+f": openSearch, F3: find, n: find, N: find };
  useShortcuts({ ...search, i: write, q: focusQuestion, Escape: leave });

  if (feed.state.kind === "refused") {
    return (
      <section className="pane" aria-label="Session">
        {feed.state.error.status === 404 ? (
          <EmptyState icon="sessions" title="There is no such session">
            It may have been deleted, or it belongs to another project. Continue with{" "}
            <Link to={pathTo("sessions")}>your sessions</Link>.
          </EmptyState>
        ) : (
          <ErrorState title="This session cannot be shown" error={feed.state.error} />
        )}
      </section>
    );
  }
  return (
    <section className="pane session-pane" aria-label="Session">
      <SessionHead
        id={id}
        details={details.value}
        status={status}
        queuePosition={queuePosition}
        usage={usageText(transcript.usage)}
        onSearch={openSearch}
        onBranch={() => attempt(branch())}
        onRemove={async () => {
          await sessions.remove(id);
          navigate(pathTo("sessions"));
        }}
        onChanged={details.refetch}
      />
      {query !== undefined && (
        <SearchBar
          field={searchField}
          query={query}
          found={found}
          current={current}
          onQuery={setQuery}
          onMove={move}
          onClose={() => setQuery(undefined)}
        />
      )}
      <FeedStatus feed={feed} title={details.value?.title ?? id} total={details.value?.position ?? 0} />
      {error !== undefined && (
        <div role="alert" className="pane-note">
          <Note tone="bad">{error}</Note>
        </div>
      )}
      {!isLoaded ? (
        <div className="state">
          <Spinner label="Loading the transcript" />
        </div>
      ) : (
        <TranscriptView
          sessionID={id}
          transcript={transcript}
          target={target}
          query={query ?? ""}
          actions={{
            answer: (questionID, answer) => sessions.answer(id, questionID, answer),
            branch: (position) => attempt(branch(position)),
            cancelCall: (callID) => attempt(sessions.cancel(id, { callID })),
            goOn: () => attempt(sessions.send(id, CONTINUE)),
          }}
        />
      )}
      <Composer
        sessionID={id}
        field={messageField}
        isRunning={isRunning}
        // Not while the transcript may be out of date: a turn that it does not show would refuse the message again and again.
        isReady={
          feed.state.kind === "live" && status === "idle" && (last?.kind !== "end" || last.outcome === "completed")
        }
        onSend={(text) => sessions.send(id, text)}
        onCancel={cancel}
      />
    </section>
  );
}

function focusQuestion(): void {
  document.querySelector<HTMLElement>(".question-card button, .question-card input, .question-card textarea")?.focus();
}
