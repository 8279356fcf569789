import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporary } from "../../test/support/temporary.ts";
import type { SessionStore } from "../core/session-store.ts";
import { ownIdentity } from "../process/process-identity.ts";
import { SessionOwners } from "./session-owners.ts";
import { openSqlite } from "./sqlite-driver.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const OWN = ownIdentity();
const GONE: number = spawnSync("true").pid;
const CALL = { callID: "c", tool: "t", messageID: "m", agent: "a" };

async function open(file: string): Promise<SessionStore> {
  const store = await openSqliteStore({ file, project: "/p" });
  onTestFinished(() => store.close());
  return store;
}

interface Entry {
  readonly pid?: number;
  readonly startTime?: string | undefined;
  readonly machine?: string;
  readonly renewedBefore?: number;
}

/** Adds another process, and its claims of the session "s". */
function addOwner(file: string, entry: Entry, ...claims: readonly ("turn" | "call")[]): number {
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

/** The path of a database with a session "s" in which a turn and a call are open. */
async function withRunningSession(): Promise<string> {
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

const HOUR = 3_600_000;

describe("the owner of a session", () => {
  it.each([
    { what: "has exited", entry: { pid: GONE }, isGone: true },
    { what: "has a pid that another process uses now", entry: { startTime: "1" }, isGone: true },
    { what: "runs", entry: {}, isGone: false },
    { what: "runs, but has not renewed its entry", entry: { renewedBefore: HOUR }, isGone: false },
    { what: "is on another machine", entry: { machine: "other//", pid: GONE }, isGone: false },
    {
      what: "is on another machine, and has not renewed its entry",
      entry: { machine: "other//", renewedBefore: 31_000 },
      isGone: true,
    },
  ])("that $what: the next process to open the database interrupts the session: $isGone", async ({ entry, isGone }) => {
    if (OWN.startTime === undefined && "startTime" in entry) return;
    const file = await withRunningSession();
    addOwner(file, entry, "turn", "call");
    const store = await open(file);
    expect(await store.read("s", 3, 10)).toEqual(
      isGone
        ? [
            {
              type: "session.interrupted",
              reason: "The process that ran this session ended.",
              calls: ["c"],
              questions: [],
              position: 4,
              at: expect.any(Number),
              v: 1,
            },
          ]
        : [],
    );
    expect(await store.get("s")).toMatchObject({ status: isGone ? "interrupted" : "running" });
    const claim = store.claim("s", "turn");
    if (isGone) await claim;
    else await expect(claim).rejects.toMatchObject({ code: "owned" });
    if (!isGone) await expect(store.remove("s")).rejects.toMatchObject({ code: "owned" });
  });

  it("that is gone is not reported while another one runs, and does not keep others from a turn", async () => {
    const file = await withRunningSession();
    addOwner(file, { pid: GONE }, "turn");
    addOwner(file, {}, "call");
    const store = await open(file);
    expect(await store.get("s")).toMatchObject({ status: "running", position: 3 });
    await store.claim("s", "turn");
  });

  it("that is gone, with nothing open: its claims are removed without an event", async () => {
    const file = await withRunningSession();
    const first = await openSqliteStore({ file, project: "/p" });
    const result = { ok: true, output: "", content: [], notes: { durationMs: 1 } } as const;
    await first.append("s", [{ type: "tool.complete", ...CALL, result }, { type: "session.idle" }]);
    await first.close();
    addOwner(file, { pid: GONE }, "turn");
    const store = await open(file);
    expect(await store.get("s")).toMatchObject({ status: "idle", position: 5 });
    await store.remove("s");
  });

  it("that is gone takes what it streamed with it", async () => {
    const file = await withRunningSession();
    const key = addOwner(file, { pid: GONE });
    const database = openSqlite(file);
    const delta = JSON.stringify({ type: "message.delta", messageID: "m2", text: "never completed" });
    database
      .prepare("INSERT INTO live (session, writer, source, data) SELECT key, ?, 'message:m2', ? FROM sessions")
      .run(key, delta);
    database.close();
    const store = await open(file);
    const controller = new AbortController();
    const reader = store.follow("s", 2, controller.signal)[Symbol.asyncIterator]();
    expect((await reader.next()).value).toMatchObject({ type: "tool.start" });
    const next = reader.next();
    await store.append("s", [{ type: "usage" }]);
    expect((await next).value).toMatchObject({ type: "usage" });
    controller.abort();
  });

  it("releases its claims when it closes the store, and leaves no open turn", async () => {
    const file = await withRunningSession();
    const [one, other] = [await open(file), await open(file)];
    await one.claim("s", "turn");
    await expect(other.claim("s", "turn")).rejects.toMatchObject({ code: "owned" });
    await one.close();
    await other.claim("s", "turn");
    expect(await other.get("s")).toMatchObject({ status: "interrupted", position: 4 });
  });

  it("gets an entry of its own, also if the transaction that adds it has to be repeated", async () => {
    const file = await withRunningSession();
    const [one, two] = [openSqlite(file), openSqlite(file)];
    const [first, second] = [new SessionOwners(one), new SessionOwners(two)];
    one.exec("BEGIN");
    first.join(1);
    one.exec("ROLLBACK");
    second.join(2);
    first.join(3);
    expect(one.prepare("SELECT key FROM processes").all()).toEqual([{ key: second.key }, { key: first.key }]);
    for (const database of [one, two]) database.close();
  });
});
