/** Rejects with the signal's reason, an error, if it fires before `work` is done. The work continues, and its outcome is ignored. */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abandon = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", abandon, { once: true });
    work
      .then((value) => (signal.aborted ? abandon() : resolve(value)), reject)
      .finally(() => signal.removeEventListener("abort", abandon));
    if (signal.aborted) abandon();
  });
}

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
