import { describe, expect, it } from "vitest";
import type { SessionItem } from "../../../src/sessions/log/session-item.ts";
import { TranscriptSearch } from "./transcript-search.ts";

const user = (n: number, text: string): SessionItem => ({
  kind: "user",
  key: `k${n}`,
  position: n,
  at: n,
  content: [{ type: "text", text }],
});

const call: SessionItem = {
  kind: "call",
  key: "call c",
  position: 9,
  at: 9,
  callID: "c",
  tool: "grep",
  agent: "demo",
  input: { pattern: "Needle" },
  depth: 0,
  state: "failed",
  result: {
    ok: false,
    content: [{ type: "text", text: "Half of the output" }],
    error: { code: "failed", message: "No such file" },
    notes: { durationMs: 1 },
  },
};

describe("search in a transcript", () => {
  it.each<[string, readonly string[]]>([
    ["", []],
    ["HELLO", ["k1", "k3"]],
    ["needle", ["call c"]],
    ["half of", ["call c"]],
    ["no such", ["call c"]],
    ["GREP", ["call c"]],
    ["nothing", []],
  ])("[U4] %j", (query, keys) => {
    const items = [user(1, "Hello"), user(2, "World"), user(3, "hello world"), call];
    expect(new TranscriptSearch().find(items, query, 1_000)).toEqual({ matches: keys, isDone: true });
  });

  it("[U4] looks at an item again after it has changed, and at all after the query has", () => {
    const search = new TranscriptSearch();
    expect(search.find([user(1, "a"), user(2, "b")], "c", 1_000).matches).toEqual([]);
    expect(search.find([user(1, "a"), user(2, "bc")], "c", 1_000).matches).toEqual(["k2"]);
    expect(search.find([user(1, "a"), user(2, "bc")], "a", 1_000).matches).toEqual(["k1"]);
  });

  it("[U4] is interrupted when its time is over, and continues", () => {
    const search = new TranscriptSearch();
    const items = Array.from({ length: 10_000 }, (_, n) => user(n, `Item ${n} ${"x".repeat(500)}`));
    const first = search.find(items, "item", 0);
    expect([first.isDone, first.matches.length]).toEqual([false, 64]);
    let found = first;
    for (let rounds = 0; !found.isDone && rounds < 10_000; rounds += 1) found = search.find(items, "item", 5);
    expect(found.matches).toHaveLength(10_000);
  });
});
