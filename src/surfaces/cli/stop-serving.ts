import { isatty } from "node:tty";
import type { HttpServer } from "../http/server/serve-http.ts";

/** Stops a server, and prints what it waits for. */
export async function stopServing(server: HttpServer, say: (text: string) => void): Promise<void> {
  const waits = [
    ...waitFor(server.running, "call", server.stopMs),
    ...waitFor(server.turns, "turn of an agent", server.stopTurnsMs, "turns of agents"),
  ];
  if (waits.length > 0) say(`Stopping: ${waits.join(", ")} to end. Press Ctrl-C again to stop now.`);
  await server.stop();
}

function waitFor(count: number, one: string, ms: number, many = `${one}s`): string[] {
  if (count === 0) return [];
  const what = count === 1 ? `the running ${one} has` : `the ${count} running ${many} have`;
  return [`${what} ${ms / 1000} seconds`];
}

/**
 * Resolves on the first SIGINT, SIGTERM or SIGHUP, so that running calls can end. The second signal ends the process at once. A
 * server without a terminal goes on after SIGHUP: Node does not tell whether `nohup` asked to ignore it.
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
    for (const [signal, code] of Object.entries(codes)) {
      process.on(signal, () => {
        if (signal !== "SIGHUP" || hasTerminal()) onSignal(code);
      });
    }
  });
}

function hasTerminal(): boolean {
  return [0, 1, 2].some((descriptor) => isatty(descriptor));
}
