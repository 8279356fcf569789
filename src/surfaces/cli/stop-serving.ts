import type { HttpServer } from "../http/serve-http.ts";

/** Stops a server, and says what that waits for. */
export async function stopServing(server: HttpServer, say: (text: string) => void): Promise<void> {
  const { running, stopMs } = server;
  if (running > 0) {
    const what = running === 1 ? "the call that is running has" : `the ${running} calls that are running have`;
    say(`Stopping: ${what} ${stopMs / 1000} seconds to end. Ctrl-C ends it at once.`);
  }
  await server.stop();
}
