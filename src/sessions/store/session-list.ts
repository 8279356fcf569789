import type { SessionInfo } from "../../core/session-log.ts";
import type { ListSessions, SessionPage } from "../../core/session-store.ts";
import { type ListKey, type ListQuery, searchTextOf, toListQuery, toPage } from "./list-query.ts";
import type { SqlDatabase, SqlRow, SqlStatement } from "./sqlite-driver.ts";

/** The least number of rows that are read at once. */
const MIN_ROWS = 100;

/** The text of the search, and the status as the JSON of the info has it. Both may be "". */
const MATCHES = "instr(text, ?) > 0 AND instr(info, ?) > 0";

/** Lists sessions, the most recently changed first. */
export class SessionList {
  readonly #read: <T>(work: () => T) => Promise<T>;
  readonly #ofProject: SqlStatement;
  readonly #ofAll: SqlStatement;

  /** `read` runs each step. Between two of them, the event loop may run. */
  constructor(database: SqlDatabase, read: <T>(work: () => T) => Promise<T>) {
    this.#read = read;
    // Walks the index by project and time, and looks into the titles, which are short.
    this.#ofProject = database.prepare(
      `SELECT info FROM sessions JOIN titles ON titles.session = sessions.key
       WHERE project = ? AND updated <= ? AND (updated < ? OR id > ?) AND ${MATCHES}
       ORDER BY updated DESC, id LIMIT ?`,
    );
    this.#ofAll = database.prepare(
      `SELECT info FROM sessions JOIN titles ON titles.session = sessions.key JOIN projects ON projects.key = project
       WHERE updated <= ? AND (updated < ? OR (root, id) > (?, ?)) AND ${MATCHES}
       ORDER BY updated DESC, root, id LIMIT ?`,
    );
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
    const text = search.isWellFormed() ? search : "";
    const filter = [text, status === undefined ? "" : `"status":"${status}"`, count] as const;
    return allProjects
      ? this.#ofAll.all(updatedAt, updatedAt, root, id, ...filter)
      : this.#ofProject.all(project, updatedAt, updatedAt, id, ...filter);
  }
}

function toInfo({ info }: SqlRow): SessionInfo {
  return JSON.parse(String(info)) as SessionInfo;
}

function matches(info: SessionInfo, { status, search }: ListQuery): boolean {
  if (status !== undefined && info.status !== status) return false;
  return search === "" || searchTextOf(info).includes(search);
}
