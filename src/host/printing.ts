import { AsyncLocalStorage } from "node:async_hooks";
import { markFor } from "../protocol/print-marks.ts";

const calls = new AsyncLocalStorage<number>();

/** Whatever the work prints, also after an await, is marked as printed by that call. */
export function printingFor<T>(call: number, work: () => T): T {
  return calls.run(call, work);
}

/**
 * From now on what is printed by way of `process.stdout` and `process.stderr`, as the console does, stands between marks
 * with that key. What goes past them, the output of child processes say, is nobody's: it must not come to somebody whom
 * it does not concern.
 */
export function markPrints(key: string): void {
  for (const name of ["stdout", "stderr"] as const) {
    const former = Object.getOwnPropertyDescriptor(process, name);
    if (!former?.get) continue;
    let marked: NodeJS.WriteStream | undefined;
    // The streams are made when they are first asked for, which takes a while.
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
    // Text in another encoding is no text yet.
    if (typeof chunk === "string" && typeof more[0] !== "string") return write(`${begin}${chunk}${end}`, ...more);
    write(begin);
    const isTaken = write(chunk, ...more);
    write(end);
    return isTaken;
  };
  stream.write = marking as typeof stream.write;
  return stream;
}
