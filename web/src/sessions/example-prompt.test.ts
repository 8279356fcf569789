import { describe, expect, it } from "vitest";
import { parseScript } from "../../../src/agents/run/demo/demo-script.ts";
import { examplePrompt } from "./example-prompt.ts";

describe("the example for newcomers", () => {
  it.each<[readonly string[], readonly string[]]>([
    [
      ["hello", "countdown", "read"],
      ["hello", "countdown"],
    ],
    [["workspace-info"], ["workspace-info"]],
    [[], []],
  ])("[U4] calls tools that exist among %j, as a script of the demo agent", (tools, called) => {
    const steps = parseScript(examplePrompt(tools)) ?? [];
    expect(steps.flatMap((step) => (step.kind === "call" ? [step.name] : []))).toEqual(called);
    expect(steps.filter((step) => step.kind === "say" && /is wrong/.test(step.text))).toEqual([]);
    expect([steps[0]?.kind, steps.at(-1)?.kind]).toEqual(["say", "say"]);
  });
});
