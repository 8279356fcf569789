import { describe, expect, it } from "vitest";
import { CopilotRequests } from "./copilot-requests.ts";
import type { CopilotToolResult } from "./copilot-sdk.ts";

/** What the runtime and the tool do, one after another. A tool ends its oldest running call. */
type Step =
  | { readonly request: string; readonly call: string }
  /** As a request, but the SDK does not call the handler: the same request still runs. */
  | { readonly dropped: string; readonly call: string }
  | { readonly end: string };

/** The results of the handlers in the order of their calls, and how often the tool ran. */
async function ran(steps: readonly Step[]): Promise<{ results: readonly string[]; runs: number }> {
  const requests = new CopilotRequests();
  const running: ((result: CopilotToolResult) => void)[] = [];
  const handled: Promise<CopilotToolResult>[] = [];
  let runs = 0;
  const run = (): Promise<CopilotToolResult> => {
    runs += 1;
    return new Promise((resolve) => running.push(resolve));
  };
  for (const step of steps) {
    if ("end" in step) running.shift()?.({ textResultForLlm: step.end, resultType: "success" });
    else {
      // The SDK calls the handler, then reports the request.
      if ("request" in step) handled.push(requests.once(step.call, run));
      requests.add({ toolCallId: step.call, requestId: "request" in step ? step.request : step.dropped });
    }
    await new Promise(setImmediate);
  }
  const results = await Promise.all(handled);
  return { results: results.map(({ textResultForLlm }) => textResultForLlm), runs };
}

const many = (count: number): Step[] =>
  Array.from({ length: count }, (_, at) => [{ request: `many-${at}`, call: `many-${at}` }, { end: "other" }]).flat();

describe("[G2] a request of Copilot for a tool of ours", () => {
  const [first, ends] = [{ request: "r1", call: "c1" }, { end: "first" }];

  it.each<[string, readonly Step[], { results: readonly string[]; runs: number }]>([
    ["repeated while it runs", [first, first, ends], { results: ["first", "first"], runs: 1 }],
    ["dropped while it runs", [first, { dropped: "r1", call: "c1" }, ends], { results: ["first"], runs: 1 }],
    ["repeated after it ended", [first, ends, first], { results: ["first", "first"], runs: 1 }],
    ["repeated after it was aborted", [first, { end: "aborted" }, first], { results: ["aborted", "aborted"], runs: 1 }],
    [
      "repeated after another request with its call id, as in a later turn",
      [first, ends, { request: "r2", call: "c1" }, { end: "second" }, first],
      { results: ["first", "second", "first"], runs: 2 },
    ],
    [
      "of another call",
      [first, { request: "r2", call: "c2" }, ends, { end: "second" }],
      { results: ["first", "second"], runs: 2 },
    ],
  ])("runs the tool once: %s", async (_, steps, expected) => {
    expect(await ran(steps)).toEqual(expected);
  });

  it("runs the tool also if the SDK does not report it", async () => {
    const requests = new CopilotRequests();
    const result = { textResultForLlm: "done", resultType: "success" } as const;
    expect(await requests.once("c1", async () => result)).toBe(result);
  });

  it("is forgotten after 100 others", async () => {
    expect((await ran([first, ends, ...many(99), first])).runs).toBe(100);
    expect((await ran([first, ends, ...many(100), first, ends])).runs).toBe(102);
  });

  it("keeps the failure of a handler", async () => {
    const requests = new CopilotRequests();
    let runs = 0;
    const once = async (): Promise<unknown> => {
      const handled = requests.once("c1", async () => {
        runs += 1;
        throw new Error("The disk is full.");
      });
      requests.add({ toolCallId: "c1", requestId: "r1" });
      return handled.catch(String);
    };
    expect([await once(), await once(), runs]).toEqual(["Error: The disk is full.", "Error: The disk is full.", 1]);
  });
});
