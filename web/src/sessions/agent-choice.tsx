import { type ReactElement, useId } from "react";
import type { ApiRunnableAgent } from "../../../src/core/api-page.ts";
import { Badge } from "../components/badge.tsx";
import { Note } from "../components/error-state.tsx";

interface AgentChoiceProps {
  readonly agents: readonly ApiRunnableAgent[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}

/** The agents. Those that cannot run are shown with the reason. */
export function AgentChoice({ agents, chosen, onChoose }: AgentChoiceProps): ReactElement {
  const group = useId();
  if (agents.length === 0) return <Note tone="warn">No agent can run sessions here. See the view "Agents".</Note>;
  const ready = agents.filter(({ status }) => status === "ready");
  const others = agents.filter(({ status }) => status !== "ready");
  const options = (shown: readonly ApiRunnableAgent[]): ReactElement => (
    <div className="agent-choice">
      {shown.map((agent) => (
        <AgentOption
          key={agent.name}
          agent={agent}
          group={group}
          isChosen={agent.name === chosen}
          onChoose={() => onChoose(agent.name)}
        />
      ))}
    </div>
  );
  return (
    <fieldset className="section">
      <legend>Agent</legend>
      {ready.length === 0 && <Note tone="warn">No agent is installed. Install one of these:</Note>}
      {options(ready)}
      {others.length > 0 && (
        <details open={ready.length === 0}>
          <summary className="muted small">
            {others.length} more {others.length === 1 ? "agent" : "agents"} that cannot run yet
          </summary>
          {options(others)}
        </details>
      )}
    </fieldset>
  );
}

interface AgentOptionProps {
  readonly agent: ApiRunnableAgent;
  readonly group: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function AgentOption({ agent, group, isChosen, onChoose }: AgentOptionProps): ReactElement {
  const isReady = agent.status === "ready";
  return (
    <label className="agent-option" data-ready={isReady}>
      <input type="radio" name={group} value={agent.name} checked={isChosen} disabled={!isReady} onChange={onChoose} />
      <span className="grow stack tight">
        <span className="row">
          <span>{agent.name}</span>
          {agent.isDefault && <Badge>default</Badge>}
          {agent.version && <span className="faint small truncate">{agent.version}</span>}
        </span>
        <span className="muted small break">{reasonOf(agent)}</span>
      </span>
    </label>
  );
}

function reasonOf({ name, status, problem, install }: ApiRunnableAgent): string {
  if (status === "ready") return name === "demo" ? "Try it without a model: it follows the lines of your message." : "";
  const what = problem ?? (status === "broken" ? "It does not start." : "It is not installed.");
  return install === undefined ? what : `${what} To install it: ${install}`;
}
