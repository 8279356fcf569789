import type { ReactElement } from "react";
import type { ApiPermissions } from "../../../src/core/api-page.ts";
import { Badge, Spinner } from "../components/badge.tsx";
import { Command } from "../components/copy-button.tsx";
import { ErrorState, Note } from "../components/error-state.tsx";
import { useClient, useResource } from "../server.ts";
import { ExplainForm } from "./explain-form.tsx";
import { GivenAnswers } from "./given-answers.tsx";
import { RuleList } from "./rule-list.tsx";
import "./permissions.css";

const MODES: Readonly<Record<ApiPermissions["mode"], string>> = {
  default: "Reading inside the project is allowed. Everything else that no rule covers needs approval.",
  acceptEdits:
    "Reading and changing files inside the project is allowed. Everything else that no rule covers needs approval.",
  plan: "Only calls that declare what they touch, and only read, are allowed.",
  bypass: "Everything that no rule covers is allowed.",
};

/** The view "Permissions": the rules, which of them decides about a call, the answers given, and how to take them back. */
export function PermissionsView(): ReactElement {
  const client = useClient();
  const { value, error, loading, refetch } = useResource((signal) => client.permissions({ signal }), {
    events: ["permissions", "answer", "tools"],
  });
  return (
    <div className="pane grow">
      <div className="pane-head">
        <h1 className="grow">Permissions</h1>
        {loading && <Spinner />}
      </div>
      <div className="pane-body padded">
        {!value && error && <ErrorState title="The rules cannot be read" error={error} onRetry={refetch} />}
        {value && (
          <div className="column">
            <Mode permissions={value} />
            <RuleList permissions={value} onRemoved={refetch} />
            <ExplainForm />
            <GivenAnswers onTakenBack={refetch} />
          </div>
        )}
      </div>
    </div>
  );
}

function Mode({
  permissions: { mode, modes, ignored, trust },
}: {
  readonly permissions: ApiPermissions;
}): ReactElement {
  const unused = ignored.filter((key) => key === "permissions" || key === "mode");
  return (
    <section className="section" aria-labelledby="mode">
      <h2 id="mode" className="row">
        Mode <Badge tone={mode === "bypass" ? "warn" : "accent"}>{mode}</Badge>
      </h2>
      <p className="muted">{MODES[mode]}</p>
      {modes.project !== undefined && (
        <p className="muted">
          Yours is {modes.user}, the project's is {modes.project}: the stricter one applies.
        </p>
      )}
      {unused.length > 0 && (
        <Note tone="warn">
          This project is not trusted, so these of its settings are ignored: {unused.join(", ")}. If you trust it, run:
          <Command>{trust ?? "toolwright trust"}</Command>
        </Note>
      )}
    </section>
  );
}
