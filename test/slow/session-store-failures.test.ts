import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { SessionErrorCode, SessionStore } from "../../src/core/session-store.ts";
import { SessionError } from "../../src/core/session-store.ts";
import { openSqliteStore } from "../../src/sessions/store/sqlite-store.ts";
import { cli, ensureBuilt } from "../support/cli.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { followed } from "../support/followed.ts";
import { startProgram } from "../support/printing-process.ts";
import type { WriterLine, WriterOptions } from "../support/session-writer.ts";
import { canMount, fillDisk, NO_MOUNT, remountReadOnly, smallDisk } from "../support/small-disk.ts";
import { answering } from "../support/toolbox.ts";

beforeAll(ensureBuilt);

const TOOLS = "Tools without a session still work.";
const mountable = canMount();

interface Home {
  readonly at: Sandbox;
  readonly file: string;
}

describe("[S3] a session database that cannot be used", () => {
  interface Row {
    readonly damage: (file: string) => void;
    readonly code: SessionErrorCode;
    /** FILE stands for the path of the database, COPY for that of its copy. */
    readonly message: string | RegExp;
    /** Whether the damage is found only when it is read, after the database was opened. */
    readonly isFoundLater?: boolean;
  }
  const damaged = (reason: string): Pick<Row, "code" | "message"> => ({
    code: "store_corrupt",
    message: `The session database FILE is damaged (${reason}). A copy is kept in COPY. To begin with an empty one, delete FILE. ${TOOLS}`,
  });
  const unusable = (text: string): Pick<Row, "code" | "message"> => ({
    code: "store_failed",
    message: `${text} ${TOOLS}`,
  });
  const NOT_A_DATABASE = damaged("it does not begin like a SQLite database");
  const MALFORMED = damaged("database disk image is malformed");
  const change = (sql: string) => (file: string) => {
    const database = new DatabaseSync(file);
    database.exec(sql);
    database.close();
  };
  const replaceBy = (make: (file: string) => void) => (file: string) => {
    rmSync(file);
    make(file);
  };

  const ROWS: Readonly<Record<string, Row>> = {
    "whose first bytes are overwritten": { damage: (file) => overwrite(file, 0, 16), ...NOT_A_DATABASE },
    "whose header is overwritten": { damage: (file) => overwrite(file, 18, 30), ...damaged("file is not a database") },
    "whose list of tables is overwritten": { damage: (file) => overwrite(file, 200, 3_000), ...MALFORMED },
    "with a page of other bytes": {
      damage: (file) => overwrite(file, 4096 * 30, 4096),
      code: "store_corrupt",
      message: /^The session database FILE is damaged \(Tree \d+ page \d+ .+\)\. A copy is kept in COPY\. /,
    },
    "with events that are not JSON": {
      damage: change("UPDATE events SET data = 'no' WHERE position = 7"),
      ...damaged("Unexpected token 'o', \"no\" is not valid JSON"),
      isFoundLater: true,
    },
    "with a session that is not JSON": {
      damage: change("UPDATE sessions SET info = '{'"),
      ...damaged("Expected property name or '}' in JSON at position 1 (line 1 column 2)"),
      isFoundLater: true,
    },
    "without one of its tables": { damage: change("DROP TABLE claims"), ...damaged("no such table: claims") },
    "that is half as long": { damage: (file) => truncateSync(file, statSync(file).size / 2), ...MALFORMED },
    "that has 50 bytes": { damage: (file) => truncateSync(file, 50), ...NOT_A_DATABASE },
    "that is a text file": { damage: (file) => writeFileSync(file, "Shopping list\n".repeat(20)), ...NOT_A_DATABASE },
    "that is the database of another program": {
      damage: replaceBy(change("CREATE TABLE bookmarks (url)")),
      ...damaged("it is a SQLite database of another program"),
    },
    "of a later version": {
      damage: change("PRAGMA user_version = 99"),
      code: "store_newer",
      message: `The session database FILE was written by a later version of Toolwright (its format is 99, this version knows 2). It was not changed. Update Toolwright, or set TOOLWRIGHT_HOME to another folder. ${TOOLS}`,
    },
    "that is a folder": {
      damage: replaceBy((file) => mkdirSync(file)),
      ...unusable("FILE is a folder, but must be the session database. Move it elsewhere, then try again."),
    },
    "that is a pipe": {
      damage: replaceBy((file) => spawnSync("mkfifo", [file])),
      ...unusable("FILE is a special file, but must be the session database. Move it elsewhere, then try again."),
    },
    "that is a link to a device": {
      damage: replaceBy((file) => symlinkSync("/dev/null", file)),
      ...unusable("/dev/null is a special file, but must be the session database. Move it elsewhere, then try again."),
    },
    "that is a link into a missing folder": {
      damage: replaceBy((file) => symlinkSync("/missing/sessions.db", file)),
      ...unusable(
        "The session database FILE cannot be used (ENOENT: no such file or directory, open '/missing/sessions.db'). Check the file and its folder, or set TOOLWRIGHT_HOME to another folder.",
      ),
    },
    "that is a link to itself": {
      damage: replaceBy((file) => symlinkSync(file, file)),
      code: "store_failed",
      message: /^The session database FILE cannot be used \(ELOOP: .+\)\. Check the file and its folder, /,
    },
  };

  it.each(Object.entries(ROWS))("%s", async (_, { damage, code, message, isFoundLater }) => {
    const home = await homeWithSession();
    const { at, file } = home;
    const sound = `${file}.sound`;
    copyFileSync(file, sound);
    damage(file);
    const [first, second] = [await failure(home), await failure(home)];
    expect(second).toEqual(first);
    const copies = readdirSync(dirname(file)).filter((name) => /\.broken-\w+$/.test(name));
    expect(copies).toHaveLength(code === "store_corrupt" ? 1 : 0);
    const shown = first.message.replaceAll(join(dirname(file), copies[0] ?? "none"), "COPY").replaceAll(file, "FILE");
    expect({ code: first.code, message: shown }).toEqual({
      code,
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
    for (const copy of copies.map((name) => join(dirname(file), name))) {
      expect(statSync(copy).mode & 0o777).toBe(0o600);
      if (isFoundLater) expect(countEvents(copy)).toBe(EVENTS + 1);
      else expect(readFileSync(copy).equals(readFileSync(file))).toBe(true);
    }
    await expectToolsToWork(at, first.message);
    // Nothing is lost.
    for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { recursive: true, force: true });
    renameSync(sound, file);
    await expectEvents(home);
  });
});

describe("[S3] a session database", () => {
  it("that is a link is used, and other names beside it are not", async () => {
    const home = await homeWithSession();
    const target = join(home.at.root, "elsewhere.db");
    renameSync(home.file, target);
    symlinkSync(target, home.file);
    await expectEvents(home);
    expect(readdirSync(dirname(home.file)).filter((name) => name.startsWith("sessions.db"))).toEqual(["sessions.db"]);
  });

  it.each<[string, (wal: string) => void]>([
    ["whose write-ahead log has damaged pages", (wal) => overwrite(wal, statSync(wal).size / 2, 10_000)],
    ["whose write-ahead log has a damaged header", (wal) => overwrite(wal, 0, 32)],
    ["whose write-ahead log is cut short", (wal) => truncateSync(wal, 300_000)],
    ["whose write-ahead log has text at its end", (wal) => appendFileSync(wal, "text".repeat(5_000))],
    ["whose write-ahead log is empty", (wal) => truncateSync(wal, 0)],
  ])("%s: opens, with all events from before the damage", async (_, damage) => {
    const home = await homeWithSession();
    const project = home.at.project;
    const writer = startProgram<WriterLine>("session-writer.ts", {
      file: home.file,
      project,
      seed: 1,
      name: "w",
      session: "main",
    } satisfies WriterOptions);
    await writer.until((_, count) => count > 40);
    await writer.kill();
    damage(`${home.file}-wal`);
    await expectEvents(home);
    const store = await openStore(home);
    const log = (await store.get("main")) ? await store.read("main", 0, 10_000) : [];
    expect(log.map(({ position }) => position)).toEqual(log.map((_, index) => index + 1));
    await expectToolsToWork(home.at);
  });

  it("with damage in one session is reported when that session is read, and others go on", async () => {
    const home = await homeWithSession();
    const store = await openStore(home);
    await store.create({ id: "damaged", directory: "/" });
    await store.append("damaged", [{ type: "session.idle", text: "done" }]);
    change(home.file, "UPDATE events SET data = 'no' WHERE session = (SELECT max(key) FROM sessions)");
    const log = followed(store, "damaged", 0);
    await expect(log.ended).rejects.toMatchObject({ code: "store_corrupt" });
    await expect(store.read("damaged", 0, 10)).rejects.toMatchObject({ code: "store_corrupt" });
    await expectToGoOn(home, store);
  });

  it("with damage in what is being streamed ends the readers of that session, and others go on", async () => {
    const home = await homeWithSession();
    const store = await openStore(home);
    const log = followed(store, "s", 0);
    await log.until((events) => events.length > 10);
    change(home.file, "INSERT INTO live (session, writer, source, data) SELECT key, 'x', 'call:c', '{' FROM sessions");
    await expect(log.ended).rejects.toMatchObject({ code: "store_corrupt" });
    change(home.file, "DELETE FROM live");
    await expectToGoOn(home, store);
  });

  it.each<[string, (file: string) => void]>([
    ["removed", (file) => rmSync(file)],
    ["replaced", (file) => renameSync(`${file}.copy`, file)],
    ["moved", (file) => renameSync(file, `${file}.moved`)],
  ])("that is %s while it is open refuses changes, which would be lost", async (_, change) => {
    const home = await homeWithSession();
    copyFileSync(home.file, `${home.file}.copy`);
    copyFileSync(home.file, `${home.file}.second`);
    const store = await openStore(home);
    change(home.file);
    await expect(store.append("s", [{ type: "session.idle" }])).rejects.toMatchObject({
      code: "store_failed",
      message: `The session database ${home.file} was removed or replaced while it was open. Nothing was stored. Start this program again. ${TOOLS}`,
    });
    await expect(store.create({ directory: "/" })).rejects.toMatchObject({ code: "store_failed" });
    await store.close();
    for (const end of ["", "-wal", "-shm"]) rmSync(home.file + end, { force: true });
    renameSync(`${home.file}.second`, home.file);
    await expectEvents(home);
  });

  const BUSY = (file: string): string =>
    `The session database ${file} has been locked by another process for more than 10 seconds. Try again. If that does not help, end a toolwright process that is stopped or hangs. ${TOOLS}`;

  it("that a stopped process has locked can be read, does not block this process, and goes on afterwards", async () => {
    const home = await homeWithSession();
    const store = await openStore(home);
    const holder = startProgram<{ locked: true }>("lock-holder.ts", { file: home.file });
    await holder.until(() => true);
    holder.signal("SIGSTOP");
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 10);
    const appends = [1, 2].map((n) => store.append("s", [{ type: "session.idle", text: `refused ${n}` }]));
    for (const append of appends)
      await expect(append).rejects.toMatchObject({ code: "store_busy", message: BUSY(home.file) });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(300);
    expect(await store.read("s", 0, 1_000)).toHaveLength(EVENTS + 1);
    expect((await store.list()).sessions).toHaveLength(1);
    expect(await failure(home)).toEqual({ code: "store_busy", message: BUSY(home.file) });
    await expectToolsToWork(home.at, BUSY(home.file));
    const late = store.append("s", [{ type: "session.idle", text: "late" }]);
    await holder.kill();
    expect(await late).toBe(EVENTS + 2);
    expect((await store.read("s", EVENTS + 1, 10)).map((event) => event.type)).toEqual(["session.idle"]);
  });
});

