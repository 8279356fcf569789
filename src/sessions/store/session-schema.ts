import type { SessionInfo } from "../../core/session-log.ts";
import { searchTextOf } from "./list-query.ts";
import type { SqlDatabase } from "./sqlite-driver.ts";

/** Marks a SQLite file as a session database: "TwSL". */
export const APPLICATION_ID = 0x54_77_53_4c;

/**
 * The steps from one version of the schema to the next. `user_version` of a database is the number of steps that it has had.
 * A released step is never changed.
 */
const STEPS: readonly string[] = [
  `
  CREATE TABLE projects (
    key INTEGER PRIMARY KEY,
    root TEXT NOT NULL UNIQUE,
    keep_days INTEGER NOT NULL
  );
  -- Keys are never used again, so that a reader of a removed session notices it.
  CREATE TABLE sessions (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    project INTEGER NOT NULL REFERENCES projects (key),
    id TEXT NOT NULL,
    -- The folded SessionInfo as JSON. The columns after it repeat parts of it for queries.
    info TEXT NOT NULL,
    updated INTEGER NOT NULL,
    position INTEGER NOT NULL,
    UNIQUE (project, id)
  );
  CREATE INDEX sessions_by_time ON sessions (project, updated DESC, id);
  CREATE TABLE events (
    session INTEGER NOT NULL,
    position INTEGER NOT NULL,
    at INTEGER NOT NULL,
    v INTEGER NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (session, position)
  ) WITHOUT ROWID;
  -- What has been streamed of unfinished messages and calls, for readers in other processes.
  CREATE TABLE live (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL,
    -- The key of the process that wrote the row.
    writer INTEGER NOT NULL,
    -- The message or call.
    source TEXT NOT NULL,
    data TEXT NOT NULL
  );
  CREATE INDEX live_by_source ON live (session, source);
  -- The processes that have the database open. One that has opened it twice has two keys.
  CREATE TABLE processes (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    pid INTEGER NOT NULL,
    start_time TEXT,
    machine TEXT NOT NULL,
    renewed INTEGER NOT NULL
  );
  CREATE TABLE claims (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL,
    process INTEGER NOT NULL,
    why TEXT NOT NULL
  );
  CREATE INDEX claims_by_session ON claims (session);
  CREATE TABLE times (
    name TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) WITHOUT ROWID;
  `,
  `
  -- Which events the state of a session depends on, up to a position. Rows can be deleted: the events say the same.
  CREATE TABLE snapshots (
    session INTEGER PRIMARY KEY,
    position INTEGER NOT NULL,
    data TEXT NOT NULL
  );
  -- Sessions whose events are deleted in steps: removed ones, and copies that are not complete, with the process that makes them.
  CREATE TABLE loose (
    session INTEGER PRIMARY KEY,
    process INTEGER
  );
  -- What a search looks into, apart from the info of the sessions, which is long and changes with each event.
  CREATE TABLE titles (
    session INTEGER PRIMARY KEY,
    text TEXT NOT NULL
  );
  -- The sessions that are not at rest: few of many. The condition is that of the queries.
  CREATE INDEX sessions_open ON sessions (updated)
  WHERE (instr(info, '"status":"running"') > 0 OR instr(info, '"status":"waiting"') > 0);
  `,
];

/** The version of the schema that this code reads and writes. */
export const SCHEMA_VERSION: number = STEPS.length;

/** Adds the missing steps. The caller has begun a transaction, and has checked that `version` is not newer. */
export function migrate(database: SqlDatabase, version: number): void {
  for (const step of STEPS.slice(version)) database.exec(step);
  if (version === 1) addTitles(database);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}

function addTitles(database: SqlDatabase): void {
  const add = database.prepare("INSERT INTO titles (session, text) VALUES (?, ?)");
  for (const { key, info } of database.prepare("SELECT key, info FROM sessions").all())
    add.run(Number(key), searchTextOf(JSON.parse(String(info)) as SessionInfo));
}
