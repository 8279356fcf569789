import { describe, expect, it } from "vitest";
import { decide } from "./decide.ts";
import type { Rule } from "./rule.ts";

const action = (match: string, target: string, root = "/work/app", home = "/home/me"): string => {
  const rules: Rule[] = [{ tool: "*", match, action: "deny" }];
  const access = [{ kind: "read" as const, target }];
  return decide({ user: { rules, mode: "bypass" }, tool: "t", agent: "", access, root, home }).action;
};

describe("[P3] the path of a rule", () => {
  it.each([
    ["~/.ssh", "/home/me/.ssh/id", "deny"],
    ["~/.ssh", "/work/app/~/.ssh/id", "allow"],
    ["./~/.ssh", "/work/app/~/.ssh/id", "deny"],
    ["~", "/home/me/a", "deny"],
    ["~/*.pem", "/home/me/a.pem", "deny"],
    ["~other/a", "/work/app/~other/a", "deny"],
  ])("%s and %s: %s", (match, target, expected) => {
    expect(action(match, target)).toBe(expected);
  });

  it("[X1] treats wildcard characters in the base folder literally", () => {
    expect(action("src/*", "/work/a*/src/x", "/work/a*")).toBe("deny");
    expect(action("src/*", "/work/ab/src/x", "/work/a*")).toBe("allow");
    expect(action("~/*", "/home/mes/x", "/work/app", "/home/m?s")).toBe("allow");
  });
});
