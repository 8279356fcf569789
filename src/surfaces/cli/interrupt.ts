/**
 * The first Ctrl-C stops what is running, the second ends everything at once. Answers with a function that gives
 * Ctrl-C its usual meaning back.
 */
export function onInterrupt(stop: () => void, end: () => Promise<void>): () => void {
  let times = 0;
  const leave = (code: number): void => {
    const go = (): void => process.exit(code);
    void end().then(go, go);
  };
  const interrupted = (): void => {
    times += 1;
    if (times === 1) stop();
    else if (times === 2) leave(130);
    else process.exit(130);
  };
  const terminated = (): void => leave(143);
  const hungUp = (): void => leave(129);
  process.on("SIGINT", interrupted).on("SIGTERM", terminated).on("SIGHUP", hungUp);
  return () => void process.off("SIGINT", interrupted).off("SIGTERM", terminated).off("SIGHUP", hungUp);
}
