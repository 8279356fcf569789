import type { KeyboardEvent, ReactElement } from "react";
import type { ApiCall } from "../../../src/core/api-page.ts";
import { Dot } from "../components/badge.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { VisibleText } from "../components/visible-text.tsx";
import { duration } from "../format.ts";
import { callerText, keyOf } from "./calls-query.ts";

interface CallListProps {
  readonly calls: readonly ApiCall[];
  readonly onOpen: (call: ApiCall) => void;
}

/** The calls, the latest first. Arrow keys, j and k move. */
export function CallList({ calls, onOpen }: CallListProps): ReactElement {
  return (
    <ul className="call-list" aria-label="Calls" onKeyDown={moveFocus}>
      {calls.map((call) => (
        <li key={keyOf(call)}>
          <button type="button" className="list-row call-row" onClick={() => onOpen(call)}>
            <Dot tone={call.ok ? "ok" : "bad"} />
            <span className="call-tool truncate">
              <VisibleText>{call.tool}</VisibleText>
            </span>
            <span className="call-about truncate muted">
              {call.ok ? <VisibleText>{shortInput(call.input)}</VisibleText> : <FailedText call={call} />}
            </span>
            <span className="call-caller truncate faint wide-only">
              <VisibleText>{callerText(call)}</VisibleText>
            </span>
            <span className="call-time number faint">{duration(call.durationMs)}</span>
            <TimeAgo className="call-time number faint" at={call.at} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function FailedText({ call: { error } }: { readonly call: ApiCall }): ReactElement {
  return (
    <>
      <span className="bad">{error?.code ?? "failed"}</span>{" "}
      <VisibleText>{firstLine(error?.message ?? "")}</VisibleText>
    </>
  );
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.slice(0, 300) ?? "";
}

function shortInput(input: unknown): string {
  const text = JSON.stringify(input) ?? "";
  return text === "{}" || text === "null" ? "" : text.slice(0, 300);
}

const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = MOVES[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const rows = [...event.currentTarget.querySelectorAll("button")];
  const next = rows[rows.indexOf(event.target as HTMLButtonElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
