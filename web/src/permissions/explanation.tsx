import type { ReactElement } from "react";
import type { ApiDecision, ApiExplanation } from "../../../src/core/api-page.ts";
import { Badge, type Tone } from "../components/badge.tsx";
import { CopyButton } from "../components/copy-button.tsx";
import { VisibleText } from "../components/visible-text.tsx";
import { RuleText } from "./rule-text.tsx";

const VERDICTS: Readonly<Record<ApiDecision["action"], readonly [string, Tone]>> = {
  allow: ["allowed", "ok"],
  "implicit-ask": ["needs approval", "warn"],
  ask: ["asks", "warn"],
  deny: ["denied", "bad"],
};

const OUTCOMES: Readonly<Record<ApiExplanation["outcomes"]["run"], string>> = {
  runs: "it runs",
  asks: "a person is asked",
  refused: "it is refused",
};

/** The decision on a call, its reasons, and how to allow it always. */
export function Explanation({ explanation }: { readonly explanation: ApiExplanation }): ReactElement {
  const { tool, mode, decision, decisions, outcomes, always } = explanation;
  const [verdict, tone] = VERDICTS[decision.action];
  return (
    <div className="card explanation">
      <p className="row wrap">
        <strong>
          <VisibleText>{tool}</VisibleText>
        </strong>
        <Badge tone={tone}>{verdict}</Badge>
        <span className="faint small">mode {mode}</span>
      </p>
      <ul className="stack">
        {decisions.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole.
          <DecisionLine key={index} decision={each} />
        ))}
      </ul>
      <dl className="facts">
        <dt>From this page or toolwright run</dt>
        <dd>{OUTCOMES[outcomes.run]}</dd>
        <dt>By a model</dt>
        <dd>
          {OUTCOMES[outcomes.attended]}
          {outcomes.attended !== outcomes.unattended && `; if no person can be asked, ${OUTCOMES[outcomes.unattended]}`}
        </dd>
      </dl>
      {always && (
        <div className="stack tight">
          <p className="muted break">
            To allow it always, add to “permissions” in <VisibleText>{always.file}</VisibleText>:
          </p>
          {always.rules.map((rule) => (
            <div className="command" key={JSON.stringify(rule)}>
              <code>
                <VisibleText>{JSON.stringify(rule)}</VisibleText>
              </code>
              <CopyButton text={JSON.stringify(rule)} label="rule" />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function DecisionLine({ decision: { action, reason, rule } }: { readonly decision: ApiDecision }): ReactElement {
  const [verdict, tone] = VERDICTS[action];
  return (
    <li className="stack tight">
      <span className="break">
        <Badge tone={tone}>{verdict}</Badge> <VisibleText>{reason}</VisibleText>
      </span>
      {rule && (
        <span className="row wrap small">
          <span className="faint">Rule {rule.position}:</span> <RuleText rule={rule} />
          <span className="faint break">
            {rule.file}
            {rule.line !== undefined && `:${rule.line}`}
          </span>
        </span>
      )}
    </li>
  );
}
