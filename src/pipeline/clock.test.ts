import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Clock } from "./clock.ts";

describe("[P4] the clock of a call", () => {
  it("ends after its time, once", async () => {
    let ends = 0;
    const clock = new Clock(30, () => {
      ends += 1;
    });
    await sleep(60);
    expect(ends).toBe(0);
    clock.start();
    await sleep(100);
    expect(ends).toBe(1);
  });

  it("stands still while questions are open, however many at once", async () => {
    let ended = false;
    const clock = new Clock(100, () => {
      ended = true;
    });
    clock.start();
    await Promise.all([clock.pausedFor(() => sleep(150)), clock.pausedFor(() => sleep(250))]);
    expect(ended).toBe(false);
    await sleep(200);
    expect(ended).toBe(true);
  });

  it("stays stopped, even when a question is answered afterwards", async () => {
    let ended = false;
    const clock = new Clock(50, () => {
      ended = true;
    });
    clock.start();
    const question = clock.pausedFor(() => sleep(60));
    clock.stop();
    await question;
    await sleep(120);
    expect(ended).toBe(false);
  });

  it("goes on where it was stopped when it is started again", async () => {
    let ended = false;
    const clock = new Clock(300, () => {
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

  it("lets a question fail", async () => {
    const clock = new Clock(1000, () => {});
    clock.start();
    await expect(clock.pausedFor(() => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
    clock.stop();
  });
});
