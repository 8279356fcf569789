import { describe, expect, it } from "vitest";
import { listNames } from "./list-names.ts";
import { pinnedTools } from "./pinned-tools.ts";

describe("[M6] pinned tools", () => {
  it.each<[string, readonly string[], number, readonly string[], boolean?]>([
    ["all while there are 20 or fewer", [], 20, ["lint", "db_read", "db_write"]],
    ["none above that", [], 21, []],
    ["those that the setting names", ["db_*"], 21, ["db_read", "db_write"]],
    ["only those, however few there are", ["lint"], 3, ["lint"]],
    ["none with --defer", [], 3, [], false],
    ["those that the setting names with --defer", ["lint"], 3, ["lint"], false],
  ])("are %s", (_, setting, served, pinned, pinsFew = true) => {
    expect(["lint", "db_read", "db_write"].filter(pinnedTools(setting, served, { pinsFew }))).toEqual(pinned);
  });
});

describe("[M6] a line of names", () => {
  it.each<[readonly string[], string]>([
    [["a"], "a"],
    [["a", "b"], "a, b"],
    [
      Array.from({ length: 60 }, (_, at) => `t${at}`),
      `${Array.from({ length: 50 }, (_, at) => `t${at}`).join(", ")} and 10 more`,
    ],
    [["x".repeat(600), "y".repeat(600)], `${"x".repeat(600)} and 1 more`],
  ])("has a limited length (%#)", (names, line) => {
    expect(listNames(names)).toBe(line);
  });
});
