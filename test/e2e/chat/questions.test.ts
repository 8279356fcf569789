import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CHAT_TOOLS } from "../../support/terminal/chat-tools.ts";
import { chatProject } from "../../support/terminal/chat-world.ts";
import { missing, skipped } from "../../support/terminal/tmux.ts";

const ASKED = "Yes, once";
const project = () =>
  chatProject({
    files: CHAT_TOOLS,
    settings: {
      permissions: [
        { tool: "dialogs", action: "allow" },
        { tool: "widgets", action: "allow" },
        { tool: "counter", action: "allow" },
        { tool: "task", action: "allow" },
      ],
    },
  });

function marksOf(at: { readonly project: string }): string {
  const file = join(at.project, "marks.txt");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

describe.skipIf(missing !== undefined)(`[U2] questions in the chat${skipped}`, () => {
  it("[U2] asks in the place of the input, and names what the call touches", async () => {
    const chat = await project().open();
    await chat.script('call mark {"text":"one"}', "say Over.");
    await chat.until(ASKED);
    expect(await chat.shown("mark")).toMatchInlineSnapshot(`
      "❯ call mark {"text":"one"}
        say Over.

      ⠋ mark one
      ? mark: The tool "mark" writing "PROJECT/marks.txt" needs approval: no rule …
      ────────────────────────────────────────────────────────────────────────────────────────────────────
      The tool "mark" writing "PROJECT/marks.txt" needs approval: no rule covers
      it.
        write: PROJECT/marks.txt
        mark {"text":"one"}
        Always adds
        {"tool":"mark","match":"PROJECT/marks.txt","agent":"demo","action":"allow"}
        to HOME/.toolwright/settings.json
      → Yes, once
        Yes, for this session
        Always
        No
        No, and tell the model why
      y once · s session · a always · n no · r reason · Esc stops the turn
      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default · call mark {"text":"one"}"
    `);
    await chat.keys("Escape");
    await chat.idle();
  });

  it("[U2] once: allows one call, and asks again for the next", async () => {
    const { at, open } = project();
    const chat = await open();
    await chat.script('call mark {"text":"one"}', 'call mark {"text":"two"}', "say Over.");
    await chat.until(ASKED);
    await chat.answer("y");
    await chat.until("Marked one.");
    expect(marksOf(at)).toBe("one\n");
    await chat.until(ASKED);
    await chat.answer("Enter");
    await chat.until("Marked two.");
    await chat.idle();
  });

  it("[U2] asks for a sub-agent", async () => {
    const { at, open } = project();
    const chat = await open();
    const work = { description: "Mark it", prompt: 'call mark {"text":"one"}', subagent_type: "general" };
    await chat.script(`call task ${JSON.stringify(work)}`, "say Over.");
    await chat.until(ASKED);
    expect(await chat.shown("task")).toMatchInlineSnapshot(`
      "❯ call task {"description":"Mark it","prompt":"call mark
        {\\"text\\":\\"one\\"}","subagent_type":"general"}
        say Over.

      ⠋ task Mark it, prompt: call mark {"text":"one"}, subagent_type: general
        Mark it: mark
        agent: general, session_id: ID, calls: [{"tool":"mark","status"…
      ? mark: The tool "mark" writing "PROJECT/marks.txt" needs approval: no rule …
      ────────────────────────────────────────────────────────────────────────────────────────────────────
      The tool "mark" writing "PROJECT/marks.txt" needs approval: no rule covers
      it.
        write: PROJECT/marks.txt
        mark {"text":"one"}
        Always adds
        {"tool":"mark","match":"PROJECT/marks.txt","agent":"general","action":"allo
        w"},
        {"tool":"mark","match":"PROJECT/marks.txt","agent":"demo","action":"allow"}
        to HOME/.toolwright/settings.json
      → Yes, once
        Yes, for this session
        Always
        No
        No, and tell the model why
      y once · s session · a always · n no · r reason · Esc stops the turn
      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default · call task {"description":"Mark it","prompt":"call mark {\\"text\\":\\"one\\"}","suba"
    `);
    await chat.answer("y");
    await chat.until("Over.");
    await chat.idle();
    expect(marksOf(at)).toBe("one\n");
  });

  it("[U2] session: allows the calls of this session, and no others", async () => {
    const { at, open } = project();
    const chat = await open();
    await chat.script('call mark {"text":"one"}', 'call mark {"text":"two"}', "say Over.");
    await chat.until(ASKED);
    await chat.answer("s");
    await chat.until("Marked two.");
    await chat.idle();
    expect(marksOf(at)).toBe("one\ntwo\n");
    await chat.submit("/new");
    await chat.idle();
    await chat.script('call mark {"text":"three"}');
    await chat.until(ASKED);
    expect(marksOf(at)).toBe("one\ntwo\n");
  });

  it("[U2] always: writes a rule into the settings, which holds in the next run", async () => {
    const { at, open } = project();
    const chat = await open();
    await chat.script('call mark {"text":"one"}', "say Over.");
    await chat.until(ASKED);
    await chat.answer("a");
    await chat.until("Marked one.");
    await chat.idle();
    const settings = JSON.parse(readFileSync(join(at.env.TOOLWRIGHT_HOME as string, "settings.json"), "utf8"));
    expect(settings.permissions.at(-1)).toEqual({
      ...{ tool: "mark", match: join(at.project, "marks.txt"), agent: "demo", action: "allow" },
    });
    const next = await open();
    await next.script('call mark {"text":"two"}', "say Over.");
    await next.until("Marked two.");
    expect(marksOf(at)).toBe("one\ntwo\n");
  });

  it("[U2] no: refuses the call, and the turn goes on", async () => {
    const { at, open } = project();
    const chat = await open();
    await chat.script('call mark {"text":"one"}', "say Over.");
    await chat.until(ASKED);
    await chat.answer("n");
    await chat.until(/^Over\.$/m);
    await chat.idle();
    expect(await chat.shown("mark")).toMatchInlineSnapshot(`
      "❯ call mark {"text":"one"}
        say Over.

      ✗ mark one TIME
        "mark" was not allowed to run. The user said no. Find another way, or tell the user.
      ? mark: The tool "mark" writing "PROJECT/marks.txt" needs approval: no rule …
        Refused.

      Over.
      ────────────────────────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default · call mark {"text":"one"}"
    `);
    expect(marksOf(at)).toBe("");
  });

  it("[U2] no with a reason: the model gets the reason", async () => {
    const { at, open, cli, sessions } = project();
    const chat = await open();
    await chat.script('call mark {"text":"one"}', "say Over.");
    await chat.until(ASKED);
    await chat.answer("r");
    await chat.until("What should the model know?");
    await chat.type("Not on a Friday; write to notes.txt");
    await chat.until("write to notes.txt");
    await chat.keys("Enter");
    await chat.until(/^Over\.$/m);
    await chat.idle();
    expect(await chat.screen()).toContain("Not on a Friday; write to notes.txt");
    const [{ id } = { id: "" }] = await sessions();
    const { stdout } = await cli(["sessions", "export", id, "--format", "jsonl"]);
    const failed = stdout.split("\n").find((line) => line.includes('"tool.failed"')) ?? "";
    expect(JSON.parse(failed).result.error.message).toBe(
      '"mark" was not allowed to run. The user said: Not on a Friday; write to notes.txt.',
    );
    expect(marksOf(at)).toBe("");
  });

  it("[U2] Esc stops the turn instead of answering", async () => {
    const { at, open } = project();
    const chat = await open();
    await chat.script('call mark {"text":"one"}', "say Never said.");
    await chat.until(ASKED);
    await chat.keys("Escape");
    await chat.idle();
    expect((await chat.screen()).match(/Never said\./g)).toHaveLength(1);
    expect(marksOf(at)).toBe("");
  });

  it("[U5] dialogs of a tool: select, confirm, input, editor", async () => {
    const chat = await project().open();
    await chat.script("call dialogs", "say Over.");
    await chat.until("Which fruit?");
    expect(await chat.shown("Which fruit?")).toMatchInlineSnapshot(`
      "? dialogs: Which fruit?
      ────────────────────────────────────────────────────────────────────────────────────────────────────
      Which fruit?
      → apple
        pear
      ↑↓ choose · Enter answers · Esc closes
      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default · call dialogs"
    `);
    await chat.keys("Down", "Enter");
    await chat.until("It cannot be undone.");
    await chat.answer("y");
    await chat.until("Your name?");
    await chat.type("Ada");
    await chat.until("Ada");
    await chat.keys("Enter");
    await chat.until("Your text?");
    await chat.until("old text");
    await chat.type(" and new");
    await chat.until("old text and new");
    await chat.keys("Enter");
    await chat.until('["pear",true,"Ada","old text and new"]');
    await chat.idle();
  });

  it("[U5] a dialog that is closed has no answer", async () => {
    const chat = await project().open();
    await chat.script("call dialogs", "say Over.");
    for (const title of ["Which fruit?", "It cannot be undone.", "Your name?", "Your text?"]) {
      await chat.until(title);
      await chat.keys("Escape");
    }
    await chat.until("[null,false,null,null]");
    await chat.idle();
  });

  it("[U5] a component of a tool gets the keys until it is closed", async () => {
    const chat = await project().open();
    await chat.script("call counter", "say Over.");
    await chat.until("COUNTED 0");
    await chat.answer("a");
    await chat.until("COUNTED 1");
    await chat.keys("b");
    await chat.until("COUNTED 2");
    await chat.keys("q");
    await chat.until("left at 2");
    await chat.until(/^Over\.$/m);
    await chat.idle();
    expect(await chat.screen()).not.toContain("COUNTED");
  });

  it("[U5] shows notices, statuses and widgets of tool files", async () => {
    const chat = await project().open();
    await chat.script("call widgets", "say Over.");
    await chat.until("Over.");
    await chat.until("hasUI true");
    await chat.idle();
    expect(await chat.shown("widgets")).toMatchInlineSnapshot(`
      "❯ call widgets
        say Over.

      ✓ widgets TIME
        hasUI true

      a notice of the tool

      Over.
      first line of the widget
      second line of the widget
      ────────────────────────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default · call widgets
      own status"
    `);
  });
});
