import type { ReactElement } from "react";
import type { ApiCall } from "../../../src/core/api-page.ts";
import type { Caller } from "../../../src/core/caller.ts";
import { Badge } from "../components/badge.tsx";
import { CopyButton } from "../components/copy-button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { JsonTree } from "../components/json-tree.tsx";
import { VisibleText } from "../components/visible-text.tsx";
import { duration } from "../format.ts";
import { Link, pathTo } from "../router.ts";
import { explainPath } from "../tools/explain-path.ts";

/** The session that calls without one share is not recorded. */
const SHARED_SESSION = "default";

/** One entry of the audit log. */
export function CallDetails({ call, onClose }: { readonly call: ApiCall; readonly onClose: () => void }): ReactElement {
  const { tool, callID, sessionID, parentID, at, durationMs, ok, error, input } = call;
  return (
    <Dialog title="Call" onClose={onClose}>
      <div className="stack">
        <dl className="facts">
          <dt>Tool</dt>
          <dd>
            <Link to={pathTo("tools", tool)}>
              <VisibleText>{tool}</VisibleText>
            </Link>
          </dd>
          <dt>Outcome</dt>
          <dd>
            <Badge tone={ok ? "ok" : "bad"}>{ok ? "ok" : (error?.code ?? "failed")}</Badge>
          </dd>
          {error && (
            <>
              <dt>Message</dt>
              <dd className="call-message">{error.message}</dd>
            </>
          )}
          <dt>Duration</dt>
          <dd>{duration(durationMs)}</dd>
          <dt>Ended</dt>
          <dd>{new Date(at).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium", hour12: false })}</dd>
          <dt>Session</dt>
          <dd>
            {sessionID === SHARED_SESSION ? (
              <span className="muted">none</span>
            ) : (
              <Link to={pathTo("sessions", sessionID)}>
                <VisibleText>{sessionID}</VisibleText>
              </Link>
            )}
          </dd>
          <dt>Called by</dt>
          <dd>
            <CalledBy call={call} />
          </dd>
          {parentID !== undefined && (
            <>
              <dt>Made by call</dt>
              <dd className="mono">
                <VisibleText>{parentID}</VisibleText>
              </dd>
            </>
          )}
          <dt>Call</dt>
          <dd className="mono">
            <VisibleText>{callID}</VisibleText>
          </dd>
        </dl>
        <section className="section">
          <header>
            <h3 className="grow">Input, as the audit log has it</h3>
            <CopyButton text={() => JSON.stringify(call, null, 2)} label="entry as JSON" />
          </header>
          <JsonTree value={input} label="Input of the call" />
          <p className="small faint">Secrets are masked as ***. Long texts are cut.</p>
          <p>
            <Link to={explainPath(tool, input)}>Which rule decides about this call?</Link>
          </p>
        </section>
      </div>
    </Dialog>
  );
}

const CALLERS: Readonly<Record<Caller, string>> = {
  page: "this page",
  http: "a client of the REST API",
  cli: "toolwright run",
  chat: "you, in toolwright chat",
  mcp: "an MCP client",
  agent: "an agent of a session",
  library: "a program that uses the library",
};

function CalledBy({ call: { caller, agent } }: { readonly call: ApiCall }): ReactElement {
  if (agent === "" && caller === undefined)
    return <span className="muted">unknown: recorded by an earlier version</span>;
  return (
    <>
      {agent !== "" && (
        <>
          <VisibleText>{agent}</VisibleText>
          {caller !== undefined && ", "}
        </>
      )}
      {caller !== undefined && <span className={agent === "" ? undefined : "muted"}>{CALLERS[caller]}</span>}
    </>
  );
}
