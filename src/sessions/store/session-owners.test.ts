import { spawnSync } from "node:child_process";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { addOwner, type Entry, removeOwner, withRunningSession } from "../../../test/support/session-owners.ts";
import type { SessionStore } from "../../core/session-store.ts";
import { ownIdentity } from "../../platform/processes/process-identity.ts";
import { startTimeOf } from "../../platform/processes/process-table.ts";
import { SessionOwners } from "./session-owners.ts";
import { openSqlite } from "./sqlite-driver.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const OWN = ownIdentity();
const GONE: number = spawnSync("true").pid;
/** A process that runs. */
const PARENT: Entry = { pid: process.ppid, startTime: startTimeOf(process.ppid) };
const CALL = { callID: "c", tool: "t", messageID: "m", agent: "a" };

async function open(file: string): Promise<SessionStore> {
  const store = await openSqliteStore({ file, project: "/p" });
  onTestFinished(() => store.close());
  return store;
}

const HOUR = 3_600_000;
const OWNER_GONE = "The process that ran this session ended.";
const QUESTION = { type: "question.asked", tool: "t", reason: "Why?", kind: "dialog", method: "confirm" } as const;

describe("the owner of a session", () => {
  it.each([
    { what: "has exited", entry: { pid: GONE }, isGone: true },
    { what: "has a pid that another process uses now", entry: { startTime: "1" }, isGone: true },
    { what: "runs", entry: PARENT, isGone: false },
    { what: "runs, but has not renewed its entry", entry: { ...PARENT, renewedBefore: HOUR }, isGone: false },
    { what: "is on another machine", entry: { machine: "other//", pid: GONE }, isGone: false },
    {
      what: "is on another machine, whose clock is ahead",
      entry: { machine: "other//", renewedBefore: -HOUR },
      isGone: false,
    },
    {
      what: "is on another machine, and has not renewed its entry for long, before it was watched",
      entry: { machine: "other//", renewedBefore: HOUR },
      isGone: false,
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
    if (entry.machine && entry.renewedBefore) return;
    const claim = store.claim("s", "turn");
    if (isGone) await claim;
    else await expect(claim).rejects.toMatchObject({ code: "owned" });
    if (!isGone) await expect(store.remove("s")).rejects.toMatchObject({ code: "owned" });
  });

  it("that is gone is not reported while another one runs, but before the next turn, without the calls of users", async () => {
    const file = await withRunningSession();
    const other = await open(file);
    await other.append("s", [
      { type: "tool.start", ...CALL, callID: "user's", agent: "a", caller: "http", input: {} },
      { type: "tool.start", ...CALL, callID: "agent's second", agent: "", caller: "agent", input: {} },
      { ...QUESTION, questionID: "agent's", callID: "c", agent: "a" },
      { ...QUESTION, questionID: "user's", callID: "user's", agent: "a" },
    ]);
    addOwner(file, { pid: GONE }, "turn");
    addOwner(file, {}, "call");
    const store = await open(file);
    expect(await store.get("s")).toMatchObject({ status: "waiting", position: 7 });
    await store.claim("s", "turn", [{ type: "message.user", messageID: "m2", content: [] }]);
    expect(await store.read("s", 7, 10)).toMatchObject([
      { type: "session.interrupted", reason: OWNER_GONE, calls: ["c", "agent's second"], questions: ["agent's"] },
      { type: "message.user", messageID: "m2" },
    ]);
    expect(await store.get("s")).toMatchObject({ turn: "running", openCalls: ["user's"], openQuestions: ["user's"] });
    await expect(other.claim("s", "turn")).rejects.toMatchObject({ code: "owned" });
  });

  it("that wakes after another process has ended its turn stores nothing of it, and does not end that process's turn", async () => {
    const file = await withRunningSession();
    const [woken, other] = [await open(file), await open(file)];
    const claim = await woken.claim("s", "turn", [{ type: "usage" }]);
    const epoch = claim.epoch as number;
    await woken.append("s", [{ type: "usage" }], { epoch });
    const database = openSqlite(file);
    // As another machine ends the claims of a process that is paused for too long.
    database.prepare("DELETE FROM claims WHERE key = ?").run(epoch);
    database.close();
    const next = await other.claim("s", "turn", [{ type: "message.user", messageID: "m2", content: [] }]);
    const { position } = (await woken.get("s")) ?? {};
    for (const events of [[], [{ type: "usage" }], [{ type: "session.idle" }]] as const)
      await expect(woken.append("s", events, { epoch })).rejects.toMatchObject({ code: "superseded" });
    await claim.release();
    expect(await other.get("s")).toMatchObject({ turn: "running", position });
    // Answers, cancels and calls of users need no epoch.
    await woken.append("s", [{ type: "cancel.requested" }]);
    await other.append("s", [{ type: "session.idle" }], { epoch: next.epoch as number });
    await next.release();
    const [last] = await other.read("s", (position ?? 0) + 2, 10);
    expect(last).toMatchObject({ reason: "The process that ran this call could not record its end.", calls: ["c"] });
  });

  it("that is gone, with nothing open: its claims are removed without an event", async () => {
    const file = await withRunningSession();
    const key = addOwner(file, {}, "turn");
    const first = await openSqliteStore({ file, project: "/p" });
    const result = { ok: true, output: "", content: [], notes: { durationMs: 1 } } as const;
    await first.append("s", [{ type: "tool.complete", ...CALL, result }, { type: "session.idle" }]);
    await first.close();
    removeOwner(file, key);
    addOwner(file, { pid: GONE }, "turn");
    const store = await open(file);
    expect(await store.get("s")).toMatchObject({ status: "idle", position: 5 });
    await store.remove("s");
  });

  it("that is gone takes what it streamed with it", async () => {
    const file = await withRunningSession();
    addOwner(file, {}, "turn");
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

  it("that is a store of this process, which was closed while nothing could be written, gives up its claims later", async () => {
    const file = await withRunningSession();
    addOwner(file, { renewedBefore: HOUR }, "turn");
    const store = await open(file);
    expect(await store.get("s")).toMatchObject({ status: "running" });
    await store.claim("s", "turn");
    expect(await store.get("s")).toMatchObject({ status: "interrupted" });
  });

  it("renews its entry although one of its claims cannot be released", async () => {
    const file = await withRunningSession();
    const store = await open(file);
    const [released, held] = [await store.claim("s", "call"), await store.create({ id: "other", directory: "/p" })];
    await store.claim(held.id, "turn");
    const database = openSqlite(file);
    onTestFinished(() => database.close());
    const renewed = (): unknown => database.prepare("SELECT max(renewed) AS at FROM processes").get()?.at;
    database.exec(`UPDATE sessions SET info = '"status":"running"' WHERE id = 's'`);
    await expect(released.release()).rejects.toMatchObject({ code: "store_corrupt" });
    const before = renewed();
    await vi.waitFor(() => expect(renewed()).not.toBe(before), { timeout: 10_000 });
  });

  it("that was killed before it claimed the session, as earlier versions could be: a process that runs ends the session", async () => {
    const file = await withRunningSession();
    const store = await open(file);
    const database = openSqlite(file);
    database.exec("UPDATE sessions SET updated = updated - 61000");
    database.close();
    const { now } = Date;
    onTestFinished(() => {
      Date.now = now;
    });
    Date.now = () => now() + HOUR;
    await vi.waitFor(async () => expect(await store.get("s")).toMatchObject({ status: "interrupted" }), 10_000);
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
