/**
 * The first Ctrl-C stops what is running, the second ends everything at once. Answers with a function that gives
 * Ctrl-C its usual meaning back.
 */
export function onInterrupt(stop: () => Promise<unknown>, end: () => Promise<void>): () => void {
  let times = 0;
  const leave = (code: number, first: Promise<unknown> = Promise.resolve()): void => {
    const go = (): void => process.exit(code);
    void first.then(end).then(go, go);
  };
  const interrupted = (): void => {
    times += 1;
    if (times === 1) void stop();
    else if (times === 2) leave(130);
    else process.exit(130);
  };
  // What is running is told to stop first, so that it ends as cancelled and not as crashed.
  const terminated = (): void => leave(143, stop());
  const hungUp = (): void => leave(129, stop());
  process.on("SIGINT", interrupted).on("SIGTERM", terminated).on("SIGHUP", hungUp);
  return () => void process.off("SIGINT", interrupted).off("SIGTERM", terminated).off("SIGHUP", hungUp);
}