describe("[S3] the disk of the session database", () => {
  const FULL =
    /^There is no space left on the disk of the session database FILE\. Nothing was stored \(.+\)\. Free some space, then try again\. Tools without a session still work\.$/;

  it("is full: what was acknowledged stays, and appends work as soon as there is space", async ({ skip }) => {
    skip(!mountable, NO_MOUNT);
    const home = emptyHome();
    smallDisk(dirname(home.file), "4m");
    await addSession(home);
    const store = await openStore(home);
    let acknowledged = EVENTS + 1;
    const appendUntilFull = async (): Promise<unknown> => {
      for (;;) {
        try {
          acknowledged = await store.append("s", [{ type: "session.idle", text: "x".repeat(3_000) }]);
        } catch (error) {
          return error;
        }
      }
    };
    const free = fillDisk(dirname(home.file));
    const error = await appendUntilFull();
    expect(SessionError.is(error) && error.code).toBe("store_full");
    expect((error as Error).message.replaceAll(home.file, "FILE")).toMatch(FULL);
    // All or none of many at once.
    const many = Array.from({ length: 50 }, () =>
      store.append("s", [{ type: "session.idle", text: "x".repeat(3_000) }]),
    );
    for (const each of await Promise.allSettled(many)) {
      if (each.status === "fulfilled") acknowledged = Math.max(acknowledged, each.value);
      else expect(each.reason).toMatchObject({ code: "store_full" });
    }
    expect(await store.read("s", 0, 10_000)).toHaveLength(acknowledged);
    expect(await store.get("s")).toMatchObject({ position: acknowledged });
    const another = await failure(home);
    expect(["store_full", undefined]).toContain(another?.code);
    await expectToolsToWork(home.at, another?.message);
    free();
    expect(await store.append("s", [{ type: "session.idle" }])).toBe(acknowledged + 1);
    await store.close();
    await expectEvents(home, acknowledged + 1);
  });

  it("is full before there is a database: works as soon as there is space", async ({ skip }) => {
    skip(!mountable, NO_MOUNT);
    const home = emptyHome();
    smallDisk(dirname(home.file), "4m");
    const free = fillDisk(dirname(home.file));
    const error = await failure(home);
    expect(error.code).toBe("store_full");
    expect(error.message.replaceAll(home.file, "FILE")).toMatch(FULL);
    await expectToolsToWork(home.at, error.message);
    free();
    await addSession(home);
    await expectEvents(home);
  });

  it("is read-only: an error names the cause, and sessions go on once it can be written", async ({ skip }) => {
    skip(!mountable, NO_MOUNT);
    const home = emptyHome();
    smallDisk(dirname(home.file), "4m");
    await addSession(home);
    const before = await openStore(home);
    await before.close();
    const writable = remountReadOnly(dirname(home.file));
    const error = await failure(home);
    expect(error).toEqual({
      code: "store_read_only",
      message: `The session database ${home.file} cannot be written (unable to open database file). Make the file and its folder writable, or set TOOLWRIGHT_HOME to a folder that is. ${TOOLS}`,
    });
    await expectToolsToWork(home.at, error.message);
    writable();
    await expectEvents(home);
  });

  it("is read-only, and has no database yet", async ({ skip }) => {
    skip(!mountable, NO_MOUNT);
    const home = emptyHome();
    smallDisk(dirname(home.file), "4m");
    const writable = remountReadOnly(dirname(home.file));
    const error = await failure(home);
    expect(error).toEqual({
      code: "store_read_only",
      message: `The session database ${home.file} cannot be written (EROFS: read-only file system, open '${home.file}'). Make the file and its folder writable, or set TOOLWRIGHT_HOME to a folder that is. ${TOOLS}`,
    });
    await expectToolsToWork(home.at, error.message);
    writable();
    await addSession(home);
    await expectEvents(home);
  });
});

