import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Clock } from "./clock.ts";

describe("[P4] the clock of a call", () => {
  it("ends after its time, once", async () => {
    let ends = 0;
    const clock = new Clock({ ms: 30, waitMs: 1_000 }, () => {
      ends += 1;
    });
    await sleep(60);
    expect(ends).toBe(0);
    clock.start();
    await sleep(100);
    expect(ends).toBe(1);
  });

  it("is paused while questions are open, however many at once", async () => {
    let ended = false;
    const clock = new Clock({ ms: 100, waitMs: 1_000 }, () => {
      ended = true;
    });
    clock.start();
    await Promise.all([clock.pausedFor(() => sleep(150)), clock.pausedFor(() => sleep(250))]);
    expect(ended).toBe(false);
    await sleep(200);
    expect(ended).toBe(true);
  });

  it("stays stopped when a question is answered afterwards", async () => {
    let ended = false;
    const clock = new Clock({ ms: 50, waitMs: 1_000 }, () => {
      ended = true;
    });
    clock.start();
    const question = clock.pausedFor(() => sleep(60));
    clock.stop();
    await question;
    await sleep(120);
    expect(ended).toBe(false);
  });

  it("continues with the time that is left when it is started again", async () => {
    let ended = false;
    const clock = new Clock({ ms: 300, waitMs: 1_000 }, () => {
      ended = true;
    });
    clock.start();
    await sleep(200);
    clock.stop();
    await sleep(200);
    expect(ended).toBe(false);
    clock.start();
    await sleep(200);
    expect(ended).toBe(true);
  });

  it("passes on the error of a question that fails", async () => {
    const clock = new Clock({ ms: 1000, waitMs: 1_000 }, () => {});
    clock.start();
    await expect(clock.pausedFor(() => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
    clock.stop();
  });

  it("counts the time of work from its start", async () => {
    const ends: string[] = [];
    const clock = new Clock({ ms: 100, waitMs: 10_000 }, (why) => ends.push(why));
    await clock.countFrom(async (started) => {
      await sleep(200);
      expect(ends).toEqual([]);
      started();
      started();
      await sleep(200);
    });
    expect(ends).toEqual(["out of time"]);
  });

  it("ends a call whose work never starts", async () => {
    const ends: string[] = [];
    const clock = new Clock({ ms: 10_000, waitMs: 50 }, (why) => ends.push(why));
    await clock.countFrom(() => sleep(150));
    expect(ends).toEqual(["not started"]);
  });

  it("stays stopped if `started` is called after the end of the work", async () => {
    const ends: string[] = [];
    const clock = new Clock({ ms: 20, waitMs: 20 }, (why) => ends.push(why));
    let late = (): void => {};
    await clock.countFrom(async (started) => {
      late = started;
    });
    late();
    await sleep(80);
    expect(ends).toEqual([]);
  });
});
