import { timerDelay } from "./max-delay.ts";

/**
 * Settles as `work` does, but after `ms` at the latest: then it resolves to what `late` returns, or rejects with what it throws.
 * The work continues, and its outcome is ignored. With `ref: false`, the time limit does not keep the process alive.
 */
export async function within<T, L = undefined>(
  ms: number,
  work: Promise<T>,
  late?: () => L,
  { ref = true }: { readonly ref?: boolean } = {},
): Promise<T | L> {
  const { promise: elapsed, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timerDelay(ms));
  if (!ref) timer.unref();
  try {
    return (await Promise.race([work, elapsed.then(late)])) as T | L;
  } finally {
    clearTimeout(timer);
  }
}
