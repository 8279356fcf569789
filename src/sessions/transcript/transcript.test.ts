import { describe, expect, it } from "vitest";
import type { DurableEvent, LoggedQuestion, SessionInfo, StoredEvent } from "../../core/session-log.ts";
import type { SessionStore } from "../../core/session-store.ts";
import { type ExportFormat, exportSession } from "./export-session.ts";
import { markdownItem } from "./markdown-transcript.ts";
import { Transcript } from "./transcript.ts";
import type { TranscriptPart } from "./transcript-item.ts";

const AT = Date.UTC(2026, 0, 2, 3, 4, 5);
const CALL = { callID: "c1", tool: "bash", messageID: "m1", agent: "build" };
const notes = { durationMs: 1234 };

function stored(events: readonly DurableEvent[]): StoredEvent[] {
  return events.map((event, index) => ({ ...event, position: index + 1, at: AT + index * 1000, v: 1 }));
}

function shown(...events: DurableEvent[]): string[] {
  const transcript = new Transcript();
  return stored(events).map((event) => {
    const { kind, title, parts } = transcript.item(event);
    return [`${kind}: ${title}`, ...parts.map(partText)].join(" | ");
  });
}

function partText(part: TranscriptPart): string {
  return `${part.kind === "data" ? part.language : part.kind} ${part.text}`;
}

const text = (value: string) => [{ type: "text" as const, text: value }];
const asked = (more: Partial<LoggedQuestion> = {}): DurableEvent =>
  ({
    ...{ type: "question.asked", questionID: "q1", callID: "c1", tool: "bash", agent: "", reason: "May it run?" },
    ...{ kind: "permission", input: {}, access: [], choices: ["once"], rules: [], settingsFile: "/s" },
    ...more,
  }) as DurableEvent;

