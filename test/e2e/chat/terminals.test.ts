import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI } from "../../support/cli.ts";
import { CHAT_TOOLS, QUIET_SETTINGS } from "../../support/terminal/chat-tools.ts";
import { chatProject } from "../../support/terminal/chat-world.ts";
import { startTerminal, type Terminal } from "../../support/terminal/terminal.ts";
import { missing, skipped } from "../../support/terminal/tmux.ts";

const project = () => chatProject({ files: CHAT_TOOLS, settings: QUIET_SETTINGS });
const COLOR = /\x1b\[(?:[349]\d|10\d|38;|48;)[\d;]*m/;

describe.skipIf(missing !== undefined)(`[U2] terminals of all kinds${skipped}`, () => {
  it("[U2] fits into 40 columns", async () => {
    const chat = await project().open({ columns: 40, rows: 30 });
    await chat.script(
      "say A sentence that is longer than forty columns are wide.",
      'call steps {"ms":50}',
      'call greet {"name":"someone of a long name"}',
      "say Over.",
    );
    await chat.idle();
    expect(await chat.shown("A sentence")).toMatchInlineSnapshot(`
      "❯ say A sentence that is longer than
        forty columns are wide.
        call steps {"ms":50}
        call greet {"name":"someone of a long
        name"}
        say Over.

      A sentence that is longer than forty
      columns are wide.

      ✓ steps ms: 50 TIME
        line 1
        line 2
        line 3
        All steps are done.

      ✓ greet someone of a long name TIME
        Hello, someone of a long name!

      Over.
      ────────────────────────────────────────

      ────────────────────────────────────────
      demo · default · say A sentence that is…"
    `);
    await chat.script('call mark {"text":"a text that is longer than forty columns"}');
    await chat.until("Yes, once");
    // Above it are paths, which are wrapped anywhere.
    expect(await chat.shown("→ Yes, once")).toMatchInlineSnapshot(`
      "→ Yes, once
        Yes, for this session
        Always
        No
        No, and tell the model why
      y once · s session · a always · n no · r
      reason · Esc stops the turn
      ────────────────────────────────────────
      demo · default · say A sentence that is…"
    `);
  });

  it("[U2] survives 12 columns and 5 rows", async () => {
    const chat = await project().open();
    await chat.resize(12, 5);
    await chat.paste("say hello from a tiny terminal\ncall lines\nsay Over.");
    await chat.until("say Over.");
    await chat.keys("Enter");
    await chat.until(/^Over\.$/m, { scrollback: true });
    await chat.resize(100, 30);
    await chat.until("demo · default");
    await chat.type("typed");
    await chat.until("typed");
  });

  it("[U2] NO_COLOR: no colours, also not those of tools", async () => {
    const chat = await project().open({ env: { NO_COLOR: "1" } });
    await chat.script(
      "say **bold** and `code`",
      "say ```js",
      "say const a = 1;",
      "say ```",
      'call card {"city":"Oslo"}',
      "call fails",
      "say Over.",
    );
    await chat.idle();
    await chat.submit("/help");
    await chat.until("Ctrl-Z");
    expect(chat.written().toString()).not.toMatch(COLOR);
  });

  it("[U2] TERM=dumb: prompts, answers and questions line by line, without any sequence", async () => {
    const { at } = project();
    const terminal = await startTerminal({
      ...{ command: process.execPath, args: [CLI, "chat", "--trust", "--agent", "demo"], cwd: at.project },
      env: { ...at.env, TERM: "dumb" },
      columns: 160,
    });
    onTestFinished(() => terminal.stop());
    const submit = async (line: string): Promise<void> => {
      await terminal.until(/\n> ?$/);
      await terminal.type(line);
      await terminal.keys("Enter");
    };
    await submit("say a **plain** answer \\x1b[31m");
    await terminal.until(/^a \*\*plain\*\* answer/m);
    await submit('call mark {"text":"one"}');
    await terminal.until("Allow it? [y/N]");
    await terminal.type("y");
    await terminal.keys("Enter");
    await terminal.until("done: mark");
    await submit("/help");
    await terminal.until("To leave: /quit. A prompt cannot begin with a slash.");
    await submit("/quit");
    expect(await terminal.exited()).toBe(0);
    expect(readFileSync(join(at.project, "marks.txt"), "utf8")).toBe("one\n");
    expect(await terminal.screen()).toContain("toolwright chat --resume");
    expect(terminal.written().toString()).not.toContain("\x1b");
  });

  it("[U2] resize while text streams: nothing is lost, doubled or overwritten", async () => {
    const chat = await project().open({ columns: 90, rows: 24 });
    const lines = Array.from(
      { length: 30 },
      (_, index) => `say line ${index + 1} of the long answer, which is wider than forty columns`,
    );
    await chat.script(...lines.flatMap((line) => [line, "sleep 60"]));
    await chat.until("line 3 of");
    for (const [columns, rows] of [
      [50, 20],
      [120, 30],
      [40, 15],
      [90, 24],
    ] as const) {
      await chat.resize(columns, rows);
      await chat.settled(100);
    }
    await chat.idle();
    await chat.keys("C-l");
    await chat.settled();
    const all = (await chat.scrollback()).replaceAll(/\s+/g, " ");
    const screen = await chat.screen();
    for (let line = 1; line <= 30; line++) expect(all).toContain(`line ${line} of the long answer`);
    expect(screen.match(/line 30 of the long answer/g)).toHaveLength(1);
    expect(await chat.status()).toMatch(/^demo · default/);
  });

  it("[U2] a slow link: a token does not redraw the whole screen", async () => {
    const chat = await project().open();
    await chat.script(
      ...Array.from({ length: 20 }, (_, index) => `say paragraph ${index} ${"word ".repeat(20)}`),
      "say ready",
    );
    await chat.idle();
    const before = chat.written().length;
    await chat.script(...Array.from({ length: 20 }, () => ["say x", "sleep 100"]).flat());
    await chat.idle();
    const bytes = chat.written().length - before;
    // The spinner, the input and the last lines. A full redraw of 30 lines for each of the 20 tokens would be over 60,000 bytes.
    expect(bytes).toBeLessThan(30_000);
  });

  describe("not a terminal: behaves as -p", () => {
    async function inShell(script: string): Promise<Terminal> {
      const { at } = project();
      const env = { ...at.env, CHAT: `${process.execPath} ${CLI} chat --trust --agent demo` };
      const terminal = await startTerminal({ command: "sh", args: ["-c", script], env, cwd: at.project });
      onTestFinished(() => terminal.stop());
      return terminal;
    }

    it("[U2] stdin is a pipe: its text is the prompt", async () => {
      const terminal = await inShell('echo "say from a pipe" | $CHAT; echo "ended with $?"');
      const screen = await terminal.until("ended with 0");
      expect(screen).toMatch(/^from a pipe\nTo continue: toolwright chat --resume/);
    });

    it("[U2] stdout is a pipe: a prompt is needed", async () => {
      const terminal = await inShell('$CHAT | cat; echo "ended"');
      const screen = await terminal.until(/^ended$/m);
      expect(screen).toMatch(/-p "PROMPT"/);
      expect(terminal.written().toString()).not.toContain("\x1b[?2004h");
    });

    it("[U2] -p prints the answer, also in a terminal", async () => {
      const terminal = await inShell('$CHAT -p "say printed"; echo "ended with $?"');
      const screen = await terminal.until("ended with 0");
      expect(screen).toMatch(/^printed\n/);
      expect(terminal.written().toString()).not.toContain("\x1b[?2004h");
    });
  });
});
