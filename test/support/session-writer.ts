/**
 * A program that changes a session database until it is killed: `node session-writer.ts '{"file": …}'`. It prints one JSON line
 * before each step, and one after the step is durable. See `WriterLine`.
 */
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openSqliteStore } from "../../src/sessions/store/sqlite-store.ts";
import { random } from "./random.ts";

export interface WriterOptions {
  readonly file: string;
  readonly project: string;
  readonly seed: number;
  /** Begins the ids of its events and sessions. */
  readonly name: string;
  /** The session that it claims and appends to. */
  readonly session: string;
  /** The maximum size of the database. */
  readonly maxMb?: number;
  /** Whether it only holds its claim. */
  readonly isIdle?: boolean;
}

/** A line of a writer. Keys of events are numbered by writer and session, in the order of the appends. */
export type WriterLine =
  | { readonly begun: "open" | "append" | "claim" }
  | { readonly begun: "branch"; readonly id: string; readonly at: number }
  | { readonly begun: "remove"; readonly id: string }
  | { readonly done: "open" | "claim" }
  /** `position` is that of the last of the events. */
  | { readonly done: "append"; readonly keys: readonly string[]; readonly position: number }
  | { readonly done: "branch" | "remove"; readonly id: string };

await write(JSON.parse(process.argv[2] ?? "") as WriterOptions);

async function write({
  file,
  project,
  seed,
  name,
  session,
  maxMb = 1_000,
  isIdle = false,
}: WriterOptions): Promise<never> {
  const chance = random(seed);
  const pick = (below: number): number => Math.floor(chance() * below);
  print({ begun: "open" });
  const store = await openSqliteStore({ file, project, limits: { keepDays: 90, maxMb } });
  print({ done: "open" });
  if (!(await store.get(session))) await store.create({ id: session, directory: "/" }).catch(() => {});
  print({ begun: "claim" });
  await store.claim(session, "turn");
  await store.append(session, [{ type: "message.user", messageID: `turn of ${name}`, content: [] }]);
  print({ done: "claim" });
  while (isIdle) await sleep(60_000);

  let keys = 0;
  let branches = 0;
  const kept: string[] = [];
  const append = async (): Promise<void> => {
    const batch = Array.from({ length: 1 + pick(4) }, () => `${name}:${keys++}`);
    // Large events fill the write-ahead log, so that checkpoints are frequent.
    const value = "x".repeat(pick(4) === 0 ? pick(300_000) : pick(200));
    print({ begun: "append" });
    const position = await store.append(
      session,
      batch.map((key) => ({ type: "state.set", of: "tools", key, value })),
    );
    print({ done: "append", keys: batch, position });
  };
  const branch = async (): Promise<void> => {
    const at = 1 + pick((await store.get(session))?.position ?? 1);
    const id = `${name}/branch-${branches++}`;
    print({ begun: "branch", id, at });
    await store.branch(session, at, { id });
    print({ done: "branch", id });
    kept.push(id);
  };
  const remove = async (): Promise<void> => {
    const id = kept.shift();
    if (id === undefined) return;
    print({ begun: "remove", id });
    await store.remove(id);
    print({ done: "remove", id });
  };
  for (;;) {
    const step = pick(10);
    if (step < 6) await append();
    else if (step < 8) await Promise.all(Array.from({ length: 8 }, append));
    else if (step < 9) await branch();
    else await remove();
  }
}

function print(line: WriterLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
