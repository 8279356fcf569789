/**
 * Resolves to undefined if the signal fires before `work` settles. The work continues, and its outcome is ignored. Takes a
 * function, so that no work starts, with an unhandled rejection, after the signal has fired.
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
