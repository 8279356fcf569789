import { appendFileSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listCalls } from "./audit-reader.ts";
import { summarizeCalls } from "./call-summary.ts";

const START = Date.UTC(2026, 0, 1);

function line(id: number, more: object = {}): string {
  const at = new Date(START + id * 1000).toISOString();
  const base = { at, tool: "a", callID: `c${id}`, sessionID: "s", messageID: "", agent: "" };
  return `${JSON.stringify({ ...base, ok: true, durationMs: id, input: { id }, ...more })}\n`;
}

function logWith(...lines: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "audit-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "audit.log");
  writeFileSync(file, lines.join(""));
  return file;
}

async function idsOf(file: string, query: Parameters<typeof listCalls>[1] = {}): Promise<string[]> {
  return (await listCalls(file, query)).calls.map(({ callID }) => callID);
}

test("[P8] the latest call is the first, and the rotated log follows", async () => {
  const file = logWith(line(3), line(4));
  writeFileSync(`${file}.1`, `${line(1)}${line(2)}`);
  expect(await idsOf(file)).toEqual(["c4", "c3", "c2", "c1"]);
  expect((await listCalls(file, { limit: 1 })).calls[0]).toEqual({
    ...{ callID: "c4", tool: "a", sessionID: "s", agent: "", at: START + 4000, durationMs: 4, ok: true },
    input: { id: 4 },
  });
});

test("[P8] a log that does not exist is empty", async () => {
  expect(await listCalls(join(tmpdir(), "no-such-folder", "audit.log"), {})).toEqual({ calls: [] });
});

test.each([
  ["a torn line", '{"at":"2026-01-01T00:00:00.000Z","tool":"a'],
  ["text", "hello"],
  ["another value", "[1]"],
  ["null", "null"],
  ["an entry without a tool", JSON.stringify({ at: "2026-01-01T00:00:00.000Z", ok: true })],
  ["a time that is none", line(9, { at: "yesterday" }).trim()],
  ["a negative duration", line(9, { durationMs: -1 }).trim()],
  ["bytes that are not UTF-8", "\uFFFD\0\x01"],
])("[P8] left out: %s", async (_, foreign) => {
  expect(await idsOf(logWith(line(1), `${foreign}\n`, line(2)))).toEqual(["c2", "c1"]);
});

test("[P8] lines of earlier and later versions: a caller that is missing or unknown is left out", async () => {
  const file = logWith(line(1), line(2, { caller: "robot" }), line(3, { caller: "cli" }));
  const { calls } = await listCalls(file, {});
  expect(calls.map(({ callID, caller }) => [callID, caller])).toEqual([
    ["c3", "cli"],
    ["c2", undefined],
    ["c1", undefined],
  ]);
});

test("[P8] an unfinished line is read when it is finished", async () => {
  const whole = line(2);
  const file = logWith(line(1), whole.slice(0, 40));
  expect(await idsOf(file)).toEqual(["c1"]);
  appendFileSync(file, whole.slice(40));
  expect(await idsOf(file)).toEqual(["c2", "c1"]);
});

test.each([
  [{ tool: "b" }, ["c2"]],
  [{ outcome: "failed" as const }, ["c3"]],
  [{ outcome: "ok" as const }, ["c4", "c2", "c1"]],
  [{ sessionID: "t" }, ["c4"]],
  [{ agent: "build" }, ["c1"]],
  [{ caller: "page" as const }, ["c2"]],
  [{ since: START + 3000 }, ["c4", "c3"]],
  [{ tool: "b", outcome: "failed" as const }, []],
])("[P8] filter %j", async (filter, expected) => {
  const error = { code: "tool_failed", message: "No." };
  const file = logWith(
    line(1, { agent: "build" }),
    line(2, { tool: "b", caller: "page" }),
    line(3, { ok: false, error }),
    line(4, { sessionID: "t" }),
  );
  expect(await idsOf(file, filter)).toEqual(expected);
});

test("[P8] pages have no gap and no double while calls are added and the log is rotated", async () => {
  const file = logWith(...Array.from({ length: 50 }, (_, at) => line(at + 1)));
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 20; page += 1) {
    const { calls, next } = await listCalls(file, { limit: 7, ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...calls.map(({ callID }) => callID));
    appendFileSync(file, line(100 + page));
    if (page === 3) renameSync(file, `${file}.1`);
    if (next === undefined) break;
    cursor = next;
  }
  expect(seen).toEqual(Array.from({ length: 50 }, (_, at) => `c${50 - at}`));
});

test("[P8] a cursor into a log that has been deleted ends the list", async () => {
  const file = logWith(line(1), line(2));
  const { next = "" } = await listCalls(file, { limit: 1 });
  renameSync(file, `${file}.other`);
  writeFileSync(file, line(3));
  expect(await listCalls(file, { cursor: next })).toEqual({ calls: [] });
});

test("[P8] a cursor into a log whose place on disk a new one has ends the list", async () => {
  const file = logWith(line(4), line(5));
  const rotated = `${file}.1`;
  writeFileSync(rotated, `${line(1)}${line(2)}${line(3)}`);
  const { next = "" } = await listCalls(file, { limit: 3 });
  const { ino } = statSync(rotated);
  // Written over, so that the inode certainly is the same.
  writeFileSync(rotated, `${line(6)}${line(7)}${line(8)}`);
  expect(statSync(rotated).ino).toBe(ino);
  expect(await listCalls(file, { cursor: next })).toEqual({ calls: [] });
});

test.each(["", "1", "x.y", "1.-1", "1.1.1", "99999999999999999999999.1"])(
  "[P8] a cursor that is none: %j",
  async (cursor) => {
    await expect(listCalls(logWith(line(1)), { cursor })).rejects.toThrow(
      '"cursor" is not valid. Use the "next" of the page before.',
    );
  },
);

test("[P8] a page with large inputs has fewer calls", async () => {
  const input = { text: "x".repeat(400_000) };
  const file = logWith(...[1, 2, 3, 4, 5].map((id) => line(id, { input })));
  const { calls, next } = await listCalls(file, {});
  expect(calls).toHaveLength(2);
  expect(await idsOf(file, { cursor: next ?? "" })).toEqual(["c3", "c2"]);
});

test("[P8] the summary counts by time and tool", async () => {
  const file = logWith(
    ...Array.from({ length: 100 }, (_, at) => line(at + 1)),
    line(101, { tool: "b", ok: false, durationMs: 5000 }),
  );
  const summary = await summarizeCalls(file, { since: START }, START + 480_000);
  expect(summary).toMatchObject({ since: START, until: START + 480_000, total: 101, failed: 1 });
  expect(summary.buckets).toHaveLength(48);
  expect(summary.buckets.slice(0, 12).map(({ ok, failed }) => [ok, failed])).toEqual([
    [9, 0],
    ...Array.from({ length: 9 }, () => [10, 0]),
    [1, 1],
    [0, 0],
  ]);
  expect(summary.tools).toEqual([
    { tool: "a", calls: 100, failed: 0, p50: 50, p95: 95 },
    { tool: "b", calls: 1, failed: 1, p50: 5000, p95: 5000 },
  ]);
});

test("[P8] the summary of a future time is empty", async () => {
  expect(await summarizeCalls(logWith(line(1)), { since: START * 2 }, START + 100_000)).toMatchObject({
    total: 0,
    tools: [],
  });
});
