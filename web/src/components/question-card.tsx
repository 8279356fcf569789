import { type ReactElement, useId, useState } from "react";
import type { LoggedQuestion, LoggedRule, QuestionAnswer, QuestionAnswered } from "../../../src/core/question.ts";
import type { Access } from "../../../src/core/tool.ts";
import { Button } from "./button.tsx";
import { DialogQuestion } from "./dialog-question.tsx";
import { Note } from "./error-state.tsx";
import { Icon } from "./icon.tsx";
import { JsonTree } from "./json-tree.tsx";
import { VisibleText } from "./visible-text.tsx";

interface QuestionCardProps {
  readonly question: LoggedQuestion;
  /** Rejects if the answer is refused, such as because another person was faster. */
  readonly onAnswer: (answer: QuestionAnswer) => Promise<void>;
}

/** An open question about a call: it can be answered here. */
export function QuestionCard({ question, onAnswer }: QuestionCardProps): ReactElement {
  const [state, setState] = useState<{ readonly isSending: boolean; readonly error?: string }>({ isSending: false });
  const title = useId();
  const answer = (value: QuestionAnswer): void => {
    setState({ isSending: true });
    onAnswer(value).then(
      // The card disappears when the answer is recorded.
      () => {},
      (error: unknown) => setState({ isSending: false, error: error instanceof Error ? error.message : String(error) }),
    );
  };
  return (
    <section className="card question-card" aria-labelledby={title}>
      <h3 id={title} className="row">
        <Icon name="question" />
        <span>
          {question.kind === "permission" ? "Allow " : ""}
          <VisibleText>{question.tool}</VisibleText>
          {question.kind === "permission" ? "?" : " asks"}
        </span>
      </h3>
      <p className="break question-reason">
        <VisibleText>{question.reason}</VisibleText>
      </p>
      <fieldset disabled={state.isSending} className="stack">
        <legend className="visually-hidden">Answer</legend>
        {question.kind === "permission" ? (
          <Permission question={question} onAnswer={answer} />
        ) : (
          <DialogQuestion question={question} onAnswer={answer} />
        )}
      </fieldset>
      {state.error !== undefined && (
        <div role="alert">
          <Note tone="bad">{state.error}</Note>
        </div>
      )}
    </section>
  );
}

type PermissionQuestion = Extract<LoggedQuestion, { readonly kind: "permission" }>;

function Permission({
  question: { access, input, request, choices, rules, settingsFile },
  onAnswer,
}: {
  readonly question: PermissionQuestion;
  readonly onAnswer: (answer: QuestionAnswer) => void;
}): ReactElement {
  const [reason, setReason] = useState("");
  const id = useId();
  const deny = (): void => onAnswer({ allowed: false, ...(reason.trim() === "" ? {} : { reason: reason.trim() }) });
  const canRemember = choices.includes("session") || choices.includes("always");
  return (
    <>
      <AccessList access={access ?? []} />
      {request && (
        <p className="break">
          It asks for{" "}
          <code>
            <VisibleText>{[request.permission, ...(request.patterns ?? [])].join(" ")}</VisibleText>
          </code>
        </p>
      )}
      <details>
        <summary className="small muted">Input of the call</summary>
        <JsonTree value={input} label="Input of the call" />
      </details>
      <div className="row wrap">
        <Button kind="primary" onClick={() => onAnswer({ allowed: true })}>
          Allow once
        </Button>
        {choices.includes("session") && (
          <Button onClick={() => onAnswer({ allowed: true, remember: "session" })}>For this session</Button>
        )}
        {choices.includes("always") && (
          <Button onClick={() => onAnswer({ allowed: true, remember: "always" })} aria-describedby={`${id}always`}>
            Always
          </Button>
        )}
      </div>
      {canRemember && (
        <div id={`${id}always`} className="small muted stack tight">
          <span className="break">
            {choices.includes("always") ? (
              <>
                "Always" adds to <VisibleText>{settingsFile}</VisibleText>:
              </>
            ) : (
              '"For this session" allows:'
            )}
          </span>
          <RuleLines rules={rules ?? []} />
        </div>
      )}
      <form
        className="row deny-row"
        onSubmit={(event) => {
          event.preventDefault();
          deny();
        }}
      >
        <Button type="submit" kind="danger">
          No
        </Button>
        <input
          className="input"
          aria-label="Why not (the model reads it)"
          placeholder="Why not, or what to do instead (optional)"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </form>
    </>
  );
}

const KINDS = { read: "Reads", write: "Writes", execute: "Runs", network: "Connects to" } as const;

/** What a call touches. */
export function AccessList({ access }: { readonly access: readonly Access[] }): ReactElement {
  return (
    <ul className="access-list">
      {access.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change.
        <li key={index} className="break">
          {each === "undeclared" ? (
            <>The tool does not declare what it touches. It can do anything that you can.</>
          ) : (
            <>
              {KINDS[each.kind] ?? each.kind}{" "}
              <code>
                <VisibleText>{each.target}</VisibleText>
              </code>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Rules as they are written to a settings file. */
function RuleLines({ rules }: { readonly rules: readonly LoggedRule[] }): ReactElement {
  return (
    <>
      {rules.map((rule) => (
        <code key={JSON.stringify(rule)} className="break">
          <VisibleText>{JSON.stringify(rule)}</VisibleText>
        </code>
      ))}
    </>
  );
}

/** What was answered, as a sentence. */
export function answerText(question: LoggedQuestion, answer: QuestionAnswered | undefined): string {
  if (!answer) return "Not answered.";
  if (answer.withdrawn) return answer.allowed ? "Allowed by another answer." : "No longer needed.";
  if (question.kind === "dialog") {
    if (!answer.allowed) return "Closed without an answer.";
    if (typeof answer.value === "boolean") return answer.value ? "Answered: yes." : "Answered: no.";
    return `Answered: ${typeof answer.value === "string" ? answer.value : JSON.stringify(answer.value)}`;
  }
  if (!answer.allowed) return answer.reason ? `Not allowed: ${answer.reason}` : "Not allowed.";
  const spans = { session: "Allowed for this session.", always: "Always allowed." } as const;
  return answer.remember ? spans[answer.remember] : "Allowed once.";
}