describe("[U1] an event in a transcript", () => {
  it.each<[DurableEvent, string]>([
    [{ type: "session.start", directory: "/p" }, "session: Session started in /p"],
    [
      { type: "session.start", directory: "/p", agent: "a", model: "m", title: "t" },
      "session: Session started in /p | plain Title: t\nAgent: a\nModel: m",
    ],
    [
      { type: "session.start", directory: "/p", parent: { sessionID: "s", callID: "c" } },
      "session: Session started in /p | plain Task of session s, call c",
    ],
    [{ type: "message.user", messageID: "m", content: text("hi") }, "user: User | prose hi"],
    [
      {
        type: "message.user",
        messageID: "m",
        content: [
          { type: "image", mimeType: "image/png", data: "A".repeat(4000) },
          { type: "file", mimeType: "text/plain", name: "a.txt", url: "file:///a.txt" },
        ],
      },
      "user: User | plain [image, image/png, 3 kB] | plain [file, a.txt, text/plain, file:///a.txt]",
    ],
    [
      { type: "message.complete", messageID: "m", content: text("done"), thinking: "hm" },
      "model: Model | thinking hm | prose done",
    ],
    [{ type: "message.complete", messageID: "m", content: text("\n"), thinking: " " }, "model: Model"],
    [{ type: "tool.start", input: { command: "ls" }, ...CALL }, 'call: Call of bash | json {"command":"ls"}'],
    [{ type: "tool.start", input: undefined, ...CALL, parentID: "c0" }, "call: Call of bash, by call c0"],
    [
      { type: "tool.complete", result: { ok: true, content: text("x"), notes }, ...CALL },
      "result: Result of bash (1.2 s) | text x",
    ],
    [
      {
        type: "tool.failed",
        result: { ok: false, content: text("no"), error: { code: "denied", message: "no" }, notes },
        ...CALL,
      },
      "failure: bash failed: denied (1.2 s) | plain no",
    ],
    [asked(), "question: Question about bash | plain May it run?"],
    [
      asked({ kind: "dialog", method: "select", options: ["a", "b"], message: "Which?" } as Partial<LoggedQuestion>),
      "question: Question of bash | plain May it run? | plain Which? | plain a\nb",
    ],
    [{ type: "cancel.requested" }, "session: Asked to stop"],
    [{ type: "cancel.requested", callID: "c9", reason: "late" }, "session: Asked to stop call c9 | plain late"],
    [{ type: "state.set", of: "tools", key: "todos", value: [1] }, 'state: Value "todos" set | json [1]'],
    [{ type: "state.set", of: "tools", key: "todos" }, 'state: Value "todos" deleted'],
    [{ type: "state.set", of: "session", key: "title", value: "New" }, "state: Title: New"],
    [
      { type: "state.set", of: "session", key: "grants", value: [{ tool: "bash", action: "allow" }] },
      'state: Permission rules of the session set | json [{"tool":"bash","action":"allow"}]',
    ],
    [
      { type: "entry.added", entry: { id: "e", parentId: null, type: "note", timestamp: "" } },
      'state: Entry "note" | json {"id":"e","parentId":null,"type":"note","timestamp":""}',
    ],
    [
      { type: "usage", inputTokens: 12_345, outputTokens: 6, costUsd: 0.5, model: "m" },
      "state: Usage: 12,345 input tokens, 6 output tokens, $0.5000, m",
    ],
    [{ type: "usage" }, "state: Usage"],
    [{ type: "session.idle", text: "done" }, "session: Turn ended"],
    [{ type: "session.error", message: "boom", code: "rate_limit" }, "failure: Error (rate_limit) | plain boom"],
    [
      { type: "session.interrupted", reason: "Killed.", calls: ["c9"], questions: ["q1", "q2"] },
      "failure: Interrupted | plain Killed. | plain Without a result: call c9. It is unknown whether it had an effect: check before you run it again. | plain Without an answer: 2 questions.",
    ],
    [
      { type: "session.paused" } as unknown as DurableEvent,
      'session: Event "session.paused", which this version does not know',
    ],
  ])("%j", (event, expected) => {
    expect(shown(event)).toEqual([expected]);
  });

  it.each<[Partial<Extract<DurableEvent, { type: "question.answered" }>>, string]>([
    [{ allowed: true }, "answer: Answer for bash: yes"],
    [{ allowed: true, remember: "session" }, "answer: Answer for bash: yes, for this session"],
    [{ allowed: true, remember: "always" }, "answer: Answer for bash: yes, always"],
    [{ allowed: false, reason: "Not now." }, "answer: Answer for bash: no | plain Not now."],
    [{ allowed: false, withdrawn: true, reason: "Over." }, "answer: Question for bash withdrawn | plain Over."],
    [{ allowed: true, value: "red" }, 'answer: Answer for bash: yes | json "red"'],
    [{ questionID: "other", allowed: true }, "answer: Answer: yes"],
  ])("an answer names its tool: %j", (answer, expected) => {
    const answered = { type: "question.answered", questionID: "q1", allowed: true, ...answer } as DurableEvent;
    expect(shown(asked(), answered)[1]).toBe(expected);
  });

  it("an interruption names the calls without a result", () => {
    const result = { ok: true as const, content: [], notes };
    const events = shown(
      { type: "tool.start", input: {}, ...CALL },
      { type: "tool.start", input: {}, ...CALL, callID: "c2", tool: "edit" },
      { type: "tool.start", input: {}, ...CALL, callID: "c3", tool: "read" },
      { type: "tool.complete", result, ...CALL, callID: "c3", tool: "read" },
      { type: "cancel.requested", callID: "c2" },
      { type: "session.interrupted", reason: "Killed.", calls: ["c1", "c2"], questions: [] },
    );
    expect(events.slice(4)).toEqual([
      "session: Asked to stop edit",
      "failure: Interrupted | plain Killed. | plain Without a result: bash, edit. It is unknown whether they had an effect: check before you run them again.",
    ]);
  });

  it.each([
    { type: "usage", costUsd: "x" },
    { type: "tool.complete", ...CALL, result: {} },
    { type: "tool.failed", ...CALL, result: {} },
    { type: "message.user", messageID: "m", content: [{ type: "text" }] },
    { type: "message.complete", messageID: "m", content: [], thinking: 5 },
    { ...asked(), kind: "dialog", options: 5 },
    { ...asked(), request: { patterns: 5 } },
  ])("an event with invalid fields is shown as it is: %j", (given) => {
    const [event] = stored([given as unknown as DurableEvent]) as [StoredEvent];
    const { title, parts } = new Transcript().item(event);
    expect(title).toBe(`Event "${given.type}" with invalid fields`);
    expect(JSON.parse((parts[0] as TranscriptPart).text)).toEqual(event);
  });

  it("of a session value with an unknown name shows the name", () => {
    expect(shown({ type: "state.set", of: "session", key: "constructor", value: 1 })).toEqual([
      'state: Value "constructor" set | json 1',
    ]);
    expect(shown({ type: "cancel.requested", reason: 5 } as unknown as DurableEvent)).toEqual([
      "session: Asked to stop",
    ]);
  });

  it("an event of a later version is not read", () => {
    const [event] = stored([{ type: "message.user", messageID: "m", content: [] }]);
    const later = { ...event, content: 5, v: 2 } as unknown as StoredEvent;
    expect(new Transcript().item(later).title).toBe('Event "message.user", which this version does not know');
  });
});

