import type { ReactElement } from "react";
import type { ApiRunnableAgent } from "../../../src/core/api-page.ts";
import { Badge, type Tone } from "../components/badge.tsx";
import { Command } from "../components/copy-button.tsx";
import { VisibleText } from "../components/visible-text.tsx";

const LABELS: Readonly<Record<ApiRunnableAgent["status"], readonly [string, Tone]>> = {
  ready: ["ready", "ok"],
  not_installed: ["not installed", "neutral"],
  broken: ["broken", "bad"],
};

export function RunnableAgent({ agent }: { readonly agent: ApiRunnableAgent }): ReactElement {
  const { name, status, version, problem, install, isDefault } = agent;
  const [label, tone] = LABELS[status];
  return (
    <li className="agent">
      <div className="row wrap">
        <h3>
          <VisibleText>{name}</VisibleText>
        </h3>
        <Badge tone={tone}>{label}</Badge>
        {isDefault && <Badge tone="accent">default</Badge>}
        {version !== undefined && <span className="faint small">{version}</span>}
      </div>
      {name === "demo" && (
        <p className="muted">It needs no model and no account: each line of your message is one step.</p>
      )}
      {problem !== undefined && <p className="muted break">{problem}</p>}
      {install !== undefined && <Command>{install}</Command>}
    </li>
  );
}
