/** Measures appends to a session on disk, and deliveries to its followers. Started by the cases `session-append` and `session-followers`. */
import { EventEmitter, on } from "node:events";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { NewEvent, SessionStore } from "../../src/core/session-store.ts";
import type { Toolbox, ToolboxOptions } from "../../src/toolbox/toolbox.ts";
import { percentile } from "../statistics.ts";

const [library = "", directory = ""] = process.argv.slice(2);
const CONCURRENT = 32;
const FOLLOWERS = 1_000;

interface Library {
  createToolbox(options: ToolboxOptions): Promise<Toolbox>;
}

const { createToolbox } = (await import(pathToFileURL(library).href)) as Library;
const toolbox = await createToolbox({ cwd: directory, sessions: "disk", onlyGiven: true });
const store: SessionStore = await toolbox.sessions.store();
const raw = openRaw();
const insert = raw.prepare("INSERT INTO events (session, position, at, v, type, data) VALUES (1, ?, ?, 1, ?, ?)");
let rawPosition = 0;

type Sample = Record<string, number>;

const CONTENDERS: Readonly<Record<string, (count: number) => Promise<Sample>>> = {
  "one-writer": (count) => timed(count, appendOneByOne),
  concurrent: (count) => timed(count, appendConcurrently),
  "raw-sqlite": (count) => timed(count, insertOneByOne),
  followers: (count) => deliver(count, followSession),
  iterators: (count) => deliver(count, iterate),
  listeners: (count) => deliver(count, listen),
};

process.on("message", async ({ what, count }: { what: string; count: number }) => {
  const run = CONTENDERS[what];
  if (!run) throw new Error(`Unknown contender: ${what}.`);
  process.send?.(await run(count));
});
process.on("disconnect", async () => {
  await toolbox.close();
  raw.close();
});
process.send?.("ready");

/** `wall` is ms per 1,000 events. */
async function timed(count: number, work: (count: number) => Promise<void>): Promise<Sample> {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await work(count);
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  const thousands = count / 1_000;
  return { wall: ms / thousands, cpu: (user + system) / 1_000 / thousands, perSecond: (count / ms) * 1_000 };
}

async function appendOneByOne(count: number): Promise<void> {
  const { id } = await store.create({ directory });
  for (let n = 1; n <= count; n += 1) await append(id, n);
}

async function appendConcurrently(count: number): Promise<void> {
  const { id } = await store.create({ directory });
  let n = 0;
  const write = async (): Promise<void> => {
    while (n < count) {
      n += 1;
      await store.append(id, [eventOf(n)]);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, write));
  if ((await store.get(id))?.position !== count + 1) throw new Error("An event is missing.");
}

async function append(id: string, n: number): Promise<void> {
  if ((await store.append(id, [eventOf(n)])) !== n + 1) throw new Error(`Event ${n} has another position.`);
}

async function insertOneByOne(count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1) insertOne(eventOf(n));
}

function insertOne(event: NewEvent): void {
  rawPosition += 1;
  insert.run(rawPosition, Date.now(), event.type, JSON.stringify(event));
}

/** A table of the same form, with the same pragmas. Each insert is a transaction. */
function openRaw(): DatabaseSync {
  const database = new DatabaseSync(`${directory}/raw.db`);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE events (
      session INTEGER NOT NULL, position INTEGER NOT NULL, at INTEGER NOT NULL, v INTEGER NOT NULL,
      type TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (session, position)
    ) WITHOUT ROWID`);
  return database;
}

/** Readers of a session: `send` stores one event and passes it to all of them. */
interface Readers {
  send(n: number): Promise<void>;
  close(): Promise<void>;
}

/** `p50` and `p99` are the time in ms from sending an event to its arrival at a reader, `kb` the memory of a reader. */
async function deliver(count: number, start: (arrived: () => void) => Promise<Readers>): Promise<Sample> {
  const delays: number[] = [];
  let sentAt = 0;
  const before = await usedKb();
  const readers = await start(() => void delays.push(performance.now() - sentAt));
  await turn();
  const kb = ((await usedKb()) - before) / FOLLOWERS;
  for (let n = 1; n <= count; n += 1) {
    sentAt = performance.now();
    await readers.send(n);
    while (delays.length < n * FOLLOWERS) await turn();
  }
  await readers.close();
  if (delays.length !== count * FOLLOWERS) throw new Error(`${delays.length} deliveries of ${count * FOLLOWERS}.`);
  return { p50: percentile(delays, 0.5), p99: percentile(delays, 0.99), kb };
}

async function followSession(arrived: () => void): Promise<Readers> {
  const { id } = await store.create({ directory });
  const stop = new AbortController();
  const follow = async (): Promise<void> => {
    let position = 1;
    for await (const event of store.follow(id, 1, stop.signal)) {
      position += 1;
      if (!("position" in event) || event.position !== position) throw new Error("An event is missing.");
      arrived();
    }
  };
  const all = Promise.all(Array.from({ length: FOLLOWERS }, follow));
  return {
    send: (n) => append(id, n),
    async close() {
      stop.abort();
      await all;
    },
  };
}

/** The async iterators of an EventEmitter, with the same interface as followers. */
async function iterate(arrived: () => void): Promise<Readers> {
  const emitter = new EventEmitter().setMaxListeners(FOLLOWERS);
  const stop = new AbortController();
  EventEmitter.setMaxListeners(FOLLOWERS, stop.signal);
  const read = async (): Promise<void> => {
    for await (const _ of on(emitter, "event", { signal: stop.signal })) arrived();
  };
  const all = Promise.allSettled(Array.from({ length: FOLLOWERS }, read));
  return {
    send: async (n) => emit(emitter, n),
    async close() {
      stop.abort();
      await all;
    },
  };
}

async function listen(arrived: () => void): Promise<Readers> {
  const emitter = new EventEmitter().setMaxListeners(FOLLOWERS);
  for (let n = 0; n < FOLLOWERS; n += 1) emitter.on("event", () => arrived());
  return { send: async (n) => emit(emitter, n), close: async () => void emitter.removeAllListeners() };
}

function emit(emitter: EventEmitter, n: number): void {
  const event = eventOf(n);
  insertOne(event);
  emitter.emit("event", event);
}

function eventOf(n: number): NewEvent {
  return {
    type: "message.complete",
    messageID: `m${n}`,
    content: [{ type: "text", text: "a line of text ".repeat(30) }],
  };
}

async function usedKb(): Promise<number> {
  for (let n = 0; n < 3; n += 1) {
    await turn();
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed / 1024;
}
