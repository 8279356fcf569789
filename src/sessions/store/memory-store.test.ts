import { describe, expect, it } from "vitest";
import type { SessionStore } from "../../core/session-store.ts";
import { createMemoryStore } from "./memory-store.ts";

const MB = 1_000_000;

describe("the limit of the memory store", () => {
  it("drops the idle sessions that changed longest ago", async () => {
    const store = createMemoryStore({ project: "/p", maxBytes: 3.1 * MB });
    for (const id of ["a", "b", "c"]) await create(store, id, MB);
    await store.append("a", [{ type: "usage" }]);
    await create(store, "d", MB);
    expect(await idsOf(store)).toEqual(["a", "c", "d"]);
    await create(store, "e", 2 * MB);
    expect(await idsOf(store)).toEqual(["d", "e"]);
  });

  it("keeps sessions that run, are claimed or are followed, and refuses if there is no room", async () => {
    const store = createMemoryStore({ project: "/p", maxBytes: 4.1 * MB });
    for (const id of ["running", "claimed", "followed"]) await create(store, id, MB);
    await store.append("running", [{ type: "message.user", messageID: "m", content: [] }]);
    const claim = await store.claim("claimed", "call");
    const controller = new AbortController();
    const reader = store.follow("followed", 2, controller.signal)[Symbol.asyncIterator]();
    const waiting = reader.next();
    await Promise.resolve();
    await expect(create(store, "new", 2 * MB)).rejects.toMatchObject({
      code: "store_full",
      message:
        "The sessions in memory have reached their limit of 4.1 MB, and all others are in use. Remove sessions, or store them on disk.",
    });
    expect(await idsOf(store)).toEqual(["claimed", "followed", "new", "running"]);
    await expect(store.append("claimed", [text(2 * MB)])).rejects.toMatchObject({ code: "store_full" });
    expect(await store.get("claimed")).toMatchObject({ position: 2 });
    controller.abort();
    await waiting;
    await claim.release();
    await store.append("running", [text(2 * MB)]);
    expect(await idsOf(store)).toEqual(["followed", "new", "running"]);
  });

  it("counts removed sessions no longer", async () => {
    const store = createMemoryStore({ project: "/p", maxBytes: 1.1 * MB });
    for (let round = 0; round < 5; round += 1) {
      await create(store, "a", MB);
      await store.claim("a", "call");
      await store.remove("a");
    }
    expect(await idsOf(store)).toEqual([]);
  });
});

async function create(store: SessionStore, id: string, bytes: number): Promise<void> {
  await store.create({ id, directory: "/p" });
  await store.append(id, [text(bytes)]);
}

function text(length: number): { type: "session.idle"; text: string } {
  return { type: "session.idle", text: "x".repeat(length) };
}

async function idsOf(store: SessionStore): Promise<string[]> {
  const { sessions } = await store.list();
  return sessions.map(({ id }) => id).sort();
}
