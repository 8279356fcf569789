import { useState } from "react";
import type { SessionFeed } from "./session-feed.ts";

interface Target {
  readonly key: string;
  /** Changes to show the same row again. */
  readonly count: number;
}

interface TargetOptions {
  /** The position that the address names. */
  readonly at: number | undefined;
  readonly matches: readonly string[];
  readonly query: string;
}

/** The row that the view shows: the match of a search that is moved through, else the one that the address names. */
export function useTarget(
  { transcript, state }: SessionFeed,
  { at, matches, query }: TargetOptions,
): { readonly target: Target | undefined; readonly current: number; readonly move: (step: 1 | -1) => void } {
  const [moved, setMoved] = useState<Target & { readonly query: string }>();
  const isLoaded = at !== undefined && (transcript.position >= at || state.kind !== "loading");
  const named = isLoaded ? transcript.items[transcript.placeAt(at)] : undefined;
  const isMoved = moved !== undefined && moved.query === query && query !== "";
  const current = isMoved ? matches.indexOf(moved.key) : -1;
  const move = (step: 1 | -1): void => {
    const from = isMoved ? current : step === 1 ? -1 : 0;
    const key = matches[(from + step + matches.length) % matches.length];
    if (key !== undefined) setMoved((old) => ({ key, query, count: (old?.count ?? 0) + 1 }));
  };
  if (isMoved) return { target: moved, current, move };
  return { target: named && { key: named.key, count: 0 }, current, move };
}
