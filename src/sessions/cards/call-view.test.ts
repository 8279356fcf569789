import { describe, expect, it } from "vitest";
import type { Card } from "../../core/card.ts";
import type { LoggedResult } from "../../core/session-log.ts";
import { callView } from "./call-view.ts";

const COMMAND: Card = { kind: "command", command: "cmd", directory: "in" };
const FILE: Card = { kind: "file", path: "path", first: "offset", count: "limit", last: "end", range: "range" };
const EDIT: Card = { kind: "diff", path: "path", before: "old", after: "new", diff: "diff", changes: "changes" };
const EDITS: Card = { kind: "diff", path: "path", edits: "edits", before: "old", after: "new" };
const WRITE: Card = { kind: "diff", path: "path", after: "text", diff: "diff" };
const PATCH: Card = { kind: "diff", patch: "patch" };
const LIST: Card = { kind: "list", pattern: "pattern", path: "path" };
const TODOS: Card = { kind: "todos", items: "todos", text: "step" };

function resultWith(data: unknown): LoggedResult {
  return { ok: true, content: [], data, notes: { durationMs: 1 } };
}

function titleOf(card: Card, input: unknown, data?: unknown): string | undefined {
  const result = data === undefined ? {} : { result: resultWith(data) };
  return callView({ card, input, ...result }, "/project")?.title;
}

