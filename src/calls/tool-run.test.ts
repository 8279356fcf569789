import { describe, expect, it } from "vitest";
import type { RunEvent } from "../core/question.ts";
import type { ToolResult } from "../core/result.ts";
import type { Run } from "./call.ts";
import { ToolRun } from "./tool-run.ts";

const EVENT = { callID: "c", tool: "t", sessionID: "s", messageID: "", agent: "", at: 0 };
const RESULT = { ok: true, content: [], notes: { durationMs: 0 } } as const;

/** A run that has emitted its start. `update` and `end` emit the rest. */
function started(): {
  run: ToolRun;
  update: (title: string) => void;
  end: () => void;
  ask: (questionID: string) => void;
  answer: (questionID: string) => void;
} {
  const result = Promise.withResolvers<ToolResult>();
  const run = new ToolRun("c", (self) => {
    self.emit({ ...EVENT, type: "tool.start", input: {} });
    return result.promise;
  });
  const end = (): void => {
    run.emit({ ...EVENT, type: "tool.complete", result: RESULT });
    result.resolve(RESULT);
  };
  const dialog = { kind: "dialog", method: "input", reason: "Why?" } as const;
  return {
    run,
    end,
    update: (title) => run.emit({ ...EVENT, type: "tool.update", title }),
    ask: (questionID) => run.emit({ ...EVENT, type: "question.asked", questionID, ...dialog }),
    answer: (questionID) => run.emit({ ...EVENT, type: "question.answered", questionID, allowed: false }),
  };
}

function label(event: RunEvent): string {
  if (event.type === "question.asked") return `${event.questionID}?`;
  if (event.type === "question.answered") return `${event.questionID}.`;
  return event.type === "tool.update" ? (event.title ?? "") : event.type.replace("tool.", "");
}

async function read(run: Run, onEvent: () => Promise<void> | void = () => {}): Promise<string[]> {
  const labels: string[] = [];
  for await (const event of run) {
    labels.push(label(event));
    await onEvent();
  }
  return labels;
}

const turn = (): Promise<void> => new Promise(setImmediate);
const numbers = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at));

describe("[P6] the readers of a run", () => {
  it("get every event, also when two read at once and one begins late", async () => {
    const { run, update, end } = started();
    const readers = [read(run), read(run)];
    await turn();
    update("0");
    await turn();
    update("1");
    const late = read(run);
    update("2");
    end();
    const all = ["start", "0", "1", "2", "complete"];
    expect(await Promise.all([...readers, late])).toEqual([all, all, all]);
  });

  it("get every event if they begin after the end, any number of times", async () => {
    const { run, update, end } = started();
    for (const title of numbers(900)) update(title);
    end();
    await run.result;
    for (let round = 0; round < 2; round += 1) expect(await read(run)).toEqual(["start", ...numbers(900), "complete"]);
  });

  it("are not affected by a reader that stops early", async () => {
    const { run, update, end } = started();
    const reader = read(run);
    update("0");
    for await (const event of run) if (event.type === "tool.update") break;
    update("1");
    end();
    expect(await reader).toEqual(["start", "0", "1", "complete"]);
    expect(await read(run)).toEqual(["start", "0", "1", "complete"]);
  });

  it("may differ in speed: a slow reader loses no event within the limits", async () => {
    const { run, update, end } = started();
    const [fast, slow] = [read(run), read(run, turn)];
    for (const title of numbers(300)) {
      update(title);
      if (Number(title) % 7 === 0) await turn();
    }
    end();
    const all = ["start", ...numbers(300), "complete"];
    expect(await fast).toEqual(all);
    expect(await slow).toEqual(all);
  });
});

describe("[P6] [X1] the updates of a tool that sends too many", () => {
  it("are limited to the newest 1,000, for a reader that begins late and for one that stopped reading", async () => {
    const { run, update, end } = started();
    const stopped = run[Symbol.asyncIterator]();
    expect(label((await stopped.next()).value)).toBe("start");
    update("first");
    expect(label((await stopped.next()).value)).toBe("first");
    for (const title of numbers(5_000)) update(title);
    end();
    const newest = numbers(5_000).slice(-1_000);
    expect(await read(run)).toEqual(["start", ...newest, "complete"]);
    expect(label((await stopped.next()).value)).toBe("4000");
  });

  it("are limited further if they are large, and the newest is always retained", async () => {
    const { run, update, end } = started();
    for (let at = 0; at < 100; at += 1) update("x".repeat(200_000));
    update("y".repeat(9_000_000));
    end();
    expect((await read(run)).map(({ length }) => length)).toEqual([5, 9_000_000, 8]);
    const other = started();
    for (let at = 0; at < 100; at += 1) other.update("x".repeat(200_000));
    other.end();
    expect(await read(other.run)).toHaveLength(42);
  });
});

describe("[P6] [P3] the questions of a run", () => {
  it("arrive in order with the updates, before the end", async () => {
    const { run, update, ask, answer, end } = started();
    const reader = read(run, turn);
    update("0");
    ask("a");
    update("1");
    ask("b");
    answer("b");
    answer("a");
    update("2");
    end();
    answer("too late");
    const all = ["start", "0", "a?", "1", "b?", "b.", "a.", "2", "complete"];
    expect(await reader).toEqual(all);
    expect(await read(run)).toEqual(all);
  });

  it("[X1] are not dropped for any number of updates, or while they are open", async () => {
    const { run, update, ask, answer, end } = started();
    ask("open");
    for (const title of numbers(5_000)) update(title);
    for (const id of numbers(2_000)) {
      ask(id);
      answer(id);
    }
    end();
    const labels = await read(run);
    expect(labels.slice(0, 3)).toEqual(["start", "open?", "4000"]);
    expect(labels.slice(-3)).toEqual(["1999?", "1999.", "complete"]);
    expect(labels).toHaveLength(2 + 1_000 + 1_000);
  });

  it("[X1] may all be open at once", async () => {
    const { run, ask, end } = started();
    for (const id of numbers(1_500)) ask(id);
    end();
    expect(await read(run)).toHaveLength(1_502);
  });
});
