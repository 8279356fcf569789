/**
 * The first Ctrl-C calls `stop`, the second calls `end` and exits. Returns a function that restores the default.
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
  // Aborts the call first, so that it ends as cancelled, not as crashed.
  const terminated = (): void => leave(143, stop());
  const hungUp = (): void => leave(129, stop());
  process.on("SIGINT", interrupted).on("SIGTERM", terminated).on("SIGHUP", hungUp);
  return () => void process.off("SIGINT", interrupted).off("SIGTERM", terminated).off("SIGHUP", hungUp);
}
