import { type Terminal, TuiMainScreen } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import type { LoggedQuestion, QuestionAnswer } from "../../../core/question.ts";
import { createChatTheme, withoutStyles } from "../chat-theme.ts";
import type { Panel } from "./panel.ts";
import { questionPanel } from "./question-panel.ts";

const ENTER = "\r";
const ESCAPE = "\x1b";
const DOWN = "\x1b[B";

/** A terminal of a size, without a screen: `Editor` asks for the number of rows. */
const TERMINAL = { columns: 80, rows: 24 } as Terminal;

class Asked {
  panel: Panel;
  readonly answers: QuestionAnswer[] = [];
  stops = 0;

  constructor(question: LoggedQuestion) {
    this.panel = questionPanel(question, {
      theme: createChatTheme({ color: false }),
      tui: new TuiMainScreen(TERMINAL),
      replace: (panel) => {
        this.panel = panel;
      },
      answer: (answer) => this.answers.push(answer),
      stop: () => {
        this.stops += 1;
      },
    });
  }

  press(...keys: readonly string[]): this {
    for (const key of keys) this.panel.handleInput(key);
    return this;
  }

  lines(width = 70): string[] {
    return this.panel.render(width).map((line) => withoutStyles(line).trimEnd());
  }
}

const BASE = { questionID: "q", callID: "c", tool: "paint", agent: "demo" } as const;
const PERMISSION: LoggedQuestion = {
  ...BASE,
  kind: "permission",
  reason: 'No rule covers this call of "paint".\x1b]0;x\x07',
  input: { wall: "north" },
  access: [{ kind: "write", target: "/home/me/wall.txt" }],
  choices: ["once", "session", "always"],
  rules: [{ tool: "paint", action: "allow" }],
  settingsFile: "/home/me/.toolwright/settings.json",
};

describe("a permission question", () => {
  it("[U2][P3] shows what the call touches, and what always means", () => {
    expect(new Asked(PERMISSION).lines(100)).toEqual([
      "─".repeat(100),
      'No rule covers this call of "paint".',
      "  write: /home/me/wall.txt",
      '  paint {"wall":"north"}',
      '  Always adds {"tool":"paint","action":"allow"} to /home/me/.toolwright/settings.json',
      "→ Yes, once",
      "  Yes, for this session",
      "  Always",
      "  No",
      "  No, and tell the model why",
      "y once · s session · a always · n no · r reason · Esc stops the turn",
      "─".repeat(100),
    ]);
  });

  it.each<[string, string[], QuestionAnswer]>([
    ["y", ["y"], { allowed: true }],
    ["Enter", [ENTER], { allowed: true }],
    ["s", ["s"], { allowed: true, remember: "session" }],
    ["the second choice", [DOWN, ENTER], { allowed: true, remember: "session" }],
    ["a", ["a"], { allowed: true, remember: "always" }],
    ["n", ["n"], { allowed: false }],
    ["a reason", ["r", "t", "o", "o", ENTER], { allowed: false, reason: "too" }],
    ["a reason after going back", ["r", ESCAPE, "y"], { allowed: true }],
  ])("[U2][P3] is answered with %s", (_, keys, answer) => {
    expect(new Asked(PERMISSION).press(...keys).answers).toEqual([answer]);
  });

  it("[U2] stops the turn with Escape, and ignores keys of choices that it does not offer", () => {
    const asked = new Asked({ ...PERMISSION, choices: ["once"] });
    expect(asked.press("s", "a", "x").answers).toEqual([]);
    expect(asked.lines().at(-2)).toBe("y once · n no · r reason · Esc stops the turn");
    expect(asked.press(ESCAPE)).toMatchObject({ stops: 1, answers: [] });
  });

  it("[U2] cuts long details, and fits 20 columns", () => {
    const asked = new Asked({ ...PERMISSION, input: { text: "word ".repeat(2_000) } });
    const lines = asked.lines(20);
    expect(lines.length).toBeLessThan(40);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(20);
    expect(lines.join("\n")).toContain("more lines");
  });
});

describe("a dialog of a tool file", () => {
  const dialog = (fields: object): Asked =>
    new Asked({ ...BASE, kind: "dialog", reason: "Which?", ...fields } as never);
  const options = ["red", "red", "blue"];

  it.each<[string, object, string[], QuestionAnswer]>([
    ["select", { method: "select", options }, [DOWN, DOWN, ENTER], { allowed: true, value: "blue" }],
    ["select, closed", { method: "select", options }, [ESCAPE], { allowed: false }],
    ["confirm, yes", { method: "confirm", message: "Sure?" }, ["y"], { allowed: true, value: true }],
    ["confirm, no", { method: "confirm" }, ["n"], { allowed: true, value: false }],
    ["confirm, closed", { method: "confirm" }, [ESCAPE], { allowed: false }],
    ["input", { method: "input", placeholder: "a name" }, ["A", "d", "a", ENTER], { allowed: true, value: "Ada" }],
    ["input, closed", { method: "input" }, ["A", ESCAPE], { allowed: false }],
    ["editor", { method: "editor", prefill: "one\ntwo" }, ["!", ENTER], { allowed: true, value: "one\ntwo!" }],
    ["editor, closed", { method: "editor", prefill: "one" }, [ESCAPE], { allowed: false }],
  ])("[U5] %s", (_, fields, keys, answer) => {
    expect(dialog(fields).press(...keys).answers).toEqual([answer]);
  });

  it("[U5] filters a long list by typing", () => {
    const many = Array.from({ length: 30 }, (_, at) => `item ${at}`);
    const asked = dialog({ method: "select", options: many });
    expect(asked.press("2", "7").lines()).toContain("→ item 27");
    expect(asked.press(ENTER).answers).toEqual([{ allowed: true, value: "item 27" }]);
  });
});
