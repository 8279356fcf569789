/**
 * Settles when the process is told to stop: what is running may then end in its own time. Told a second time, the
 * process ends at once.
 */
export function untilStopped(): Promise<void> {
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  return new Promise((resolve) => {
    let isTold = false;
    const told = (code: number): void => {
      if (isTold) process.exit(code);
      isTold = true;
      resolve();
    };
    for (const [signal, code] of Object.entries(codes)) process.on(signal, () => told(code));
  });
}
