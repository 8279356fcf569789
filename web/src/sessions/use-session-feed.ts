import { useEffect, useState, useSyncExternalStore } from "react";
import { useClient, useLiveState, useServer } from "../server.ts";
import { SessionFeed } from "./session-feed.ts";

/** The transcript of a session. It is resumed whenever the page is connected again, such as after a restart of the server. */
export function useSessionFeed(id: string): SessionFeed {
  const { live } = useServer();
  const { sessions } = useClient();
  const isLive = useLiveState().kind === "live";
  const generation = useSyncExternalStore(live.subscribe, live.generation);
  const [feed] = useState(() => new SessionFeed((options) => sessions.events(id, options)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a new connection of the page, the old stream may be dead.
  useEffect(() => {
    if (!isLive) {
      feed.disconnected();
      return undefined;
    }
    const controller = new AbortController();
    void feed.follow(controller.signal);
    return () => controller.abort();
  }, [feed, isLive, generation]);
  useSyncExternalStore(feed.subscribe, feed.version);
  const isUnauthorized = feed.state.kind === "refused" && feed.state.error.status === 401;
  useEffect(() => {
    if (isUnauthorized) live.unauthorized();
  }, [isUnauthorized, live]);
  return feed;
}
