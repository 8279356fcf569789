import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Update } from "../../core/events.ts";
import { Progress } from "./progress.ts";

function collect(): { progress: Progress; sent: Update[] } {
  const sent: Update[] = [];
  return { progress: new Progress((update) => sent.push(update)), sent };
}

describe("[P6] progress", () => {
  it("sends the first state at once, and then only the newest", async () => {
    const { progress, sent } = collect();
    for (let i = 0; i < 100; i += 1) progress.report({ metadata: { i } });
    expect(sent).toEqual([{ metadata: { i: 0 } }]);
    await sleep(120);
    expect(sent).toEqual([{ metadata: { i: 0 } }, { metadata: { i: 99 } }]);
  });

  it("continues for a tool that never yields", () => {
    const { progress, sent } = collect();
    const end = performance.now() + 200;
    while (performance.now() < end) progress.report({ title: "busy" });
    expect(sent.length).toBeGreaterThan(2);
    expect(sent.length).toBeLessThan(6);
  });

  it("keeps title and metadata separate, and sends the remaining state when flushed", () => {
    const { progress, sent } = collect();
    progress.report({ title: "one" });
    progress.report({ metadata: { a: 1 } });
    progress.flush();
    progress.flush();
    expect(sent).toEqual([{ title: "one" }, { title: "one", metadata: { a: 1 } }]);
  });

  it("keeps the end of a long text, and refuses values that are huge or not JSON", () => {
    const sentOf = (metadata: Record<string, unknown>): unknown => {
      const { progress, sent } = collect();
      progress.report({ metadata });
      return sent[0]?.metadata;
    };
    expect(sentOf({ output: `${"x".repeat(40_000)}end` })).toEqual({ output: `${"x".repeat(29_997)}end` });
    expect(sentOf({ list: Array.from({ length: 100_000 }, () => "abc") })).toEqual({
      omitted: "The progress data was too large to send.",
    });
    expect(sentOf({ id: 1n })).toEqual({ omitted: "The progress data was not plain JSON." });
    expect(sentOf({ run: () => 1, a: 1 })).toEqual({ a: 1 });
  });
});
