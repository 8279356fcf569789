/** A value of a column or a parameter. */
type SqlValue = string | number | null;
/** A row by column name. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** A prepared statement. Parameters are by position. */
export interface SqlStatement {
  run(...parameters: SqlValue[]): void;
  get(...parameters: SqlValue[]): SqlRow | undefined;
  all(...parameters: SqlValue[]): readonly SqlRow[];
  /** Reads the rows one by one. The statement must not be run again before that ends. */
  iterate(...parameters: SqlValue[]): Iterable<SqlRow>;
}

/** An open SQLite database. All methods are synchronous and throw errors of the runtime: see `sqliteCode`. */
export interface SqlDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqlStatement;
  close(): void;
}

/** Opens a database with the SQLite of the runtime, Node or Bun. Creates the file if it is missing. */
export function openSqlite(file: string): SqlDatabase {
  return process.versions.bun === undefined ? openInNode(file) : openInBun(file);
}

/** The result code of SQLite, with its extended bits. Undefined for other errors. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode;
  return error.name === "SQLiteError" && "errno" in error && typeof error.errno === "number" ? error.errno : undefined;
}

function openInNode(file: string): SqlDatabase {
  const { DatabaseSync } = withoutWarnings(() => process.getBuiltinModule("node:sqlite"));
  const database = new DatabaseSync(file);
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => database.prepare(sql) as unknown as SqlStatement,
    close: () => database.close(),
  };
}

/** Node 22 warns that SQLite is experimental when it loads the module. */
function withoutWarnings<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** The part of `bun:sqlite` that is used here. */
interface BunSqlite {
  readonly Database: new (
    file: string,
    options: { readonly create: boolean; readonly readwrite: boolean },
  ) => {
    run(sql: string): unknown;
    prepare(sql: string): {
      run(...parameters: SqlValue[]): unknown;
      get(...parameters: SqlValue[]): SqlRow | null;
      all(...parameters: SqlValue[]): SqlRow[];
      iterate(...parameters: SqlValue[]): Iterable<SqlRow>;
    };
    close(): void;
  };
}

function openInBun(file: string): SqlDatabase {
  const { Database } = process.getBuiltinModule("bun:sqlite") as unknown as BunSqlite;
  const database = new Database(file, { create: true, readwrite: true });
  return {
    exec: (sql) => void database.run(sql),
    prepare: (sql) => {
      const statement = database.prepare(sql);
      return {
        run: (...parameters) => void statement.run(...parameters),
        get: (...parameters) => statement.get(...parameters) ?? undefined,
        all: (...parameters) => statement.all(...parameters),
        iterate: (...parameters) => statement.iterate(...parameters),
      };
    },
    close: () => database.close(),
  };
}
