import { memo, type ReactElement, type ReactNode } from "react";
import type { QuestionAnswer } from "../../../src/core/question.ts";
import { textOf } from "../../../src/core/result.ts";
import type { QuestionItem, ReplyItem, SessionItem, UserItem } from "../../../src/sessions/log/session-item.ts";
import { Badge } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { ContentParts } from "../components/content-parts.tsx";
import { CopyButton } from "../components/copy-button.tsx";
import { LongText } from "../components/long-text.tsx";
import { Markdown } from "../components/markdown.tsx";
import { answerText, QuestionCard } from "../components/question-card.tsx";
import { ToolCard } from "../components/tool-card.tsx";
import { VisibleText } from "../components/visible-text.tsx";
import { timeText } from "../format.ts";
import { Link, pathTo } from "../router.ts";
import { EndRow } from "./end-row.tsx";

/** What a person can do with a row. These functions never change. */
export interface RowActions {
  readonly toggle: (key: string, isOpen: boolean) => void;
  readonly answer: (questionID: string, answer: QuestionAnswer) => Promise<void>;
  readonly branch: (position: number) => void;
  readonly cancelCall: (callID: string) => void;
  readonly goOn: () => void;
}

interface TranscriptRowProps {
  readonly sessionID: string;
  readonly item: SessionItem;
  readonly isOpen: boolean;
  /** The match that the search is at, or the target of the address. */
  readonly isMarked: boolean;
  readonly isLast: boolean;
  readonly actions: RowActions;
}

/** One row of a transcript. */
export const TranscriptRow = memo(function TranscriptRow(props: TranscriptRowProps): ReactElement {
  const { item, sessionID, isMarked, actions } = props;
  return (
    <div
      className="transcript-row"
      data-kind={item.kind}
      data-depth={item.kind === "call" ? item.depth : undefined}
      data-marked={isMarked || undefined}
    >
      <div className="row-content">{contentOf(props)}</div>
      {item.position > 0 && (
        <div className="row-actions">
          <span className="faint small row-time" title={timeText(item.at)}>
            {new Date(item.at).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" })}
          </span>
          <CopyButton
            label="link to this place"
            text={() => location.origin + pathTo("sessions", sessionID, { at: String(item.position) })}
          />
          <Button
            kind="quiet"
            size="small"
            icon="branch"
            aria-label="Branch from here"
            title="Branch from here: a new session with all that happened up to here"
            onClick={() => actions.branch(item.position)}
          />
        </div>
      )}
    </div>
  );
});

function contentOf({ item, sessionID, isOpen, isMarked, isLast, actions }: TranscriptRowProps): ReactNode {
  switch (item.kind) {
    case "user":
      return <UserMessage item={item} />;
    case "reply":
      return <Reply item={item} isMarked={isMarked} />;
    case "call":
      return (
        <ToolCard call={item} isOpen={isOpen} onToggle={() => actions.toggle(item.key, !isOpen)}>
          <p className="row wrap small">
            {item.state === "running" && (
              <Button size="small" kind="danger" icon="stop" onClick={() => actions.cancelCall(item.callID)}>
                Cancel this call
              </Button>
            )}
            <Link to={pathTo("calls", undefined, { session: sessionID, tool: item.tool, range: "30d" })}>
              Calls of this tool in this session
            </Link>
          </p>
        </ToolCard>
      );
    case "question":
      return <Question item={item} actions={actions} />;
    case "end":
      return <EndRow item={item} isLast={isLast} onGoOn={actions.goOn} />;
  }
}

function UserMessage({ item }: { readonly item: UserItem }): ReactElement {
  const text = textOf(item.content);
  const others = item.content.filter((part) => part.type !== "text");
  return (
    <div className="user-message">
      <span className="visually-hidden">You: </span>
      {text !== "" && <LongText text={text} />}
      {others.length > 0 && <ContentParts content={others} />}
    </div>
  );
}

function Reply({ item, isMarked }: { readonly item: ReplyItem; readonly isMarked: boolean }): ReactElement {
  const { text, thinking, attachments, state } = item;
  return (
    <div className="reply" aria-busy={state === "streaming" || undefined}>
      {thinking.trim() !== "" && (
        <details className="thinking" open={isMarked || (state === "streaming" && text === "") || undefined}>
          <summary className="small muted">Thinking</summary>
          <Markdown text={thinking} />
        </details>
      )}
      {text !== "" && <Markdown text={text} />}
      {attachments.length > 0 && <ContentParts content={attachments} />}
      {state === "lost" && (
        <p className="small muted">
          The turn ended before this message did. It is not stored, and the agent does not know it.
        </p>
      )}
    </div>
  );
}

function Question({ item, actions }: { readonly item: QuestionItem; readonly actions: RowActions }): ReactElement {
  const { question, state, answer } = item;
  if (state === "open") {
    return <QuestionCard question={question} onAnswer={(given) => actions.answer(question.questionID, given)} />;
  }
  return (
    <div className="answered-question small">
      <Badge tone={answer?.allowed ? "ok" : "neutral"}>question</Badge>
      <span className="muted break">
        <VisibleText>{question.reason}</VisibleText>
      </span>{" "}
      <strong className="break">
        <VisibleText>
          {state === "interrupted" ? "Interrupted before it was answered." : answerText(question, answer)}
        </VisibleText>
      </strong>
    </div>
  );
}
