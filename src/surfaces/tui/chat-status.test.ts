import { describe, expect, it } from "vitest";
import { ChatStatusLine, type Status, usageText } from "./chat-status.ts";
import { createChatTheme, withoutStyles } from "./chat-theme.ts";

const STATUS: Status = { agent: "claude", model: "opus", mode: "plan", title: "Fix it", usage: {}, ofTools: [] };
const shown = (status: Partial<Status>, width = 60): string[] =>
  new ChatStatusLine(createChatTheme({ color: false }), () => ({ ...STATUS, ...status }))
    .render(width)
    .map(withoutStyles);

describe("the status line", () => {
  it("[U2] names agent, model, mode and title, then tokens and cost", () => {
    const usage = { inputTokens: 12_345, outputTokens: 820, costUsd: 0.0412 };
    expect(shown({})).toEqual(["claude · opus · plan · Fix it"]);
    expect(shown({ usage })).toEqual(["claude · opus · plan · Fix it   12.3k in · 820 out · $0.0412"]);
    expect(shown({ agent: "", model: undefined, title: undefined })).toEqual(["no agent · plan"]);
  });

  it("[U2] takes the model of the usage if none was chosen, and texts of tool files on a line of their own", () => {
    const usage = { model: "m-1" };
    expect(shown({ model: undefined, usage, ofTools: ["3 jobs", "evil\x1b]0;x\x07 one"] })).toEqual([
      "claude · m-1 · plan · Fix it",
      "3 jobs · evil one",
    ]);
  });

  it("[U2] is cut in a narrow terminal, without tokens", () => {
    expect(shown({ usage: { inputTokens: 1_000_000, outputTokens: 2_000 } }, 20)).toEqual(["claude · opus · pla…"]);
  });
});

it.each([
  [{}, ""],
  [{ inputTokens: 0, outputTokens: 5 }, "0 in · 5 out"],
  [{ inputTokens: 2_500_000, costUsd: 12.5 }, "2.5M in · $12.50"],
])("[U2] usage %j", (usage, text) => {
  expect(usageText(usage)).toBe(text);
});
