import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporary } from "../../test/support/temporary.ts";
import { openSqlite } from "../session-store/sqlite-driver.ts";
import { openSqliteStore } from "../session-store/sqlite-store.ts";
import { RecordedSession } from "./recorded-session.ts";

const CALL = { tool: "t", messageID: "m", agent: "a", input: {} };
const REACTIONS = { fold: () => {}, answered: () => {}, cancel: () => {}, lost: () => {} };

describe("[S3] the log of a session", () => {
  it("ends the calls of an owner that is gone before the next call begins, and not that call", async () => {
    const file = join(temporary(), "sessions.db");
    const store = await openSqliteStore({ file, project: "/p" });
    onTestFinished(() => store.close());
    await store.create({ id: "s", directory: "/p" });
    await store.append("s", [{ type: "tool.start", callID: "old", ...CALL }]);
    const log = new RecordedSession(store, "s", REACTIONS);
    await log.refresh();
    const database = openSqlite(file);
    database.exec(
      `INSERT INTO processes (key, pid, machine, renewed) SELECT 99, ${spawnSync("true").pid}, machine, 0 FROM processes LIMIT 1;
       INSERT INTO claims (session, process, why) SELECT key, 99, 'call' FROM sessions`,
    );
    database.close();
    await log.begin({ type: "tool.start", callID: "new", ...CALL });
    expect(await store.read("s", 2, 10)).toMatchObject([
      { type: "session.interrupted", calls: ["old"] },
      { type: "tool.start", callID: "new" },
    ]);
    expect(await store.get("s")).toMatchObject({ status: "running", openCalls: ["new"] });
    await log.release();
  });
});
