import { visibleWidth } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import type { Card } from "../../../core/card.ts";
import type { LoggedResult } from "../../../core/session-log.ts";
import type { CallItem } from "../../../sessions/log/session-item.ts";
import { createChatTheme } from "../chat-theme.ts";
import { ToolCard } from "./tool-card.ts";

interface Shown {
  readonly result?: LoggedResult;
  readonly isExpanded?: boolean;
  readonly color?: boolean;
  readonly width?: number;
}

/** The rows of a card whose author draws nothing. */
async function rows(
  card: unknown,
  input: unknown,
  { result, isExpanded = false, color = false, width = 60 }: Shown = {},
) {
  const view = { isExpanded, isThinkingShown: false };
  const base = { kind: "call", key: "k", position: 1, at: Date.now(), callID: "c", tool: "acme:tool", agent: "acme" };
  const call = { ...base, depth: 0, state: "running", input, card: card as Card } as CallItem;
  const draw = async () => undefined;
  const options = { theme: createChatTheme({ color }), view, draw, cwd: "/project", requestRender: () => {} };
  const drawn = new ToolCard(call, options);
  if (result) drawn.show({ ...call, state: result.ok ? "ok" : "failed", result });
  for (let turn = 0; turn < 4; turn++) {
    drawn.lines(width);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const lines = [...drawn.lines(width)];
  drawn.dispose();
  return lines;
}

function ok(text: string, data?: unknown): LoggedResult {
  return {
    ok: true,
    content: [{ type: "text", text }],
    ...(data === undefined ? {} : { data }),
    notes: { durationMs: 12 },
  };
}

const FAILED: LoggedResult = {
  ok: false,
  content: [],
  error: { code: "failed", message: "It is locked." },
  notes: { durationMs: 12 },
};

const COMMAND: Card = { kind: "command", command: "command" };
const FILE: Card = { kind: "file", path: "path", first: "offset", count: "limit" };
const EDIT: Card = { kind: "diff", path: "path", before: "old", after: "new", diff: "diff" };
const LIST: Card = { kind: "list", pattern: "pattern", path: "path" };
const TODOS: Card = { kind: "todos", items: "todos" };

describe("[U2] [U5] the card of a command", () => {
  it("shows the command and its output", async () => {
    const input = { command: "npm test", description: "Runs the tests" };
    const result = ok("1 passed\n[exit code 0]");
    expect(await rows(COMMAND, input)).toEqual(["⠋ acme:tool $ npm test, description: Runs the tests"]);
    expect(await rows(COMMAND, input, { result })).toEqual([
      "✓ acme:tool $ npm test, description: Runs the tests 12 ms",
      "  1 passed",
      "  [exit code 0]",
    ]);
    expect(await rows(COMMAND, input, { result, isExpanded: true })).toEqual([
      "✓ acme:tool $ npm test, description: Runs the tests 12 ms",
      "  description: Runs the tests",
      "  npm test",
      "  1 passed",
      "  [exit code 0]",
    ]);
  });

  it("shows the lines of a long one", async () => {
    const command = Array.from({ length: 7 }, (_, index) => `echo ${index}`).join("\n");
    expect(await rows(COMMAND, { command })).toEqual([
      "⠋ acme:tool $ echo 0 …",
      "  echo 0",
      "  echo 1",
      "  echo 2",
      "  echo 3",
      "  … 3 more lines (Ctrl-O expands)",
    ]);
  });
});

describe("[U2] [U5] the card of a file", () => {
  it("shows its lines", async () => {
    const result = ok("10\tone\n11\ttwo");
    expect(await rows(FILE, { path: "/project/a.ts", offset: 10, limit: 2 }, { result })).toEqual([
      "✓ acme:tool a.ts:10-11 12 ms",
      "  10    one",
      "  11    two",
    ]);
  });
});

describe("[U2] [U5] the card of a change", () => {
  const input = { path: "/project/a.ts", old: "one\ntwo", new: "one\n2\nthree", all: true };

  it("shows the lines that change, and not what the tool says of them", async () => {
    const lines = ["    one", "  - two", "  + 2", "  + three"];
    expect(await rows(EDIT, input)).toEqual(["⠋ acme:tool a.ts +2 -1, all: true", ...lines]);
    const result = ok("The file was changed.");
    expect(await rows(EDIT, input, { result })).toEqual(["✓ acme:tool a.ts +2 -1, all: true 12 ms", ...lines]);
    expect(await rows(EDIT, input, { result, isExpanded: true })).toEqual([
      "✓ acme:tool a.ts +2 -1, all: true 12 ms",
      "  all: true",
      ...lines,
      "  The file was changed.",
    ]);
  });

  it("shows why it failed", async () => {
    expect((await rows(EDIT, input, { result: FAILED })).at(-1)).toBe("  It is locked.");
  });

  it("shows the numbers of lines that the result has", async () => {
    const diff = "--- a.ts\n+++ a.ts\n@@ -98,3 +98,4 @@\n zero\n one\n-two\n+2\n+three\n";
    expect(await rows(EDIT, input, { result: ok("Done.", { diff }) })).toEqual([
      "✓ acme:tool a.ts +2 -1, all: true 12 ms",
      "      ⋮",
      "   98   zero",
      "   99   one",
      "  100 - two",
      "  100 + 2",
      "  101 + three",
    ]);
  });

  it("marks added and removed lines with colours", async () => {
    const text = (await rows(EDIT, input, { color: true })).join("\n");
    expect(text).toContain("\x1b[31m- two\x1b[39m");
    expect(text).toContain("\x1b[32m+ 2\x1b[39m");
  });

  it("collapses a long one, and names each of several files", async () => {
    const after = Array.from({ length: 40 }, (_, index) => `line ${index}`).join("\n");
    const write: Card = { kind: "diff", path: "path", after: "text" };
    const collapsed = await rows(write, { path: "b", text: after });
    expect(collapsed).toHaveLength(18);
    expect(collapsed.at(-1)).toBe("  … 24 more lines (Ctrl-O expands)");
    expect(await rows(write, { path: "b", text: after }, { isExpanded: true })).toHaveLength(41);
    const patch = "*** Update File: a\n@@\n-x\n*** Update File: b\n@@\n+y";
    expect(await rows({ kind: "diff", patch: "patch" }, { patch })).toEqual([
      "⠋ acme:tool 2 files +1 -1",
      "  a",
      "  - x",
      "  b",
      "  + y",
    ]);
  });
});

describe("[U2] [U5] the card of a list", () => {
  it("shows what was searched for, and the entries", async () => {
    expect(await rows(LIST, { pattern: "*.ts", path: "/project/src" }, { result: ok("a.ts\nb.ts") })).toEqual([
      '✓ acme:tool "*.ts" in src 12 ms',
      "  a.ts",
      "  b.ts",
    ]);
  });

  it("shows the items of a to-do list, and their states", async () => {
    const todos = [
      { content: "Read", status: "completed" },
      { content: "Write", status: "in_progress" },
      { content: "Test", status: "pending" },
      { content: "Sleep", status: "cancelled" },
    ];
    expect(await rows(TODOS, { todos }, { result: ok("Todos have been modified.") })).toEqual([
      "✓ acme:tool 1 of 4 done 12 ms",
      "  ✓ Read",
      "  ▸ Write",
      "  ○ Test",
      "  ✗ Sleep",
    ]);
    const many = Array.from({ length: 20 }, (_, index) => ({ content: `Step ${index}`, status: "pending" }));
    const collapsed = await rows(TODOS, { todos: many });
    expect(collapsed).toHaveLength(14);
    expect(collapsed.at(-1)).toBe("  … 8 more items (Ctrl-O expands)");
  });
});

const BAD_INPUTS: readonly [string, unknown, unknown][] = [
  ["no card", undefined, { path: "a" }],
  ["a missing field", FILE, { offset: 3 }],
  ["a field of another type", FILE, { path: { a: 1 } }],
  ["a card of an unknown kind", { kind: "poem" }, { path: "a" }],
  ["no input", COMMAND, undefined],
];

describe("[U2] a call that does not have the fields of its card", () => {
  it.each(BAD_INPUTS)("is shown as data: %s", async (_, card, input) => {
    expect(await rows(card, input, { isExpanded: true })).toEqual(await rows(undefined, input, { isExpanded: true }));
  });
});

const HOSTILE = [
  "\x1b]0;title\x07\x1b[2J\x1b[31mred",
  "\u202eexe.txt\u2066\u200b",
  "\x00\x08\x9b31m\r\nsecond\rthird",
  "漢字🏳️‍🌈👩‍👩‍👧‍👦".repeat(40),
  "e\u0301\u0301".repeat(400),
  "x".repeat(100_000),
  `${"y\n".repeat(5_000)}end`,
  "\t\t\ttabs\v\f",
  "__proto__",
  "",
];

describe("[X1] hostile texts in cards", () => {
  it.each(HOSTILE.map((text) => [JSON.stringify(text.slice(0, 20)), text]))("are harmless: %s", async (_, text) => {
    const calls: readonly [Card, unknown][] = [
      [COMMAND, { command: text, [text]: text }],
      [COMMAND, { command: [text, text] }],
      [FILE, { path: text, offset: 1e300, limit: -5 }],
      [EDIT, { path: text, old: text, new: `${text}\n${text}` }],
      [{ kind: "diff", patch: "p" }, { p: `--- ${text}\n+++ ${text}\n@@ -1 +1 @@\n-${text}\n+${text}\n` }],
      [LIST, { pattern: text, path: text }],
      [TODOS, { todos: [{ content: text, status: text }] }],
    ];
    for (const [card, input] of calls) {
      for (const width of [7, 40, 200]) {
        for (const isExpanded of [false, true]) {
          const lines = await rows(card, input, { width, isExpanded, result: ok(text, { diff: text }) });
          expect(lines.filter((line) => visibleWidth(line) > width)).toEqual([]);
          expect(lines.filter((line) => /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.test(line))).toEqual([]);
        }
      }
    }
  });
});
