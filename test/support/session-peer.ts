/** A program that writes to a session and follows it at the same time: `node session-peer.ts '{"file": …}'`. See `PeerLine`. */
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openSqliteStore } from "../../src/sessions/store/sqlite-store.ts";
import { random } from "./random.ts";

export interface PeerOptions {
  readonly file: string;
  readonly seed: number;
  /** Begins the keys of its events. */
  readonly name: string;
  /** Follows after this position. */
  readonly after: number;
  readonly onlyReads: boolean;
}

/** A line of a peer. It stops writing, but not following, when its standard input ends. */
export type PeerLine =
  | { readonly appended: string; readonly position: number }
  /** `delayMs`: since the append of another process. Left out for its own events, and for those from before its start. */
  | { readonly got: number; readonly key?: string; readonly delayMs?: number }
  | { readonly stopped: true };

const { file, seed, name, after, onlyReads } = JSON.parse(process.argv[2] ?? "") as PeerOptions;
const store = await openSqliteStore({ file, project: "/project" });
const startedAt = Date.now();
let isStopped = false;
process.stdin.resume().once("end", () => {
  isStopped = true;
});
await Promise.all([follow(), onlyReads ? undefined : write()]);

async function follow(): Promise<void> {
  for await (const event of store.follow("shared", after, new AbortController().signal)) {
    if (!("position" in event)) continue;
    const key = event.type === "state.set" ? { key: event.key } : {};
    const isNew = event.type === "state.set" && !event.key.startsWith(name) && event.at > startedAt;
    print({ got: event.position, ...key, ...(isNew ? { delayMs: Date.now() - event.at } : {}) });
  }
}

async function write(): Promise<void> {
  const chance = random(seed);
  for (let n = 0; !isStopped; n += 1) {
    const key = `${name}:${n}`;
    const value = "x".repeat(chance() < 0.1 ? chance() * 100_000 : 10);
    const position = await store.append("shared", [{ type: "state.set", of: "tools", key, value }]);
    print({ appended: key, position });
    await sleep(chance() * 30);
  }
  print({ stopped: true });
}

function print(line: PeerLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
