import { describe, expect, it } from "vitest";
import { CHAT_TOOLS, QUIET_SETTINGS } from "../../support/terminal/chat-tools.ts";
import { chatProject, inputOf } from "../../support/terminal/chat-world.ts";
import { missing, skipped } from "../../support/terminal/tmux.ts";

const FILES = { ...CHAT_TOOLS, "src/main.ts": "", "src/map.ts": "", "docs/two words.md": "" };
const project = () => chatProject({ files: FILES, settings: QUIET_SETTINGS });

describe.skipIf(missing !== undefined)(`[U2] the input of the chat${skipped}`, () => {
  it.each(["S-Enter", "C-j", "M-Enter"])("[U2] %s begins a new line", async (key) => {
    const chat = await project().open();
    await chat.type("say one");
    await chat.keys(key);
    await chat.type("say two");
    await chat.until("say two");
    expect(await chat.input()).toBe("say one\nsay two");
    await chat.keys("Enter");
    await chat.until(/\n ?one\n ?two\n/);
  });

  it("[U2] a backslash before Enter begins a new line", async () => {
    const chat = await project().open();
    await chat.type("say one\\");
    await chat.until("say one\\");
    await chat.keys("Enter");
    await chat.type("say two");
    await chat.until("say two");
    expect(await chat.input()).toBe("say one\nsay two");
  });

  it("[U2] a large paste is a marker in the input, and whole in the prompt", async () => {
    const { open, cli, sessions } = project();
    const chat = await open();
    const lines = Array.from({ length: 500 }, (_, index) => `pasted line ${index + 1}`);
    await chat.type("look: ");
    await chat.paste(lines.join("\n"));
    await chat.until("[paste #1 +500 lines]");
    expect(await chat.input()).toBe("look: [paste #1 +500 lines]");
    await chat.keys("Enter");
    await chat.until("pasted line");
    await chat.idle();
    const [{ id } = { id: "" }] = await sessions();
    const { stdout } = await cli(["sessions", "export", id, "--format", "jsonl"]);
    expect(stdout).toContain(JSON.stringify(`look: ${lines.join("\n")}`).slice(1, -1));
  });

  it("[U2] a pasted text is not run as keys: line breaks, tabs and sequences", async () => {
    const chat = await project().open();
    await chat.paste("say a\tb\n/quit\n\x1b[A\x03\x04 end");
    await chat.until("end");
    expect(await chat.input()).toMatch(/^say a\s+b\n\/quit\n.*end$/);
  });

  it("[U2] @ completes files", async () => {
    const chat = await project().open();
    await chat.type("read @ma");
    await chat.until((screen) => screen.includes("src/main.ts") && screen.includes("src/map.ts"));
    expect(await chat.shown("read @ma")).toMatchInlineSnapshot(`
      "read @ma
      ────────────────────────────────────────────────────────────────────────────────────────────────────
      → src/map.ts
        src/main.ts
        .toolwright/tools/mark.js
        .omp/tools/card.ts
        .omp/tools/dialogs.ts
      demo · default"
    `);
    await chat.keys("Tab");
    await chat.until((screen) => /read @src\/ma(?:in|p)\.ts/.test(screen));
    await chat.keys("C-u");
    await chat.type("read @two");
    await chat.until("two words.md");
    await chat.keys("Tab");
    await chat.until('@"docs/two words.md"');
  });

  it("[U2] / completes commands and their arguments", async () => {
    const chat = await project().open();
    await chat.type("/mo");
    await chat.until(/model[\s\S]*mode/);
    expect(await chat.shown("/mo")).toMatchInlineSnapshot(`
      "/mo
      ────────────────────────────────────────────────────────────────────────────────────────────────────
      → /model        [NAME] Chooses the model, as the agent names it; "default" is the choice of the ag
        /mode         [MODE] Chooses what happens to calls that no permission rule covers.
        /permissions  [remove] Shows the permission rules in force, or takes one of yours back.
      demo · default"
    `);
    await chat.type("de ");
    await chat.until("acceptEdits");
    await chat.type("pl");
    await chat.until((screen) => /plan/.test(screen) && !/acceptEdits/.test(screen));
    await chat.keys("Tab");
    await chat.until("/mode plan");
    await chat.keys("Enter");
    await chat.until("demo · plan");
  });

  it("[U2] !name key=value calls a tool, with completion of names, fields and values", async () => {
    const chat = await project().open();
    await chat.type("!gre");
    await chat.until("Greets a person by name.");
    await chat.keys("Tab");
    // The list of completions shows the name too.
    await expect.poll(async () => (await chat.input()).split("\n")[0], { timeout: 10_000 }).toMatch(/^!greet\s?$/);
    await chat.keys("Tab");
    await chat.until("The person to greet");
    await chat.keys("Escape");
    await chat.until((screen) => !screen.includes("The person to greet"));
    await chat.type("na");
    await chat.until("!greet na");
    await chat.keys("Tab");
    await chat.until("!greet name=");
    await chat.type("Ada lou");
    await chat.until("Ada lou");
    await chat.keys("Tab");
    await chat.until("!greet name=Ada loud");
    await chat.keys("C-u");
    await chat.until((screen) => !screen.includes("!greet"));
    await chat.submit('!greet name="Ada Lovelace" loud');
    await chat.until("HELLO, ADA LOVELACE!");
    await chat.idle();
    expect(await chat.shown("greet")).toMatchInlineSnapshot(`
      "✓ greet Ada Lovelace, loud: true TIME
        HELLO, ADA LOVELACE!
      ────────────────────────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default"
    `);
  });

  it("[U2] one Enter submits what is typed in full, also while a list of completions is open", async () => {
    const chat = await project().open();
    const answers = {
      "/mode plan": /^demo · plan/m,
      "/mode default": /^demo · default/m,
      "!fails": /✗ fails/,
      "!greet name=Ada loud": /HELLO, ADA!/,
      "say look at @src/main.ts": /^look at @src\/main\.ts$/m,
    };
    for (const [line, answer] of Object.entries(answers)) {
      await chat.type(line);
      await chat.until((screen) => inputOf(screen)?.startsWith(line) ?? false);
      await chat.settled();
      await chat.keys("Enter");
      await chat.until(answer);
      await chat.idle();
    }
  });

  it("[U2] wrong commands and calls say what to type", async () => {
    const chat = await project().open();
    const messages = {
      "!greet": '"greet" needs name (string). Add: name=…',
      "!gret name=x": 'There is no tool "gret". Did you mean "grep" or "greet"?',
      "!greet nme=x": 'There is no field nme. Did you mean "name"?',
      "!": "Name a tool, as in: !NAME field=value. To list the tools: /tools",
      "/contxt":
        'There is no command /contxt. Did you mean "/context"? To send it as a prompt, type a second slash: //contxt',
      "/xyzzy":
        "There is no command /xyzzy. /help lists the commands. To send it as a prompt, type a second slash: //xyzzy",
    };
    for (const [line, message] of Object.entries(messages)) {
      await chat.type(line);
      await chat.until((screen) => inputOf(screen) === line);
      await chat.settled(150);
      await chat.keys("Escape", "Enter");
      await chat.until((screen) => screen.replaceAll(/\s+/g, " ").includes(message));
    }
  });

  it("[U2] // sends a prompt that begins with a slash", async () => {
    const chat = await project().open();
    await chat.type("//etc is a folder");
    await chat.keys("Enter");
    await chat.until("You wrote: /etc is a folder");
  });

  it("[U2] keeps the history of prompts over runs, without those that begin with a space", async () => {
    const { open } = project();
    const chat = await open();
    for (const prompt of ["say first", " say secret", "say second"]) {
      await chat.submit(prompt);
      await chat.idle();
    }
    await chat.keys("C-c", "C-c");
    expect(await chat.exited()).toBe(0);
    const next = await open();
    // The history is read after the first screen.
    await next.settled(1_000);
    await next.keys("Up");
    await next.until((screen) => inputOf(screen) === "say second");
    await next.keys("Up");
    await next.until((screen) => inputOf(screen) === "say first");
    await next.keys("Down", "Down");
    await next.until((screen) => inputOf(screen) === "");
  });

  it("[U2] a prompt that is sent while a turn runs waits for its end", async () => {
    const chat = await project().open();
    await chat.script("say begun", "sleep 2000", "say ended");
    await chat.until("begun");
    await chat.submit("say queued text");
    await chat.until("next: say queued text");
    await chat.idle();
    expect(await chat.screen()).toMatch(/ended[\s\S]*queued text/);
  });
});
