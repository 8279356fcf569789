import { describe, expect, it } from "vitest";
import { bunTooOld } from "./runtime.ts";

describe("[A9] supported versions of Bun", () => {
  it.each(["1.3.14", "1.4.4", "1.10.0", "2.0.0-canary.1"])("%s", (version) => {
    expect(bunTooOld(version)).toBeUndefined();
  });

  it("no older version is supported", () => {
    expect(bunTooOld("1.2.23")).toBe('Bun 1.2.23 is too old, and 1.3.14 or later is needed: run "bun upgrade"');
    expect(bunTooOld("0.8.1")).toBe('Bun 0.8.1 is too old, and 1.3.14 or later is needed: run "bun upgrade"');
  });
});
