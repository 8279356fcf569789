import type { SessionInfo } from "../core/session-log.ts";
import { type ListSessions, SessionError, type SessionPage } from "../core/session-store.ts";
import { tryOrUndefined } from "../core/try-or-undefined.ts";
import { checkLimit } from "./session-checks.ts";
import type { SqlDatabase, SqlStatement } from "./sqlite-driver.ts";

const DEFAULT_LIMIT = 50;
/** The number of rows that are read at once. */
const CHUNK = 100;

/** A session in the order of the list. */
interface Listed {
  readonly updated: number;
  readonly key: number;
  readonly info: SessionInfo;
}

/** Lists sessions, the most recently changed first. */
export class SessionList {
  readonly #ofProject: SqlStatement;
  readonly #ofAll: SqlStatement;

  constructor(database: SqlDatabase) {
    const rest = "(updated, key) < (?, ?) ORDER BY updated DESC, key DESC LIMIT ?";
    this.#ofProject = database.prepare(`SELECT key, updated, info FROM sessions WHERE project = ? AND ${rest}`);
    this.#ofAll = database.prepare(`SELECT key, updated, info FROM sessions WHERE ${rest}`);
  }

  page(project: number, options: ListSessions): SessionPage {
    const { limit = DEFAULT_LIMIT } = options;
    checkLimit(limit);
    const found: Listed[] = [];
    for (const each of this.#all(project, options)) {
      if (matches(each.info, options)) found.push(each);
      if (found.length > limit) break;
    }
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const sessions = shown.map(({ info }) => info);
    return found.length > limit && last ? { sessions, next: encodeCursor(last) } : { sessions };
  }

  *#all(project: number, { cursor, allProjects = false }: ListSessions): Generator<Listed> {
    let [updated, key] = cursor === undefined ? [Number.MAX_SAFE_INTEGER, 0] : decodeCursor(cursor);
    for (;;) {
      const rows = allProjects
        ? this.#ofAll.all(updated, key, CHUNK)
        : this.#ofProject.all(project, updated, key, CHUNK);
      for (const row of rows) {
        [updated, key] = [Number(row.updated), Number(row.key)];
        yield { updated, key, info: JSON.parse(String(row.info)) as SessionInfo };
      }
      if (rows.length < CHUNK) return;
    }
  }
}

function matches({ id, title = "", status }: SessionInfo, { status: wanted, search = "" }: ListSessions): boolean {
  if (wanted !== undefined && status !== wanted) return false;
  const part = search.toLowerCase();
  return id.toLowerCase().includes(part) || title.toLowerCase().includes(part);
}

function encodeCursor({ updated, key }: Listed): string {
  return Buffer.from(JSON.stringify([updated, key])).toString("base64url");
}

function decodeCursor(cursor: string): [updated: number, key: number] {
  const place: unknown = tryOrUndefined(() => JSON.parse(Buffer.from(cursor, "base64url").toString()));
  if (Array.isArray(place) && place.length === 2 && place.every(Number.isSafeInteger)) return [place[0], place[1]];
  throw new SessionError("invalid_position", '"cursor" must be the "next" of a page of sessions.');
}
