import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { messageOf } from "../../src/core/error.ts";
import type { SessionInfo, StoredEvent } from "../../src/core/session-log.ts";
import { ensureBuilt } from "../support/cli.ts";
import { sandbox } from "../support/fixture.ts";
import { installed, MODULES } from "../support/installed.ts";
import { startedWith } from "../support/processes.ts";
import { random } from "../support/random.ts";
import { ROUNDS } from "../support/rounds.ts";
import { checkBranch, checkLog, countCalls, isOpen } from "../support/sessions-over-http/check-log.ts";
import { DrivenSession, type DriverParts } from "../support/sessions-over-http/driven-session.ts";
import { EFFECT_TOOL, effectsIn } from "../support/sessions-over-http/effect-tool.ts";
import { type Plan, startPlannedModel } from "../support/sessions-over-http/planned-model.ts";
import {
  eventually,
  freePort,
  SessionServer,
  type SessionServerOptions,
} from "../support/sessions-over-http/session-server.ts";

const missing = await installed("langchain");
ensureBuilt();

/** `SEED=1 npm run test:e2e -- session-kills` repeats a run, as far as the moments of the kills can be repeated. */
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const LONG = { timeout: 60_000 + 30_000 * ROUNDS };
/** How many sessions run at the same time. */
const SESSIONS = 4;
/** In how many rounds a session is used. */
const LIVES = 5;
const STOPPED = "The program that ran this session was stopped before the turn had ended. Send a message to continue.";
const OWNER_GONE = "The process that ran this session ended.";

/** A project with the tool `effect`, a model that reads its plans in prompts, and servers of the project that are not started. */
async function world(chance: () => number, servers: readonly SessionServerOptions[] = [{}]) {
  const at = sandbox({ "effect.ts": EFFECT_TOOL });
  const effects = join(at.root, "effects.jsonl");
  writeFileSync(effects, "");
  const settings = join(at.env.TOOLWRIGHT_HOME as string, "settings.json");
  mkdirSync(dirname(settings), { recursive: true });
  writeFileSync(settings, JSON.stringify({ agents: { modules: dirname(MODULES.langchain) } }));
  const model = await startPlannedModel();
  const env = { OPENAI_API_KEY: "dummy", OPENAI_BASE_URL: `${model.origin}/v1`, EFFECTS: effects };
  const started: SessionServer[] = [];
  for (const options of servers) started.push(new SessionServer(at, await freePort(), env, options));
  const sessions: DrivenSession[] = [];
  onTestFinished(async () => {
    await Promise.all(sessions.map((session) => session.close()));
    await Promise.all(started.map((server) => server.kill()));
    await model.close();
    await eventually("no process is left", () => startedWith(at.home).length === 0);
  });
  let plans = 0;
  const pick = (below: number): number => Math.floor(chance() * below);
  const plan = (): Plan => ({
    name: `plan ${++plans}`,
    delayMs: pick(15),
    steps: Array.from({ length: 1 + pick(4) }, (_, step) => ({
      say: `This is step ${step + 1} of plan ${plans}, and the model says a few words about it.`,
      calls: Array.from({ length: 1 + pick(3) }, () => ({ ms: pick(80), ask: chance() < 0.25 })),
    })),
  });
  return { at, effects, model, servers: started, sessions, plan };
}

/** The log of a session, as the server exports it. */
async function logOf(server: SessionServer, id: string): Promise<StoredEvent[]> {
  const { status, body } = await server.ask<string>(`/api/sessions/${id}/export?format=jsonl`);
  if (status !== 200) throw new Error(`The export of ${id}: ${status} ${JSON.stringify(body)}`);
  return body
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as StoredEvent);
}

async function infoOf(server: SessionServer, id: string): Promise<SessionInfo> {
  return (await server.ask<SessionInfo>(`/api/sessions/${id}`)).body;
}

