import { describe, expect, it } from "vitest";
import type { Card } from "../../core/card.ts";
import type { LoggedResult } from "../../core/session-log.ts";
import { isCard } from "../../host/protocol/card-check.ts";
import { callView } from "../../sessions/cards/call-view.ts";
import { acpCard, acpChanges } from "./acp/acp-card.ts";
import { claudeCard } from "./claude/claude-cards.ts";
import { copilotCard } from "./copilot/copilot-cards.ts";
import { opencodeCard, opencodeData } from "./opencode/opencode-cards.ts";

function titleOf(card: Card | undefined, input: unknown, data?: unknown): string | undefined {
  if (card) expect(isCard(card)).toBe(true);
  const result: LoggedResult = { ok: true, content: [], data, notes: { durationMs: 1 } };
  return card && callView({ card, input, result })?.title;
}

const TODOS = [{ content: "a", status: "completed" }];

describe("[U2] [U4] the card of a call of an agent's own tool", () => {
  it.each<[string, unknown, string]>([
    ["Bash", { command: "ls", description: "Lists" }, "$ ls"],
    ["Read", { file_path: "/a", offset: 5, limit: 2 }, "/a:5-6"],
    ["Edit", { file_path: "/a", old_string: "x", new_string: "y", replace_all: true }, "/a +1 -1"],
    ["MultiEdit", { file_path: "/a", edits: [{ old_string: "x", new_string: "y\nz" }] }, "/a +2 -1"],
    ["Write", { file_path: "/a", content: "x" }, "/a +1 -0"],
    ["Glob", { pattern: "*.ts" }, '"*.ts"'],
    ["Grep", { pattern: "x", path: "src", output_mode: "content" }, '"x" in src'],
    ["LS", { path: "/a" }, "/a"],
    ["TodoWrite", { todos: TODOS }, "1 of 1 done"],
  ])("of Claude: %s", (tool, input, title) => {
    expect(titleOf(claudeCard(tool), input)).toBe(title);
  });

  it.each<[string, unknown, string]>([
    ["bash", { command: "ls", description: "Lists" }, "$ ls"],
    ["view", { path: "/a", view_range: [3, -1] }, "/a, from line 3"],
    ["edit", { path: "/a", old_str: "x", new_str: "y" }, "/a +1 -1"],
    ["create", { path: "/a", file_text: "x\ny" }, "/a +2 -0"],
    ["grep", { pattern: "x" }, '"x"'],
    ["glob", { pattern: "*.ts", path: "src" }, '"*.ts" in src'],
    ["update_todo", { todos: "- [x] a\n- [ ] b" }, "1 of 2 done"],
  ])("of Copilot: %s", (tool, input, title) => {
    expect(titleOf(copilotCard(tool), input)).toBe(title);
  });

  it.each<[string, unknown, unknown, string]>([
    ["bash", { command: "ls", workdir: "src" }, undefined, "src $ ls"],
    ["read", { filePath: "/a" }, undefined, "/a"],
    ["edit", { filePath: "/a", oldString: "x", newString: "y" }, undefined, "/a +1 -1"],
    ["edit", { filePath: "/a", oldString: "x", newString: "y" }, { diff: "@@ -9 +9,2 @@\n-x\n+y\n+z" }, "/a +2 -1"],
    ["write", { filePath: "/a", content: "x" }, undefined, "/a +1 -0"],
    ["apply_patch", { patchText: "*** Add File: a\n+x" }, undefined, "a +1 -0"],
    ["grep", { pattern: "x", include: "*.ts" }, undefined, '"x"'],
    ["list", {}, undefined, "."],
    ["todowrite", { todos: TODOS }, undefined, "1 of 1 done"],
    ["todoread", {}, { todos: TODOS }, "1 of 1 done"],
  ])("of OpenCode: %s of %j that reports %j", (tool, input, metadata, title) => {
    expect(titleOf(opencodeCard(tool), input, opencodeData(metadata).data)).toBe(title);
  });

  it.each<[string, unknown, string]>([
    ["execute", { command: "ls" }, "$ ls"],
    ["execute", { command: ["bash", "-lc", "ls"], cwd: "/a" }, "$ bash -lc ls"],
    ["execute", { title: "ls -la" }, "$ ls -la"],
    ["read", { path: "/a", offset: 2, limit: 3 }, "/a:2-4"],
    ["read", { absolute_path: "/a" }, "/a"],
    ["read", { title: "Read /a" }, "Read /a"],
    ["search", { pattern: "x", path: "src" }, '"x" in src'],
    ["search", { path: "src" }, "src"],
    ["edit", { file_path: "/a", old_string: "x", new_string: "y" }, "/a +1 -1"],
    ["edit", { path: "/a", content: "x" }, "/a +1 -0"],
  ])("over ACP: %s of %j", (kind, input, title) => {
    expect(titleOf(acpCard(kind, input), input)).toBe(title);
  });

  it("over ACP shows the diffs of a call", () => {
    const content = [
      { type: "diff", path: "/a", oldText: "x", newText: "y" },
      { type: "diff", path: "/b", oldText: null, newText: "z" },
    ] as const;
    const data = acpChanges({ toolCallId: "1", content });
    expect(titleOf(acpCard("edit", { title: "Edit" }), { title: "Edit" }, data)).toBe("2 files +2 -1");
    const long = "x".repeat(500_000);
    expect(acpChanges({ toolCallId: "1", content: [{ type: "diff", path: "/a", newText: long }] })).toBeUndefined();
    expect(acpChanges({ toolCallId: "1", content: [] })).toBeUndefined();
  });

  it("does not exist for other tools, and for calls without its fields", () => {
    for (const cardOf of [claudeCard, copilotCard, opencodeCard]) {
      expect(["constructor", "__proto__", "mcp__x__read", ""].map(cardOf)).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
    }
    expect(["think", "fetch", "other", undefined, null].map((kind) => acpCard(kind, { path: "a" }))).toEqual(
      Array(5).fill(undefined),
    );
    expect(titleOf(claudeCard("Read"), { file_path: 7 })).toBeUndefined();
    expect(titleOf(acpCard("read", 7), 7)).toBeUndefined();
    expect(titleOf(acpCard("edit", {}), {})).toBeUndefined();
  });
});
