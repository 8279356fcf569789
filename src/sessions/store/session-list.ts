import type { SessionInfo } from "../../core/session-log.ts";
import type { ListSessions, SessionPage } from "../../core/session-store.ts";
import { type ListKey, type ListQuery, searchTextOf, toListQuery, toPage } from "./list-query.ts";
import type { SqlDatabase, SqlRow, SqlStatement } from "./sqlite-driver.ts";

/** The least number of rows that are read at once. */
const MIN_ROWS = 100;

/** What a list is asked for, which decides its statement. */
interface Asked {
  readonly allProjects: boolean;
  readonly hasText: boolean;
  readonly hasStatus: boolean;
}

/** Lists sessions, the most recently changed first. */
export class SessionList {
  readonly #database: SqlDatabase;
  readonly #read: <T>(work: () => T) => Promise<T>;
  readonly #statements = new Map<string, SqlStatement>();

  /** `read` runs each step. Between two of them, the event loop may run. */
  constructor(database: SqlDatabase, read: <T>(work: () => T) => Promise<T>) {
    this.#database = database;
    this.#read = read;
  }

  async page(project: number, options?: ListSessions): Promise<SessionPage> {
    const query = toListQuery(options);
    const found: SessionInfo[] = [];
    let last: ListKey = query.after ?? { updatedAt: Number.MAX_SAFE_INTEGER, project: "", id: "" };
    const rowCount = Math.max(MIN_ROWS, query.limit + 1);
    for (;;) {
      const infos = await this.#read(() => this.#rows(project, last, query, rowCount).map(toInfo));
      for (const info of infos) {
        if (matches(info, query)) found.push(info);
        if (found.length > query.limit) return toPage(found, query);
      }
      last = infos.at(-1) ?? last;
      if (infos.length < rowCount) return toPage(found, query);
    }
  }

  #rows(project: number, last: ListKey, { allProjects, search, status }: ListQuery, count: number): readonly SqlRow[] {
    const { updatedAt, project: root, id } = last;
    // SQLite does not find half of a character.
    const hasText = search !== "" && search.isWellFormed();
    const texts = hasText ? [search] : [];
    const statuses = status === undefined ? [] : [`"status":"${status}"`];
    const after = allProjects ? [updatedAt, updatedAt, root, id] : [project, updatedAt, updatedAt, id];
    const statement = this.#statement({ allProjects, hasText, hasStatus: status !== undefined });
    return statement.all(...after, ...texts, ...statuses, count);
  }

  #statement(asked: Asked): SqlStatement {
    const key = JSON.stringify(asked);
    const statement = this.#statements.get(key) ?? this.#database.prepare(sqlOf(asked));
    this.#statements.set(key, statement);
    return statement;
  }
}

/** Sessions of a project are found by the index of project and time, which the search follows into the short titles. */
function sqlOf({ allProjects, hasText, hasStatus }: Asked): string {
  const titles = hasText ? " JOIN titles ON titles.session = sessions.key" : "";
  const filter = `${hasText ? " AND instr(text, ?) > 0" : ""}${hasStatus ? " AND instr(info, ?) > 0" : ""}`;
  if (!allProjects)
    return `SELECT info FROM sessions${titles}
      WHERE project = ? AND updated <= ? AND (updated < ? OR id > ?)${filter} ORDER BY updated DESC, id LIMIT ?`;
  return `SELECT info FROM sessions${titles} JOIN projects ON projects.key = project
    WHERE updated <= ? AND (updated < ? OR (root, id) > (?, ?))${filter} ORDER BY updated DESC, root, id LIMIT ?`;
}

function toInfo({ info }: SqlRow): SessionInfo {
  return JSON.parse(String(info)) as SessionInfo;
}

function matches(info: SessionInfo, { status, search }: ListQuery): boolean {
  if (status !== undefined && info.status !== status) return false;
  return search === "" || searchTextOf(info).includes(search);
}
