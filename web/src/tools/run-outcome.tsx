import { type ReactElement, useEffect, useRef, useState } from "react";
import type { PlainResult } from "../../../src/surfaces/http/client/index.ts";
import { AnsiText } from "../components/ansi-text.tsx";
import { Badge, Spinner } from "../components/badge.tsx";
import { ContentParts, TruncatedNote } from "../components/content-parts.tsx";
import { CopyButton } from "../components/copy-button.tsx";
import { Note } from "../components/error-state.tsx";
import { JsonTree } from "../components/json-tree.tsx";
import { QuestionCard } from "../components/question-card.tsx";
import { duration } from "../format.ts";
import { Link } from "../router.ts";
import type { Input, Run } from "../runs.ts";
import { useServer } from "../server.ts";
import { explainPath } from "./explain-path.ts";
import { nextStep } from "./next-step.ts";

/** The progress of a call, its questions, and its result. */
export function RunOutcome({ tool, run }: { readonly tool: string; readonly run: Run | undefined }): ReactElement {
  const element = useRef<HTMLElement>(null);
  const state = run && `${run.startedAt} ${run.kind}`;
  const shown = useRef(state);
  useEffect(() => {
    if (state !== shown.current) bringIntoView(element.current);
    shown.current = state;
  }, [state]);
  return (
    <section
      ref={element}
      className="section run-outcome"
      aria-label="Result"
      aria-live="polite"
      aria-busy={run?.kind === "running"}
    >
      {run?.kind === "running" && <Progress run={run} />}
      {run?.kind === "ended" && <Result tool={tool} input={run.input} result={run.result} />}
      {run?.kind === "failed" && (
        <>
          <header>
            <h2>Result</h2>
            <Badge tone={run.aborted ? "warn" : "bad"}>{run.aborted ? "aborted" : "failed"}</Badge>
            <span className="small muted">{duration(run.ms)}</span>
          </header>
          <Note tone={run.aborted ? "warn" : "bad"}>{run.message}</Note>
        </>
      )}
    </section>
  );
}

/** The result may be below a form that is longer than the screen. */
function bringIntoView(element: HTMLElement | null): void {
  const pane = element?.closest(".pane-body");
  if (!element || !pane) return;
  const below = element.getBoundingClientRect().top - pane.getBoundingClientRect().top - pane.clientHeight * 0.5;
  if (below > 0) pane.scrollBy({ top: below });
}

function Progress({ run }: { readonly run: Run & { readonly kind: "running" } }): ReactElement {
  const { runs } = useServer();
  const { output, ...more } = run.metadata ?? {};
  return (
    <>
      <header>
        <h2>Result</h2>
        <Spinner label="Running" />
        <span className="small muted">
          <Elapsed since={run.startedAt} />
        </span>
        <span className="truncate">{run.title}</span>
      </header>
      {run.questions.map((question) => (
        <QuestionCard
          key={question.questionID}
          question={question}
          onAnswer={(answer) => runs.answer(question.questionID, answer)}
        />
      ))}
      {typeof output === "string" && output !== "" && (
        <pre className="output">
          <AnsiText>{output.slice(-20_000)}</AnsiText>
        </pre>
      )}
      {Object.keys(more).length > 0 && <code className="small muted break">{JSON.stringify(more).slice(0, 500)}</code>}
    </>
  );
}

function Elapsed({ since }: { readonly since: number }): ReactElement {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, []);
  // Screen readers would read every change.
  return <span aria-hidden="true">{duration(Math.max(0, now - since))}</span>;
}

interface ResultProps {
  readonly tool: string;
  readonly input: Input;
  readonly result: PlainResult;
}

function Result({ tool, input, result }: ResultProps): ReactElement {
  const { content, data, notes } = result;
  const isEmpty = content.every((part) => part.type === "text" && part.text === "");
  return (
    <>
      <header>
        <h2>Result</h2>
        {result.ok ? <Badge tone="ok">ok</Badge> : <Badge tone="bad">{result.error.code}</Badge>}
        <span className="small muted">{duration(notes.durationMs)}</span>
        <span className="grow truncate">{notes.title}</span>
        <CopyButton text={() => JSON.stringify(result, null, 2)} label="result as JSON">
          JSON
        </CopyButton>
      </header>
      {!result.ok && <Failure tool={tool} input={input} result={result} />}
      {result.ok && isEmpty && data === undefined && (
        <p className="muted">{notes.returnedNothing ? "The tool returned nothing." : "The output is empty."}</p>
      )}
      <ContentParts content={content} />
      {notes.truncated && <TruncatedNote truncated={notes.truncated} />}
      {data !== undefined && (
        <div className="section">
          <h3 className="small muted">Data</h3>
          <JsonTree value={data} label="Data of the result" />
        </div>
      )}
    </>
  );
}

function Failure({
  tool,
  input,
  result: { error, notes },
}: ResultProps & { readonly result: { readonly ok: false } }): ReactElement {
  return (
    <Note tone="bad">
      <div className="stack tight">
        <p className="pre-line break">{error.message}</p>
        {notes.thrownAt !== undefined && <code className="small break">{notes.thrownAt}</code>}
        {notes.causes?.map((cause) => (
          <p key={cause} className="small break">
            Cause: {cause}
          </p>
        ))}
        {nextStep(error.code) !== "" && <p className="muted">{nextStep(error.code)}</p>}
        {error.code === "denied" && (
          <p>
            <Link to={explainPath(tool, input)}>Which rule decides?</Link>
          </p>
        )}
      </div>
    </Note>
  );
}
