import { type ReactElement, type ReactNode, useState } from "react";
import type { ApiSessionDetails } from "../../../src/core/api-sessions.ts";
import type { SessionStatus } from "../../../src/core/session-log.ts";
import { Badge } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Note } from "../components/error-state.tsx";
import { Icon } from "../components/icon.tsx";
import { VisibleText } from "../components/visible-text.tsx";
import { timeText } from "../format.ts";
import { Link, pathTo } from "../router.ts";
import { MODES } from "./modes.ts";
import { SessionGrants } from "./session-grants.tsx";
import { StatusBadge } from "./session-status.tsx";

interface SessionHeadProps {
  readonly id: string;
  readonly details: ApiSessionDetails | undefined;
  readonly status: SessionStatus;
  readonly queuePosition: number | undefined;
  readonly usage: string;
  readonly onSearch: () => void;
  readonly onBranch: () => void;
  readonly onRemove: () => Promise<void>;
  readonly onChanged: () => void;
}

/** The title of a session, its state, and what can be done with it. */
export function SessionHead(props: SessionHeadProps): ReactElement {
  const { id, details, status, queuePosition, onSearch } = props;
  const [open, setOpen] = useState<"details" | "remove">();
  const close = (): void => setOpen(undefined);
  return (
    <header className="pane-head session-head">
      <Link className="button back-link" data-kind="quiet" to={pathTo("sessions")} aria-label="Back to the list">
        <Icon name="back" />
      </Link>
      <h1 className="truncate grow" title={details?.title ?? id}>
        <VisibleText>{details?.title || id}</VisibleText>
      </h1>
      {details?.permissionMode === "bypass" && (
        <Badge tone="bad" title={MODES.bypass.explanation}>
          bypass
        </Badge>
      )}
      <StatusBadge status={status} queuePosition={queuePosition} />
      <Button kind="quiet" icon="search" aria-label="Search in this transcript (/)" onClick={onSearch} />
      <Button kind="quiet" icon="more" aria-label="Details and actions" onClick={() => setOpen("details")} />
      {open === "details" && (
        <Dialog title="Session" onClose={close}>
          <Details {...props} onAskRemove={() => setOpen("remove")} onClose={close} />
        </Dialog>
      )}
      {open === "remove" && <RemoveDialog {...props} onClose={close} />}
    </header>
  );
}

function Details({
  id,
  details,
  usage,
  onBranch,
  onChanged,
  onAskRemove,
  onClose,
}: SessionHeadProps & { readonly onAskRemove: () => void; readonly onClose: () => void }): ReactElement {
  const exportOf = (format: string): string => `/api/sessions/${encodeURIComponent(id)}/export?format=${format}`;
  return (
    <div className="stack">
      {details && <Facts details={details} usage={usage} onClose={onClose} />}
      {details && <SessionGrants sessionID={id} grants={details.grants} onChanged={onChanged} />}
      <div className="row wrap">
        <a className="button" href={exportOf("markdown")} download>
          <Icon name="download" /> Markdown
        </a>
        <a className="button" href={exportOf("jsonl")} download>
          <Icon name="download" /> JSON lines
        </a>
        <Button
          icon="branch"
          onClick={() => {
            onClose();
            onBranch();
          }}
        >
          Branch
        </Button>
        <Link className="button" to={pathTo("calls", undefined, { session: id, range: "30d" })} onClick={onClose}>
          <Icon name="calls" /> Calls
        </Link>
        <Button kind="danger" icon="trash" onClick={onAskRemove}>
          Delete
        </Button>
      </div>
    </div>
  );
}

function Facts({
  details,
  usage,
  onClose,
}: {
  readonly details: ApiSessionDetails;
  readonly usage: string;
  readonly onClose: () => void;
}): ReactElement {
  const { id, agent, model, directory, permissionMode, tools, createdAt, position, branchOf, parent } = details;
  const source = branchOf?.sessionID ?? parent?.sessionID;
  const facts: readonly (readonly [string, ReactNode])[] = [
    ["Id", <VisibleText key="id">{id}</VisibleText>],
    ["Agent", [agent, model].filter(Boolean).join(", ")],
    ["Directory", directory],
    [
      "Mode",
      permissionMode ? `${MODES[permissionMode].label}: ${MODES[permissionMode].explanation}` : "That of the settings",
    ],
    ["Tools", tools?.join(", ") ?? "All"],
    ["Created", timeText(createdAt)],
    ["Events", position.toLocaleString("en")],
    ["Tokens", usage],
    [
      branchOf ? "Branch of" : "Sub-agent of",
      source && (
        <Link
          key="source"
          to={pathTo("sessions", source, { at: branchOf && String(branchOf.position) })}
          onClick={onClose}
        >
          {source}
        </Link>
      ),
    ],
  ];
  return (
    <dl className="facts">
      {facts.flatMap(([name, value]) => {
        if (!value) return [];
        return [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>];
      })}
    </dl>
  );
}

function RemoveDialog({
  id,
  details,
  status,
  onRemove,
  onClose,
}: SessionHeadProps & { readonly onClose: () => void }): ReactElement {
  const [error, setError] = useState<string>();
  const remove = (): void => {
    onRemove().catch((thrown: unknown) => setError(thrown instanceof Error ? thrown.message : String(thrown)));
  };
  return (
    <Dialog title="Delete this session?" onClose={onClose}>
      <div className="stack">
        <p className="break">
          <strong>
            <VisibleText>{details?.title || id}</VisibleText>
          </strong>{" "}
          and all its {details?.position.toLocaleString("en")} events are deleted. This cannot be undone.
        </p>
        {(status === "running" || status === "waiting") && <Note tone="warn">A turn runs. Cancel it first.</Note>}
        {error !== undefined && (
          <div role="alert">
            <Note tone="bad">{error}</Note>
          </div>
        )}
        <div className="row">
          <Button kind="danger" icon="trash" onClick={remove}>
            Delete
          </Button>
          <Button onClick={onClose}>Keep it</Button>
        </div>
      </div>
    </Dialog>
  );
}
