import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactElement, type ReactNode, useEffect, useRef } from "react";

interface VirtualListProps<T> {
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  /** The height in pixels. */
  readonly rowHeight: (row: T) => number;
  readonly children: (row: T, index: number) => ReactNode;
  /** The row that is kept in view when it changes. */
  readonly current?: number | undefined;
  readonly className?: string;
}

/** Draws only the rows that are in view. */
export function VirtualList<T>(props: VirtualListProps<T>): ReactElement {
  const { rows, rowKey, rowHeight, children, current = -1, className = "" } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => keyAt(rows, index, rowKey),
    estimateSize: (index) => {
      const row = rows[index];
      return row === undefined ? 0 : rowHeight(row);
    },
    overscan: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows may have changed their heights.
  useEffect(() => virtualizer.measure(), [rows, virtualizer]);
  useEffect(() => {
    if (current >= 0) virtualizer.scrollToIndex(current);
  }, [current, virtualizer]);
  return (
    <div ref={scroller} className={`pane-body ${className}`}>
      <div style={{ height: virtualizer.getTotalSize(), position: "relative" }}>
        {virtualizer.getVirtualItems().map(({ key, index, start, size }) => {
          const row = rows[index];
          return (
            <div
              key={key}
              style={{
                position: "absolute",
                insetInline: 0,
                top: 0,
                height: size,
                transform: `translateY(${start}px)`,
              }}
            >
              {row !== undefined && children(row, index)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function keyAt<T>(rows: readonly T[], index: number, rowKey: (row: T) => string): string {
  const row = rows[index];
  return row === undefined ? String(index) : rowKey(row);
}
