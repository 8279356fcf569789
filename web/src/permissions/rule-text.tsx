import type { ReactElement } from "react";
import type { LoggedRule } from "../../../src/core/question.ts";
import { Badge, type Tone } from "../components/badge.tsx";
import { VisibleText } from "../components/visible-text.tsx";

const TONES: Readonly<Record<LoggedRule["action"], Tone>> = { allow: "ok", ask: "warn", deny: "bad" };

/** A rule as a sentence: "allow bash for git push, agent build". */
export function RuleText({ rule: { tool, match, agent, action } }: { readonly rule: LoggedRule }): ReactElement {
  return (
    <span className="row wrap rule-text">
      <Badge tone={TONES[action]}>{action}</Badge>
      <code>
        <VisibleText>{tool}</VisibleText>
      </code>
      {match !== undefined && (
        <>
          <span className="muted">for</span>
          <code>
            <VisibleText>{match}</VisibleText>
          </code>
        </>
      )}
      {agent !== undefined && (
        <>
          <span className="muted">by agent</span>
          <code>
            <VisibleText>{agent}</VisibleText>
          </code>
        </>
      )}
    </span>
  );
}
