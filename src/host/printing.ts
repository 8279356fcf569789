import { AsyncLocalStorage } from "node:async_hooks";
import { markFor } from "./print-marks.ts";

const calls = new AsyncLocalStorage<number>();

/** Whatever the work prints, also after an await, is marked as printed by that call. */
export function printingFor<T>(call: number, work: () => T): T {
  return calls.run(call, work);
}

/**
 * From now on what is printed by way of `process.stdout` and `process.stderr`, as the console does, carries marks. What
 * goes past them, the output of child processes say, is taken for the call that printed last.
 */
export function markPrints(): void {
  for (const name of ["stdout", "stderr"] as const) {
    const former = Object.getOwnPropertyDescriptor(process, name);
    if (!former?.get) continue;
    let marked: NodeJS.WriteStream | undefined;
    // The streams are made when they are first asked for, which takes a while.
    const get = (): NodeJS.WriteStream => {
      marked ??= withMarks(former.get?.call(process) as NodeJS.WriteStream);
      return marked;
    };
    Object.defineProperty(process, name, { configurable: true, enumerable: true, get });
  }
}

function withMarks(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  let last = 0;
  const marking = (...args: unknown[]): boolean => {
    const call = calls.getStore() ?? 0;
    if (call !== last) write(markFor(call));
    last = call;
    return write(...args);
  };
  stream.write = marking as typeof stream.write;
  return stream;
}
