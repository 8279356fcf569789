import { describe, expect, it } from "vitest";
import type { SessionSnapshot } from "../../../core/session.ts";
import { modelRegistry } from "./extension-context.ts";
import { createSessionManager } from "./session-manager.ts";

const at = "2026-01-01T00:00:00Z";
const entry = (id: string, parentId: string | null, fields: object = {}) => ({
  id,
  parentId,
  type: "message",
  timestamp: at,
  ...fields,
});
const session: SessionSnapshot = {
  id: "s1",
  file: "/sessions/s1.jsonl",
  entries: [
    entry("a", null, { message: { role: "user" } }),
    entry("b", "a", { message: { role: "assistant" } }),
    entry("c", "a", { type: "custom", customType: "x" }),
    entry("d", "c", { type: "label", targetId: "b", label: "good" }),
    entry("e", "d", { type: "session_info", name: "A session" }),
  ],
  model: { provider: "p", id: "m" },
};
const view = (changes: Partial<SessionSnapshot> = {}) => createSessionManager(() => ({ ...session, ...changes }), "/p");
const ids = (entries: readonly { id: string }[]): string => entries.map(({ id }) => id).join("");

describe("[A5] [A8] the session manager", () => {
  it("has its entries, as a list, as a branch and as a tree", () => {
    expect(ids(view().getEntries())).toBe("abcde");
    expect(ids(view().getBranch())).toBe("acde");
    expect(ids(view().getBranch("b"))).toBe("ab");
    expect(ids(view({ leafId: "b" }).getBranch())).toBe("ab");
    expect(ids(view({ leafId: null }).getBranch())).toBe("");
    expect(ids(view().getChildren("a"))).toBe("bc");
    expect([view().getLeafId(), view().getLeafEntry()?.type, view().getEntry("z")]).toEqual([
      "e",
      "session_info",
      undefined,
    ]);
    const [root] = view().getTree();
    expect(root?.children.map(({ entry, label }) => [entry.id, label])).toEqual([
      ["b", "good"],
      ["c", undefined],
    ]);
  });

  it("returns the name and the file of the session", () => {
    expect([view().getSessionId(), view().getSessionFile(), view().getSessionDir(), view().isPersisted()]).toEqual([
      "s1",
      "/sessions/s1.jsonl",
      "/sessions",
      true,
    ]);
    expect([view().getSessionName(), view({ name: "Other" }).getSessionName(), view().getLabel("b")]).toEqual([
      "A session",
      "Other",
      "good",
    ]);
    expect(view().getHeader()).toEqual({ type: "session", version: 3, id: "s1", timestamp: at, cwd: "/p" });
    expect(view().getCwd()).toBe("/p");
  });

  it("builds the context, from the messages of the agent if there are any", () => {
    expect(view({ leafId: "b" }).buildSessionContext()).toEqual({
      messages: [{ role: "user" }, { role: "assistant" }],
      thinkingLevel: "off",
      model: { provider: "p", modelId: "m" },
    });
    expect(view({ messages: ["x"], thinkingLevel: "high" }).buildSessionContext()).toMatchObject({
      messages: ["x"],
      thinkingLevel: "high",
    });
  });

  it("keeps the summary and the kept entries after a compaction", () => {
    const entries = [
      entry("a", null, { message: "a" }),
      entry("b", "a", { message: "b" }),
      entry("c", "b", { type: "compaction", summary: "so far", firstKeptEntryId: "b", tokensBefore: 9 }),
      entry("d", "c", { type: "custom_message", customType: "x", content: "d", display: true }),
      entry("e", "d", { type: "branch_summary", summary: "other", fromId: "a" }),
    ];
    expect(ids(view({ entries }).buildContextEntries())).toBe("cbde");
    const timestamp = Date.parse(at);
    expect(view({ entries }).buildSessionContext().messages).toEqual([
      { role: "compactionSummary", summary: "so far", tokensBefore: 9, timestamp },
      "b",
      { role: "custom", customType: "x", content: "d", display: true, details: undefined, timestamp },
      { role: "branchSummary", summary: "other", fromId: "a", timestamp },
    ]);
    expect(view({ entries }).buildSessionProjection().entries).toHaveLength(4);
  });

  it("is empty without data, and ends at a cycle of entries", () => {
    const empty = createSessionManager(() => ({ id: "" }), "/p");
    expect([empty.getBranch(), empty.getLeafId(), empty.getTree(), empty.getHeader(), empty.getSessionDir()]).toEqual([
      ...[[], null, [], null, "/p"],
    ]);
    const circle = createSessionManager(() => ({ id: "s", entries: [entry("a", "b"), entry("b", "a")] }), "/p");
    expect(ids(circle.getBranch())).toBe("ab");
  });

  it("finds models, and has no API keys", async () => {
    const models = [{ provider: "p", id: "m", name: "M" }];
    const registry = modelRegistry(() => ({ id: "s", models })) as Record<string, (...args: string[]) => unknown>;
    expect(registry.find?.("p", "m")).toEqual(models[0]);
    expect([registry.find?.("p", "x"), registry.getAll?.(), await registry.getApiKey?.()]).toEqual([
      undefined,
      models,
      undefined,
    ]);
    expect(registry.somethingNew?.()).toBeUndefined();
  });
});
