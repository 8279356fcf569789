import type { SessionInfo, SessionStatus } from "../../core/session-log.ts";
import { type ListSessions, SessionError, type SessionPage } from "../../core/session-store.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { checkLimit } from "./session-checks.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;

/** The place of a session in a list: newest change first, then by project and id. */
export type ListKey = Pick<SessionInfo, "updatedAt" | "project" | "id">;

/** What to list, with valid values. */
export interface ListQuery {
  readonly limit: number;
  /** List what comes after this. */
  readonly after: ListKey | undefined;
  readonly status: SessionStatus | undefined;
  /** In lower case, part of `searchTextOf`; "" for all. */
  readonly search: string;
  readonly allProjects: boolean;
}

export function toListQuery(options: ListSessions = {}): ListQuery {
  const { cursor, limit = DEFAULT_LIMIT, status, search = "", allProjects = false } = options;
  checkLimit(limit);
  return {
    limit: Math.min(limit, MAX_LIMIT),
    after: cursor === undefined ? undefined : parseCursor(cursor),
    status,
    search: search.toLowerCase(),
    allProjects,
  };
}

/** The page of a query. `found` holds up to one session more than its limit, which shows that there is a next page. */
export function toPage(found: readonly SessionInfo[], { limit }: ListQuery): SessionPage {
  const sessions = found.slice(0, limit);
  const last = sessions.at(-1);
  return found.length > limit && last ? { sessions, next: toCursor(last) } : { sessions };
}

/** The text that a search looks into. A search term is matched literally. */
export function searchTextOf({ title = "", id }: SessionInfo): string {
  return `${title}\n${id}`.toLowerCase();
}

function toCursor({ updatedAt, project, id }: ListKey): string {
  return Buffer.from(JSON.stringify({ updatedAt, project, id })).toString("base64url");
}

function parseCursor(cursor: string): ListKey {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (
      isObject(key) &&
      typeof key.updatedAt === "number" &&
      [key.project, key.id].every((part) => typeof part === "string")
    )
      return key as unknown as ListKey;
  } catch {
    // Not JSON.
  }
  throw new SessionError("invalid_position", 'The cursor of a list must be the "next" of an earlier page.');
}
