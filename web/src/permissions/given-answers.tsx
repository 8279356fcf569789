import { type ReactElement, useState } from "react";
import type { ApiGivenAnswer } from "../../../src/core/api-page.ts";
import { Badge, type Tone } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { ErrorState } from "../components/error-state.tsx";
import { AccessList } from "../components/question-card.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { VisibleText } from "../components/visible-text.tsx";
import { Link, pathTo } from "../router.ts";
import { useClient, useResource } from "../server.ts";
import { toRemove } from "./remove-rule-dialog.tsx";
import { TakeBackDialog } from "./take-back-dialog.tsx";

/** The number of answers that are shown at first. */
const FIRST = 10;

/** The answers that people have given in the sessions of the project. Those that still have an effect can be taken back. */
export function GivenAnswers({ onTakenBack }: { readonly onTakenBack: () => void }): ReactElement {
  const client = useClient();
  const { value, error, refetch } = useResource((signal) => client.givenAnswers({ signal }), {
    events: ["answer", "sessions", "permissions"],
  });
  const [isWhole, setIsWhole] = useState(false);
  const [takingBack, setTakingBack] = useState<ApiGivenAnswer>();
  const answers = value?.answers ?? [];
  const shown = isWhole ? answers : answers.slice(0, FIRST);
  return (
    <section className="section" aria-labelledby="answers">
      <h2 id="answers">Answers given</h2>
      <p className="muted">
        Your answers to the questions of the last 50 sessions of this project. An answer “once” has no effect on later
        calls.
      </p>
      {!value && error && <ErrorState title="The answers cannot be read" error={error} onRetry={refetch} />}
      {value && answers.length === 0 && <p>There are none yet. Questions appear in their session.</p>}
      {shown.length > 0 && (
        <ul className="rule-list" aria-label="Answers given">
          {shown.map((answer) => (
            <Answer key={answer.questionID} answer={answer} onTakeBack={() => setTakingBack(answer)} />
          ))}
        </ul>
      )}
      {shown.length < answers.length && (
        <div className="row">
          <Button onClick={() => setIsWhole(true)}>Show all {answers.length}</Button>
        </div>
      )}
      {takingBack && (
        <TakeBackAnswer
          answer={takingBack}
          onClose={(changed) => {
            setTakingBack(undefined);
            if (!changed) return;
            refetch();
            onTakenBack();
          }}
        />
      )}
    </section>
  );
}

interface AnswerProps {
  readonly answer: ApiGivenAnswer;
  readonly onTakeBack: () => void;
}

function Answer({ answer, onTakeBack }: AnswerProps): ReactElement {
  const { sessionID, title, tool, agent, access, request, question, at, reason, remember } = answer;
  const [label, tone] = labelOf(answer);
  const hasEffect = answer.grants !== undefined || answer.rules !== undefined;
  return (
    <li className="rule">
      <div className="grow stack tight">
        <span className="row wrap rule-text">
          <Badge tone={tone}>{label}</Badge>
          <code title={question}>
            <VisibleText>{tool}</VisibleText>
          </code>
          {agent !== "" && (
            <span className="muted">
              by <VisibleText>{agent}</VisibleText>
            </span>
          )}
          {remember !== undefined && !hasEffect && <Badge>no longer applies</Badge>}
        </span>
        {request ? (
          <span className="break">
            It asked for{" "}
            <code>
              <VisibleText>{[request.permission, ...request.patterns].join(" ")}</VisibleText>
            </code>
          </span>
        ) : (
          <AccessList access={access} />
        )}
        {reason !== undefined && (
          <span className="break">
            “<VisibleText>{reason}</VisibleText>”
          </span>
        )}
        <span className="small faint break">
          <TimeAgo at={at} /> in{" "}
          <Link to={pathTo("sessions", sessionID)}>
            <VisibleText>{title ?? sessionID}</VisibleText>
          </Link>
        </span>
      </div>
      {hasEffect && (
        <Button
          size="small"
          kind="quiet"
          icon="trash"
          aria-label={`Take back the answer for ${tool}`}
          onClick={onTakeBack}
        >
          Take back
        </Button>
      )}
    </li>
  );
}

function labelOf({ allowed, remember }: ApiGivenAnswer): readonly [string, Tone] {
  if (!allowed) return ["refused", "bad"];
  if (remember === "session") return ["allowed for the session", "ok"];
  return remember === "always" ? ["allowed always", "ok"] : ["allowed once", "neutral"];
}

interface TakeBackAnswerProps {
  readonly answer: ApiGivenAnswer;
  readonly onClose: (changed: boolean) => void;
}

function TakeBackAnswer({ answer, onClose }: TakeBackAnswerProps): ReactElement {
  const client = useClient();
  const { sessionID, title, grants = [], rules = [] } = answer;
  const takeBack = async (): Promise<void> => {
    for (const rule of grants) await client.sessions.removeGrant(sessionID, rule);
    // The last one first: removing a rule changes the positions of those after it.
    for (const rule of rules.toReversed()) await client.removeRule(toRemove(rule));
  };
  const effect = rules[0]
    ? `What it allowed is removed from ${rules[0].file}. Your other rules and the mode decide about later calls.`
    : `What it allowed is removed from the session “${title ?? sessionID}”. Your rules and the mode decide about its later calls.`;
  return (
    <TakeBackDialog
      title="Take back this answer?"
      rules={[...grants, ...rules]}
      effect={effect}
      onTakeBack={takeBack}
      onClose={onClose}
    />
  );
}
