import { expect, it, onTestFinished } from "vitest";
import { random } from "../../../test/support/random.ts";
import type { DurableEvent } from "../../core/session-log.ts";
import { turnInterruptionOf } from "../log/session-info.ts";
import { encodeEvent, encodeEvents } from "./encode-event.ts";
import { openInMemory } from "./open-database.ts";
import { type SessionRow, SessionTables, SPAN } from "./session-tables.ts";

const LENGTHS = [0, 0, 0, 0, 1, 10, SPAN - 1, SPAN, 2 * SPAN];

/** Calls of users and agents whose ids repeat, their questions, and long parts of a log without either. */
function randomLog(seed: number, count: number): DurableEvent[] {
  const chance = random(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(chance() * values.length)] as T;
  const call = () => ({ callID: pick(["c1", "c2", "c3"]), tool: "t", messageID: "m", agent: "a" });
  const result = { ok: true, content: [], notes: { durationMs: 1 } } as const;
  let questions = 0;
  const kinds: readonly (() => DurableEvent)[] = [
    () => ({ type: "message.user", messageID: "m", content: [] }),
    () => ({ type: "tool.start", ...call(), input: {}, caller: pick(["agent", "user"]) }),
    () => ({ type: "tool.start", ...call(), input: {}, agent: pick(["a", ""]) }),
    () => ({ type: "tool.complete", ...call(), result }),
    () =>
      ({
        ...{ type: "question.asked", questionID: `q${++questions}`, ...call(), reason: "Why?" },
        ...{ kind: "dialog", method: "confirm" },
      }) as DurableEvent,
    () => ({ type: "question.answered", questionID: `q${questions}`, allowed: true }),
    () => ({ type: "session.idle" }),
  ];
  return Array.from({ length: count }, () => [
    ...Array.from({ length: pick(LENGTHS) }, (): DurableEvent => ({ type: "usage" })),
    pick(kinds)(),
  ]).flat();
}

it("[S3] the turn of a long session is interrupted as if the whole log was read", () => {
  const { database } = openInMemory(256_000_000);
  onTestFinished(() => database.close());
  const tables = new SessionTables(database);
  const project = { key: tables.addProject("/p", 90), root: "/p" };
  let ended = 0;
  for (let seed = 1; seed <= 25; seed += 1) {
    const start = encodeEvent({ type: "session.start", directory: "/p" }, 1);
    let row: SessionRow = tables.add({ id: `s${seed}`, project }, start);
    database.exec("BEGIN");
    row = tables.append(row, encodeEvents(randomLog(seed, 12), 1));
    const { key, info } = row;
    const all = [];
    for (let at = 0; at < info.position; at = all.at(-1)?.position ?? info.position)
      all.push(...tables.events(key, at, 1_000));
    const expected = turnInterruptionOf(info, all, "gone");
    const [event] = tables.interruptTurn(row, "gone", 1).events;
    database.exec("COMMIT");
    const { type, calls, questions, reason } = (event ?? {}) as Partial<NonNullable<typeof expected>>;
    expect([seed, event && { type, calls, questions, reason }]).toEqual([seed, expected]);
    if (
      expected &&
      expected.calls.length + expected.questions.length < info.openCalls.length + info.openQuestions.length
    )
      ended += 1;
  }
  // Some of the calls and questions were those of users.
  expect(ended).toBeGreaterThan(2);
});
