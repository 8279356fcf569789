import { expect, it } from "vitest";
import { temporary } from "../../../test/support/temporary.ts";
import type { CallContext, Tool } from "../../core/tool.ts";
import { jsonSchema } from "../schema/json-schema.ts";
import { runCall } from "./run-call.ts";

it("[A3] an author receives the context of the call, without the fields for adapters", async () => {
  const seen: CallContext[] = [];
  const tool = {
    input: jsonSchema({ type: "object" }),
    run: async (_, call) => seen.push(call),
  } as Partial<Tool> as Tool;
  const folder = temporary();
  const context = { sessionID: "s", messageID: "m", callID: "c", agent: "a", directory: folder, worktree: folder };
  const output = { maxLines: 10, maxBytes: 1_000, keep: "head", folder } as const;
  const call = { file: "f", tool: "t", input: {}, context: { ...context, extra: { e: 1 } }, output, timeoutMs: 1_000 };
  const { signal } = new AbortController();
  const port = { update: () => {}, request: async () => ({ ok: true }) as const, ui: async () => undefined };
  const scope = { session: { id: "s", messages: ["hello"] } };
  await runCall({ tool, call, signal, port, scope, entry: undefined });
  const [{ author, ...own } = {} as CallContext] = seen;
  expect(author).toMatchObject({ ...context, extra: { e: 1 }, abort: signal, messages: ["hello"] });
  expect(Object.keys(author).sort()).toEqual([
    "abort",
    "agent",
    "ask",
    "callID",
    "delegate",
    "directory",
    "extra",
    "limits",
    "messageID",
    "messages",
    "metadata",
    "permit",
    "permitted",
    "permittedBelow",
    "sessionID",
    "state",
    "worktree",
    "write",
  ]);
  expect(Object.keys(own).sort()).toEqual(["callBuiltin", "partial", "session"]);
});
