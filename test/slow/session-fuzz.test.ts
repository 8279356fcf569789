import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { DurableEvent, SessionInfo, StoredEvent } from "../../src/core/session-log.ts";
import { createToolbox } from "../../src/index.ts";
import { storedEvents } from "../../src/sessions/stored-events.ts";
import { sandbox } from "../support/fixture.ts";
import { random } from "../support/random.ts";
import type { FuzzerLine, FuzzerOptions } from "../support/session-fuzzer.ts";

/** `SECONDS=1800` runs longer, `SEED=5` repeats a run as far as its timing allows. */
const SECONDS = Number(process.env.SECONDS ?? 15);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const FUZZER = new URL("../support/session-fuzzer.ts", import.meta.url).pathname;

interface Fuzzer {
  readonly child: ChildProcess;
  readonly answered: string[];
}

function start(options: FuzzerOptions): Fuzzer {
  const child = spawn(process.execPath, [FUZZER, JSON.stringify(options)], { stdio: ["pipe", "pipe", "inherit"] });
  const answered: string[] = [];
  let rest = "";
  child.stdout?.on("data", (data) => {
    const lines = `${rest}${data}`.split("\n");
    rest = lines.pop() ?? "";
    answered.push(...lines.map((line) => (JSON.parse(line) as FuzzerLine).answered));
  });
  return { child, answered };
}

async function ended({ child }: Fuzzer): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "close");
}

const OF_TURNS: ReadonlySet<string> = new Set(["message.complete", "usage", "session.idle", "session.error"]);

/** What is wrong with the log of a session that no process runs. */
function faultsOf({ id, status }: SessionInfo, events: readonly StoredEvent[]): string[] {
  const faults = status === "running" || status === "waiting" ? [`${id} is ${status}`] : [];
  const open = new Map<string, number>();
  const change = (key: string, by: number, position: number): void => {
    const count = (open.get(key) ?? 0) + by;
    open.set(key, count);
    if (count < 0) faults.push(`${id}: ${key} ends at ${position} without a start`);
  };
  let isRunning = false;
  for (const event of events as readonly (DurableEvent & StoredEvent)[]) {
    if (event.type === "message.user" && isRunning) faults.push(`${id}: the turn before ${event.position} has no end`);
    if (event.type === "message.user") isRunning = true;
    else if (OF_TURNS.has(event.type) && !isRunning)
      faults.push(`${id}: ${event.type} at ${event.position} has no turn`);
    if (event.type.startsWith("session.")) isRunning = false;
    if (event.type === "tool.start") change(`call ${event.callID}`, 1, event.position);
    if (event.type === "tool.complete" || event.type === "tool.failed")
      change(`call ${event.callID}`, -1, event.position);
    if (event.type === "question.asked") change(`question ${event.questionID}`, 1, event.position);
    if (event.type === "question.answered") change(`question ${event.questionID}`, -1, event.position);
    if (event.type !== "session.interrupted") continue;
    for (const callID of event.calls) change(`call ${callID}`, -1, event.position);
    for (const questionID of event.questions) change(`question ${questionID}`, -1, event.position);
  }
  for (const [key, count] of open) if (count > 0) faults.push(`${id}: ${key} does not end`);
  return faults;
}

it(
  `[S2] [S3] [P3] two processes that run, answer, cancel, branch, and are paused and killed, leave nothing open (seed ${SEED})`,
  async () => {
    const at = sandbox();
    const chance = random(SEED);
    const env = at.env as Record<string, string>;
    const until = Date.now() + SECONDS * 1_000;
    const faults: string[] = [];
    const counts = { rounds: 0, answers: 0, events: 0 };
    const next = (): Fuzzer => start({ cwd: at.project, env, seed: Math.floor(chance() * 1e9) });
    // On a busy machine, the processes may be killed before one has answered a question.
    const isEnough = (): boolean => Date.now() > until + (counts.answers > 0 ? 0 : 30_000);
    while (!isEnough() && faults.length === 0) {
      const fuzzers = [next(), next()];
      const all = [...fuzzers];
      for (let kills = Math.floor(chance() * 3); kills > 0; kills -= 1) {
        await sleep(600 + chance() * 1_500);
        const which = chance() < 0.5 ? 0 : 1;
        if (chance() < 0.3) {
          fuzzers[which]?.child.kill("SIGSTOP");
          await sleep(chance() * 2_000);
          fuzzers[which]?.child.kill("SIGCONT");
          continue;
        }
        fuzzers[which]?.child.kill("SIGKILL");
        await ended(fuzzers[which] as Fuzzer);
        fuzzers[which] = next();
        all.push(fuzzers[which]);
      }
      await sleep(600 + chance() * 1_500);
      for (const { child } of fuzzers) {
        if (chance() < 0.5) child.kill("SIGKILL");
        else child.stdin?.end();
      }
      await Promise.all(all.map(ended));
      const toolbox = await createToolbox({ cwd: at.project, env, onlyGiven: true, sessions: "disk" });
      const store = await toolbox.sessions.store();
      const answeredIn = new Set<string>();
      let cursor: string | undefined;
      do {
        const page = await store.list({ limit: 1_000, ...(cursor === undefined ? {} : { cursor }) });
        for (const info of page.sessions) {
          const events: StoredEvent[] = [];
          for await (const event of storedEvents(store, info.id)) events.push(event);
          for (const event of events) {
            if (event.type === "question.answered" && !event.withdrawn) answeredIn.add(event.questionID);
          }
          counts.events += events.length;
          faults.push(...faultsOf(info, events));
          // Keeps the rounds short.
          if (info.branchOf || events.length > 500) await store.remove(info.id);
        }
        cursor = page.next;
      } while (cursor !== undefined);
      const answers = all.flatMap(({ answered }) => answered);
      faults.push(...answers.filter((id) => !answeredIn.has(id)).map((id) => `the answer to ${id} is lost`));
      counts.rounds += 1;
      counts.answers += answers.length;
      await toolbox.close();
    }
    console.log(`seed ${SEED}: ${JSON.stringify(counts)}`);
    expect(faults).toEqual([]);
    expect(counts.answers).toBeGreaterThan(0);
  },
  (SECONDS + 60) * 1_000,
);