describe.skipIf(missing)("a server that is killed while sessions run", () => {
  it(`[S3] loses and repeats nothing that clients have seen, in ${ROUNDS} rounds`, LONG, async ({ annotate }) => {
    const chance = random(SEED);
    const { at: _, effects, model, servers, sessions, plan } = await world(chance);
    const [server] = servers as [SessionServer];
    /** Counts down to the kill of this round. */
    let killsAfter:
      | { readonly what: "event" | "acknowledged"; count: number; readonly reached: () => void }
      | undefined;
    const progress: DriverParts["progress"] = (what) => {
      if (killsAfter?.what !== what) return;
      killsAfter.count -= 1;
      if (killsAfter.count === 0) killsAfter.reached();
    };
    const parts: DriverParts = { server, chance, plan, progress };
    const lost: string[] = [];
    const deleted = new Set<string>();
    const branches = new Set<string>();
    const calls = new Map<string, { started: number; completed: number }>();
    const done: { readonly id: string; readonly log: readonly StoredEvent[] }[] = [];
    const counts = { kills: 0, duringStart: 0, compared: 0, interruptions: 0, turns: 0, unknownCalls: 0 };

    /** Checks all sessions after a start: none runs, and their logs agree with what clients have seen. */
    const check = async (): Promise<void> => {
      sessions.splice(0, sessions.length, ...sessions.filter((session) => session !== undefined));
      for (const session of sessions) {
        const log = await logOf(server, session.id);
        counts.compared += checkLog(session, log);
        expect(isOpen(log), `the session ${session.id} is marked`).toBe(false);
        const last = log.findLast(({ type }) => type.startsWith("session."));
        const info = await infoOf(server, session.id);
        expect([info.status, info.openQuestions]).toEqual([
          last?.type === "session.interrupted" ? "interrupted" : "idle",
          [],
        ]);
        for (const [id, at] of session.branches) {
          checkBranch(await logOf(server, id), log, at);
          branches.add(id);
        }
      }
      for (const id of deleted) expect((await server.ask(`/api/sessions/${id}`)).status, id).toBe(404);
    };

    /** Uses all sessions until the server is gone. */
    const drive = async (isOver: () => boolean, over: Promise<void>): Promise<void> => {
      const one = async (slot: number): Promise<void> => {
        while (!isOver()) {
          const known = sessions[slot];
          const session = known ?? (await DrivenSession.create(parts, (prompt) => lost.push(prompt)));
          sessions[slot] = session;
          const position = known ? await known.send() : 0;
          if (await Promise.race([over, session.end(position)])) counts.turns += 1;
        }
      };
      const ended = (error: Error): void => {
        if (error.cause === "refused") throw error;
      };
      await Promise.all(Array.from({ length: SESSIONS }, (_, slot) => one(slot).catch(ended)));
    };

    /** Ends the use of the oldest session: its log is complete. */
    const retire = async (): Promise<void> => {
      const session = sessions.shift();
      if (!session) return;
      session.isCalm = true;
      expect(await session.end(await session.send())).toMatchObject({
        event: "completed",
        data: { text: expect.stringMatching(/^Done: /) },
      });
      const log = await logOf(server, session.id);
      counts.compared += checkLog(session, log);
      await session.close();
      expect(session.refused).toEqual([]);
      done.push({ id: session.id, log });
      if (chance() < 0.5) return;
      expect((await server.ask(`/api/sessions/${session.id}`, { method: "DELETE" })).status).toBeLessThan(300);
      deleted.add(session.id);
    };

    const round = async (number: number): Promise<void> => {
      if (chance() < 0.2) {
        const starting = server.start();
        await sleep(chance() * 500);
        await server.kill();
        await starting;
        counts.duringStart += 1;
      }
      await server.start();
      await check();
      if (number % LIVES === LIVES - 1) await retire();
      const reached = Promise.withResolvers<void>();
      const moment = chance();
      if (moment < 0.4) setTimeout(reached.resolve, chance() * 1_500);
      else {
        const what = moment < 0.7 ? "event" : "acknowledged";
        killsAfter = {
          what,
          count: 1 + Math.floor(chance() * (what === "event" ? 150 : 12)),
          reached: reached.resolve,
        };
      }
      const over = Promise.withResolvers<void>();
      let isOver = false;
      const driving = drive(() => isOver, over.promise);
      await Promise.race([reached.promise, driving]);
      isOver = true;
      await server.kill();
      over.resolve();
      await driving;
      killsAfter = undefined;
      counts.kills += 1;
    };

    for (let number = 0; number < ROUNDS; number += 1) {
      await round(number).catch((error: unknown) => {
        throw new Error(`Round ${number} failed: ${messageOf(error)} (SEED=${SEED})\n${server.stderr.slice(-2_000)}`, {
          cause: error,
        });
      });
    }

    // Every session, also those that were created by requests without an answer, can be used to the end.
    await server.start();
    await check();
    while (sessions.length > 0) await retire();
    const { body } = await server.ask<{ readonly sessions: readonly SessionInfo[] }>("/api/sessions?limit=200");
    const logs = [...done];
    for (const { id, status, branchOf } of body.sessions) {
      expect(["idle", "interrupted"], id).toContain(status);
      if (branchOf) continue;
      if (!done.some((each) => each.id === id)) logs.push({ id, log: await logOf(server, id) });
    }
    expect(logs.length).toBeLessThanOrEqual(done.length + lost.length);
    for (const { id, log } of logs) {
      countCalls(id, log, calls);
      for (const event of log) {
        if (event.type !== "session.interrupted") continue;
        expect(event.reason).toBe(OWNER_GONE);
        counts.interruptions += 1;
        counts.unknownCalls += event.calls.length;
      }
    }
    const counted = effectsIn(effects);
    for (const [key, count] of counted) expect(count, key).toBeLessThanOrEqual(calls.get(key)?.started ?? 0);
    for (const [key, { completed }] of calls) expect(counted.get(key) ?? 0, key).toBeGreaterThanOrEqual(completed);
    expect(model.problems).toEqual([]);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    await annotate(
      `${ROUNDS} rounds: ${counts.kills} kills and ${counts.duringStart} during the start; ${logs.length} sessions, ${branches.size} branches, ${counts.turns} turns, ` +
        `${counts.interruptions} interruptions, ${counts.compared} events compared, ${calls.size} calls, ` +
        `${[...counted.values()].reduce((sum, count) => sum + count, 0)} side effects, ${counts.unknownCalls} calls with an unknown effect (SEED=${SEED})`,
    );
  });
});

