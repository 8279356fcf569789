import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { Card } from "../../../src/core/card.ts";
import type { LoggedQuestion, QuestionAnswered } from "../../../src/core/question.ts";
import { createServer, ServerContext } from "../server.ts";
import { answerText, QuestionCard } from "./question-card.tsx";
import { ToolCard } from "./tool-card.tsx";

const HOSTILE = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '"><svg onload=alert(1)>',
  "' onclick='alert(1)",
  "javascript:alert(1)",
  "&lt;b&gt;",
  "\u202eexe.txt\u2066",
  "\u0000\u0007\u009b31m\u001b[31mred",
  "</pre></code><iframe src=//evil.example>",
  "x".repeat(300_000),
  "[".repeat(50_000),
  "__proto__",
  "",
];

/** Elements and attributes that no card has. Values of attributes and our icons are left out. */
function unexpected(markup: string): string[] {
  const others = markup
    .replace(/<svg class="icon"[^>]*><path d="[^"]*"><\/path><\/svg>/g, "")
    .replace(/="[^"]*"/g, '=""');
  const tags = [...others.matchAll(/<([a-z0-9]+)/gi)].map(([, name = ""]) => name);
  const attributes = [...others.matchAll(/<[^>]*\s(on\w+|src|srcset|href|action|formaction)=/gi)].map(
    ([, name]) => name,
  );
  return [...tags.filter((name) => !ALLOWED.includes(name)), ...attributes.flatMap((name) => name ?? [])];
}

const ALLOWED =
  "article section figure figcaption header button span bdi p h3 h4 div pre code ul li details summary fieldset legend form input textarea label kbd kbd".split(
    " ",
  );

function html(element: ReactElement): string {
  const server = createServer("http://127.0.0.1:4141");
  return renderToStaticMarkup(createElement(ServerContext.Provider, { value: server }, element));
}

describe("[X1] the card of a call", () => {
  it.each(HOSTILE.map((text) => [text.slice(0, 40), text]))("shows %j as text", (_, text) => {
    for (const isOpen of [true, false]) {
      const call = {
        callID: text,
        tool: text,
        input: { [text]: text, list: [text] },
        state: "failed",
        at: 1,
        update: { title: text, metadata: { [text]: text } },
        result: {
          ok: false,
          content: [
            { type: "text", text },
            { type: "image", data: "PHN2Zz4=", mimeType: "image/svg+xml" },
            { type: "file", mimeType: text, name: text, data: "AA==" },
            { type: "file", mimeType: "text/html", url: text },
          ],
          data: { [text]: text },
          error: { code: "failed", message: text },
          notes: { durationMs: 1, title: text, thrownAt: text, causes: [text] },
        },
      } as const;
      expect(unexpected(html(createElement(ToolCard, { call, isOpen, onToggle: () => {} })))).toEqual([]);
    }
  });
});

const CARDS = (text: string): readonly (readonly [Card, unknown])[] => [
  [
    { kind: "command", command: "a" },
    { a: text, [text]: text },
  ],
  [{ kind: "file", path: "a" }, { a: text }],
  [
    { kind: "diff", path: "a", before: "b", after: "c" },
    { a: text, b: text, c: `${text}\n${text}` },
  ],
  [{ kind: "diff", patch: "a" }, { a: `--- ${text}\n+++ ${text}\n@@ -1 +1 @@\n-${text}\n+${text}` }],
  [
    { kind: "list", pattern: "a", path: "b" },
    { a: text, b: text },
  ],
  [{ kind: "todos", items: "a" }, { a: [{ content: text, status: text }] }],
];

describe("[X1] the card that a tool declares", () => {
  it.each(HOSTILE.map((text) => [text.slice(0, 40), text]))("shows %j as text", (_, text) => {
    for (const [card, input] of CARDS(text)) {
      const result = {
        ok: true,
        content: [{ type: "text", text }],
        data: { [text]: text },
        notes: { durationMs: 1 },
      } as const;
      const call = { callID: text, tool: text, card, input, state: "ok", at: 1, result } as const;
      const markup = html(createElement(ToolCard, { call, isOpen: true, onToggle: () => {} }));
      expect(unexpected(markup)).toEqual([]);
      expect(markup.split('<pre class="output"')[0]).not.toMatch(/[\u202e\u2066]/);
    }
  });
});

const base = { questionID: "q", callID: "c", tool: "t", agent: "demo", reason: "Why?" };

function questionsWith(text: string): LoggedQuestion[] {
  const named = { ...base, tool: text, reason: text };
  return [
    {
      ...named,
      kind: "permission",
      input: { [text]: text },
      access: ["undeclared", { kind: "execute", target: text }],
      choices: ["once", "session", "always"],
      rules: [{ tool: text, match: text, action: "allow" }],
      settingsFile: text,
      request: { permission: text, patterns: [text] },
    },
    { ...named, kind: "dialog", method: "select", options: [text, `${text}2`] },
    { ...named, kind: "dialog", method: "confirm", message: text },
    { ...named, kind: "dialog", method: "input", placeholder: text },
    { ...named, kind: "dialog", method: "editor", prefill: text },
  ];
}

describe("[X1] the card of a question", () => {
  it.each(HOSTILE.map((text) => [text.slice(0, 40), text]))("shows %j as text", (_, text) => {
    for (const question of questionsWith(text)) {
      expect(unexpected(html(createElement(QuestionCard, { question, onAnswer: async () => {} })))).toEqual([]);
    }
  });

  it("shows characters that change the order of a command", () => {
    const [question] = questionsWith("rm \u202etxt.x");
    if (!question) throw new Error("There is no question.");
    const markup = html(createElement(QuestionCard, { question, onAnswer: async () => {} }));
    expect(markup).not.toContain("\u202e");
    expect(markup).toContain("U+202E");
  });
});

describe("an answer as a sentence", () => {
  const [permission, select, confirm] = questionsWith("x") as [LoggedQuestion, LoggedQuestion, LoggedQuestion];
  it.each<[LoggedQuestion, Partial<QuestionAnswered> | undefined, string]>([
    [permission, undefined, "Not answered."],
    [permission, { allowed: true }, "Allowed once."],
    [permission, { allowed: true, remember: "session" }, "Allowed for this session."],
    [permission, { allowed: true, remember: "always" }, "Always allowed."],
    [permission, { allowed: false }, "Not allowed."],
    [permission, { allowed: false, reason: "Too late" }, "Not allowed: Too late"],
    [permission, { allowed: true, withdrawn: true }, "Allowed by another answer."],
    [permission, { allowed: false, withdrawn: true }, "No longer needed."],
    [select, { allowed: true, value: "b" }, "Answered: b"],
    [select, { allowed: true, value: { a: 1 } }, 'Answered: {"a":1}'],
    [select, { allowed: false }, "Closed without an answer."],
    [confirm, { allowed: true, value: true }, "Answered: yes."],
    [confirm, { allowed: true, value: false }, "Answered: no."],
  ])("[U4] %#", (question, answer, text) => {
    expect(answerText(question, answer && { questionID: "q", allowed: false, ...answer })).toBe(text);
  });
});
