import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ALL_SYSTEMS, CHAT_TOOLS, QUIET_SETTINGS } from "../../support/terminal/chat-tools.ts";
import { chatProject, normalized } from "../../support/terminal/chat-world.ts";
import { missing, skipped } from "../../support/terminal/tmux.ts";

const project = () => chatProject({ files: CHAT_TOOLS, settings: QUIET_SETTINGS });

describe.skipIf(missing !== undefined)(`[U3] commands of the chat${skipped}`, () => {
  it("[U3] /context lists the tools of all systems with source, description and tokens, what is off and why, and problems", async () => {
    const { open } = chatProject({ files: ALL_SYSTEMS, settings: { tools: { disabled: ["off"] } } });
    const chat = await open({ columns: 120, rows: 60 });
    await chat.submit("/context");
    await chat.until("Problems");
    await chat.idle();
    const report = await chat.shown("given to");
    expect(report.match(/built[ \n]+in\)/g)).toHaveLength(15);
    const own = report.replace(/(?<=Built-in tools: 15, .*\n)[\s\S]*?(?=\n\nOff)/, "…");
    expect(own.replaceAll(/\b\d+ tokens?\b/g, "N tokens")).toMatchInlineSnapshot(`
      "21 tools are given to demo, N tokens in every request (estimated).

      Custom tools: 5, N tokens

      - atomic A tool of Atomic. (N tokens, project, .atomic/tools/atomic.ts)
      - native A tool of Toolwright. (N tokens, project, .toolwright/tools/native.ts)
      - omp A tool of oh-my-pi. (N tokens, project, .omp/tools/omp.ts)
      - opencode A tool of OpenCode. (N tokens, project, .opencode/tool/opencode.ts)
      - pi_tool A tool of pi. (N tokens, project, .pi/extensions/pi.ts)

      Tools of plugins: 1, N tokens

      - json_query A tool of a JSON file. (N tokens, plugin queries, .toolwright/tools/queries.json)

      Built-in tools: 15, N tokens
      …

      Off

      - off: disabled by "tools.disabled" in the settings

      Problems

      - .toolwright/tools/broken.js:1:31 Unexpected end of input. Correct it and save.
      ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default"
    `);
  });

  it("[U3] /tools lists the tools, and shows the arguments of one", async () => {
    const chat = await project().open({ rows: 60 });
    await chat.submit("/tools");
    await chat.until("To call one:");
    await chat.submit("/tools greet");
    await chat.until("The person to greet");
    expect(await chat.shown("greet(")).toMatchInlineSnapshot(`
      "greet(name: string, loud?: boolean)

      Greets a person by name.

      - name string, required: The person to greet
      - loud boolean, default false

      From: .toolwright/tools/greet.js (project, tool)
      ────────────────────────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default"
    `);
  });

  it("[U3] /reload says what changed", async () => {
    const { put, open } = project();
    const chat = await open();
    await chat.submit("!greet name=Ada");
    await chat.until("Hello, Ada!");
    put(".toolwright/tools/fresh.js", 'export default { description: "A new tool.", execute: () => "fresh" };\n');
    put(".toolwright/tools/wrong.js", "export default {");
    await chat.submit("/reload");
    await chat.until(/Added: fresh/);
    expect(await chat.screen()).toMatch(/New problems/);
    await chat.submit("!fresh");
    await chat.until(/✓ fresh .*\n +fresh/);
  });

  it("[U3] /agent, /model and /mode change the status line", async () => {
    const chat = await project().open();
    await chat.submit("/agent");
    await chat.until("langchain");
    const agents = await chat.shown("Agent");
    expect(agents.replaceAll(/ {2,}(?:not installed|npm).*/g, "  …")).toMatchInlineSnapshot(`
      "Agent
      >
      → demo                            current
        claude  …
        copilot  …
        codex  …
        gemini  …
        goose  …
        opencode  …
        langchain  …
        pi  …
      Type to filter · ↑↓ move · Enter chooses · Esc closes
      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default"
    `);
    await chat.keys("Escape");
    await chat.submit("/agent zzz");
    await chat.until('There is no agent "zzz". Agents: ');
    await chat.submit("/model gpt-tiny");
    await chat.until("demo · gpt-tiny · default");
    await chat.submit("/mode plan");
    await chat.until("demo · gpt-tiny · plan");
    await chat.keys("BTab");
    await chat.until((screen) => !screen.includes("· plan"));
    await chat.submit("/mode");
    await chat.until("asks nothing");
    await chat.keys("Escape");
    await chat.submit("/mode zzz");
    await chat.until('There is no mode "zzz". Modes: default, acceptEdits, plan, bypass.');
    await chat.submit("/model default");
    await chat.until((screen) => !/gpt-tiny ·/.test(screen));
  });

  it("[U2] asks for an agent if none is named, and begins empty sessions with /new", async () => {
    const { open, sessions } = project();
    const chat = await open({ args: [] });
    await chat.until("→ demo");
    await chat.keys("Enter");
    await chat.until("demo · default");
    await chat.submit("say in the first session");
    await chat.idle();
    await chat.submit("/new");
    await chat.until((screen) => !screen.includes("in the first session"));
    await chat.submit("say in the second session");
    await chat.idle();
    expect((await sessions()).map(({ title }) => title)).toEqual([
      "say in the second session",
      "say in the first session",
    ]);
  });

  it("[U3] /mode plan holds for the next call", async () => {
    const { at, open } = project();
    const chat = await open();
    await chat.submit("/mode plan");
    await chat.until("demo · plan");
    await chat.script('call mark {"text":"one"}', "say Over.");
    await chat.idle();
    expect(existsSync(join(at.project, "marks.txt"))).toBe(false);
    expect(await chat.screen()).toMatch(/plan/);
  });

  it("[U3] /permissions shows the rules and grants, and takes them back", async () => {
    const { at, open } = project();
    const chat = await open();
    await chat.script('call mark {"text":"one"}', "say Over.");
    await chat.until("Yes, for this session");
    await chat.answer("s");
    await chat.idle();
    await chat.submit("/permissions");
    await chat.until("To take one back");
    expect(await chat.shown("Mode: default.")).toMatchInlineSnapshot(`
      "Mode: default. To change it: /mode

      Granted for this session

      - {"tool":"mark","match":"PROJECT/marks.txt","agent":"demo","action":"allow"}

      Your rules (the last one that matches decides)

      - {"tool":"*","match":"undeclared","action":"allow"}
        HOME/.toolwright/settings.json:1

      To take one back: /permissions remove
      ────────────────────────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default · call mark {"text":"one"}"
    `);
    await chat.submit("/permissions remove");
    await chat.until("granted for this session");
    await chat.keys("Enter");
    await chat.until("Taken back for this session");
    await chat.script('call mark {"text":"two"}');
    await chat.until("Yes, for this session");
    expect(readFileSync(join(at.project, "marks.txt"), "utf8")).toBe("one\n");
  });

  it("[U3] /export writes the session, and does not replace files", async () => {
    const { at, open } = project();
    const chat = await open();
    await chat.submit("/export out.md");
    await chat.until("This session has no events yet. Send a prompt first.");
    await chat.submit("say exported text");
    await chat.idle();
    await chat.submit("/export out.md");
    await chat.until(/Wrote \d+ events to out\.md/);
    expect(readFileSync(join(at.project, "out.md"), "utf8")).toContain("exported text");
    await chat.submit("/export out.md");
    await chat.until("To replace it");
    await chat.submit("/export jsonl");
    await chat.until(/Wrote \d+ events to session-/);
    const file = readdirSync(at.project).find((name) => name.endsWith(".jsonl")) ?? "";
    const lines = readFileSync(join(at.project, file), "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).type)).toContain("message.complete");
  });

  it("[U3] /help lists every command and key", async () => {
    const chat = await project().open({ rows: 60 });
    await chat.submit("/help");
    await chat.until("suspends the program");
    expect(await chat.shown("Commands")).toMatchInlineSnapshot(`
      "Commands

      - /context Shows the tools that the model is given and what they cost, what is off and why, and
        problems.
      - /tools [NAME] Lists the tools, or shows the arguments and the file of one.
      - /reload Reads new, changed and failed tool files and settings, and says what changed.
      - /agent [NAME] Chooses the agent that runs the next turn.
      - /model [NAME] Chooses the model, as the agent names it; "default" is the choice of the agent.
      - /mode [MODE] Chooses what happens to calls that no permission rule covers.
      - /permissions [remove] Shows the permission rules in force, or takes one of yours back.
      - /sessions Lists the sessions of the project, also those of sub-agents. Choosing one opens it.
      - /resume [ID] Opens an earlier session; those of this directory are listed first.
      - /new Begins an empty session. The current one stays in the list of sessions.
      - /export [jsonl|markdown] [FILE] Writes the session to a file that only you can read: a Markdown
        document, or its events as JSON lines.
      - /expand Shows tool cards in full, or collapsed again.
      - /help Lists the commands and the keys.
      - /quit Leaves the chat. The session is kept.
      - /stamp [TEXT] Shows a stamp

      Input

      - @path names a file: Tab completes it. The agent gets the path and reads the file itself.
      - !tool field=value calls a tool yourself, without the model. Tab completes names, fields and
        values.
      - //text sends a prompt that begins with a slash; !!text one that begins with an exclamation mark.

      Keys

      - Enter sends the prompt.
      - Shift-Enter, or \\ Enter begins a new line.
      - Tab completes.
      - Up, Down earlier prompts. A prompt that begins with a space is not kept for later runs.
      - Esc stops the turn; closes a list.
      - Ctrl-C clears the input; pressed twice, leaves.
      - Ctrl-D leaves, if the input is empty.
      - Ctrl-O shows tool cards in full, or collapsed.
      - Ctrl-T shows or hides the thoughts of the model.
      - Shift-Tab chooses the next permission mode.
      - Ctrl-L draws the screen again.
      - Ctrl-Z suspends the program.
      ────────────────────────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default"
    `);
  });

  it("[U3] a command of a pi extension is listed, completed and run", async () => {
    const chat = await project().open();
    await chat.type("/sta");
    await chat.until("Shows a stamp");
    await chat.keys("Tab");
    await chat.type("twice");
    await chat.until("/stamp twice");
    await chat.keys("Enter");
    await chat.until("stamped twice");
  });

  it("[U3] /quit leaves, and says how to continue", async () => {
    const { at, open } = project();
    const chat = await open();
    await chat.submit("say something");
    await chat.idle();
    await chat.submit("/quit");
    expect(await chat.exited()).toBe(0);
    expect(normalized(await chat.screen(), at)).toContain("toolwright chat --resume ID");
  });
});