describe.skipIf(missing)("a server that is stopped while sessions run", () => {
  it("[S3] refuses new turns, waits for turns that end in time, and interrupts the others cleanly", LONG, async () => {
    const chance = random(1);
    const { effects, model, servers, sessions, plan } = await world(chance);
    const [server] = servers as [SessionServer];
    const parts: DriverParts = { server, chance, plan, progress: () => {} };
    await server.start();
    const created = [2_000, 60_000].map((ms) => {
      const plans = [{ ...plan(), steps: [{ say: "A call.", calls: [{ ms }] }] }];
      return DrivenSession.create({ ...parts, plan: () => plans.shift() ?? plan() }, () => {});
    });
    const [short, long] = await Promise.all(created);
    if (!short || !long) throw new Error("There are no sessions.");
    sessions.push(short, long);
    const [shortReader, longReader] = [short.readers[0], long.readers[0]];
    await eventually("both calls run", () =>
      [shortReader, longReader].every((reader) =>
        reader?.seen.some(
          ({ event, data }) => event === "tool_update" || (event === "partial" && JSON.stringify(data.calls) !== "[]"),
        ),
      ),
    );
    const stopped = server.stop();
    await eventually("it says that it stops", () => server.stderr.includes("Stopping"));
    // On a connection from before, or it accepts none.
    const answer = await server.post("/api/sessions", { prompt: "say no", agent: "demo" }).catch(() => undefined);
    expect(answer?.status ?? 503).toBe(503);
    expect(await stopped).toEqual({ code: 0, signal: null });
    expect(server.stderr).toContain("Stopping: the 2 running turns of agents have 10 seconds to end.");
    // Readers got the end of their turns before the connections were closed.
    expect(shortReader?.durable.at(-1)).toMatchObject({
      event: "completed",
      data: { text: expect.stringMatching(/^Done/) },
    });
    expect(longReader?.durable.at(-1)).toMatchObject({
      event: "interrupted",
      data: { reason: STOPPED, calls: [], questions: [] },
    });
    expect(longReader?.durable.at(-2)).toMatchObject({
      event: "tool_result",
      data: { result: { ok: false, error: { code: "aborted" } } },
    });

    await server.start();
    expect((await infoOf(server, short.id)).status).toBe("idle");
    expect((await infoOf(server, long.id)).status).toBe("interrupted");
    for (const session of [short, long]) {
      const end = await session.end(await session.send());
      expect(end.event).toBe("completed");
      checkLog(session, await logOf(server, session.id));
    }
    expect([...effectsIn(effects).values()].every((count) => count === 1)).toBe(true);
    expect(model.problems).toEqual([]);
  });
});

