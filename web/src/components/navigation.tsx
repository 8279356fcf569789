import type { ReactElement } from "react";
import { Link, pathTo, type ViewName } from "../router.ts";
import { ConnectionState } from "./connection-state.tsx";
import { Icon } from "./icon.tsx";
import { Keys } from "./keys.tsx";
import { PageTools } from "./page-tools.tsx";

const LABELS: readonly (readonly [ViewName, string])[] = [
  ["tools", "Tools"],
  ["sessions", "Sessions"],
  ["calls", "Calls"],
  ["agents", "Agents"],
  ["permissions", "Permissions"],
];

interface NavigationProps {
  readonly current: ViewName | undefined;
  /** Numbers beside the names, such as open questions. */
  readonly counts?: Partial<Record<ViewName, number>>;
  readonly onHelp: () => void;
}

/** The views, at the left or, on narrow screens, at the bottom. */
export function Navigation({ current, counts = {}, onHelp }: NavigationProps): ReactElement {
  return (
    <nav className="nav" aria-label="Views">
      <Brand />
      <div className="nav-links">
        {LABELS.map(([view, label]) => (
          <Link key={view} className="nav-link" to={pathTo(view)} aria-current={view === current ? "page" : undefined}>
            <Icon name={view} />
            <span>{label}</span>
            {counts[view] ? (
              <span className="badge nav-badge" data-tone="warn">
                {counts[view]}
                <span className="visually-hidden"> waiting for you</span>
              </span>
            ) : (
              <Keys of={`g ${view[0]}`} />
            )}
          </Link>
        ))}
      </div>
      <div className="nav-foot">
        <ConnectionState />
        <PageTools onHelp={onHelp} />
      </div>
    </nav>
  );
}

export function Brand(): ReactElement {
  return (
    <Link className="brand" to={pathTo("tools")} aria-label="Toolwright, to the tools">
      <svg width="18" height="18" viewBox="0 0 18 18" fill="none" aria-hidden="true">
        <rect x="1" y="1" width="16" height="16" rx="4.5" fill="currentColor" />
        <path d="M5 6h8M9 6v7" stroke="var(--bg-nav)" strokeWidth="2" strokeLinecap="round" />
      </svg>
      Toolwright
    </Link>
  );
}
