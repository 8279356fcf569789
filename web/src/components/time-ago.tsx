import { type ReactElement, useSyncExternalStore } from "react";
import { timeAgo, timeText } from "../format.ts";

const TICK_MS = 30_000;

/** A time as people say it. It is drawn again as time passes. */
export function TimeAgo({ at, className }: { readonly at: number; readonly className?: string }): ReactElement {
  const text = useSyncExternalStore(subscribe, () => timeAgo(at));
  return (
    <time className={className} dateTime={new Date(at).toISOString()} title={timeText(at)}>
      {text}
    </time>
  );
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all that are shown. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of [...listeners]) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