describe.skipIf(missing)("two servers with the same sessions", () => {
  it("[S3] show each other's events, pass on answers, and notice when the other is killed", LONG, async () => {
    const chance = random(2);
    const { effects, model, servers, sessions, plan } = await world(chance, [{}, {}]);
    const [first, second] = servers as [SessionServer, SessionServer];
    await Promise.all(servers.map((server) => server.start()));
    const ask: Plan = { ...plan(), steps: [{ say: "May I?", calls: [{ ms: 0, ask: true }] }] };
    const wait: Plan = { ...plan(), steps: [{ say: "A long call.", calls: [{ ms: 60_000 }] }] };
    // The plans of the session, in order. Prompts go to the first server; events come from the second one, which answers too.
    const plans = [ask, wait];
    const parts: DriverParts = {
      server: second,
      chance: () => 1,
      plan: () => plans.shift() ?? plan(),
      progress: () => {},
    };
    const session = await DrivenSession.create({ ...parts, server: first }, () => {});
    const watched = DrivenSession.of(session.id, parts);
    sessions.push(session, watched);
    await session.end(0);
    expect(await watched.end(0)).toMatchObject({ event: "completed", data: { text: expect.stringMatching(/^Done/) } });
    const answers = (await logOf(second, session.id)).filter(({ type }) => type === "question.answered");
    expect(answers).toMatchObject([{ allowed: true }]);

    const position = await session.send();
    const call = (): string | undefined =>
      watched.readers[0]?.durable.find(({ id, event }) => id > position && event === "tool_use")?.data.callID as string;
    await eventually("the long call runs", () => call() !== undefined);
    // A session has one owner.
    expect(await second.post(`/api/sessions/${session.id}/messages`, { prompt: "say hi" })).toMatchObject({
      status: 409,
    });
    expect((await second.ask(`/api/sessions/${session.id}`, { method: "DELETE" })).status).toBe(409);
    await first.kill();
    expect(await watched.end(position)).toMatchObject({
      event: "interrupted",
      data: { reason: OWNER_GONE, calls: [call()], questions: [] },
    });
    expect((await infoOf(second, session.id)).status).toBe("interrupted");
    await session.close();
    expect(await watched.end(await watched.send())).toMatchObject({ event: "completed" });
    checkLog(watched, await logOf(second, session.id));
    expect([...effectsIn(effects).values()].every((count) => count === 1)).toBe(true);
    expect(model.problems).toEqual([]);
  });
});

/** What happens to two servers while their sessions run. Some processes are then taken for gone, if they are on other machines. */
interface Disturbance {
  readonly what: string;
  readonly mayEndTurns: boolean;
  readonly run: (victim: SessionServer, other: SessionServer) => Promise<unknown>;
}

const restarted = async (server: SessionServer): Promise<void> => {
  await server.kill();
  await server.start();
};

const jumped = async (server: SessionServer, next: (server: SessionServer) => Promise<void>): Promise<void> => {
  server.jump();
  await next(server);
};

const DISTURBANCES: readonly Disturbance[] = [
  { what: "killed", mayEndTurns: true, run: restarted },
  { what: "killed, its clock ahead", mayEndTurns: true, run: (victim) => jumped(victim, restarted) },
  { what: "paused", mayEndTurns: false, run: (victim) => victim.pause(3_000) },
  {
    what: "paused with the other one",
    mayEndTurns: false,
    run: (victim, other) => Promise.all([victim.pause(8_000), other.pause(8_000)]),
  },
  {
    what: "given another time",
    mayEndTurns: false,
    run: async (victim) => {
      victim.jump();
      await sleep(3_000);
      victim.jump();
    },
  },
  {
    what: "given another time, while the other one is killed",
    mayEndTurns: false,
    run: (victim, other) => jumped(victim, () => restarted(other)),
  },
];

/** On another machine, this ends the turns of the paused server: it must notice that when it goes on. */
const LONG_PAUSE: Disturbance = { what: "paused for long", mayEndTurns: true, run: (victim) => victim.pause(45_000) };

const canNameMachines = process.platform === "linux" && process.getuid?.() === 0;
const DISTURBED_ROUNDS = Math.ceil(ROUNDS / 3);

