import { describe, expect, it } from "vitest";
import type { Rule } from "./rule.ts";
import { isForProvider, isVisibleToAgent } from "./tool-visibility.ts";

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
    ["denied, then a part allowed", [deny, { tool: "bash", match: "git *", action: "allow" }], [], true],
    ["a part allowed, then all denied", [{ tool: "bash", match: "git *", action: "allow" }, deny], [], false],
    ["denied, then a part denied again", [deny, { tool: "bash", match: "rm *", action: "deny" }], [], false],
    ["only a part denied", [{ tool: "bash", match: "rm *", action: "deny" }], [], true],
    ["every declared access is denied, undeclared is not", [{ tool: "bash", match: "*", action: "deny" }], [], true],
    ["the project cannot allow it again", [deny], [{ tool: "bash", action: "allow" }], false],
    ["denied for another agent", [{ ...deny, agent: "plan" }], [], true],
    ["denied for this agent", [{ ...deny, agent: "bu*" }], [], false],
  ])("[R2] %s", (_, user, project, shown) => {
    expect(isVisibleToAgent({ user: { rules: user }, project: { rules: project }, tool: "bash", agent: "build" })).toBe(
      shown,
    );
  });

  it("[R2] tools that are denied to an agent are hidden from its sub-agents", () => {
    const user = { rules: [{ ...deny, agent: "build" }] };
    expect(isVisibleToAgent({ user, tool: "bash", agent: "helper" })).toBe(true);
    expect(isVisibleToAgent({ user, tool: "bash", agent: "helper", parents: ["plan", "build"] })).toBe(false);
  });

  it("[R2] works without a project", () => {
    expect(isVisibleToAgent({ user: { rules: [deny] }, tool: "bash", agent: "build" })).toBe(false);
  });
});

describe("[R2] tools for some providers and models", () => {
  it.each<[readonly string[] | undefined, string, boolean]>([
    [undefined, "anthropic", true],
    [[], "anthropic", false],
    [["anthropic"], "anthropic", true],
    [["anthropic"], "anthropic/claude-5", true],
    [["anthropic"], "openai", false],
    [["openai/gpt-*"], "openai/gpt-5", true],
    [["openai/gpt-*"], "openai/o5", false],
    [["openai/gpt-*"], "openai", false],
    [["*/gpt-*"], "azure/gpt-5", true],
    [["open*"], "openrouter/a/b", true],
    [["openrouter/a/*"], "openrouter/a/b", true],
  ])("[R2] %j for %s: %s", (providers, model, expected) => {
    expect(isForProvider(providers, model)).toBe(expected);
  });
});
