import { describe, expect, it } from "vitest";
import type { DurableEvent } from "../core/session-log.ts";
import type { Rule } from "../settings/permissions/rule.ts";
import { FoldedState } from "./folded-state.ts";
import { denialsFor, readSubAgentLimits } from "./sub-agent-limits.ts";

const LIMITS = { agents: ["reader", "main"], tools: [{ tools: ["read"] }], denials: [] };

describe("[B9] [P3] the limits in the log of a sub-agent's session", () => {
  const start: DurableEvent = { type: "session.start", directory: "/", parent: { sessionID: "p", callID: "c" } };
  const set = (value: unknown): DurableEvent => ({ type: "state.set", of: "session", key: "subAgent", value });
  const folded = (...events: readonly DurableEvent[]): FoldedState => {
    const state = new FoldedState("s");
    for (const event of [start, ...events]) state.apply(event);
    return state;
  };

  it.each([
    undefined,
    null,
    "reader",
    [],
    {},
    { ...LIMITS, agents: "reader" },
    { ...LIMITS, agents: [1] },
    { ...LIMITS, tools: [{ tools: "read" }] },
    { ...LIMITS, tools: [null] },
    { ...LIMITS, tools: [{ builtins: "all" }] },
    { ...LIMITS, denials: [{ tool: "bash" }] },
    { ...LIMITS, denials: [[{ tool: "bash" }]] },
  ])("that cannot be read are missing: %j", (value) => {
    expect(readSubAgentLimits(value)).toBeUndefined();
    expect(folded(set(value)).lacksLimits).toBe(true);
  });

  it("add up, and cannot be removed", () => {
    const more = {
      agents: ["main", "writer"],
      tools: [{ builtins: false }],
      denials: [[{ tool: "x", action: "deny" }]],
    };
    const state = folded(
      set(LIMITS),
      set(more),
      set(LIMITS),
      set(undefined),
      set({ ...LIMITS, agents: [], tools: [] }),
    );
    expect(state.lacksLimits).toBe(false);
    expect(state.limits).toEqual({
      agents: ["reader", "main", "writer"],
      tools: [{ tools: ["read"] }, { builtins: false }],
      denials: [[{ tool: "x", action: "deny" }]],
    });
  });
});

describe("[B9] [P3] the denials of a sub-agent in a settings file", () => {
  const rule = (tool: string, action: Rule["action"], agent?: string): Rule =>
    agent === undefined ? { tool, action } : { tool, agent, action };
  const isFor = ({ agent }: Rule): boolean => agent === "reader";

  it.each<[string, readonly Rule[], readonly Rule[][]]>([
    ["none", [], []],
    ["only general rules", [rule("bash", "deny"), rule("*", "allow")], []],
    ["of another agent", [rule("bash", "deny", "other")], []],
    ["by name", [rule("a", "allow"), rule("bash", "deny", "reader")], [[rule("bash", "deny", "reader")]]],
    [
      "with a part that is allowed again",
      [rule("*", "deny", "reader"), rule("read", "allow"), rule("x", "deny")],
      [[rule("*", "deny", "reader"), rule("read", "allow")]],
    ],
  ])("%s", (_, rules, expected) => {
    expect(denialsFor(rules, isFor)).toEqual(expected);
  });
});
