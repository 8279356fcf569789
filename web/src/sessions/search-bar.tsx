import { type ReactElement, type RefObject, useEffect } from "react";
import { Button } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import type { TranscriptMatches } from "./use-transcript-search.ts";

interface SearchBarProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly query: string;
  readonly found: TranscriptMatches;
  /** The index of the current match; -1 if there is none. */
  readonly current: number;
  readonly onQuery: (query: string) => void;
  readonly onMove: (step: 1 | -1) => void;
  readonly onClose: () => void;
}

/** The search in a transcript. */
export function SearchBar({ field, query, found, current, onQuery, onMove, onClose }: SearchBarProps): ReactElement {
  useEffect(() => field.current?.select(), [field]);
  return (
    <search className="search-bar">
      <div className="search">
        <Icon name="search" />
        <input
          ref={field}
          className="input"
          type="text"
          aria-label="Search in this transcript"
          placeholder="Search in this transcript"
          value={query}
          onChange={(event) => onQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" || event.key === "F3") onMove(event.shiftKey ? -1 : 1);
            else if (event.key === "Escape") onClose();
            else return;
            event.preventDefault();
          }}
        />
      </div>
      <span className="small muted search-count" role="status">
        {countText(query, found, current)}
      </span>
      <Button
        kind="quiet"
        aria-label="Previous match (N)"
        onClick={() => onMove(-1)}
        disabled={found.matches.length === 0}
      >
        <span className="upside-down">
          <Icon name="down" />
        </span>
      </Button>
      <Button
        kind="quiet"
        icon="down"
        aria-label="Next match (n)"
        onClick={() => onMove(1)}
        disabled={found.matches.length === 0}
      />
      <Button kind="quiet" icon="close" aria-label="Close the search" onClick={onClose} />
    </search>
  );
}

function countText(query: string, { matches, isDone }: TranscriptMatches, current: number): string {
  if (query === "") return "";
  if (matches.length === 0) return isDone ? "No match" : "Searching…";
  const total = `${matches.length.toLocaleString("en")}${isDone ? "" : "…"}`;
  return current === -1 ? `${total} ${matches.length === 1 ? "match" : "matches"}` : `${current + 1} of ${total}`;
}
