import type { ApiPageEvent, PageRequests } from "../../src/surfaces/http/client/index.ts";
import { RequestRefused } from "../../src/surfaces/http/client/index.ts";

/** The connection to the server, as the page shows it. */
export type LiveState =
  | { readonly kind: "connecting" }
  | { readonly kind: "live"; readonly version: string }
  /** The stream broke and is opened again. */
  | { readonly kind: "reconnecting" }
  /** Several attempts failed. Attempts continue. */
  | { readonly kind: "stopped"; readonly message: string }
  /** The token is missing or has changed. No attempts until `retry`. */
  | { readonly kind: "unauthorized" }
  /** The tab is hidden: it keeps no connection, since browsers allow only six for each server. */
  | { readonly kind: "paused" };

/** The one event stream of the page. It reconnects until it is stopped. */
export interface Live {
  readonly state: () => LiveState;
  /** Counts the streams that were opened. Everything that was read before is out of date when it changes. */
  readonly generation: () => number;
  /** Calls the listener when `state` or `generation` has changed. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Calls the listener with each event. */
  readonly on: (listener: (event: ApiPageEvent) => void) => () => void;
  /** Connects at once instead of waiting. */
  readonly retry: () => void;
  /** To be called if another request is refused for its missing token. */
  readonly unauthorized: () => void;
  /** To be called when a person logs this browser out, here or in another tab: the page must not log in again. */
  readonly forgetLogin: () => void;
  readonly start: () => void;
  readonly stop: () => void;
}

/** Times in milliseconds; tests shorten them. */
interface LiveTimes {
  readonly backoff: readonly number[];
  /** A hidden tab is disconnected after this time. */
  readonly hidden: number;
  /** The server sends at least a comment every 15 s. A stream that is silent for longer is dead, such as after sleep. */
  readonly silence: number;
}

const TIMES: LiveTimes = { backoff: [300, 1000, 2000, 4000, 8000], hidden: 60_000, silence: 40_000 };

/** After this many failures in a row, the page says that the server is down. */
const FAILURES_UNTIL_STOPPED = 3;

/** What happens to the tab: it is hidden, shown again, or may have a network again. */
export type TabChange = "hidden" | "shown" | "online";

export function createLive(
  client: Pick<PageRequests, "events" | "login">,
  times: LiveTimes = TIMES,
  watchTab: (changed: (change: TabChange) => void) => () => void = watchThisTab,
): Live {
  let state: LiveState = { kind: "connecting" };
  let generation = 0;
  let failures = 0;
  let lastData = 0;
  let stream: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  /** Logs in again if another server of this host has replaced the cookie. Kept by this tab alone. */
  let renewal: string | undefined;
  let unwatch: (() => void) | undefined;
  const listeners = new Set<() => void>();
  const eventListeners = new Set<(event: ApiPageEvent) => void>();

  const show = (next: LiveState): void => {
    state = next;
    for (const listener of [...listeners]) listener();
  };

  const disconnect = (): void => {
    clearTimeout(timer);
    clearTimeout(silenceTimer);
    stream?.abort();
    stream = undefined;
  };

  const failed = (error: unknown): void => {
    disconnect();
    if (error instanceof RequestRefused && error.status === 401) return logInAgain();
    failures++;
    const message = error instanceof Error ? error.message : String(error);
    show(failures < FAILURES_UNTIL_STOPPED ? { kind: "reconnecting" } : { kind: "stopped", message });
    timer = setTimeout(connect, times.backoff[Math.min(failures, times.backoff.length) - 1] ?? 1000);
  };

  /** Once for each connection: a login that does not help is not repeated. */
  const logInAgain = (): void => {
    const key = renewal;
    renewal = undefined;
    if (key === undefined) return show({ kind: "unauthorized" });
    show({ kind: "reconnecting" });
    client.login(key).then(retry, () => show({ kind: "unauthorized" }));
  };

  const connect = (): void => {
    disconnect();
    const controller = new AbortController();
    stream = controller;
    const alive = (): void => {
      clearTimeout(silenceTimer);
      lastData = Date.now();
      if (stream === controller) silenceTimer = setTimeout(() => failed(new Error(SILENT)), times.silence);
    };
    alive();
    follow(controller.signal, alive).then(
      () => stream === controller && failed(new Error(ENDED)),
      (error: unknown) => stream === controller && failed(error),
    );
  };

  const follow = async (signal: AbortSignal, alive: () => void): Promise<void> => {
    for await (const event of client.events({ signal, onData: alive })) {
      if (signal.aborted) return;
      if (event.event === "hello") {
        failures = 0;
        generation++;
        renewal = event.data.renewal;
        show({ kind: "live", version: event.data.version });
      }
      for (const listener of [...eventListeners]) listener(event);
    }
  };

  const retry = (): void => {
    if (state.kind !== "live") show({ kind: generation === 0 ? "connecting" : "reconnecting" });
    failures = 0;
    connect();
  };

  const wake = (): void => {
    // After sleep, the stream may have ended without a sign.
    if (state.kind === "live" && Date.now() - lastData < times.silence / 2) return;
    if (state.kind !== "unauthorized" && state.kind !== "connecting") retry();
  };

  const tabChanged = (change: TabChange): void => {
    if (change !== "online") clearTimeout(hiddenTimer);
    if (change !== "hidden") return wake();
    hiddenTimer = setTimeout(() => {
      if (state.kind === "unauthorized") return;
      disconnect();
      show({ kind: "paused" });
    }, times.hidden);
  };

  return {
    state: () => state,
    generation: () => generation,
    subscribe: (listener) => addTo(listeners, listener),
    on: (listener) => addTo(eventListeners, listener),
    retry,
    unauthorized: () => {
      if (state.kind === "unauthorized" || state.kind === "reconnecting") return;
      disconnect();
      logInAgain();
    },
    forgetLogin: () => {
      renewal = undefined;
    },
    start: () => {
      connect();
      unwatch = watchTab(tabChanged);
    },
    stop: () => {
      disconnect();
      clearTimeout(hiddenTimer);
      unwatch?.();
    },
  };
}

function watchThisTab(changed: (change: TabChange) => void): () => void {
  const visibility = (): void => changed(document.hidden ? "hidden" : "shown");
  const online = (): void => changed("online");
  document.addEventListener("visibilitychange", visibility);
  addEventListener("online", online);
  addEventListener("focus", online);
  return () => {
    document.removeEventListener("visibilitychange", visibility);
    removeEventListener("online", online);
    removeEventListener("focus", online);
  };
}

const SILENT = "The server has sent nothing for 40 seconds.";
const ENDED = "The server has closed the connection.";

function addTo<T>(set: Set<T>, value: T): () => void {
  set.add(value);
  return () => set.delete(value);
}
