import { visibleWidth } from "@earendil-works/pi-tui";
import { array, assert, constantFrom, integer, oneof, property, string } from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { DurableEvent, FollowedEvent, LiveEvent, LoggedResult } from "../../../core/session-log.ts";
import type { DrawRequest } from "../../../toolbox/toolbox.ts";
import { createChatTheme } from "../chat-theme.ts";
import { ChatTranscript, type ChatTranscriptOptions } from "./chat-transcript.ts";

const open: ChatTranscript[] = [];

afterEach(() => {
  for (const transcript of open.splice(0)) transcript.dispose();
});

class Session {
  readonly transcript: ChatTranscript;
  renders = 0;
  #position = 0;

  constructor(options: Partial<ChatTranscriptOptions> = {}) {
    const color = options.color ?? false;
    this.transcript = new ChatTranscript({
      theme: createChatTheme({ color }),
      color,
      cwd: "/project",
      draw: async () => undefined,
      requestRender: () => {
        this.renders += 1;
      },
      ...options,
    });
    open.push(this.transcript);
  }

  log(...events: DurableEvent[]): void {
    for (const event of events) {
      this.#position += 1;
      this.transcript.apply({ ...event, position: this.#position, at: Date.now(), v: 1 });
    }
  }

  live(...events: LiveEvent[]): void {
    for (const event of events) this.transcript.apply(event);
  }

  rows(width = 60): string[] {
    return [...this.transcript.render(width)];
  }

  /** Waits until the answers of `draw` have arrived. */
  async drawn(width = 60): Promise<string[]> {
    for (let turn = 0; turn < 20; turn++) {
      this.rows(width);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return this.rows(width);
  }
}

function call(callID: string, tool: string, parentID?: string) {
  return { callID, tool, messageID: "m", agent: "claude", ...(parentID === undefined ? {} : { parentID }) };
}

function ok(text: string, durationMs = 12): LoggedResult & { ok: true } {
  return { ok: true, content: [{ type: "text", text }], notes: { durationMs } };
}

function failed(message: string, text = ""): LoggedResult & { ok: false } {
  return {
    ok: false,
    error: { code: "failed", message },
    content: text === "" ? [] : [{ type: "text", text }],
    notes: { durationMs: 1_500, thrownAt: "/project/tools/a.ts:3:9", causes: ["disk full"] },
  };
}

function user(text: string): DurableEvent {
  return { type: "message.user", messageID: "u", content: [{ type: "text", text }] };
}

describe("[U2] messages in the terminal", () => {
  it("shows a prompt and its answer", () => {
    const session = new Session();
    session.log(user("Fix the parser,\nplease"));
    session.live({ type: "message.delta", messageID: "m1", text: "I **will" });
    session.live({ type: "message.delta", messageID: "m1", text: "** do it" });
    expect(session.rows()).toEqual(["❯ Fix the parser,", "  please", "", "I will do it"]);
    session.log({ type: "message.complete", messageID: "m1", content: [{ type: "text", text: "I **did** it." }] });
    expect(session.rows()).toEqual(["❯ Fix the parser,", "  please", "", "I did it."]);
  });

  it("collapses a long prompt", () => {
    const session = new Session();
    session.log(user("line\n".repeat(100)));
    expect(session.rows()).toHaveLength(21);
    expect(session.rows().at(-1)).toBe("  … 80 more lines (Ctrl-O expands)");
    session.transcript.isExpanded = true;
    expect(session.rows()).toHaveLength(100);
  });

  it("shows thinking as one line, or in full", () => {
    const session = new Session();
    session.live({ type: "thinking.delta", messageID: "m1", text: "First I read.\nThen I" });
    session.live({ type: "thinking.delta", messageID: "m1", text: " write." });
    expect(session.rows()).toEqual(["Thinking: Then I write."]);
    const thinking = "First I read.\nThen I write.";
    session.log({ type: "message.complete", messageID: "m1", content: [{ type: "text", text: "Done." }], thinking });
    expect(session.rows()).toEqual(["Thought: First I read.", "", "Done."]);
    session.transcript.toggleThinking();
    expect(session.rows()).toEqual(["First I read.", "Then I write.", "", "Done."]);
  });

  it("replaces what was streamed when it catches up, and keeps a message that is no longer streamed", () => {
    const session = new Session();
    session.live({ type: "message.delta", messageID: "m1", text: "One" });
    session.live({ type: "message.delta", messageID: "m2", text: "Tw" });
    const messages = [{ messageID: "m2", text: "Two words", thinking: "" }];
    session.transcript.apply({ type: "session.partial", messages, calls: [] });
    session.live({ type: "message.delta", messageID: "m2", text: " more" });
    expect(session.rows()).toEqual(["One", "", "Two words more"]);
  });

  it("shows no message without text, and no event twice", () => {
    const session = new Session();
    session.live({ type: "message.delta", messageID: "m1", text: " " });
    session.log({ type: "message.complete", messageID: "m1", content: [] });
    expect(session.rows()).toEqual([]);
    const again: FollowedEvent = { ...user("Hello"), position: 2, at: 1, v: 1 };
    session.transcript.apply(again);
    session.transcript.apply(again);
    session.transcript.apply({ ...again, position: 3, v: 99 });
    session.transcript.apply({ type: "message.complete", position: 4, at: 1, v: 1 } as unknown as FollowedEvent);
    expect(session.rows()).toEqual(["❯ Hello"]);
  });

  it("says how a turn ended", () => {
    const session = new Session();
    session.log({ type: "session.idle", text: "x" });
    expect(session.rows()).toEqual([]);
    session.log(
      { type: "session.idle", aborted: true },
      { type: "session.error", message: "No \x1b[2Jkey.", code: "auth" },
    );
    session.log({ type: "tool.start", ...call("1", "bash"), input: {} });
    session.log({ type: "session.interrupted", reason: "The process ended.", calls: ["1"], questions: [] });
    expect(session.rows(80)).toEqual([
      "Stopped.",
      "",
      "Error (auth): No key.",
      "",
      "? bash",
      "  Interrupted. It is unknown whether it had an effect: check before you run it",
      "  again.",
      "",
      "Interrupted: The process ended.",
      "Without a result: bash. It is unknown whether it had an effect: check before you",
      "run it again.",
    ]);
  });

  it("[S2] shows calls with the same id as cards of their own", () => {
    const session = new Session();
    const start = { type: "tool.start", ...call("1", "bash"), input: {} } as const;
    session.log(start, start, { type: "tool.start", ...call("2", "read"), input: {} });
    const result = { ok: true, content: [], notes: { durationMs: 1 } } as const;
    session.log({ type: "tool.complete", ...call("1", "bash"), result });
    session.log({ type: "session.interrupted", reason: "Gone.", calls: ["1", "2"], questions: [] });
    session.log(start, { type: "tool.complete", ...call("1", "bash"), result });
    const cards = session.rows(80).filter((row) => /bash|read/.test(row) && !row.startsWith("Without"));
    expect(cards.map((row) => row.slice(0, 1))).toEqual([cards[0]?.slice(0, 1), "?", "?", cards[0]?.slice(0, 1)]);
    expect(cards[0]).not.toMatch(/^\?/);
  });

  it("shows notices and Markdown of the chat, and forgets everything", () => {
    const session = new Session({ color: true });
    session.transcript.addNotice("Unknown command.", "error");
    session.transcript.addMarkdown("**Help**");
    expect(session.rows()).toEqual(["\x1b[31mUnknown command.\x1b[39m", "", "\x1b[1mHelp\x1b[22m"]);
    session.transcript.clear();
    expect(session.rows()).toEqual([]);
  });
});

describe("[U2] tool cards", () => {
  it("shows a call, its progress, and its result", async () => {
    const session = new Session();
    session.log({ type: "tool.start", ...call("1", "bash"), input: { command: "npm test", timeout: 5 } });
    expect(session.rows(40)).toEqual([expect.stringMatching(/^⠋ bash npm test, timeout: 5( \d s)?$/)]);
    const output = Array.from({ length: 9 }, (_, n) => `test ${n + 1}`).join("\n");
    session.live({ type: "tool.update", ...call("1", "bash"), title: "Run tests", metadata: { output } });
    expect((await session.drawn()).slice(1)).toEqual([
      "  Run tests",
      "  test 5",
      "  test 6",
      "  test 7",
      "  test 8",
      "  test 9",
    ]);
    session.log({ type: "tool.complete", ...call("1", "bash"), result: ok(`${output}\ntest 10\n`) });
    expect(session.rows()).toEqual([
      "✓ bash npm test, timeout: 5 12 ms",
      ...output
        .split("\n")
        .slice(0, 8)
        .map((line) => `  ${line}`),
      "  … 2 more lines (Ctrl-O expands)",
    ]);
    session.transcript.isExpanded = true;
    expect((await session.drawn()).slice(1, 5)).toEqual([
      "  command: npm test",
      "  timeout: 5",
      "  test 1",
      "  test 2",
    ]);
    expect(session.rows().at(-1)).toBe("  test 10");
  });

  it("shows progress that has no text as its data", () => {
    const session = new Session();
    session.log({ type: "tool.start", ...call("1", "fetch"), input: { url: "https://example.org" } });
    session.live({ type: "tool.update", ...call("1", "fetch"), title: "https://example.org", metadata: { bytes: 7 } });
    expect(session.rows().slice(1)).toEqual(["  bytes: 7"]);
  });

  it("shows why a call failed", async () => {
    const session = new Session();
    session.log({ type: "tool.start", ...call("1", "edit"), input: "x" });
    session.log({ type: "tool.failed", ...call("1", "edit"), result: failed("No such file.\nTry `list`.", "partial") });
    expect(session.rows()).toEqual(["✗ edit x 1.5 s", "  No such file.", "  Try `list`.", "  partial"]);
    session.transcript.isExpanded = true;
    expect(await session.drawn()).toEqual([
      "✗ edit x 1.5 s",
      "  x",
      "  No such file.",
      "  Try `list`.",
      "  partial",
      "  Code: failed",
      "  Thrown at: /project/tools/a.ts:3:9",
      "  Cause: disk full",
    ]);
  });

  it("[P9] names images and files", () => {
    const session = new Session();
    const notes = { durationMs: 1 };
    const content = [
      { type: "image" as const, mimeType: "image/png", data: "A".repeat(4_000) },
      { type: "file" as const, mimeType: "text/csv", name: "a\x07.csv", url: "file:///tmp/a.csv" },
    ];
    session.log({ type: "tool.complete", ...call("1", "plot"), result: { ok: true, content, notes } });
    expect(session.rows()).toEqual([
      "✓ plot 1 ms",
      "  [image: image/png, 3 kB]",
      "  [file: a\\x07.csv, text/csv, file:///tmp/a.csv]",
    ]);
  });

  it("shows the data of a result that has nothing else", () => {
    const session = new Session();
    const result = { ok: true as const, content: [], data: { rows: 3, ids: [1, 2] }, notes: { durationMs: 1 } };
    session.log({ type: "tool.complete", ...call("1", "count"), result });
    expect(session.rows()).toEqual(["✓ count 1 ms", "  rows: 3", "  ids: [1,2]"]);
  });

  it("shows calls of a call below it, and questions where they were asked", () => {
    const session = new Session();
    session.log({ type: "tool.start", ...call("1", "task"), input: {} });
    session.log({ type: "tool.start", ...call("2", "read"), input: "b" });
    session.log({ type: "tool.start", ...call("3", "bash", "1"), input: "ls" });
    const asked = {
      callID: "3",
      tool: "bash",
      agent: "claude",
      reason: "No rule allows `ls`.",
      kind: "permission" as const,
    };
    const details = { input: {}, access: [], choices: ["once" as const], rules: [], settingsFile: "" };
    session.log({ type: "question.asked", questionID: "q1", ...asked, ...details });
    session.log({ type: "question.answered", questionID: "q1", allowed: false, reason: "Use `list`." });
    session.log({ type: "tool.complete", ...call("3", "bash", "1"), result: ok("a") });
    session.log({ type: "tool.complete", ...call("2", "read"), result: ok("b") });
    session.log({ type: "tool.complete", ...call("1", "task"), result: ok("") });
    expect(session.rows()).toEqual([
      "✓ task 12 ms",
      "  ✓ bash ls 12 ms",
      "    a",
      "? bash: No rule allows `ls`.",
      "  Refused: Use `list`.",
      "",
      "✓ read b 12 ms",
      "  b",
    ]);
  });

  it("says how a dialog was answered", () => {
    const session = new Session();
    const asked = { callID: "1", tool: "ask", agent: "claude", reason: "Continue?", kind: "dialog" as const };
    const answers = [{ value: true }, { value: "red" }, { allowed: false }, { withdrawn: true as const }];
    for (const [at, answer] of answers.entries()) {
      session.log({ type: "question.asked", questionID: `q${at}`, ...asked, method: "confirm" });
      session.log({ type: "question.answered", questionID: `q${at}`, allowed: true, ...answer });
    }
    expect(session.rows().filter((row) => !row.startsWith("?"))).toEqual([
      "  Answered: yes",
      "  Answered: red",
      "  Closed without an answer.",
      "  The question was withdrawn.",
    ]);
  });

  it("turns its spinner and counts seconds while a call runs, and then stops", async () => {
    const session = new Session();
    const at = Date.now() - 2_500;
    session.transcript.apply({ type: "tool.start", ...call("1", "wait"), input: {}, position: 1, at, v: 1 });
    expect(session.rows()[0]).toMatch(/^. wait [2-9] s$/);
    const before = session.rows();
    await new Promise((resolve) => setTimeout(resolve, 1_150));
    expect(session.rows()[0]).toMatch(/^. wait [3-9] s$/);
    expect(session.rows()).not.toEqual(before);
    session.transcript.apply({ type: "tool.complete", ...call("1", "wait"), result: ok(""), position: 2, at, v: 1 });
    const { renders } = session;
    await new Promise((resolve) => setTimeout(resolve, 250));
    // The renderer of the finished call is asked by the next drawing only.
    expect(session.renders).toBe(renders);
  });
});

describe("[U5] renderers of tools in the terminal", () => {
  function drawing(): { requests: DrawRequest[]; session: Session } {
    const requests: DrawRequest[] = [];
    const session = new Session({
      color: true,
      draw: async (request) => {
        requests.push(request);
        if (request.kind === "call") return [`\x1b[35mdeploy\x1b[0m ${request.width}`, "second\x1b]0;t\x07\nthird"];
        return request.isPartial ? [`frame ${request.spinnerFrame}`] : [request.expanded ? "all" : "some"];
      },
    });
    return { requests, session };
  }

  it("draw a call and its result", async () => {
    const { requests, session } = drawing();
    session.log({ type: "tool.start", ...call("1", "deploy"), input: { to: "production" } });
    session.log({ type: "tool.complete", ...call("1", "deploy"), result: { ...ok("text"), data: { a: 1 } } });
    const head = ["\x1b[32m✓\x1b[39m \x1b[35mdeploy\x1b[0m 58 \x1b[2m12 ms\x1b[22m", "  second", "  third"];
    expect(await session.drawn()).toEqual([...head, "  some"]);
    session.transcript.isExpanded = true;
    expect(await session.drawn()).toEqual([...head, "  all"]);
    expect((await session.drawn(40))[0]).toContain("38");
    const base = { name: "deploy", color: true, callID: "1", cwd: "/project", input: { to: "production" } };
    expect(requests.slice(0, 2)).toEqual([
      { ...base, kind: "call", width: 58, expanded: false },
      {
        ...base,
        kind: "result",
        width: 58,
        expanded: false,
        content: [{ type: "text", text: "text" }],
        data: { a: 1 },
        isError: false,
      },
    ]);
    expect(requests).toHaveLength(6);
  });

  it("draw a running call at most ten times a second", async () => {
    const { requests, session } = drawing();
    session.log({ type: "tool.start", ...call("1", "deploy"), input: {} });
    const began = performance.now();
    while (performance.now() < began + 450) {
      session.live({ type: "tool.update", ...call("1", "deploy"), metadata: { output: "x", step: 1 } });
      session.rows();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const results = requests.filter(({ kind }) => kind === "result");
    expect(results.length).toBeGreaterThan(1);
    expect(results.length).toBeLessThanOrEqual((performance.now() - began) / 100 + 1);
    expect(results[0]).toMatchObject({ isPartial: true, content: [{ type: "text", text: "x" }], data: { step: 1 } });
    expect(session.rows().at(-1)).toMatch(/^ {2}frame \d$/);
  });

  it("fall back to the plain card if they draw nothing or fail", async () => {
    let requests = 0;
    const session = new Session({
      draw: async ({ kind }) => {
        requests += 1;
        if (kind === "call") throw new Error("broken");
        return undefined;
      },
    });
    session.log({ type: "tool.start", ...call("1", "deploy"), input: { to: "production" } });
    session.log({ type: "tool.complete", ...call("1", "deploy"), result: ok("text") });
    expect(await session.drawn()).toEqual(["✓ deploy production 12 ms", "  text"]);
    session.transcript.isExpanded = true;
    expect(await session.drawn(50)).toEqual(["✓ deploy production 12 ms", "  to: production", "  text"]);
    expect(requests).toBe(2);
  });
});

describe("[U2] frames", () => {
  it("draw only what has changed", () => {
    const session = new Session();
    for (let n = 0; n < 50; n++) session.log(user(`Prompt ${n}`));
    const first = session.transcript.render(60);
    const rows = [...first];
    session.live({ type: "message.delta", messageID: "m", text: "Hello" });
    expect([...session.transcript.render(60)]).toEqual([...rows, "", "Hello"]);
  });

  it("leave out progress above the visible rows, but not results", async () => {
    const session = new Session({ visibleRows: () => 10 });
    session.log({ type: "tool.start", ...call("1", "old"), input: {} });
    session.log(user("line\n".repeat(15)));
    await session.drawn();
    const [before] = session.rows();
    session.live({ type: "tool.update", ...call("1", "old"), metadata: { output: "new" } });
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(session.rows()[0]).toBe(before);
    session.log({ type: "tool.complete", ...call("1", "old"), result: ok("done") });
    expect(session.rows().slice(0, 2)).toEqual(["✓ old 12 ms", "  done"]);
  });

  it("are the same for an output that has not changed, however large it is", () => {
    const session = new Session();
    session.log({ type: "tool.complete", ...call("1", "cat"), result: ok("some text\n".repeat(500_000)) });
    expect(session.rows()).toHaveLength(10);
    expect(session.rows().at(-1)).toBe("  … 499,992 more lines (Ctrl-O expands)");
    session.transcript.isExpanded = true;
    for (let n = 0; n < 100; n++) expect(session.rows()).toHaveLength(2_002);
    expect(session.rows().at(-1)).toBe("  … 498,000 more lines, not shown here");
  });

  const HOSTILE = oneof(
    string({ unit: "binary", maxLength: 40 }),
    string({ unit: "grapheme", maxLength: 40 }),
    array(
      constantFrom(
        ...[
          "\x1b[31m",
          "\x1b[2J",
          "\x1b]0;",
          "\x07",
          "\x9b",
          "\t",
          "\r",
          "\n",
          "\n\n",
          "- ",
          "| a | b |\n|--|--|\n",
          "```js\n",
        ],
        ...[
          "> ",
          "**",
          "你好",
          "한국",
          "👩‍👩‍👧",
          "שלום",
          "e\u0301\u0301",
          "\u202e",
          "ᄀ",
          "a🏻",
          "क्षि",
          "ำ",
          "x".repeat(50),
          " ",
          "\u2028",
        ],
      ),
      { maxLength: 30 },
    ).map((parts) => parts.join("")),
  );

  it("have no row that is too wide, and no sequences but styles, at any width and for any text", () => {
    assert(
      property(HOSTILE, HOSTILE, integer({ min: 1, max: 300 }), constantFrom(true, false), (a, b, width, isPlain) => {
        const session = new Session({ color: !isPlain });
        session.log(user(a), { type: "tool.start", ...call("1", b), input: { [a]: b, list: [a] } });
        session.live({ type: "tool.update", ...call("1", b), title: a, metadata: { output: b } });
        session.rows(width);
        session.log({ type: "tool.start", ...call("2", a, "1"), input: b });
        session.log({ type: "tool.failed", ...call("2", a), result: failed(b, a) });
        session.log({ type: "tool.complete", ...call("1", b), result: ok(`${a}\n${b}`) });
        session.live({ type: "message.delta", messageID: "m", text: a });
        session.live({ type: "thinking.delta", messageID: "m", text: b });
        session.rows(width);
        session.live({ type: "message.delta", messageID: "m", text: b });
        session.log({ type: "session.error", message: a, code: b });
        session.transcript.addMarkdown(`${a}\n\n${b}`);
        for (const expanded of [false, true]) {
          session.transcript.isExpanded = expanded;
          if (expanded) session.transcript.toggleThinking();
          const rows = session.rows(width);
          expect(rows.filter((row) => visibleWidth(row) > width)).toEqual([]);
          expect(rows.join("").replace(/\x1b\[[\d;]*m/g, "")).not.toMatch(
            /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/,
          );
          if (isPlain) expect(rows.join("")).not.toContain("\x1b");
        }
        session.transcript.dispose();
      }),
      { numRuns: 300 },
    );
  });

  it("have no row that is too wide if a renderer draws anything", async () => {
    const session = new Session({
      draw: async () => ["x".repeat(500), "\x1b[2J你".repeat(99), "\x1b]8;;http://a\x07b"],
    });
    session.log({ type: "tool.complete", ...call("1", "draw"), result: ok("") });
    for (const width of [20, 21, 300]) {
      const rows = await session.drawn(width);
      expect(rows).toHaveLength(6);
      expect(rows.filter((row) => visibleWidth(row) > width || row.includes("\x1b"))).toEqual([]);
    }
  });
});

describe("[U2] events with unexpected fields", () => {
  it("do not end the chat", () => {
    const session = new Session();
    const odd = { title: 5, metadata: { output: [] } } as unknown as { title: string };
    session.log({ type: "tool.start", ...call("1", "bash"), input: null });
    session.live({ type: "tool.update", ...call("1", "bash"), ...odd });
    expect(session.rows()).toEqual(["This part of the session cannot be shown."]);
    const result = { ok: false, error: 1, content: 2, notes: { causes: "x" } } as unknown as ReturnType<typeof failed>;
    session.log({ type: "tool.failed", ...call("1", "bash"), result });
    session.log({ type: "message.user", messageID: "u", content: [null] } as unknown as DurableEvent);
    session.log(user("Still here"));
    expect(session.rows().at(-1)).toBe("❯ Still here");
  });
});
