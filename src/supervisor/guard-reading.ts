import type { ChildProcess } from "node:child_process";

/**
 * Node parses what comes from a child where nobody can catch what that throws. A tool that writes to the channel of its
 * own process must not end ours, so the reading is wrapped; `broken` is called instead.
 */
export function guardReading(child: ChildProcess, broken: (error: unknown) => void): void {
  const handle = channelOf(child);
  const read = handle?.onread;
  if (!handle || !read) return;
  handle.onread = (...args) => {
    try {
      return read.apply(handle, args);
    } catch (error) {
      return broken(error);
    }
  };
}

interface Reading {
  onread?: (...args: unknown[]) => unknown;
}

/** There is no public way to it; where it is not found, nothing is guarded. */
function channelOf(child: ChildProcess): Reading | undefined {
  const symbol = Object.getOwnPropertySymbols(child).find(({ description }) => description === "kChannelHandle");
  return symbol && (child as unknown as Record<symbol, Reading | undefined>)[symbol];
}
