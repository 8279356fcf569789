import { memo, type ReactElement, type ReactNode, useEffect, useMemo, useState } from "react";
import type { Card } from "../../../src/core/card.ts";
import type { Update } from "../../../src/core/events.ts";
import type { LoggedResult } from "../../../src/core/session-log.ts";
import { unknownEffect } from "../../../src/core/unknown-effect.ts";
import { defined } from "../../../src/platform/values/defined.ts";
import { type CallView, callView, replacesResult } from "../../../src/sessions/cards/call-view.ts";
import { duration } from "../format.ts";
import { AnsiLines } from "./ansi-text.tsx";
import { Badge, Spinner, type Tone } from "./badge.tsx";
import { CallViewParts } from "./call-view.tsx";
import { ContentParts, TruncatedNote } from "./content-parts.tsx";
import { Note } from "./error-state.tsx";
import { Icon } from "./icon.tsx";
import { JsonTree } from "./json-tree.tsx";
import { useOwnRendering } from "./own-rendering.ts";
import { TextBlock } from "./text-block.tsx";
import { VisibleText } from "./visible-text.tsx";

/** A call of a tool, running or finished. */
export interface ShownCall {
  readonly callID: string;
  readonly tool: string;
  readonly input: unknown;
  readonly card?: Card;
  readonly state: "running" | "ok" | "failed" | "unknown";
  /** When it began, in milliseconds since the epoch; 0 if unknown. */
  readonly at: number;
  readonly update?: Update;
  readonly result?: LoggedResult;
}

interface ToolCardProps {
  readonly call: ShownCall;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Links and buttons below the details. */
  readonly children?: ReactNode;
}

/** One line about a call. Opened, it shows the author's own rendering, or the card that the tool declares, or the data. */
export const ToolCard = memo(function ToolCard({ call, isOpen, onToggle, children }: ToolCardProps): ReactElement {
  const { tool, input, card, state, update, result } = call;
  const view = useMemo(() => callView({ input, ...defined({ card, result }) }), [input, card, result]);
  const title = view?.title ?? result?.notes?.title ?? update?.title;
  return (
    <article className="card tool-card" data-state={state}>
      <button type="button" className="tool-head" aria-expanded={isOpen} onClick={onToggle}>
        <StateSign state={state} />
        <span className="tool-name">
          <VisibleText>{tool}</VisibleText>
        </span>
        <span className="truncate grow muted tool-summary">
          <VisibleText>{short(title ?? summaryOf(input))}</VisibleText>
        </span>
        <CallTime call={call} />
        <Icon name="chevron" size={12} />
      </button>
      {state === "unknown" && (
        <p className="tool-line" data-tone="warn">
          This call was interrupted. {unknownEffect()}
        </p>
      )}
      {result?.ok === false && !isOpen && (
        <p className="tool-line truncate" data-tone="bad">
          {short(result.error?.message ?? "It failed.")}
        </p>
      )}
      {isOpen && (
        <div className="tool-body">
          <CallDetails call={call} view={view} />
          {children}
        </div>
      )}
    </article>
  );
});

const STATES: Readonly<Record<ShownCall["state"], readonly [Tone, string]>> = {
  running: ["accent", "running"],
  ok: ["ok", "done"],
  failed: ["bad", "failed"],
  unknown: ["warn", "interrupted"],
};

function StateSign({ state }: { readonly state: ShownCall["state"] }): ReactElement {
  if (state === "running") return <Spinner label="running" />;
  const [tone, text] = STATES[state];
  return <Badge tone={tone}>{text}</Badge>;
}

function CallTime({ call: { state, at, result } }: { readonly call: ShownCall }): ReactElement | null {
  const now = useNow(state === "running");
  // Whole seconds while it runs; agents do not report the duration of all their own calls.
  const elapsed = state === "running" && at > 0 ? Math.floor((now - at) / 1000) * 1000 : 0;
  const ms = result ? result.notes?.durationMs : elapsed >= 1000 ? elapsed : undefined;
  return ms === undefined ? null : <span className="faint small tool-time">{duration(ms)}</span>;
}

function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isTicking) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}

interface CallDetailsProps {
  readonly call: ShownCall;
  readonly view: CallView | undefined;
}

function CallDetails({ call, view }: CallDetailsProps): ReactElement {
  const lines = useOwnRendering(call);
  const [isData, setData] = useState(false);
  if (!lines && !view) return <CallData call={call} />;
  return (
    <>
      <fieldset className="segments" aria-label="Rendering">
        <button type="button" aria-pressed={!isData} onClick={() => setData(false)}>
          {lines ? "Of the tool" : "Card"}
        </button>
        <button type="button" aria-pressed={isData} onClick={() => setData(true)}>
          Data
        </button>
      </fieldset>
      {isData && <CallData call={call} />}
      {!isData && (lines ? <AnsiLines lines={lines} /> : view && <CallCard call={call} view={view} />)}
    </>
  );
}

function CallCard({ call, view }: { readonly call: ShownCall; readonly view: CallView }): ReactElement {
  const { state, update, result } = call;
  const output = state === "running" ? update?.metadata?.output : undefined;
  return (
    <>
      {Object.keys(view.rest).length > 0 && (
        <Part title="Input">
          <JsonTree value={view.rest} label="Input" />
        </Part>
      )}
      <CallViewParts view={view} />
      {typeof output === "string" && output !== "" && <TextBlock text={output.slice(-SHOWN_PROGRESS)} />}
      {result && !(result.ok && replacesResult(view)) && <ResultParts result={result} hasData={false} />}
    </>
  );
}

/** The last characters of the output of a running call. */
const SHOWN_PROGRESS = 20_000;

function CallData({ call: { input, update, result, state } }: { readonly call: ShownCall }): ReactElement {
  return (
    <>
      {input !== undefined && (
        <Part title="Input">
          <JsonTree value={input} label="Input" />
        </Part>
      )}
      {state === "running" && update?.metadata && (
        <Part title="Progress">
          <JsonTree value={update.metadata} label="Progress" />
        </Part>
      )}
      {result && <ResultParts result={result} hasData />}
    </>
  );
}

interface ResultPartsProps {
  readonly result: LoggedResult;
  /** Whether its structured data is shown. */
  readonly hasData: boolean;
}

function ResultParts({ result, hasData }: ResultPartsProps): ReactElement {
  const { content = [], data, notes } = result;
  const isEmpty = content.length === 0 && data === undefined && result.ok;
  return (
    <Part title="Result">
      {!result.ok && (
        <Note tone="bad">
          <p className="break">{result.error?.message}</p>
          <p className="small muted break">
            {[result.error?.code, notes?.thrownAt, ...(notes?.causes ?? [])].filter(Boolean).join(" · ")}
          </p>
        </Note>
      )}
      <ContentParts content={content} />
      {isEmpty && <p className="muted">The tool returned nothing.</p>}
      {hasData && data !== undefined && <JsonTree value={data} label="Structured data of the result" />}
      {notes?.truncated && <TruncatedNote truncated={notes.truncated} />}
    </Part>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="section">
      <h4 className="small muted">{title}</h4>
      {children}
    </div>
  );
}

/** The only text of an input says most: a path, a command, a question. */
function summaryOf(input: unknown): string {
  if (typeof input !== "object" || input === null) return input === undefined ? "" : JSON.stringify(input);
  const texts = Object.values(input).filter((value) => typeof value === "string");
  return texts.length === 1 ? String(texts[0]) : JSON.stringify(input);
}

function short(text: string): string {
  const line = text.slice(0, 400).replace(/\s+/g, " ");
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
