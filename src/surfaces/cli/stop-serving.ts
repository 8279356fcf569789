import type { HttpServer } from "../http/serve-http.ts";

/** Stops a server, and says which calls it waits for. */
export async function stopServing(server: HttpServer, say: (text: string) => void): Promise<void> {
  const { running, stopMs } = server;
  if (running > 0) {
    const what = running === 1 ? "the running call has" : `the ${running} running calls have`;
    say(`Stopping: ${what} ${stopMs / 1000} seconds to end. Press Ctrl-C again to stop now.`);
  }
  await server.stop();
}
