import type { ApiSessionEvent } from "../../../core/api-sessions.ts";
import { readEvents } from "./read-events.ts";
import { RequestRefused, readJsonResponse } from "./read-response.ts";
import { type ServerAddress, send, toQuery } from "./send.ts";

export interface FollowOptions {
  /** The `id` of the last event that is known; 0, the default, is before the first. */
  readonly after?: number | undefined;
  /** Ends the events. */
  readonly signal?: AbortSignal | undefined;
  /** Also tries again if the server cannot be reached, or is busy, at first. */
  readonly untilReached?: boolean | undefined;
  /** Called when a connection is open, and when it is lost and will be opened again. */
  readonly onConnection?: ((state: "open" | "lost") => void) | undefined;
}

/** The server sends something every 15 s. After this time without it, the connection is dead, for example after a sleep. */
const SILENT_MS = 45_000;
/** The time before a connection is opened again. It doubles with each failure. */
const RETRY_MS = 250;
const MAX_RETRY_MS = 5_000;

/** See `ClientSessions.events`. */
export async function* followEvents(
  server: ServerAddress,
  path: string,
  { after = 0, signal, untilReached = false, onConnection }: FollowOptions = {},
): AsyncGenerator<ApiSessionEvent> {
  let position = after;
  let triesAgain = untilReached;
  let failures = 0;
  while (!signal?.aborted) {
    const connection = new AbortController();
    const stop = (): void => connection.abort();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      const body = await open(server, `${path}${toQuery({ after: position })}`, connection.signal);
      triesAgain = true;
      onConnection?.("open");
      for await (const { event, id, data } of readEvents(watched(body, connection))) {
        failures = 0;
        const place = id === undefined ? undefined : Number(id);
        if (place !== undefined && place <= position) continue;
        position = place ?? position;
        yield { event, ...(place === undefined ? {} : { id: place }), data: JSON.parse(data) } as ApiSessionEvent;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!triesAgain || isFinal(error)) throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
      connection.abort();
    }
    if (signal?.aborted) return;
    onConnection?.("lost");
    await pause(Math.min(RETRY_MS * 2 ** failures, MAX_RETRY_MS), signal);
    failures += 1;
  }
}

async function open(server: ServerAddress, path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const response = await send(server, path, { headers: { accept: "text/event-stream" }, signal });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (response.ok && isStream && response.body) return response.body;
  await readJsonResponse(response);
  throw new Error(`The response of ${path} is not an event stream. Check the url.`);
}

/** Aborts the connection if nothing arrives for too long. */
function watched(body: ReadableStream<Uint8Array>, connection: AbortController): ReadableStream<Uint8Array> {
  let timer = setTimeout(() => connection.abort(), SILENT_MS);
  connection.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        clearTimeout(timer);
        if (!connection.signal.aborted) timer = setTimeout(() => connection.abort(), SILENT_MS);
        controller.enqueue(chunk);
      },
    }),
  );
}

/** Whether the same request would be refused again. A server that is busy or stopping accepts it later. */
function isFinal(error: unknown): boolean {
  return error instanceof RequestRefused && error.status < 500 && error.status !== 408 && error.status !== 429;
}

/** Waits, but not longer than until the signal fires. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
  });
}
