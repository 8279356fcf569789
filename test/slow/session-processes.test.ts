import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { FollowedEvent } from "../../src/core/session-log.ts";
import type { SessionStore } from "../../src/core/session-store.ts";
import { openSqlite } from "../../src/session-store/sqlite-driver.ts";
import { openSqliteStore } from "../../src/session-store/sqlite-store.ts";
import { temporary } from "../support/temporary.ts";

const PROGRAM = fileURLToPath(new URL("../support/store-process.ts", import.meta.url));

interface Arrival {
  readonly event: FollowedEvent;
  readonly at: number;
}

class StoreProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor(file: string, action: string, sessionID: string) {
    this.child = spawn(process.execPath, [PROGRAM, file, action, sessionID]);
    this.#lines = createInterface(this.child.stdout)[Symbol.asyncIterator]();
    onTestFinished(() => this.end());
  }

  /** The next value that it prints. */
  async next<T>(): Promise<T> {
    const { value } = await this.#lines.next();
    return JSON.parse(value) as T;
  }

  /** The next event of a type. */
  async event(type: FollowedEvent["type"]): Promise<Arrival> {
    for (;;) {
      const arrival = await this.next<Arrival>();
      if (arrival.event.type === type) return arrival;
    }
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill("SIGKILL");
    await once(this.child, "exit");
  }
}

async function start(file: string, action: string): Promise<StoreProcess> {
  const started = new StoreProcess(file, action, "s");
  expect(await started.next()).toBe("ready");
  return started;
}

/** A store with a session "s". */
async function opened(): Promise<{ file: string; store: SessionStore }> {
  const file = join(temporary(), "sessions.db");
  const store = await openSqliteStore({ file, project: "/p" });
  onTestFinished(() => store.close());
  await store.create({ id: "s", directory: "/p" });
  return { file, store };
}

/** Events of a follower in this process. */
function follow(store: SessionStore, after: number): AsyncIterator<FollowedEvent> {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  return store.follow("s", after, controller.signal)[Symbol.asyncIterator]();
}

describe("several processes with one session database", () => {
  it("follow each other's sessions within 200 ms, durable and live events", async () => {
    const { file, store } = await opened();
    const follower = await start(file, "follow");
    await follower.event("session.start");
    const delays: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      await sleep(Math.random() * 60);
      store.publish("s", { type: "message.delta", messageID: `m${round}`, text: `text ${round}` });
      expect((await follower.event("message.delta")).event).toMatchObject({ text: `text ${round}` });
      const complete = { type: "message.complete", messageID: `m${round}`, content: [] } as const;
      const appendedAt = Date.now();
      await store.append("s", [complete]);
      const arrival = await follower.event("message.complete");
      delays.push(arrival.at - appendedAt);
    }
    expect(delays.sort((a, b) => a - b)[5]).toBeLessThan(200);
  });

  it("get what has been streamed so far, and each other's answers and cancellations", async () => {
    const { file, store } = await opened();
    const owner = await start(file, "own");
    await sleep(200);
    const events = follow(store, 3);
    expect((await events.next()).value).toEqual({
      type: "session.partial",
      messages: [{ messageID: "m2", text: "so far", thinking: "" }],
      calls: [],
    });
    await store.append("s", [{ type: "cancel.requested", callID: "c" }]);
    await store.append("s", [{ type: "question.answered", questionID: "q", allowed: true }]);
    expect((await owner.event("cancel.requested")).event).toMatchObject({ callID: "c", position: 4 });
    expect((await owner.event("question.answered")).event).toMatchObject({ questionID: "q", position: 5 });
  });

  it("interrupt a session when its owner is killed, not while it is stopped", async () => {
    const { file, store } = await opened();
    const owner = await start(file, "own");
    const events = follow(store, 3);
    expect((await events.next()).value).toMatchObject({ type: "message.delta", text: "so far" });
    owner.child.kill("SIGSTOP");
    await sleep(5_000);
    expect(await store.get("s")).toMatchObject({ status: "running", position: 3 });
    await expect(store.claim("s", "turn")).rejects.toMatchObject({ code: "owned" });
    await owner.end();
    expect((await events.next()).value).toMatchObject({ type: "session.interrupted", calls: ["c"], position: 4 });
    await store.claim("s", "turn");
  });

  it("wait for a lock without blocking the event loop, and give up after 10 seconds", async () => {
    const { file, store } = await opened();
    const holder = openSqlite(file);
    holder.exec("BEGIN IMMEDIATE");
    const startedAt = performance.now();
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 50);
    await expect(store.append("s", [{ type: "usage" }])).rejects.toMatchObject({
      code: "store_busy",
      message: `The session database ${file} has been locked by another process for more than 10 seconds. Try again. If that does not help, end a toolwright process that is stopped or hangs. Tools without a session still work.`,
    });
    clearInterval(timer);
    expect(performance.now() - startedAt).toBeGreaterThan(10_000);
    expect(turns).toBeGreaterThan(100);
    expect(await store.read("s", 0, 10)).toHaveLength(1);
    const waiting = store.append("s", [{ type: "usage" }]);
    await sleep(300);
    holder.exec("ROLLBACK");
    holder.close();
    expect(await waiting).toBe(2);
  });

  it("write at the same time: each gets its turn, and all see the same events", async () => {
    const { file, store } = await opened();
    const writers = [await start(file, "write"), await start(file, "write")];
    const own: number[] = [];
    for (let round = 0; round < 200; round += 1) own.push(await store.append("s", [{ type: "usage", model: "own" }]));
    const acknowledged = await Promise.all(writers.map((writer) => takeAll(writer)));
    const all = await store.read("s", 0, 1_000_000);
    expect(all.map(({ position }) => position)).toEqual(all.map((_, index) => index + 1));
    for (const position of own) expect(all[position - 1]).toMatchObject({ model: "own" });
    for (const [index, positions] of acknowledged.entries()) {
      expect(positions.length).toBeGreaterThan(10);
      for (const position of positions)
        expect(all[position - 1]).toMatchObject({ model: String(writers[index]?.child.pid) });
    }
  });
});

/** Kills a writer. Returns the positions that it printed. */
async function takeAll(writer: StoreProcess): Promise<number[]> {
  const positions: number[] = [];
  const ended = writer.end();
  for (;;) {
    const position = await writer.next<number>().catch(() => undefined);
    if (position === undefined) break;
    positions.push(position);
  }
  await ended;
  return positions;
}
