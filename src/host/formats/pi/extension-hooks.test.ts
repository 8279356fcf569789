import { describe, expect, it } from "vitest";
import { exportAt, FILE, formatHost } from "../../../../test/support/forms.ts";
import type { ExtensionAPI } from "../../../authoring/pi/extension-types.ts";
import type { Contributions, HookedCall } from "../contributions.ts";
import { readFunction } from "../read-function.ts";

const call: HookedCall = { tool: "read", input: { path: "a" }, callID: "c1", session: { id: "s1" }, directory: "/p" };
const result = { content: [{ type: "text", text: "a" }], data: { n: 1 }, isError: false } as const;
const host = formatHost();
const load = (author: (pi: ExtensionAPI) => unknown): Promise<Contributions> =>
  readFunction(author, exportAt({ host }), async () => undefined);

describe("[A8] [P1] handlers around calls", () => {
  it("exist as soon as a file has registered one", async () => {
    let late: () => void = () => {};
    const from = await load((pi) => {
      pi.on("session_start", () => {});
      late = () => pi.on("tool_result", () => {});
    });
    expect(from.hooks).toBeUndefined();
    late();
    expect(from.hooks).toBeDefined();
  });

  it("run in order, and each sees the changes of the one before; removed ones do not run", async () => {
    const { hooks } = await load((pi) => {
      const off = pi.on("tool_call", () => ({ block: true }));
      pi.on("tool_call", (event) => {
        event.input.path += "b";
      });
      pi.on("tool_call", (event) => ({ input: { path: `${event.input.path}c` } }));
      off();
      pi.on("tool_result", () => ({ content: [{ type: "text", text: "b" }, "c"] }));
      pi.on("tool_result", (event) => ({ details: { seen: event.content.length, was: event.details }, isError: true }));
    });
    expect(await hooks?.before?.(call)).toEqual({ input: { path: "abc" } });
    expect(call.input).toEqual({ path: "a" });
    expect(await hooks?.after?.(call, result)).toEqual({
      content: [
        { type: "text", text: "b" },
        { type: "text", text: "c" },
      ],
      data: { seen: 2, was: { n: 1 } },
      isError: true,
    });
  });

  it("block a call with their reason, or by failing", async () => {
    const block = async (answer: unknown): Promise<unknown> => {
      const { hooks } = await load((pi) =>
        pi.on("tool_call", () => (answer instanceof Error ? Promise.reject(answer) : answer)),
      );
      return hooks?.before?.(call);
    };
    expect(await block({ block: true, reason: "Not on Sundays" })).toEqual({ refuse: "Not on Sundays" });
    expect(await block({ block: true })).toEqual({
      refuse: `The extension ${FILE.path} blocked this call. Do not repeat it unchanged.`,
    });
    expect(await block(new Error("no rules"))).toEqual({
      refuse: `The extension ${FILE.path} failed in its tool_call handler, so the call was not made: no rules`,
    });
    expect(await block(undefined)).toBeUndefined();
  });

  it("an error in a tool_result handler is logged, and the result is kept", async () => {
    const { hooks } = await load((pi) => {
      pi.on("tool_result", () => {
        throw new Error("broken");
      });
    });
    expect(await hooks?.after?.(call, result)).toEqual({});
    expect(host.logged.at(-1)).toEqual([
      "warn",
      expect.stringContaining('its handler of "tool_result" failed: Error: broken'),
    ]);
  });

  it("receive the start and the end of each call", async () => {
    const heard: unknown[] = [];
    const { hooks } = await load((pi) => {
      for (const name of ["tool_execution_start", "tool_execution_end"]) pi.on(name, (event) => void heard.push(event));
    });
    await hooks?.before?.(call);
    await hooks?.after?.(call, result);
    const about = { toolCallId: "c1", toolName: "read" };
    expect(heard).toEqual([
      { type: "tool_execution_start", ...about, args: { path: "a" } },
      { type: "tool_execution_end", ...about, result: { content: result.content, details: { n: 1 } }, isError: false },
    ]);
  });
});

describe("[A8] events of a session", () => {
  it.each([
    [{ reason: "start" }, ["session_start new"]],
    [{ reason: "start", resumed: true }, ["session_start resume"]],
    [{ reason: "switch" }, ["session_switch resume", "session_start resume"]],
    [{ reason: "branch" }, ["session_fork", "session_branch", "session_start fork"]],
    [{ reason: "tree" }, ["session_tree"]],
    [{ reason: "shutdown" }, ["session_shutdown quit"]],
    [{ reason: "auto_compaction_start", trigger: "overflow" }, ["auto_compaction_start overflow"]],
    [{ reason: "auto_compaction_end", aborted: true, willRetry: false }, ["auto_compaction_end auto_compaction_end"]],
    [
      { reason: "auto_compaction_end", result: { summary: "s" }, aborted: false, willRetry: false },
      ["auto_compaction_end auto_compaction_end", "session_compact threshold"],
    ],
    [{ reason: "ttsr_triggered", rules: [] }, ["ttsr_triggered ttsr_triggered"]],
  ] as const)("%o is emitted as %o", async (event, expected) => {
    const heard: string[] = [];
    const names = [...new Set(expected.map((one) => one.split(" ")[0] as string))];
    const from = await load((pi) => {
      for (const name of names) {
        pi.on(name, ({ type, reason }) => {
          if (reason !== "startup") heard.push([type, reason].filter(Boolean).join(" "));
        });
      }
    });
    await from.onSession?.(event, { id: "s1" });
    expect(heard).toEqual(expected);
  });

  it("have no user interface while a file loads, and an error does not stop other handlers", async () => {
    const asked: string[] = [];
    const seen: unknown[] = [];
    const withUi = formatHost({ hasUI: true, ui: async (method) => void asked.push(method) });
    const from = await readFunction(
      (pi: ExtensionAPI) => {
        pi.on("session_start", () => Promise.reject(new Error("first")));
        pi.on(
          "session_start",
          async (event, ctx) => void seen.push(event.reason, await ctx.ui.confirm("a", "b"), ctx.hasUI),
        );
      },
      exportAt({ host: withUi }),
      async () => undefined,
    );
    expect([asked, seen]).toEqual([[], ["startup", false, false]]);
    await from.onSession?.({ reason: "start" }, { id: "s1" });
    expect([asked, seen.slice(3)]).toEqual([["confirm"], ["new", false, true]]);
    expect(withUi.logged).toHaveLength(2);
  });

  it("that are never emitted are reported", async () => {
    const { about } = await load((pi) => {
      pi.on("turn_end", () => {});
      pi.on("input", () => {});
    });
    expect(about?.unsupportedFeatures).toEqual([
      'Its handlers of "turn_end", "input" are never called: only pi and oh-my-pi emit these events.',
    ]);
  });
});
