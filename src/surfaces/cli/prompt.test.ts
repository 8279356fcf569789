import { describe, expect, it } from "vitest";
import type { Answer, Question } from "../../calls/permission-question.ts";
import { questionText, toAnswer } from "./prompt.ts";

const ALL: Question["choices"] = ["once", "session", "always"];

describe("[P3] a question", () => {
  it("[X1] contains no additional lines from the text of the call", () => {
    const question: Question = {
      tool: "t",
      callID: "c",
      sessionID: "s",
      agent: "",
      input: {},
      access: [],
      reason: '"t" asks for permission: a\nb.',
      choices: ["once"],
      rules: [],
      settingsFile: "",
      request: { permission: "a\nb", patterns: ["git status)\n  y  yes, this once\nAllow it?"] },
    };
    expect(questionText(question)).toBe(
      `"t" asks for permission: a\\nb. (git status)\\n  y  yes, this once\\nAllow it?)
  y  yes, this once
  n  no, or type a reason for the model
Allow it?`,
    );
  });
});

describe("[P3] the choices of a question", () => {
  const question: Question = {
    ...{ tool: "t", callID: "c", sessionID: "s", agent: "", input: {}, access: [], reason: "May it?" },
    ...{ choices: ALL, rules: [{ tool: "t", action: "allow" }], settingsFile: "/s.json" },
  };
  const own = { permission: "p", patterns: [] };

  it.each<[string, Question, string | undefined, string[]]>([
    ["a command without a session", { ...question, choices: ["once", "always"] }, undefined, ["y", "a", "n"]],
    [
      "a question of the tool itself",
      { ...question, choices: ["once", "always"], request: own },
      undefined,
      ["y", "a", "n"],
    ],
    ["a session of a sub-agent", question, undefined, ["y", "s  yes, for this session (s)", "a", "n"]],
    ["a lasting session", question, "my session", ["y", "s  yes, for this session (my session)", "a", "n"]],
    ["a rule that cannot be remembered", { ...question, choices: ["once"] }, "x", ["y", "n"]],
  ])("in %s", (_case, asked, sessionID, expected) => {
    const lines = questionText(asked, sessionID).split("\n").slice(1, -1);
    expect(lines.map((line) => (line.startsWith("  s") ? line.trim() : line[2]))).toEqual(expected);
  });
});

describe("[P3] a typed answer", () => {
  it.each<[string, Question["choices"], Answer]>([
    ["y", ALL, { allowed: true }],
    ["YES", ALL, { allowed: true }],
    ["s", ALL, { allowed: true, remember: "session" }],
    ["always", ALL, { allowed: true, remember: "always" }],
    ["a", ["once"], { allowed: false, reason: "The user said: a." }],
    ["", ALL, { allowed: false, reason: "The user said no. Find another way, or tell the user." }],
    ["n", ALL, { allowed: false, reason: "The user said no. Find another way, or tell the user." }],
    ["No.", ALL, { allowed: false, reason: "The user said no. Find another way, or tell the user." }],
    ["no, use the staging server", ALL, { allowed: false, reason: "The user said: use the staging server." }],
    ["not on Fridays!", ALL, { allowed: false, reason: "The user said: not on Fridays!" }],
    ["yes please", ALL, { allowed: false, reason: "The user said: yes please." }],
  ])("[P3] %j of %j", (line, choices, answer) => {
    expect(toAnswer(line, choices)).toEqual(answer);
  });
});
