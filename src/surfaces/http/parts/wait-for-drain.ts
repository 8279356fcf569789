import type { ServerResponse } from "node:http";

const waits = new WeakMap<ServerResponse, Promise<void>>();

/** Resolves when the client has read all that was written to a response, or has closed the connection. */
export async function waitForDrain(outgoing: ServerResponse | undefined): Promise<void> {
  if (!outgoing?.writableNeedDrain || outgoing.destroyed) return;
  const wait = waits.get(outgoing) ?? nextDrain(outgoing);
  waits.set(outgoing, wait);
  await wait;
  waits.delete(outgoing);
}

function nextDrain(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off("drain", done).off("close", done);
      resolve();
    };
    outgoing.once("drain", done).once("close", done);
  });
}
