import { describe, expect, it } from "vitest";
import type { Rule } from "./rule.ts";
import { isToolShown } from "./shown.ts";

const deny: Rule = { tool: "bash", action: "deny" };

describe("[R2] which tools an agent is shown", () => {
  it.each<[string, Rule[], Rule[], boolean]>([
    ["no rules", [], [], true],
    ["the user denies it", [deny], [], false],
    ["the project denies it", [], [deny], false],
    ["all tools are denied", [{ tool: "*", action: "deny" }], [], false],
    ["another tool is denied", [{ tool: "read", action: "deny" }], [], true],
    ["denied, then allowed", [deny, { tool: "bash", action: "allow" }], [], true],
    ["denied, then asked", [deny, { tool: "bash", action: "ask" }], [], true],
    ["allowed, then denied", [{ tool: "bash", action: "allow" }, deny], [], false],
    ["denied but for a part", [deny, { tool: "bash", match: "git *", action: "allow" }], [], true],
    ["a part given, then all denied", [{ tool: "bash", match: "git *", action: "allow" }, deny], [], false],
    ["denied, then a part denied again", [deny, { tool: "bash", match: "rm *", action: "deny" }], [], false],
    ["only a part denied", [{ tool: "bash", match: "rm *", action: "deny" }], [], true],
    ["everything declared is denied, the rest not", [{ tool: "bash", match: "*", action: "deny" }], [], true],
    ["the project cannot give back", [deny], [{ tool: "bash", action: "allow" }], false],
    ["denied for another agent", [{ ...deny, agent: "plan" }], [], true],
    ["denied for this agent", [{ ...deny, agent: "bu*" }], [], false],
  ])("[R2] %s", (_, user, project, shown) => {
    expect(isToolShown({ user: { rules: user }, project: { rules: project }, tool: "bash", agent: "build" })).toBe(
      shown,
    );
  });

  it("[R2] what is denied to an agent is not shown to those who act for it", () => {
    const user = { rules: [{ ...deny, agent: "build" }] };
    expect(isToolShown({ user, tool: "bash", agent: "helper" })).toBe(true);
    expect(isToolShown({ user, tool: "bash", agent: "helper", parents: ["plan", "build"] })).toBe(false);
  });

  it("[R2] without a project", () => {
    expect(isToolShown({ user: { rules: [deny] }, tool: "bash", agent: "build" })).toBe(false);
  });
});
