import { describe, expect, it } from "vitest";
import type { Tool } from "../../core/tool.ts";
import type { Contributions, HookedCall } from "./contributions.ts";
import { mergeContributions } from "./merge-contributions.ts";

const EMPTY: Contributions = { tools: [], problems: [] };
const CALL: HookedCall = { tool: "x", input: 1, callID: "c", session: { id: "s" }, directory: "/" };
const RESULT = { content: [], isError: false };

const toolCalled = (name: string): Tool => ({ name, origin: { file: "/f" } }) as unknown as Tool;

describe("merged contributions", () => {
  it("[A13] include tools that are registered later", () => {
    const tools: Tool[] = [];
    const merged = mergeContributions([EMPTY, { ...EMPTY, tools }]);
    expect(merged.tools).toEqual([]);
    tools.push(toolCalled("late"));
    expect(merged.tools.map(({ name }) => name)).toEqual(["late"]);
  });

  it("[A8] have hooks as soon as one export has", () => {
    const part: { tools: Tool[]; problems: []; hooks?: NonNullable<Contributions["hooks"]> } = {
      tools: [],
      problems: [],
    };
    const merged = mergeContributions([EMPTY, part]);
    expect(merged.hooks).toBeUndefined();
    part.hooks = { before: async () => undefined };
    expect(merged.hooks).toBeDefined();
  });

  it("[A13] have the format of the first export, and all unsupported features", () => {
    const about = { format: "tool", why: "a", unsupportedFeatures: ["x"] } as const;
    const merged = mergeContributions([
      { ...EMPTY, about, reads: ["/a", "/b"] },
      { ...EMPTY, about: { ...about, why: "b", unsupportedFeatures: ["x", "y"] }, dependsOnHost: true, reads: ["/b"] },
    ]);
    expect(merged).toMatchObject({
      about: { why: "a", unsupportedFeatures: ["x", "y"] },
      dependsOnHost: true,
      reads: ["/a", "/b"],
    });
  });

  it("[P1] hooks see the changes of earlier hooks, and a refusal ends the chain", async () => {
    const add = (n: number): Contributions => ({
      ...EMPTY,
      hooks: {
        before: async ({ input }) => ({ input: Number(input) + n }),
        after: async (_, { title = "" }) => ({ title: title + n }),
      },
    });
    const { hooks } = mergeContributions([add(1), EMPTY, add(2)]);
    expect(await hooks?.before?.(CALL)).toEqual({ input: 4 });
    expect(await hooks?.after?.(CALL, RESULT)).toEqual({ title: "12" });
    const refusing: Contributions = { ...EMPTY, hooks: { before: async () => ({ refuse: "no" }) } };
    expect(await mergeContributions([refusing, add(1)]).hooks?.before?.(CALL)).toEqual({ refuse: "no" });
    const silent: Contributions = { ...EMPTY, hooks: { before: async () => undefined } };
    expect(await mergeContributions([silent, silent]).hooks?.before?.(CALL)).toBeUndefined();
  });

  it("[A5] session events reach all exports, even after an error of one", async () => {
    const told: number[] = [];
    const failing: Contributions = { ...EMPTY, onSession: async () => Promise.reject(new Error("oh")) };
    const listening: Contributions = { ...EMPTY, onSession: async () => void told.push(1) };
    const merged = mergeContributions([failing, listening]);
    await expect(merged.onSession?.({ reason: "start" }, { id: "s" })).rejects.toThrow("oh");
    expect(told).toEqual([1]);
  });
});
