import { expect, it } from "vitest";
import { PartialState } from "./partial-state.ts";

const CALL = { callID: "call_1", tool: "t", messageID: "m", agent: "a" };
const RESULT = { ok: true, content: [], notes: { durationMs: 1 } } as const;

it("[S2] takes the progress of a call whose id another call had", () => {
  const state = new PartialState();
  const update = { type: "tool.update", ...CALL } as const;
  for (const title of ["first", "second"]) {
    state.finish({ type: "tool.start", ...CALL, input: {} });
    expect(state.add({ ...update, title })).toBe(true);
    expect(state.snapshot()?.calls).toEqual([{ ...CALL, title }]);
    state.finish({ type: "tool.complete", ...CALL, result: RESULT });
    expect([state.add({ ...update, title: "late" }), state.isEmpty]).toEqual([false, true]);
  }
});