describe("[U2] [U4] the view of a call", () => {
  it.each<[Card, unknown, string]>([
    [COMMAND, { cmd: "npm test" }, "$ npm test"],
    [COMMAND, { cmd: "cd web\nnpm test\n", in: "/project/e2e" }, "e2e $ cd web …"],
    [COMMAND, { cmd: ["git", "log"], in: "/elsewhere" }, "/elsewhere $ git log"],
    [FILE, { path: "/project/src/a.ts" }, "src/a.ts"],
    [FILE, { path: "/project" }, "/project"],
    [FILE, { path: "/projects/a" }, "/projects/a"],
    [FILE, { path: "a", offset: 10, limit: 5 }, "a:10-14"],
    [FILE, { path: "a", limit: 5 }, "a:1-5"],
    [FILE, { path: "a", offset: 10 }, "a, from line 10"],
    [FILE, { path: "a", offset: 3, end: 9 }, "a:3-9"],
    [FILE, { path: "a", range: [2, 4] }, "a:2-4"],
    [FILE, { path: "a", range: [2, -1] }, "a, from line 2"],
    [FILE, { path: "a", offset: "ten", range: "2-4" }, "a"],
    [EDIT, { path: "a", old: "one\ntwo", new: "one\n2\n3" }, "a +2 -1"],
    [
      EDITS,
      {
        path: "a",
        edits: [
          { old: "x", new: "y" },
          { old: "", new: "z" },
        ],
      },
      "a +2 -1",
    ],
    [WRITE, { path: "/project/a", text: "1\n2\n" }, "a +2 -0"],
    [PATCH, { patch: "*** Update File: /project/a\n@@\n-x\n+y\n*** Add File: b\n+z" }, "2 files +2 -1"],
    [LIST, { pattern: "*.ts", path: "/project/src" }, '"*.ts" in src'],
    [LIST, { pattern: "*.ts" }, '"*.ts"'],
    [{ kind: "list", path: "path" }, {}, "."],
    [TODOS, { todos: [{ step: "a", status: "completed" }, { step: "b" }] }, "1 of 2 done"],
    [TODOS, { todos: [] }, "no items"],
    [TODOS, { todos: "# Plan\n- [x] a\n- [ ] b" }, "1 of 2 done"],
  ])("of %j for %j has a title", (card, input, title) => {
    expect(titleOf(card, input)).toBe(title);
  });

  it("prefers what the result says of a change", () => {
    const input = { path: "/project/a", old: "x", new: "y" };
    expect(titleOf(EDIT, input, { diff: "--- a\n+++ a\n@@ -7 +7,2 @@\n-x\n+y\n+z\n" })).toBe("a +2 -1");
    const changes = [
      { path: "/project/a", before: null, after: "1" },
      { path: "b", before: "1", after: "2" },
    ];
    expect(titleOf(EDIT, input, { changes })).toBe("2 files +2 -1");
    expect(titleOf(WRITE, { path: "a", text: "x" }, { diff: "" })).toBe("a +0 -0");
    expect(titleOf(EDIT, input, { diff: "no diff" })).toBe("a +1 -1");
    expect(titleOf(EDIT, input, { changes: [{ path: "b" }] })).toBe("a +1 -1");
    expect(titleOf(EDIT, {}, { changes })).toBe("2 files +2 -1");
  });

  it("takes a to-do list from the result", () => {
    const todos = [
      { step: "a", status: "in_progress" },
      { step: "b", status: "cancelled" },
    ];
    const view = callView({ card: TODOS, input: {}, result: resultWith({ todos }) });
    expect(view?.kind === "todos" && view.items).toEqual([
      { text: "a", state: "active" },
      { text: "b", state: "cancelled" },
    ]);
  });

  it("keeps the fields that it does not show, and those of an unexpected type", () => {
    const input = { path: "a", offset: "ten", limit: 3, encoding: "utf8" };
    expect(callView({ card: FILE, input })?.rest).toEqual({ offset: "ten", encoding: "utf8" });
  });

  it.each<[string, unknown, unknown]>([
    ["no card", undefined, { cmd: "ls" }],
    ["a card of an unknown kind", { kind: "poem", path: "path" }, { path: "a" }],
    ["a card that is no object", "command", { cmd: "ls" }],
    ["a card without its field", { kind: "command" }, { cmd: "ls" }],
    ["a card with a field of another type", { kind: "command", command: ["cmd"] }, { cmd: "ls" }],
    ["an input that is no object", COMMAND, "ls"],
    ["an input that is a list", COMMAND, ["ls"]],
    ["no input", COMMAND, undefined],
    ["a command of another type", COMMAND, { cmd: { run: "ls" } }],
    ["a command of no words", COMMAND, { cmd: [] }],
    ["a command with a number", COMMAND, { cmd: ["sleep", 1] }],
    ["no path", FILE, { offset: 1 }],
    ["a path of another type", FILE, { path: 7 }],
    ["a field that every object has", { kind: "file", path: "constructor" }, {}],
    ["a field that sets the prototype", { kind: "file", path: "__proto__" }, {}],
    ["half an edit", EDIT, { path: "a", new: "x" }],
    ["edits of another type", EDITS, { path: "a", edits: [{ old: 1, new: "x" }] }],
    ["edits of which one is no object", EDITS, { path: "a", edits: [{ old: "", new: "x" }, null] }],
    ["no edits", EDITS, { path: "a", edits: [] }],
    ["a patch that is none", PATCH, { patch: "hello" }],
    ["a search for no text", LIST, { pattern: 1 }],
    ["items that are no objects", TODOS, { todos: ["a"] }],
    ["items without a text", TODOS, { todos: [{ text: "a" }] }],
    ["items that are a text without a list", TODOS, { todos: "Do it." }],
  ])("does not exist for %s", (_, card, input) => {
    expect(callView({ card: card as Card, input })).toBeUndefined();
  });

  it("has a bounded title and bounded lines", () => {
    const long = "x".repeat(3_000_000);
    expect(callView({ card: COMMAND, input: { cmd: long } })?.title).toHaveLength(1_000);
    const view = callView({ card: WRITE, input: { path: "a", text: "line\n".repeat(500_000) } });
    expect(view?.kind === "diff" && view.files.map(({ lines, omitted }) => [lines.length, omitted])).toEqual([
      [2_000, 498_000],
    ]);
  });

  it("compares only as many lines of all edits together as of one", () => {
    const lines = (from: number): string => Array.from({ length: 100 }, (_, index) => from + index).join("\n");
    const edit = { old: `first\n${lines(0)}`, new: lines(50) };
    const titleOfEdits = (count: number): string | undefined =>
      titleOf(EDITS, { path: "a", edits: Array.from({ length: count }, () => edit) });
    expect([titleOfEdits(1), titleOfEdits(10)]).toEqual(["a +50 -51", "a +500 -510"]);
    expect(titleOfEdits(200)).toBe("a +20000 -20200");
  });
});
