import { describe, expect, it } from "vitest";
import { PrintRelay } from "./print-relay.ts";

describe("output that tools print", () => {
  it("[M2] [P6] is sent as fast as the client reads, and later output is combined meanwhile", async () => {
    const sent: string[] = [];
    let taken: () => void = () => {};
    const relay = new PrintRelay((level, text) => {
      sent.push(`${level}: ${text}`);
      return new Promise((resolve) => {
        taken = resolve;
      });
    });
    relay.add("one\n");
    relay.add("two\n");
    relay.add("three\n");
    relay.add("2026-01-01T00:00:00.000Z warn four\n");
    expect(sent).toEqual(["info: one"]);
    for (const _ of [1, 2]) {
      taken();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sent).toEqual(["info: one", "info: two\nthree", "warning: 2026-01-01T00:00:00.000Z warn four"]);
  });

  it("[M2] [P6] [X1] keeps only its end while the client does not read", async () => {
    const sent: string[] = [];
    let taken: () => void = () => {};
    const relay = new PrintRelay((_level, text) => {
      sent.push(text);
      return new Promise((resolve) => {
        taken = resolve;
      });
    });
    for (let line = 0; line < 100_000; line += 1) relay.add(`line ${line}\n`);
    taken();
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent[1]?.length).toBeLessThanOrEqual(30_000);
    expect(sent[1]).toMatch(/\nline 99999$/);
  });
});
