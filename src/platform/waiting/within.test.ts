import { describe, expect, it } from "vitest";
import { within } from "./within.ts";

const never = new Promise<string>(() => {});

describe("within", () => {
  it("settles as the work does", async () => {
    expect(await within(60_000, Promise.resolve("done"))).toBe("done");
    await expect(within(60_000, Promise.reject(new Error("no")))).rejects.toThrow("no");
  });

  it("settles as `late` does when the time is over", async () => {
    expect(await within(1, never)).toBeUndefined();
    expect(await within(1, never, () => "late")).toBe("late");
    await expect(
      within(1, never, () => {
        throw new Error("too slow");
      }),
    ).rejects.toThrow("too slow");
  });

  it("leaves no timer behind", async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((each) => each === "Timeout").length;
    const before = timers();
    await within(60_000, Promise.resolve());
    expect(timers()).toBe(before);
  });
});
