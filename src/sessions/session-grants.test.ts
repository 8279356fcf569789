import { describe, expect, it } from "vitest";
import type { Rule } from "../permissions/rule.ts";
import { SessionGrants } from "./session-grants.ts";

const rule = (tool: string): Rule => ({ tool, action: "allow" });
const tools = (rules: readonly Rule[]): string[] => rules.map(({ tool }) => tool);

describe("[P3] the rules that people grant for a session", () => {
  it("[P3] apply in that session, and in the sessions that it delegates to", () => {
    const grants = new SessionGrants();
    grants.add("above", [rule("a")]);
    grants.add("below", [rule("b")]);
    expect(tools(grants.of(["above"]))).toEqual(["a"]);
    expect(tools(grants.of(["below", "above"]))).toEqual(["b", "a"]);
    expect(grants.of(["other"])).toEqual([]);
  });

  it("[X1] are bounded: the oldest are dropped", () => {
    const grants = new SessionGrants();
    for (let at = 0; at < 1_001; at += 1) grants.add(`s${at}`, [rule(`t${at}`)]);
    expect(grants.of(["s0"])).toEqual([]);
    expect(tools(grants.of(["s1"]))).toEqual(["t1"]);
    for (let at = 0; at < 1_001; at += 1) grants.add("s", [rule(`t${at}`)]);
    expect(tools(grants.of(["s"])).slice(0, 1)).toEqual(["t1"]);
    expect(grants.of(["s"])).toHaveLength(1_000);
  });
});
