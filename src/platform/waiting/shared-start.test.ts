import { describe, expect, it } from "vitest";
import { SharedStart } from "./shared-start.ts";

/** A start that the test ends. */
function starting(): { shared: SharedStart<string>; end: PromiseWithResolvers<string> } {
  const end = Promise.withResolvers<string>();
  const shared = new SharedStart((givenUp) => {
    givenUp.addEventListener("abort", () => end.reject(givenUp.reason));
    return end.promise;
  });
  return { shared, end };
}

describe("[G5] [G7] a start that several sessions wait for", () => {
  it("goes on while one of them waits, and is given up when none does", async () => {
    const { shared } = starting();
    const [one, two] = [new AbortController(), new AbortController()];
    const waiting = [shared.wait(one.signal), shared.wait(two.signal)];
    one.abort(new Error("One."));
    await expect(waiting[0]).rejects.toThrow("One.");
    expect(shared.isGivenUp).toBe(false);
    two.abort(new Error("Two."));
    await expect(waiting[1]).rejects.toThrow("Two.");
    expect(shared.isGivenUp).toBe(true);
    await expect(shared.started).rejects.toThrow();
  });

  it.each(["ready", "failed"])("is not given up after it is %s", async (how) => {
    const { shared, end } = starting();
    const stop = new AbortController();
    const waiting = shared.wait(stop.signal).catch(() => "failed");
    if (how === "ready") end.resolve("ready");
    else end.reject(new Error("It broke."));
    expect(await waiting).toBe(how);
    stop.abort();
    expect(shared.isGivenUp).toBe(false);
    if (how === "ready") expect(await shared.wait(undefined)).toBe("ready");
  });
});
