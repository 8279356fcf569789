import type { ReactElement } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

interface ErrorStateProps {
  readonly title: string;
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}

/** Shown where a view failed. The message of an error of the server says what to do. */
export function ErrorState({ title, error, onRetry }: ErrorStateProps): ReactElement {
  return (
    <div className="state" role="alert">
      <Icon name="alert" size={24} />
      <h2>{title}</h2>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {onRetry && (
        <div className="row">
          <Button icon="refresh" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}

/** A message about something that needs attention, within a view that works. */
export function Note({
  tone = "neutral",
  children,
}: {
  readonly tone?: "neutral" | "warn" | "bad";
  readonly children: React.ReactNode;
}): ReactElement {
  return (
    <div className="note" data-tone={tone}>
      <Icon name={tone === "neutral" ? "info" : "alert"} />
      <div className="grow">{children}</div>
    </div>
  );
}
