import { createContext, useContext, useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { type ApiPageEvents, type Client, createClient, RequestRefused } from "../../src/surfaces/http/client/index.ts";
import { createLive, type Live, type LiveState } from "./live.ts";
import { RefreshPace } from "./refresh-pace.ts";
import { createRuns, type Runs } from "./runs.ts";

/** The server of the page: requests, the stream of changes, and the calls that the page makes. */
export interface Server {
  readonly client: Client;
  readonly live: Live;
  readonly runs: Runs;
  /** Logs this browser out, in all of its tabs. */
  readonly logOut: () => Promise<void>;
}

/** Requests carry the cookie of the page, which scripts cannot read. */
export function createServer(origin: string): Server {
  const client = createClient({ url: origin });
  const live = createLive(client);
  const tabs = new BroadcastChannel("logged out");
  tabs.addEventListener("message", () => live.forgetLogin());
  const logOut = (): Promise<void> => {
    live.forgetLogin();
    tabs.postMessage("logged out");
    return client.logout();
  };
  return { client, live, runs: createRuns(client), logOut };
}

export const ServerContext: React.Context<Server | undefined> = createContext<Server | undefined>(undefined);

export function useServer(): Server {
  const server = useContext(ServerContext);
  if (!server) throw new Error("The component is not inside a ServerContext.");
  return server;
}

export function useClient(): Client {
  return useServer().client;
}

export function useLiveState(): LiveState {
  const { live } = useServer();
  return useSyncExternalStore(live.subscribe, live.state);
}

/** Calls the listener with each event of these names. */
export function useLiveEvents<E extends keyof ApiPageEvents>(
  names: readonly E[],
  listener: (name: E, data: ApiPageEvents[E]) => void,
): void {
  const { live } = useServer();
  const heard = useEffectEvent(listener);
  const wanted = useEffectEvent((name: string): name is E => (names as readonly string[]).includes(name));
  useEffect(
    () => live.on(({ event, data }) => (wanted(event) ? heard(event, data as ApiPageEvents[E]) : undefined)),
    [live],
  );
}

/** A value of the server. The last value stays while it is read again, and if that fails. */
export interface Resource<T> {
  readonly value: T | undefined;
  /** Why the last attempt failed. */
  readonly error: Error | undefined;
  readonly loading: boolean;
  readonly refetch: () => void;
}

interface DependsOn {
  /** Values that `load` uses. When one changes, the old value is dropped and read again. */
  readonly values?: readonly unknown[];
  /** Events after which the value is read again. */
  readonly events?: readonly (keyof ApiPageEvents)[];
}

/** Reads a value, and reads it again after events, a reconnect, and `refetch`. */
export function useResource<T>(load: (signal: AbortSignal) => Promise<T>, dependsOn: DependsOn = {}): Resource<T> {
  const { live } = useServer();
  const generation = useSyncExternalStore(live.subscribe, live.generation);
  const key = JSON.stringify(dependsOn.values ?? []);
  const [state, setState] = useState<{ key: string; value?: T; error?: Error; loading: boolean }>({
    key,
    loading: true,
  });
  const [requested, setRequested] = useState(0);
  const refetch = (): void => setRequested((count) => count + 1);
  const [pace] = useState(() => new RefreshPace(refetch));

  const read = useEffectEvent(async (signal: AbortSignal) => {
    setState((old) => (old.key === key ? { ...old, loading: true } : { key, loading: true }));
    pace.begin(signal);
    try {
      const value = await load(signal);
      if (!signal.aborted) setState({ key, value, loading: false });
    } catch (thrown) {
      if (signal.aborted) return;
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      if (error instanceof RequestRefused && error.status === 401) live.unauthorized();
      setState((old) => ({ ...(old.key === key ? old : {}), key, error, loading: false }));
    } finally {
      pace.end(signal);
    }
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them makes the value out of date.
  useEffect(() => {
    const controller = new AbortController();
    read(controller.signal);
    return () => controller.abort();
  }, [key, generation, requested]);

  useEffect(() => () => pace.stop(), [pace]);
  useLiveEvents(dependsOn.events ?? [], () => pace.changed());

  const current = state.key === key ? state : { loading: true };
  return { value: undefined, error: undefined, ...current, refetch };
}
