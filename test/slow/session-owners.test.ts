import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../src/session-store/sqlite-store.ts";
import { followed } from "../support/followed.ts";
import { startProgram } from "../support/printing-process.ts";
import type { OwnerOptions } from "../support/session-owner.ts";
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
    // The owner writes live events every 100 ms.
    await sleep(300);
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
