import { type ReactElement, useEffect } from "react";
import { Spinner } from "../components/badge.tsx";
import type { SessionFeed } from "./session-feed.ts";

interface FeedStatusProps {
  readonly feed: SessionFeed;
  readonly title: string;
  /** The number of events of the session. */
  readonly total: number;
}

/** Says how far a long session is loaded, that the connection is lost, and that a question waits. */
export function FeedStatus({ feed: { state, transcript }, title, total }: FeedStatusProps): ReactElement {
  const questions = transcript.openQuestions;
  const [first] = questions;
  useEffect(() => {
    const before = document.title;
    document.title = `${questions.length > 0 ? `(${questions.length}) ` : ""}${title} · Toolwright`;
    return () => {
      document.title = before;
    };
  }, [questions.length, title]);
  return (
    <>
      <div className="visually-hidden" role="status">
        {first &&
          `A question waits for your answer, about ${first.question.tool}: ${first.question.reason} Press q to go to it.`}
      </div>
      {state.kind === "loading" && transcript.position > 0 && transcript.position < total && (
        <div className="feed-status small muted">
          <Spinner label="Loading" /> {transcript.position.toLocaleString("en")} of {total.toLocaleString("en")} events
        </div>
      )}
      {state.kind === "reconnecting" && (
        <div className="feed-status small" role="status">
          <Spinner label="Connecting" /> The connection to the session is lost. It is resumed after the last event.
        </div>
      )}
    </>
  );
}