/** A store with one session; the only method is `read`. */
function storeWith(events: readonly StoredEvent[]): SessionStore & { readonly largest: () => number } {
  let largest = 0;
  const read = async (_id: string, after: number, limit: number): Promise<readonly StoredEvent[]> => {
    largest = Math.max(largest, limit);
    return events.slice(after, after + limit);
  };
  return { read, largest: () => largest } as unknown as SessionStore & { readonly largest: () => number };
}

const INFO: SessionInfo = {
  ...{ id: "demo", project: "/p", directory: "/p", status: "idle", turn: "idle", createdAt: AT, updatedAt: AT },
  ...{ position: 3, openCalls: [], openQuestions: [] },
};

async function exported(events: readonly StoredEvent[], format: ExportFormat, info: SessionInfo): Promise<string> {
  let all = "";
  for await (const part of exportSession(storeWith(events), info, format)) all += part;
  return all;
}

describe("[U1] an export", () => {
  const events = stored([
    { type: "session.start", directory: "/p" },
    { type: "message.user", messageID: "m", content: text("a\u2028b\u009b31m\x1b[2J\u202e \ud800 ü 😀") },
    { type: "session.idle" },
    { type: "session.idle" },
  ]);

  it("as JSONL has one line per event, which parses to the stored event, up to the position of the info", async () => {
    const lines = (await exported(events, "jsonl", INFO)).split("\n");
    expect(lines.pop()).toBe("");
    expect(lines.map((line) => JSON.parse(line))).toEqual(events.slice(0, 3));
    expect(lines.join("")).not.toMatch(/[\0-\x1f\x7f-\x9f\u2028-\u202e]/);
  });

  it("reads a long session in pages", async () => {
    const many = stored(Array.from({ length: 1_001 }, () => ({ type: "session.idle", text: "x".repeat(500) })));
    const store = storeWith(many);
    let [parts, lines] = [0, 0];
    for await (const part of exportSession(store, { ...INFO, position: 1_001 }, "jsonl")) {
      parts += 1;
      lines += part.split("\n").length - 1;
    }
    expect([parts, lines, store.largest()]).toEqual([9, 1_001, 200]);
  });

  it("as Markdown is a document with a header and one section per event", async () => {
    const info = { ...INFO, title: "Fix *it*", agent: "build", branchOf: { sessionID: "old", position: 2 } };
    expect(await exported(events.slice(0, 1), "markdown", { ...info, position: 1 })).toBe(`# Fix \\*it\\*

- **Session:** demo
- **Project:** /p
- **Agent:** build
- **Status:** idle
- **Created:** 2026-01-02 03:04:05 UTC
- **Changed:** 2026-01-02 03:04:05 UTC
- **Events:** 1
- **Branch of:** old, event 2

**Session started in /p**, *2026-01-02 03:04:05 UTC, event 1*
`);
  });

  it("as Markdown shows messages, calls and results", () => {
    const transcript = new Transcript();
    const items = stored([
      { type: "message.user", messageID: "m", content: text("# Fix it\n\n- `a.b`") },
      { type: "tool.start", input: { command: "ls" }, ...CALL },
      { type: "tool.complete", result: { ok: true, content: text("```\n</pre>"), notes }, ...CALL },
    ]).map((event) => markdownItem(transcript.item(event)));
    expect(items.join("")).toBe(`
## User

*2026-01-02 03:04:05 UTC, event 1*

> # Fix it
>
> - \`a.b\`

### Call of bash

*2026-01-02 03:04:06 UTC, event 2*

\`\`\`json
{"command":"ls"}
\`\`\`

### Result of bash (1.2 s)

*2026-01-02 03:04:07 UTC, event 3*

\`\`\`\`text
\`\`\`
</pre>
\`\`\`\`
`);
  });
});
