import type { ReactElement } from "react";
import { unknownEffect } from "../../../src/core/unknown-effect.ts";
import type { EndItem } from "../../../src/sessions/log/session-item.ts";
import { Button } from "../components/button.tsx";
import { Note } from "../components/error-state.tsx";
import { duration } from "../format.ts";
import { usageText } from "./usage-text.ts";

interface EndRowProps {
  readonly item: EndItem;
  readonly isLast: boolean;
  /** Sends a message that continues the session. */
  readonly onGoOn: () => void;
}

/** The end of a turn: a thin line, or what went wrong and what to do. */
export function EndRow({ item, isLast, onGoOn }: EndRowProps): ReactElement {
  const { outcome, message, code, durationMs, usage } = item;
  const facts = [durationMs === undefined ? "" : duration(durationMs), usageText(usage)].filter((text) => text !== "");
  if (outcome === "completed" || outcome === "aborted") {
    return (
      <div className="turn-end small faint">
        <span>{[outcome === "aborted" ? "Cancelled" : "Turn ended", ...facts].join(" · ")}</span>
      </div>
    );
  }
  return (
    <Note tone={outcome === "error" ? "bad" : "warn"}>
      <p className="break">
        <strong>{outcome === "error" ? "The turn failed." : "The turn was interrupted."}</strong> {message}
        {code !== undefined && <span className="faint small"> ({code})</span>}
      </p>
      {item.unknownCalls.length > 0 && <p className="break">{unknownCallsText(item.unknownCalls)}</p>}
      {isLast && (
        <p className="row">
          <Button size="small" icon="play" onClick={onGoOn}>
            Continue
          </Button>
          <span className="small muted">or send a message of your own.</span>
        </p>
      )}
    </Note>
  );
}

function unknownCallsText(tools: readonly string[]): string {
  const names = [...new Set(tools)].join(", ");
  const running =
    tools.length === 1 ? `A call of ${names} was running.` : `${tools.length} calls were running (${names}).`;
  return `${running} ${unknownEffect(tools.length)}`;
}
