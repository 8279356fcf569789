import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type ReactElement, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type { SessionView } from "../../../src/sessions/log/session-view.ts";
import { Button } from "../components/button.tsx";
import { estimateHeight } from "./estimate-height.ts";
import { clearHighlight, highlight } from "./highlight.ts";
import { type RowActions, TranscriptRow } from "./transcript-row.tsx";
import { useStickToBottom } from "./use-stick-to-bottom.ts";

interface TranscriptViewProps {
  readonly sessionID: string;
  readonly transcript: SessionView;
  /** The row to show: a match of the search, or the target of the address. `count` changes to show it again. */
  readonly target: { readonly key: string; readonly count: number } | undefined;
  /** The text that is highlighted. */
  readonly query: string;
  readonly actions: Omit<RowActions, "toggle">;
}

/** The rows of a transcript. Only those in view, and open questions, are drawn. */
export function TranscriptView({ sessionID, transcript, target, query, actions }: TranscriptViewProps): ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const { items } = transcript;
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [rowActions] = useState<RowActions>(() => ({
    ...actions,
    toggle: (key, isOpen) => setOpened((old) => new Map(old).set(key, isOpen)),
  }));
  const stick = useStickToBottom(scroller, { isOff: target !== undefined });
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => items[index]?.key ?? index,
    estimateSize: (index) => estimateHeight(items[index]),
    overscan: 6,
    rangeExtractor: (range) => withOpenQuestions(range, transcript),
  });

  // Before the browser draws, so that new text does not flicker below the edge.
  useLayoutEffect(() => stick.follow());

  // A queued message or a longer draft takes room from the transcript, which must not hide an open question.
  const follow = useEffectEvent(() => stick.follow());
  useEffect(() => {
    if (!scroller.current) return;
    const observer = new ResizeObserver(() => follow());
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new target moves the view.
  useEffect(() => {
    const place = target === undefined ? undefined : transcript.placeOf(target.key);
    if (place === undefined) return;
    stick.release();
    virtualizer.scrollToIndex(place, { align: "center" });
  }, [target?.key, target?.count]);

  useEffect(() => {
    if (scroller.current) highlight(scroller.current, query);
  });
  useEffect(() => clearHighlight, []);

  const [firstQuestion] = transcript.openQuestions;
  const question = firstQuestion && transcript.placeOf(firstQuestion.key);
  return (
    <div className="transcript-frame">
      <div
        ref={scroller}
        className="transcript"
        role="log"
        aria-live="off"
        aria-label="Transcript"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled by keyboard.
        tabIndex={0}
        {...stick.handlers}
      >
        <div className="transcript-rows" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ key, index, start }) => {
            const item = items[index];
            if (!item) return null;
            return (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className="transcript-place"
                style={{ transform: `translateY(${start}px)` }}
              >
                <TranscriptRow
                  sessionID={sessionID}
                  item={item}
                  isOpen={opened.get(item.key) ?? (item.key === target?.key && query !== "")}
                  isMarked={item.key === target?.key}
                  isLast={index === items.length - 1}
                  actions={rowActions}
                />
              </div>
            );
          })}
        </div>
      </div>
      {!stick.isAtBottom && items.length > 0 && (
        <div className="jump-buttons">
          {question !== undefined && (
            <Button
              kind="primary"
              icon="question"
              onClick={() => virtualizer.scrollToIndex(question, { align: "center" })}
            >
              A question waits
            </Button>
          )}
          <Button icon="down" onClick={stick.jump}>
            Jump to latest
          </Button>
        </div>
      )}
    </div>
  );
}

/** What a person has typed into a question stays, wherever they scroll. */
function withOpenQuestions(range: Range, transcript: SessionView): number[] {
  const shown = defaultRangeExtractor(range);
  const open = transcript.openQuestions.flatMap(({ key }) => transcript.placeOf(key) ?? []);
  return [...new Set([...shown, ...open])].sort((a, b) => a - b);
}
