import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { messageOf } from "../../src/core/error.ts";
import type { FollowedEvent, SessionInfo, StoredEvent } from "../../src/core/session-log.ts";
import type { SessionStore } from "../../src/core/session-store.ts";
import { firstInfo, infoAfter } from "../../src/sessions/log/session-info.ts";
import { openSqliteStore } from "../../src/sessions/store/sqlite-store.ts";
import { sandbox } from "../support/fixture.ts";
import { followed, range } from "../support/followed.ts";
import { type PrintingProcess, startProgram } from "../support/printing-process.ts";
import { random } from "../support/random.ts";
import { ROUNDS } from "../support/rounds.ts";
import type { PeerLine, PeerOptions } from "../support/session-peer.ts";
import type { SessionToolboxOptions, ToolboxLine } from "../support/session-toolbox.ts";
import type { WriterLine, WriterOptions } from "../support/session-writer.ts";
import { put, temporary } from "../support/temporary.ts";
import { answering, open } from "../support/toolbox.ts";

const PROJECT = "/project";
const OWNER_GONE = "The process that ran this session ended.";
/** `SEED=1 npm run test:slow -- session-crashes` repeats a run, as far as the moments of the kills can be repeated. */
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const LONG = { timeout: 60_000 * ROUNDS };

describe("a process that is killed while it writes sessions", () => {
  it(`[S3] loses no acknowledged event, in ${ROUNDS} rounds`, LONG, async () => {
    await inRounds(async (file, chance) => {
      const start = (name: string, session: string, isIdle = false): PrintingProcess<WriterLine> => {
        const options: WriterOptions = {
          file,
          project: PROJECT,
          seed: Math.trunc(chance() * 2 ** 31),
          name,
          session,
          isIdle,
        };
        return startProgram("session-writer.ts", options);
      };
      const expected = new ExpectedLogs();
      let owner: PrintingProcess<WriterLine> | undefined;
      // The first writer creates the database; the later ones recover what was left behind.
      for (let life = 0; life < 3; life += 1) {
        const writer = start(`writer ${life}`, "main");
        // A third of the writers is killed while it opens the database.
        const [steps, pause] = chance() < 0.33 ? [1, 60] : [1 + chance() * 100, 10];
        await writer.until((_, count) => count >= steps);
        await sleep(chance() * pause);
        await writer.kill();
        expected.add(writer.lines);
        if (existsSync(file)) await expected.check(file, owner?.pid);
        owner ??= start("owner", "owned", true);
        await owner.until((line) => "done" in line && line.done === "claim");
      }
      expect(await typesOf(file, "owned")).toEqual(["session.start", "message.user"]);
      await owner?.kill();
      expect(await typesOf(file, "owned")).toEqual(["session.start", "message.user", "session.interrupted"]);
    });
  });
});

describe("a process that is killed while it removes old sessions", () => {
  const SESSIONS = 40;

  it(`[S3] leaves the newest ones complete, in ${ROUNDS} rounds`, LONG, async () => {
    await inRounds(async (file, chance) => {
      const store = await openSqliteStore({ file, project: PROJECT });
      for (let n = 0; n < SESSIONS; n += 1) {
        await store.create({ id: `${n}`, directory: "/" });
        const event = { type: "session.idle", text: "x".repeat(20_000) } as const;
        await store.append(`${n}`, [event, event, event]);
      }
      await store.close();
      const options: WriterOptions = {
        file,
        project: PROJECT,
        seed: 1,
        name: "w",
        session: "w",
        maxMb: 1,
        isIdle: true,
      };
      for (let life = 0; life < 4; life += 1) {
        const writer = startProgram<WriterLine>("session-writer.ts", options);
        await writer.until((_, count) => count >= (life === 3 ? 4 : 1));
        await sleep(chance() * 80);
        await writer.kill();
        const left = await openSqliteStore({ file, project: PROJECT });
        const { sessions } = await left.list({ limit: 1_000 });
        const ids = sessions.map(({ id }) => id).filter((id) => id !== "w");
        // Sessions that changed in the same millisecond are listed by id, not by age.
        expect(ids.map(Number).toSorted((a, b) => a - b)).toEqual(range(SESSIONS - ids.length, SESSIONS - 1));
        for (const id of ids) expect(await readLog(left, id)).toHaveLength(4);
        if (life === 3) expect(ids.length).toBeLessThan(20);
        await left.close();
        checkDatabase(file);
      }
    });
  });
});

