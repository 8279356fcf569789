import type { ReactElement } from "react";
import type { ApiAgents } from "../../../src/core/api-page.ts";
import { Spinner } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { ErrorState } from "../components/error-state.tsx";
import { useClient, useResource } from "../server.ts";
import { ConfiguredAgent } from "./configured-agent.tsx";
import { RunnableAgent } from "./runnable-agent.tsx";
import "./agents.css";

/** The view "Agents": which run sessions here, and which have the tools. */
export function AgentsView(): ReactElement {
  const client = useClient();
  const { value, error, loading, refetch } = useResource((signal) => client.agents({ signal }), {
    events: ["permissions"],
  });
  return (
    <div className="pane grow">
      <div className="pane-head">
        <h1 className="grow">Agents</h1>
        {loading && <Spinner />}
        <Button kind="quiet" icon="refresh" aria-label="Look again" onClick={refetch} />
      </div>
      <div className="pane-body padded">
        {!value && error && <ErrorState title="The agents cannot be listed" error={error} onRetry={refetch} />}
        {value && <Agents agents={value} />}
      </div>
    </div>
  );
}

function Agents({ agents: { runnable, configured } }: { readonly agents: ApiAgents }): ReactElement {
  const ready = runnable.filter(({ status }) => status === "ready");
  const others = runnable.filter(({ status }) => status !== "ready");
  const found = configured.filter(({ present, installations }) => present || installations.length > 0);
  const missing = configured.filter((agent) => !found.includes(agent));
  return (
    <div className="column agents-column">
      <section className="section" aria-labelledby="runnable">
        <h2 id="runnable">Agents that run sessions here</h2>
        <p className="muted">
          {ready.length === 1 ? "One agent can" : `${ready.length} agents can`} be chosen for a new session. To use
          another one, install what it needs. The setting <code>agents.default</code> names the default.
        </p>
        <ul className="agent-list">
          {[...ready, ...others].map((agent) => (
            <RunnableAgent key={agent.name} agent={agent} />
          ))}
        </ul>
      </section>
      <section className="section" aria-labelledby="configured">
        <h2 id="configured">Agents on this machine that can call your tools</h2>
        <p className="muted">
          They start <code>toolwright mcp</code> themselves, once it is in their configuration.
        </p>
        {found.length === 0 && <p>None of the {configured.length} supported agents was found on this machine.</p>}
        <ul className="agent-list">
          {found.map((agent) => (
            <ConfiguredAgent key={agent.id} agent={agent} />
          ))}
        </ul>
        {missing.length > 0 && (
          <details>
            <summary>{missing.length} more agents, which were not found on this machine</summary>
            <ul className="agent-list">
              {missing.map((agent) => (
                <ConfiguredAgent key={agent.id} agent={agent} />
              ))}
            </ul>
          </details>
        )}
      </section>
    </div>
  );
}