const EVENTS = 120;

function emptyHome(): Home {
  const at = sandbox({ "a.ts": answering('"done"') });
  const file = join(at.env.TOOLWRIGHT_HOME as string, "sessions.db");
  return { at, file };
}

/** A home whose database has the session "s". The tool of the project has been read. */
async function homeWithSession(): Promise<Home> {
  const home = emptyHome();
  await addSession(home);
  return home;
}

async function addSession({ at, file }: Home): Promise<void> {
  const store = await openSqliteStore({ file, project: at.project });
  await store.create({ id: "s", directory: "/" });
  await Promise.all(
    Array.from({ length: EVENTS }, (_, n) =>
      store.append("s", [{ type: "state.set", of: "tools", key: `${n}`, value: "x".repeat(1_000) }]),
    ),
  );
  await store.close();
}

async function openStore({ at, file }: Home): Promise<SessionStore> {
  const store = await openSqliteStore({ file, project: at.project });
  onTestFinished(() => store.close());
  return store;
}

/** How a program that opens the database and reads its session fails. */
async function failure({ at, file }: Home): Promise<{ code: SessionErrorCode; message: string }> {
  let store: SessionStore | undefined;
  try {
    store = await openSqliteStore({ file, project: at.project });
    await store.list();
    await store.read("s", 0, 1_000);
  } catch (error) {
    expect(SessionError.is(error), String(error)).toBe(true);
    const { code, message } = error as SessionError;
    return { code, message };
  } finally {
    await store?.close();
  }
  throw new Error("It did not fail.");
}

