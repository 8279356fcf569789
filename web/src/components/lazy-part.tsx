import {
  type ComponentType,
  type ReactElement,
  type ReactNode,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { useServer } from "../server.ts";
import { ErrorState } from "./error-state.tsx";

/** Loads a component. The same function must always load the same one. */
export type Loader<P extends object> = () => Promise<ComponentType<P>>;

/** A part that is shown again is drawn at once. */
const LOADED = new WeakMap<object, unknown>();

/** One request may fail alone: after it, the browser may have removed cookies that were too large. */
const RETRIES = 2;
const RETRY_MS = 500;

interface LazyPartProps<P extends object> {
  readonly load: Loader<P>;
  readonly props: P;
  /** Shown until it is loaded. */
  readonly fallback?: ReactNode;
}

/**
 * A part of the page that is loaded when it is first shown. Unlike `lazy` of React it tries again if that failed: twice soon
 * after, when the server is connected again, and on request.
 */
export function LazyPart<P extends object>({ load, props, fallback = null }: LazyPartProps<P>): ReactElement {
  const { live } = useServer();
  const generation = useSyncExternalStore(live.subscribe, live.generation);
  const [part, setPart] = useState<{ readonly Part?: ComponentType<P>; readonly error?: unknown }>(() => {
    const Part = LOADED.get(load) as ComponentType<P> | undefined;
    return Part ? { Part } : {};
  });
  const [attempt, setAttempt] = useState(0);
  const isLoaded = part.Part !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: both start another attempt.
  useEffect(() => {
    if (isLoaded) return;
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    load().then(
      (Part) => {
        LOADED.set(load, Part);
        if (isCurrent) setPart({ Part });
      },
      (error: unknown) => {
        if (!isCurrent) return;
        setPart({ error });
        if (attempt < RETRIES) timer = setTimeout(() => setAttempt(attempt + 1), RETRY_MS);
      },
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [load, isLoaded, generation, attempt]);
  const { Part, error } = part;
  if (Part) return <Part {...props} />;
  if (error === undefined) return <>{fallback}</>;
  return (
    <ErrorState
      title="This part of the page could not be loaded"
      error="The server did not answer, or it has been updated. If it runs, reload the page."
      onRetry={() => setAttempt(attempt + 1)}
    />
  );
}