it("[S3] processes that create the database at the same time all use it", async () => {
  const file = join(temporary(), "home/sessions.db");
  const ids = range(1, 6).map(String);
  const writers = ids.map((session) => {
    const options: WriterOptions = { file, project: PROJECT, seed: 1, name: session, session, isIdle: true };
    return startProgram<WriterLine>("session-writer.ts", options);
  });
  for (const writer of writers) await writer.until((line) => "done" in line && line.done === "claim");
  for (const id of ids) expect(await typesOf(file, id)).toEqual(["session.start", "message.user"]);
});

describe("two processes that write a session and follow it", () => {
  it(
    `[S3] get every event of both once, while they are killed and replaced, in ${ROUNDS} rounds`,
    LONG,
    async ({ annotate }) => {
      const delays: number[] = [];
      await inRounds(async (file, chance) => {
        const store = await openSqliteStore({ file, project: PROJECT });
        onTestFinished(() => store.close());
        await store.create({ id: "shared", directory: "/" });
        const all: { readonly after: number; readonly process: PrintingProcess<PeerLine> }[] = [];
        const start = (after: number, onlyReads = false): PrintingProcess<PeerLine> => {
          const options: PeerOptions = {
            file,
            seed: Math.trunc(chance() * 2 ** 31),
            name: `peer ${all.length}`,
            after,
            onlyReads,
          };
          const process = startProgram<PeerLine>("session-peer.ts", options);
          all.push({ after, process });
          return process;
        };
        const running = [start(0), start(0)];
        const reader = start(0, true);
        for (let kills = 0; kills < 3; kills += 1) {
          const which = chance() < 0.5 ? 0 : 1;
          const process = running[which] as PrintingProcess<PeerLine>;
          await process.until((line) => "got" in line);
          await sleep(chance() * 400);
          await process.kill();
          running[which] = start(chance() < 0.5 ? 0 : (gotBy(process).at(-1)?.got ?? 0));
        }
        for (const process of running) await process.until((line) => "got" in line);
        await sleep(300);
        for (const process of running) process.endInput();
        for (const process of running) await process.until((line) => "stopped" in line);

        const log = await readLog(store, "shared");
        for (const process of [...running, reader])
          await process.until((line) => "got" in line && line.got === log.length);
        const keys = log.map((event) => (event.type === "state.set" ? event.key : undefined));
        expect(new Set(keys).size).toBe(keys.length);
        for (const { after, process } of all) {
          for (const line of process.lines) if ("appended" in line) expect(keys[line.position - 1]).toBe(line.appended);
          const got = gotBy(process);
          expect(got.map((line) => line.got)).toEqual(range(after + 1, after + got.length));
          expect(got.map(({ key }) => key)).toEqual(keys.slice(after, after + got.length));
          delays.push(...got.flatMap(({ delayMs }) => delayMs ?? []));
        }
        for (const process of [...running, reader]) await process.kill();
      });
      const [p50, p99] = [0.5, 0.99].map((share) => percentile(delays, share)) as [number, number];
      await annotate(`${delays.length} events of other processes arrived after ${p50} ms (p50), ${p99} ms (p99)`);
      expect(p50).toBeLessThanOrEqual(200);
    },
  );
});

