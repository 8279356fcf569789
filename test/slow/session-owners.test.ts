import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SessionStore } from "../../src/core/session-store.ts";
import { openSqlite } from "../../src/sessions/store/sqlite-driver.ts";
import { openSqliteStore } from "../../src/sessions/store/sqlite-store.ts";
import { followed } from "../support/followed.ts";
import { startProgram } from "../support/printing-process.ts";
import type { OwnerOptions } from "../support/session-owner.ts";
import { addOwner, withRunningSession } from "../support/session-owners.ts";
import { temporary } from "../support/temporary.ts";

describe("a session that another process runs", () => {
  async function started() {
    const options: OwnerOptions = { file: join(temporary(), "sessions.db"), project: "/p", session: "s" };
    const store = await openSqliteStore(options);
    onTestFinished(() => store.close());
    await store.create({ id: "s", directory: "/p" });
    const owner = startProgram("session-owner.ts", options);
    await owner.until(() => true);
    return { store, owner };
  }

  it("[S3] shows what it has streamed so far, then what it streams", async () => {
    const { store, owner } = await started();
    const log = followed(store, "s", 3);
    await log.until((events) => events.length === 1);
    owner.endInput();
    await log.until((events) => events.length === 2);
    expect(log.events).toEqual([
      { type: "session.partial", messages: [{ messageID: "m2", text: "so far", thinking: "" }], calls: [] },
      { type: "message.delta", messageID: "m2", text: ", more" },
    ]);
    await store.append("s", [{ type: "message.complete", messageID: "m2", content: [] }]);
    const late = followed(store, "s", 3);
    await late.until((events) => events.length === 1);
    expect(late.events).toMatchObject([{ type: "message.complete", position: 4 }]);
  });

  it("[S3] is not interrupted while that process is stopped, but when it is killed", async () => {
    const { store, owner } = await started();
    owner.signal("SIGSTOP");
    await sleep(5_000);
    expect(await store.get("s")).toMatchObject({ status: "running", position: 3 });
    await expect(store.claim("s", "turn")).rejects.toMatchObject({ code: "owned" });
    await expect(store.remove("s")).rejects.toMatchObject({ code: "owned" });
    const log = followed(store, "s", 3);
    await owner.kill();
    await log.until((events) => events.some((event) => "position" in event));
    expect(log.events.at(-1)).toMatchObject({ type: "session.interrupted", calls: ["c"], position: 4 });
    expect(await store.get("s")).toMatchObject({ status: "interrupted", openCalls: [] });
    await store.claim("s", "turn");
  });
});

const HOUR = 3_600_000;

describe("the owner of a session on another machine", () => {
  async function open(file: string): Promise<SessionStore> {
    const store = await openSqliteStore({ file, project: "/p" });
    onTestFinished(() => store.close());
    return store;
  }

  it.each([31_000, HOUR, -HOUR])(
    "[S3] that has not renewed its entry for %i ms is gone once it was watched, and a turn waits for that",
    async (renewedBefore) => {
      const file = await withRunningSession();
      addOwner(file, { machine: "other//", renewedBefore }, "turn", "call");
      const store = await open(file);
      const claim = await store.claim("s", "turn", [{ type: "message.user", messageID: "m2", content: [] }]);
      expect(await store.read("s", 3, 10)).toMatchObject([
        {
          type: "session.interrupted",
          reason: "The process that ran this session ended.",
          calls: ["c"],
          questions: [],
        },
        { type: "message.user", messageID: "m2" },
      ]);
      expect(claim.position).toBe(5);
    },
    20_000,
  );

  it("[S3] that renews its entry is not gone, whatever its clock says", async () => {
    const file = await withRunningSession();
    const key = addOwner(file, { machine: "other//", renewedBefore: HOUR }, "turn");
    const store = await open(file);
    const claim = store.claim("s", "turn");
    claim.catch(() => {});
    const database = openSqlite(file);
    const renewing = setInterval(() => {
      database.prepare("UPDATE processes SET renewed = renewed + 1 WHERE key = ?").run(key);
    }, 500);
    await expect(claim).rejects.toMatchObject({ code: "owned" });
    clearInterval(renewing);
    database.close();
    expect(await store.get("s")).toMatchObject({ status: "running", position: 3 });
  }, 20_000);
});
