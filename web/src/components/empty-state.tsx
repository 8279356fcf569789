import type { ReactElement, ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

interface EmptyStateProps {
  readonly icon?: IconName;
  readonly title: string;
  /** Whether something is being read. It is shown after a moment. */
  readonly loading?: boolean;
  /** What to do next. */
  readonly children?: ReactNode;
}

/** Shown where a view has nothing to show. */
export function EmptyState({ icon, title, loading = false, children }: EmptyStateProps): ReactElement {
  return (
    <div className="state" data-loading={loading || undefined}>
      {icon && <Icon name={icon} size={24} />}
      <h2>{title}</h2>
      {children !== undefined && <div>{children}</div>}
    </div>
  );
}
