import type { HttpServer } from "../http/serve-http.ts";

/** Stops a server, and prints how many calls it waits for. */
export async function stopServing(server: HttpServer, say: (text: string) => void): Promise<void> {
  const { running, stopMs } = server;
  if (running > 0) {
    const what = running === 1 ? "the running call has" : `the ${running} running calls have`;
    say(`Stopping: ${what} ${stopMs / 1000} seconds to end. Press Ctrl-C again to stop now.`);
  }
  await server.stop();
}

/** Resolves on the first SIGINT, SIGTERM or SIGHUP, so that running calls can end. The second signal ends the process at once. */
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
