/**
 * Does the work unless and until the signal fires; then the answer is undefined and the work goes on unheeded.
 * Takes a thunk: work begun before the signal was looked at would be left with nobody to hear it fail.
 */
export async function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  let stop: () => void = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener("abort", stop, { once: true });
  });
  return Promise.race([work(), aborted]).finally(() => signal.removeEventListener("abort", stop));
}
