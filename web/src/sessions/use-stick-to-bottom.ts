import { type KeyboardEvent, type RefObject, type TouchEvent, useRef, useState, type WheelEvent } from "react";

/** A view that follows its end, unless the reader has scrolled up. */
interface StickToBottom {
  readonly isAtBottom: boolean;
  /** To be called after each change of the content. */
  readonly follow: () => void;
  /** Follows the end again. */
  readonly jump: () => void;
  /** Stays where it is. */
  readonly release: () => void;
  readonly handlers: {
    readonly onScroll: () => void;
    readonly onWheel: (event: WheelEvent) => void;
    readonly onTouchStart: (event: TouchEvent) => void;
    readonly onTouchMove: (event: TouchEvent) => void;
    readonly onKeyDown: (event: KeyboardEvent) => void;
  };
}

/** A distance to the end that counts as none, in pixels. */
const NEAR = 24;
const UP_KEYS: readonly string[] = ["ArrowUp", "PageUp", "Home"];

export function useStickToBottom(
  scroller: RefObject<HTMLDivElement | null>,
  { isOff }: { readonly isOff: boolean },
): StickToBottom {
  const isSticking = useRef(!isOff);
  const last = useRef({ top: 0, height: 0 });
  const touchedAt = useRef(0);
  const [isAtBottom, setAtBottom] = useState(true);
  const update = (element: HTMLDivElement): void => {
    last.current = { top: element.scrollTop, height: element.scrollHeight };
    setAtBottom(isSticking.current || isNearEnd(element));
  };
  // At once: while text streams in, the next frame would move the view to the end again before the scroll event.
  const up = (): void => {
    if ((scroller.current?.scrollTop ?? 0) > 0) isSticking.current = false;
  };
  const scrolled = (): void => {
    const element = scroller.current;
    if (!element) return;
    const { top, height } = last.current;
    // Content that shrinks moves the view up, too.
    if (element.scrollTop < top - 1 && element.scrollHeight >= height) isSticking.current = false;
    else if (element.scrollTop > top && isNearEnd(element)) isSticking.current = true;
    update(element);
  };
  const follow = (): void => {
    const element = scroller.current;
    if (!element) return;
    if (isSticking.current) element.scrollTop = element.scrollHeight;
    update(element);
  };
  const jump = (): void => {
    isSticking.current = true;
    follow();
  };
  const release = (): void => {
    isSticking.current = false;
  };
  const handlers = {
    onScroll: scrolled,
    onWheel: ({ deltaY }: WheelEvent) => deltaY < 0 && up(),
    onTouchStart: ({ touches }: TouchEvent) => {
      touchedAt.current = touches[0]?.clientY ?? 0;
    },
    onTouchMove: ({ touches }: TouchEvent) => (touches[0]?.clientY ?? 0) > touchedAt.current + 4 && up(),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.target !== event.currentTarget) return;
      if (UP_KEYS.includes(event.key)) up();
      // The slow movement of the browser stops when rows on its way turn out to be higher than they were estimated.
      if (event.key !== "End" && event.key !== "Home") return;
      event.preventDefault();
      if (event.key === "End") jump();
      else event.currentTarget.scrollTop = 0;
    },
  };
  return { isAtBottom, follow, jump, release, handlers };
}

function isNearEnd(element: HTMLDivElement): boolean {
  return element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
}