async function expectEvents(home: Home, count: number = EVENTS + 1): Promise<void> {
  const store = await openStore(home);
  const log = await store.read("s", 0, 10_000);
  expect(log.map(({ position }) => position)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  await store.close();
}

/** The session "s" can be read and written. */
async function expectToGoOn(home: Home, store: SessionStore): Promise<void> {
  const position = await store.append("s", [{ type: "session.idle" }]);
  const log = followed(store, "s", 0);
  await log.reaches(position);
  await expectToolsToWork(home.at);
}

/** Runs a tool without a session, and one with: that fails with the message, if there is one. */
async function expectToolsToWork(at: Sandbox, message?: string): Promise<void> {
  expect(await cli(at, ["run", "a", "--trust"])).toEqual({ code: 0, signal: null, stdout: "done\n", stderr: "" });
  const ended = await cli(at, ["run", "a", "--session", "s", "--trust"]);
  if (message === undefined) expect(ended).toMatchObject({ code: 0, stdout: "done\n" });
  else expect(ended).toEqual({ code: 1, signal: null, stdout: "", stderr: `toolwright: ${message}\n` });
}

function overwrite(file: string, at: number, length: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0xab, Math.trunc(at), Math.trunc(at) + length);
  writeFileSync(file, bytes);
}

function countEvents(file: string): unknown {
  const database = new DatabaseSync(file);
  const row = database.prepare("SELECT count(*) AS count FROM events").get();
  database.close();
  return row?.count;
}

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}
