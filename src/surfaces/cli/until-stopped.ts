/**
 * Resolves on the first SIGINT, SIGTERM or SIGHUP, so that running calls can end. The second signal ends the process at once.
 */
export function untilStopped(): Promise<void> {
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  return new Promise((resolve) => {
    let isStopping = false;
    const onSignal = (code: number): void => {
      if (isStopping) process.exit(code);
      isStopping = true;
      resolve();
    };
    for (const [signal, code] of Object.entries(codes)) process.on(signal, () => onSignal(code));
  });
}
