import type { ReactElement } from "react";
import type { ApiConfiguredAgent } from "../../../src/core/api-page.ts";
import { Badge, type Tone } from "../components/badge.tsx";
import { Command } from "../components/copy-button.tsx";
import { Note } from "../components/error-state.tsx";
import { VisibleText } from "../components/visible-text.tsx";

type Installation = ApiConfiguredAgent["installations"][number];

const LABELS: Readonly<Record<Installation["status"], readonly [string, Tone]>> = {
  ok: ["has your tools", "ok"],
  stale: ["its command is missing files", "bad"],
  off: ["disabled there", "warn"],
  foreign: ["another server has the name", "warn"],
};

export function ConfiguredAgent({ agent }: { readonly agent: ApiConfiguredAgent }): ReactElement {
  const { name, present, installations, problems, install } = agent;
  const isInstalled = installations.some(({ status }) => status === "ok");
  return (
    <li className="agent">
      <div className="row wrap">
        <h3>{name}</h3>
        {!present && <Badge>not found</Badge>}
        {present && installations.length === 0 && <Badge>without your tools</Badge>}
      </div>
      {installations.map((each) => (
        <InstallationLine key={`${each.file} ${each.name}`} installation={each} />
      ))}
      {problems.map((problem) => (
        <Note key={problem} tone="warn">
          {problem}
        </Note>
      ))}
      {!isInstalled && <Command>{install}</Command>}
    </li>
  );
}

function InstallationLine({ installation }: { readonly installation: Installation }): ReactElement {
  const { status, file, level, name } = installation;
  const [label, tone] = LABELS[status];
  return (
    <div className="row wrap">
      <Badge tone={tone}>{label}</Badge>
      <span className="muted small break">
        {level === "project" ? "for this project" : "for all projects"}, as <VisibleText>{name}</VisibleText> in{" "}
        <code>
          <VisibleText>{file}</VisibleText>
        </code>
      </span>
    </div>
  );
}