describe.each([
  { where: "on one machine", can: true, machines: [{ clockJump: 3_600_000 }, { clockJump: -3_600_000 }] },
  {
    where: `on two machines${canNameMachines ? "" : " (skipped: only root on Linux can name them)"}`,
    can: canNameMachines,
    machines: [
      { hostname: "one", clockJump: 3_600_000 },
      { hostname: "two", clockJump: -3_600_000 },
    ],
  },
])("two servers with the same sessions that are killed, paused, and whose clocks jump, $where", ({ can, machines }) => {
  it.skipIf(missing || !can)(
    `[S3] lose, repeat, end and keep running nothing, in ${DISTURBED_ROUNDS} rounds`,
    { timeout: 120_000 + 90_000 * DISTURBED_ROUNDS },
    async () => {
      const chance = random(SEED);
      const { effects, model, servers, sessions, plan } = await world(chance, machines);
      const [first, second] = servers as [SessionServer, SessionServer];
      await Promise.all(servers.map((server) => server.start()));
      const slow = (): Plan => {
        const { name, steps } = plan();
        const calls = Array.from({ length: 2 }, () => ({ ms: 500 + chance() * 4_000, ask: chance() < 0.2 }));
        return { name, delayMs: 5, steps: [...steps, { say: "Now two slow calls.", calls }] };
      };
      /** A session and a watcher on the other server. */
      const pairs: [DrivenSession, DrivenSession][] = [];
      const calls = new Map<string, { started: number; completed: number }>();
      const counts = { ended: 0, completed: 0, compared: 0 };
      const idle = async (): Promise<void> => {
        for (const [{ id }] of pairs) {
          await eventually(`the session ${id} is over`, async () => {
            const all = await Promise.all(servers.map((server) => infoOf(server, id).catch(() => undefined)));
            return all.every((info) => info && info.status !== "running" && info.status !== "waiting");
          });
        }
      };
      const round = async (number: number): Promise<string> => {
        const [runner, other] = chance() < 0.5 ? [first, second] : [second, first];
        const isLong = "hostname" in (machines[0] ?? {}) && number % 6 === 5;
        const disturbance = isLong
          ? LONG_PAUSE
          : (DISTURBANCES[Math.floor(chance() * DISTURBANCES.length)] as Disturbance);
        const what = `${runner === first ? "the first" : "the second"} is ${disturbance.what}`;
        await Promise.all(pairs.flat().map((session) => session.close()));
        sessions.length = 0;
        pairs.length = 0;
        const parts = { chance: () => 1, plan: slow, progress: () => {} };
        for (let n = 0; n < 3; n += 1) {
          const session = await DrivenSession.create({ ...parts, server: runner }, () => {});
          pairs.push([session, DrivenSession.of(session.id, { ...parts, server: other })]);
          sessions.push(...(pairs.at(-1) as [DrivenSession, DrivenSession]));
        }
        await sleep(chance() * 1_500);
        await disturbance.run(runner, other);
        await idle();
        for (const [session, watcher] of pairs) {
          const log = await logOf(other, session.id);
          counts.compared += checkLog(session, log) + checkLog(watcher, log);
          countCalls(session.id, log, calls);
          const ends = log.filter(({ type }) => type.startsWith("session.") && type !== "session.start");
          expect(ends, `${what}: one end of ${session.id}`).toHaveLength(1);
          const [end] = ends;
          expect(log.at(-1), `${what}: nothing after the end of ${session.id}`).toBe(end);
          if (end?.type === "session.interrupted") {
            counts.ended += 1;
            expect(end.reason, what).toBe(OWNER_GONE);
            expect(disturbance.mayEndTurns, `${what}: ${session.id} is interrupted`).toBe(true);
          } else counts.completed += 1;
          // Either server runs the next turn.
          const next = DrivenSession.of(session.id, { ...parts, plan, server: chance() < 0.5 ? first : second });
          sessions.push(next);
          next.isCalm = true;
          expect(await next.end(await next.send()), what).toMatchObject({ event: "completed" });
          await next.close();
        }
        return what;
      };
      for (let number = 0; number < DISTURBED_ROUNDS; number += 1) {
        await round(number).catch((error: unknown) => {
          const printed = [first, second].map(({ stderr }) => stderr.slice(-1_500)).join("\n---\n");
          throw new Error(`Round ${number} failed: ${messageOf(error)} (SEED=${SEED})\n${printed}`, { cause: error });
        });
      }
      const counted = effectsIn(effects);
      for (const [key, { started, completed }] of calls) {
        expect(counted.get(key) ?? 0, key).toBeLessThanOrEqual(started);
        expect(counted.get(key) ?? 0, key).toBeGreaterThanOrEqual(completed);
      }
      expect(model.problems).toEqual([]);
      console.log(`${DISTURBED_ROUNDS} rounds: ${JSON.stringify(counts)} (SEED=${SEED})`);
    },
  );
});
