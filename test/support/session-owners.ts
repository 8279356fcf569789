import { join } from "node:path";
import { ownIdentity } from "../../src/platform/processes/process-identity.ts";
import { openSqlite } from "../../src/sessions/store/sqlite-driver.ts";
import { openSqliteStore } from "../../src/sessions/store/sqlite-store.ts";
import { temporary } from "./temporary.ts";

const OWN = ownIdentity();
const CALL = { callID: "c", tool: "t", messageID: "m", agent: "a" };

/** A process in the database of sessions; by default this one. */
export interface Entry {
  readonly pid?: number;
  readonly startTime?: string | undefined;
  readonly machine?: string;
  readonly renewedBefore?: number;
}

/** Adds another process, and its claims of the session "s". */
export function addOwner(file: string, entry: Entry, ...claims: readonly ("turn" | "call")[]): number {
  const { pid = OWN.pid, startTime = OWN.startTime, machine = OWN.machine, renewedBefore = 0 } = entry;
  const database = openSqlite(file);
  const key = database
    .prepare("INSERT INTO processes (pid, start_time, machine, renewed) VALUES (?, ?, ?, ?) RETURNING key")
    .get(pid, startTime ?? null, machine, Date.now() - renewedBefore)?.key;
  for (const why of claims)
    database
      .prepare("INSERT INTO claims (session, process, why) SELECT key, ?, ? FROM sessions WHERE id = 's'")
      .run(Number(key), why);
  database.close();
  return Number(key);
}

export function removeOwner(file: string, key: number): void {
  const database = openSqlite(file);
  database.prepare("DELETE FROM claims WHERE process = ?").run(key);
  database.prepare("DELETE FROM processes WHERE key = ?").run(key);
  database.close();
}

/** The path of a database with a session "s" in which a turn and a call are open. */
export async function withRunningSession(): Promise<string> {
  const file = join(temporary(), "sessions.db");
  const store = await openSqliteStore({ file, project: "/p" });
  await store.create({ id: "s", directory: "/p" });
  await store.append("s", [
    { type: "message.user", messageID: "m", content: [] },
    { type: "tool.start", ...CALL, input: {} },
  ]);
  await store.close();
  return file;
}
