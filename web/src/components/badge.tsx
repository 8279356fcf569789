import type { ReactElement, ReactNode } from "react";

export type Tone = "neutral" | "accent" | "ok" | "warn" | "bad";

export function Badge({
  tone = "neutral",
  title,
  children,
}: {
  readonly tone?: Tone;
  readonly title?: string | undefined;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <span className="badge" data-tone={tone} title={title}>
      {children}
    </span>
  );
}

/** A colored dot. The text beside it must say the same. */
export function Dot({ tone = "neutral", pulse }: { readonly tone?: Tone; readonly pulse?: boolean }): ReactElement {
  return <span className="dot" data-tone={tone} data-pulse={pulse || undefined} aria-hidden="true" />;
}

export function Spinner({ label = "Loading" }: { readonly label?: string }): ReactElement {
  return <span className="spinner" role="img" aria-label={label} />;
}