describe("a call that runs in another process", () => {
  const WAITING = `export default {
    description: "Waits.",
    execute: (_, { abort }) => new Promise((_, reject) => abort.addEventListener("abort", () => reject(abort.reason))),
  };`;

  const CANCELLED = 'The call of "waiting" was cancelled.';

  /** A process with calls in the session "s", and a toolbox of this process with the same home. */
  async function started(
    calls: SessionToolboxOptions["calls"],
    permissions: readonly { readonly tool: string; readonly action: "allow" | "ask" }[],
  ) {
    const at = sandbox({ "waiting.ts": WAITING, "answering.ts": answering('"done"') });
    put(join(at.env.TOOLWRIGHT_HOME as string, "settings.json"), JSON.stringify({ permissions }));
    const { toolbox } = await open(at, { sessions: "disk" });
    const options: SessionToolboxOptions = { cwd: at.project, env: at.env, sessionID: "s", calls };
    const process = startProgram<ToolboxLine>("session-toolbox.ts", options);
    await process.until((line) => "opened" in line);
    const store = await toolbox.sessions.store();
    return { toolbox, process, log: followed(store, "s", 0) };
  }

  const hasStarted =
    (...calls: string[]) =>
    (events: readonly FollowedEvent[]): boolean =>
      calls.every((id) => events.some((event) => event.type === "tool.start" && event.callID === id));
  const questionsIn = (events: readonly FollowedEvent[]): Extract<FollowedEvent, { type: "question.asked" }>[] =>
    events.flatMap((event) => (event.type === "question.asked" ? [event] : []));
  const result = (process: PrintingProcess<ToolboxLine>, callID: string): Promise<ToolboxLine> =>
    process.until((line) => "callID" in line && line.callID === callID);

  it("[S3] is cancelled by the toolbox of this one: one call, then all", async () => {
    const calls = ["a", "b", "c"].map((callID) => ({ callID, name: "waiting" }));
    const { toolbox, process, log } = await started(calls, [{ tool: "waiting", action: "allow" }]);
    await log.until(hasStarted("a", "b", "c"));
    await toolbox.sessions.cancel("s", { callID: "b" });
    expect(await result(process, "b")).toEqual({ callID: "b", ok: false, text: CANCELLED });
    expect(process.lines.filter((line) => "callID" in line)).toHaveLength(1);
    await toolbox.sessions.cancel("s");
    expect(await result(process, "a")).toEqual({ callID: "a", ok: false, text: CANCELLED });
    expect(await result(process, "c")).toEqual({ callID: "c", ok: false, text: CANCELLED });
    expect(await process.ended).toBe(0);
    expect(await (await toolbox.sessions.store()).get("s")).toMatchObject({ status: "idle", openCalls: [] });
  });

  it("[S3] asks a question that the toolbox of this one answers", async () => {
    const calls = [
      { callID: "yes", name: "answering" },
      { callID: "no", name: "answering" },
    ];
    const { toolbox, process, log } = await started(calls, [{ tool: "answering", action: "ask" }]);
    await log.until((events) => questionsIn(events).length === 2);
    const [yes = "", no = ""] = calls.map(
      (call) => questionsIn(log.events).find(({ callID }) => callID === call.callID)?.questionID,
    );
    await toolbox.sessions.answer(yes, { allowed: true });
    expect(await result(process, "yes")).toMatchObject({ ok: true, text: "done" });
    await toolbox.sessions.answer(no, { allowed: false, reason: "Not today." });
    expect(await result(process, "no")).toMatchObject({ ok: false, text: expect.stringContaining("Not today.") });
    await expect(toolbox.sessions.answer(no, { allowed: true })).rejects.toMatchObject({ code: "question_closed" });
    expect(await process.ended).toBe(0);
  });

  it("[S3] and its question are interrupted if that process is killed", async () => {
    const calls = [
      { callID: "running", name: "waiting" },
      { callID: "asking", name: "answering" },
    ];
    const { toolbox, process, log } = await started(calls, [
      { tool: "waiting", action: "allow" },
      { tool: "answering", action: "ask" },
    ]);
    await log.until((events) => hasStarted("running")(events) && questionsIn(events).length === 1);
    const [question] = questionsIn(log.events).map(({ questionID }) => questionID);
    await process.kill();
    // A running store notices it within the time of a renewal.
    await log.until((events) => events.some(({ type }) => type === "session.interrupted"));
    expect(log.events.at(-1)).toMatchObject({
      type: "session.interrupted",
      reason: OWNER_GONE,
      calls: expect.arrayContaining(["running"]),
      questions: [question],
    });
    const answer = toolbox.sessions.answer(question ?? "", { allowed: true });
    await expect(answer).rejects.toMatchObject({ code: "question_closed" });
  });
});

