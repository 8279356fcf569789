import { useState } from "react";
import type { ApiSession } from "../../../src/core/api-sessions.ts";
import type { SessionStatus } from "../../../src/core/session-log.ts";
import type { Client } from "../../../src/surfaces/http/client/index.ts";
import { type Resource, useClient, useResource } from "../server.ts";

const PAGE = 50;
const MAX_LIMIT = 200;

export interface SessionFilter {
  readonly search: string;
  /** Empty for all. */
  readonly status: SessionStatus | "";
}

interface LoadedSessions {
  readonly sessions: readonly ApiSession[];
  readonly hasMore: boolean;
}

/** The sessions of the project, the most recently changed first. After a change, all that are shown are read again. */
export function useSessionList(filter: SessionFilter): Resource<LoadedSessions> & { readonly more: () => void } {
  const { sessions } = useClient();
  const [wanted, setWanted] = useState({ filter, count: PAGE });
  const isSame = wanted.filter.search === filter.search && wanted.filter.status === filter.status;
  const count = isSame ? wanted.count : PAGE;
  const resource = useResource((signal) => load(sessions, filter, { count, signal }), {
    values: [filter.search, filter.status],
    events: ["sessions"],
  });
  const more = (): void => {
    setWanted({ filter, count: count + PAGE });
    resource.refetch();
  };
  return { ...resource, more };
}

async function load(
  client: Client["sessions"],
  { search, status }: SessionFilter,
  { count, signal }: { readonly count: number; readonly signal: AbortSignal },
): Promise<LoadedSessions> {
  const sessions: ApiSession[] = [];
  let cursor: string | undefined;
  do {
    const limit = Math.min(MAX_LIMIT, count - sessions.length);
    const query = {
      limit,
      ...(cursor === undefined ? {} : { cursor }),
      ...(search === "" ? {} : { search }),
      ...(status === "" ? {} : { status }),
    };
    const page = await client.list(query, { signal });
    sessions.push(...page.sessions);
    cursor = page.next;
  } while (cursor !== undefined && sessions.length < count);
  return { sessions, hasMore: cursor !== undefined };
}
