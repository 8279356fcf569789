import type { SessionInfo } from "../../core/session-log.ts";
import type { ListSessions, SessionPage } from "../../core/session-store.ts";
import { type ListKey, type ListQuery, searchTextOf, toListQuery, toPage } from "./list-query.ts";
import type { SqlDatabase, SqlStatement } from "./sqlite-driver.ts";

/** The number of rows that are read at once. */
const CHUNK = 100;

/** Lists sessions, the most recently changed first. */
export class SessionList {
  readonly #ofProject: SqlStatement;
  readonly #ofAll: SqlStatement;

  constructor(database: SqlDatabase) {
    this.#ofProject = database.prepare(
      `SELECT info FROM sessions WHERE project = ? AND updated <= ? AND (updated < ? OR id > ?)
       ORDER BY updated DESC, id LIMIT ${CHUNK}`,
    );
    this.#ofAll = database.prepare(
      `SELECT info FROM sessions JOIN projects ON projects.key = project
       WHERE updated <= ? AND (updated < ? OR (root, id) > (?, ?)) ORDER BY updated DESC, root, id LIMIT ${CHUNK}`,
    );
  }

  page(project: number, options?: ListSessions): SessionPage {
    const query = toListQuery(options);
    const found: SessionInfo[] = [];
    for (const info of this.#all(project, query)) {
      if (matches(info, query)) found.push(info);
      if (found.length > query.limit) break;
    }
    return toPage(found, query);
  }

  *#all(project: number, { after, allProjects }: ListQuery): Generator<SessionInfo> {
    let last: ListKey = after ?? { updatedAt: Number.MAX_SAFE_INTEGER, project: "", id: "" };
    for (;;) {
      const { updatedAt, project: root, id } = last;
      const rows = allProjects
        ? this.#ofAll.all(updatedAt, updatedAt, root, id)
        : this.#ofProject.all(project, updatedAt, updatedAt, id);
      for (const row of rows) {
        const info = JSON.parse(String(row.info)) as SessionInfo;
        last = info;
        yield info;
      }
      if (rows.length < CHUNK) return;
    }
  }
}

function matches(info: SessionInfo, { status, search }: ListQuery): boolean {
  if (status !== undefined && info.status !== status) return false;
  return search === "" || searchTextOf(info).includes(search);
}
