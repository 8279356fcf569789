import { AsyncLocalStorage } from "node:async_hooks";
import { markFor } from "../protocol/stdio-marks.ts";

const calls = new AsyncLocalStorage<number>();

/** Runs work so that its output on stdout and stderr, also after an await, is marked as output of that call. */
export function runMarked<T>(call: number, work: () => T): T {
  return calls.run(call, work);
}

/**
 * Adds marks (see `stdio-marks.ts`) to the text that calls print to `process.stdout` and `process.stderr`. Output that
 * bypasses these streams, such as that of child processes, is not marked.
 */
export function markStdio(key: string): void {
  for (const name of ["stdout", "stderr"] as const) {
    const former = Object.getOwnPropertyDescriptor(process, name);
    if (!former?.get) continue;
    let marked: NodeJS.WriteStream | undefined;
    // Node creates the streams on first use, which takes time.
    const get = (): NodeJS.WriteStream => {
      marked ??= withMarks(former.get?.call(process) as NodeJS.WriteStream, key);
      return marked;
    };
    Object.defineProperty(process, name, { configurable: true, enumerable: true, get });
  }
}

function withMarks(stream: NodeJS.WriteStream, key: string): NodeJS.WriteStream {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  const end = markFor(key, 0);
  const marking = (chunk: unknown, ...more: unknown[]): boolean => {
    const call = calls.getStore();
    if (call === undefined) return write(chunk, ...more);
    const begin = markFor(key, call);
    // Strings in another encoding cannot be joined with marks.
    if (typeof chunk === "string" && typeof more[0] !== "string") return write(`${begin}${chunk}${end}`, ...more);
    write(begin);
    const isTaken = write(chunk, ...more);
    write(end);
    return isTaken;
  };
  stream.write = marking as typeof stream.write;
  return stream;
}
