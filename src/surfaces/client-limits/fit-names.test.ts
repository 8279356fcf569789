import { describe, expect, it } from "vitest";
import { CLIENT_LIMITS } from "./client-limits.ts";
import { fitNames, prefixOf } from "./fit-names.ts";

const CLAUDE = { prefix: "mcp__{server}__", maxLength: 64 };
const LONG = "synchronise_all_customer_data_across_multiple_systems_nightly";

describe("fitting names", () => {
  it("[M5] keeps names that fit with the prefix", () => {
    const longest = "x".repeat(64 - "mcp__toolwright__".length);
    expect(fitNames(["hello", longest], CLAUDE, "toolwright")).toEqual(["hello", longest]);
  });

  it("[M5] cuts longer names and adds a hash that depends on the name alone", () => {
    const [short] = fitNames([LONG], CLAUDE, "toolwright");
    expect(short).toBe("synchronise_all_customer_data_across_mu_e0dcb30");
    expect(fitNames(["a", LONG, "b"], CLAUDE, "toolwright")).toEqual(["a", short, "b"]);
    expect(fitNames([LONG], CLAUDE, "tw")).toEqual(["synchronise_all_customer_data_across_multiple_s_e0dcb30"]);
  });

  it("[M5] keeps names unique, even beside a name that resembles a cut one", () => {
    const [cut = ""] = fitNames([LONG], CLAUDE, "toolwright");
    const names = [`${LONG}_2`, LONG, cut, `${LONG}_3`];
    const fitted = fitNames(names, CLAUDE, "toolwright");
    expect(new Set(fitted).size).toBe(4);
    expect(fitted[2]).toBe(cut);
    expect(fitNames(names.toReversed(), CLAUDE, "toolwright")).toEqual(fitted.toReversed());
  });

  it("[M5] replaces characters that clients refuse", () => {
    const rules = { prefix: "", maxLength: 64, letterFirst: true } as const;
    expect(fitNames(["21st", "-x", "ok", "_1"], rules, "s")).toEqual(["_21st_cc9c472", "_-x_a420962", "ok", "_1"]);
    expect(fitNames(["a.b", "a/b"], CLAUDE, "s")).toEqual(["a_b_2e7336d", "a_b_c14cddc"]);
  });

  it("[M5] returns short names if the prefix leaves no room", () => {
    const [short = ""] = fitNames([LONG], CLAUDE, "s".repeat(80));
    expect(short).toMatch(/^_[0-9a-f]{7}$/);
  });

  it.each(CLIENT_LIMITS.map((client) => [client.id, client] as const))(
    "[M5] stays within the bounds of %s",
    (_, { names }) => {
      const prefix = prefixOf(names, "toolwright");
      const tools = Array.from({ length: 200 }, (_, index) =>
        `${"tool_with_a_long_name_".repeat(3)}${index}`.slice(-64),
      );
      const fitted = fitNames(tools, names, "toolwright");
      expect(new Set(fitted).size).toBe(200);
      expect(Math.max(...fitted.map((name) => `${prefix}${name}`.length))).toBeLessThanOrEqual(names.maxLength);
      for (const name of fitted) expect(`${prefix}${name}`).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]*$/);
    },
  );
});
