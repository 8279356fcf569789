import { useEffect, useState } from "react";
import type { SessionFeed } from "./session-feed.ts";
import { TranscriptSearch } from "./transcript-search.ts";

export interface TranscriptMatches {
  /** The keys of the rows with a match. */
  readonly matches: readonly string[];
  readonly isDone: boolean;
}

const FRAME_BUDGET = 6;
const NOTHING: TranscriptMatches = { matches: [], isDone: true };

/** The rows that contain a text. Long transcripts are searched in parts, between which the browser draws. */
export function useTranscriptSearch(feed: SessionFeed, query: string): TranscriptMatches {
  const [search] = useState(() => new TranscriptSearch());
  const [found, setFound] = useState(NOTHING);
  const version = feed.version();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version has other items.
  useEffect(() => {
    let frame = 0;
    const step = (): void => {
      const next = search.find(feed.transcript.items, query, FRAME_BUDGET);
      setFound((old) => (next.isDone && old.isDone && isSame(old.matches, next.matches) ? old : next));
      if (!next.isDone) frame = requestAnimationFrame(step);
    };
    step();
    return () => cancelAnimationFrame(frame);
  }, [feed, search, query, version]);
  return query === "" ? NOTHING : found;
}

function isSame(first: readonly string[], second: readonly string[]): boolean {
  return first.length === second.length && first.every((key, index) => key === second[index]);
}