function gotBy(process: PrintingProcess<PeerLine>): Extract<PeerLine, { got: number }>[] {
  return process.lines.flatMap((line) => ("got" in line ? [line] : []));
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

/** What writers have acknowledged. */
class ExpectedLogs {
  /** The position of each acknowledged event of the main session. */
  readonly #events = new Map<string, number>();
  /** By id: the position, and whether they exist. "unknown" if the writer was killed before it knew. */
  readonly #branches = new Map<string, { at: number; exists: boolean | "unknown" }>();

  add(lines: readonly WriterLine[]): void {
    for (const line of lines) {
      if ("done" in line && line.done === "append")
        for (const [index, key] of line.keys.entries())
          this.#events.set(key, line.position - line.keys.length + 1 + index);
      if ("begun" in line && line.begun === "branch") this.#branches.set(line.id, { at: line.at, exists: "unknown" });
      if ("begun" in line && line.begun === "remove") this.#set(line.id, "unknown");
      if ("done" in line && line.done === "branch") this.#set(line.id, true);
      if ("done" in line && line.done === "remove") this.#set(line.id, false);
    }
  }

  async check(file: string, owner?: number): Promise<void> {
    const store = await openSqliteStore({ file, project: PROJECT });
    try {
      if (this.#events.size > 0) expect(await store.get("main")).toBeDefined();
      const main = (await store.get("main")) ? await readLog(store, "main") : [];
      this.#checkMain(main);
      for (const [id, { at, exists }] of this.#branches) {
        const found = await store.get(id);
        if (exists !== "unknown") expect(found !== undefined, id).toBe(exists);
        if (found) expect((await readLog(store, id)).slice(0, at)).toEqual(main.slice(0, at));
      }
    } finally {
      await store.close();
    }
    checkDatabase(file, owner);
  }

  #set(id: string, exists: boolean | "unknown"): void {
    const branch = this.#branches.get(id);
    if (branch) branch.exists = exists;
  }

  #checkMain(log: readonly StoredEvent[]): void {
    const keys = new Map(log.flatMap((event) => (event.type === "state.set" ? [[event.key, event.position]] : [])));
    for (const [key, position] of this.#events) expect(keys.get(key), key).toBe(position);
    // Each once, and those of one writer in the order of its calls.
    const all = log.flatMap((event) => (event.type === "state.set" ? [event.key] : []));
    expect(new Set(all).size).toBe(all.length);
    for (const writer of new Set(all.map((key) => key.split(":")[0])))
      expect(all.filter((key) => key.startsWith(`${writer}:`))).toEqual(
        range(0, all.filter((key) => key.startsWith(`${writer}:`)).length - 1).map((n) => `${writer}:${n}`),
      );
    // The turn of each writer was ended once, after its last event.
    const turns = log.flatMap(({ type, position }, index) => (type === "message.user" ? [{ position, index }] : []));
    for (const [index, { index: from }] of turns.entries()) {
      const until = turns[index + 1]?.index ?? log.length;
      expect(log[until - 1]).toMatchObject({ type: "session.interrupted", reason: OWNER_GONE });
      expect(log.slice(from, until).filter(({ type }) => type === "session.interrupted")).toHaveLength(1);
    }
  }
}

/** All events of a session. Checks that positions have no gaps, and that the stored info is that of these events. */
async function readLog(store: SessionStore, id: string): Promise<StoredEvent[]> {
  const log: StoredEvent[] = [];
  for (;;) {
    const page = await store.read(id, log.length, 500);
    if (page.length === 0) break;
    log.push(...page);
  }
  expect(log.map(({ position }) => position)).toEqual(range(1, log.length));
  const { branchOf: _branch, createdAt: _created, updatedAt: _updated, ...info } = (await store.get(id)) as SessionInfo;
  const [start, ...others] = log as [StoredEvent & { type: "session.start" }, ...StoredEvent[]];
  const folded = others.reduce(infoAfter, firstInfo({ id, project: PROJECT }, start));
  expect(folded).toMatchObject(info);
  return log;
}

/** `owner` is the id of the only process that has it open. */
function checkDatabase(file: string, owner = 0): void {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const first = (sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0];
    expect(first("PRAGMA integrity_check")).toBe("ok");
    expect(first("SELECT count(*) FROM events WHERE session NOT IN (SELECT key FROM sessions)")).toBe(0);
    expect(database.prepare("SELECT pid FROM processes JOIN claims ON process = processes.key").all()).toEqual(
      owner === 0 ? [] : [{ pid: owner }],
    );
    expect(first("SELECT count(*) FROM processes")).toBe(owner === 0 ? 0 : 1);
  } finally {
    database.close();
  }
}

async function typesOf(file: string, id: string): Promise<string[]> {
  const store = await openSqliteStore({ file, project: PROJECT });
  try {
    return (await readLog(store, id)).map(({ type }) => type);
  } finally {
    await store.close();
  }
}

/** Each round has its own database and seed. */
async function inRounds(run: (file: string, chance: () => number) => Promise<void>): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const seed = SEED + round;
    const folder = temporary();
    try {
      await run(join(folder, "sessions.db"), random(seed));
    } catch (error) {
      throw new Error(`Round ${round} failed: ${messageOf(error)} (SEED=${seed} ROUNDS=1)`, { cause: error });
    }
    rmSync(folder, { recursive: true });
  }
}
