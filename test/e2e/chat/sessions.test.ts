import { describe, expect, it } from "vitest";
import { CHAT_TOOLS, QUIET_SETTINGS } from "../../support/terminal/chat-tools.ts";
import { chatProject } from "../../support/terminal/chat-world.ts";
import { missing, skipped } from "../../support/terminal/tmux.ts";

const project = () => chatProject({ files: CHAT_TOOLS, settings: QUIET_SETTINGS });

describe.skipIf(missing !== undefined)(`[U2] [S2] sessions in the chat${skipped}`, () => {
  it("[U2] /sessions lists the sessions, and opens the chosen one", async () => {
    const { open, cli } = project();
    await cli(["chat", "--agent", "demo", "-p", "say the older answer"]);
    await cli(["chat", "--agent", "demo", "-p", "say the newer answer"]);
    const chat = await open();
    await chat.submit("/sessions");
    await chat.until(/say the newer answer[\s\S]*say the older answer/);
    expect(await chat.shown("Session")).toMatchInlineSnapshot(`
      "Session
      >
      → say the newer answer            idle · just now · demo
        say the older answer            idle · just now · demo
      Type to filter · ↑↓ move · Enter chooses · Esc closes
      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default"
    `);
    await chat.type("older");
    await chat.until((screen) => !screen.includes("newer"));
    await chat.keys("Enter");
    await chat.idle();
    expect(await chat.screen()).toMatch(/the older answer/);
    await chat.submit("say more of it");
    await chat.idle();
    expect(await chat.screen()).toMatch(/the older answer[\s\S]*more of it/);
  });

  it("[U2] /resume opens a session by the beginning of its id", async () => {
    const { open, cli, sessions } = project();
    await cli(["chat", "--agent", "demo", "-p", 'say from the command line\ncall greet {"name":"Ada"}']);
    const [{ id } = { id: "" }] = await sessions();
    const chat = await open();
    await chat.type(`/resume ${id.slice(0, 8)}`);
    await chat.until("say from the command line");
    await chat.keys("Escape", "Enter");
    await chat.until("Hello, Ada!");
    await chat.submit("/resume zzzz");
    await chat.until('There is no session "zzzz" in this project. To choose one: /resume');
  });

  it("[U2] --resume shows the last session of the directory, with its calls, and goes on", async () => {
    const { open, sessions } = project();
    const first = await open();
    await first.script("say before", 'call greet {"name":"Ada"}', "say after");
    await first.idle();
    await first.keys("C-c", "C-c");
    await first.exited();
    const again = await open({ args: ["--resume"] });
    await again.until("after");
    expect(await again.shown("before")).toMatchInlineSnapshot(`
      "❯ say before
        call greet {"name":"Ada"}
        say after

      before

      ✓ greet Ada TIME
        Hello, Ada!

      after
      ────────────────────────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default · say before"
    `);
    await again.submit("say appended");
    await again.idle();
    expect(await sessions()).toHaveLength(1);
    const [{ id } = { id: "" }] = await sessions();
    const named = await open({ args: ["--resume", id] });
    await named.until("appended");
  });

  it("[U2] --resume with a wrong id is wrong use", async () => {
    const { open } = project();
    await expect(open({ args: ["--resume", "nope"] })).rejects.toThrow(/There is no session "nope" in this project\./);
  });

  it("[S2] a second terminal joins a running session, sees its text and answers its question", async () => {
    const { open, sessions } = project();
    const first = await open();
    await first.script(
      "say from the first terminal",
      "sleep 3000",
      'call mark {"text":"joined"}',
      "say The end of it.",
    );
    await first.until("from the first terminal");
    const [{ id } = { id: "" }] = await sessions();
    const second = await open({ args: ["--resume", id] });
    await second.until("from the first terminal");
    await second.until("Yes, once", { timeout: 30_000 });
    await first.until("Yes, once");
    await second.answer("y");
    await second.until("Marked joined.");
    await first.until("Marked joined.");
    await Promise.all([first.idle(), second.idle()]);
    expect(await first.screen()).toContain("The end of it.");
    expect(await second.screen()).toContain("The end of it.");
    await second.submit("say from the second terminal");
    await first.until(/\n ?from the second terminal/);
  });

  it("[S2] Esc in the second terminal stops the turn of the first", async () => {
    const { open, sessions } = project();
    const first = await open();
    await first.script("say working", "call slow", "say never");
    await first.until("Working slowly");
    const [{ id } = { id: "" }] = await sessions();
    const second = await open({ args: ["--resume", id] });
    await second.until("Working slowly");
    await second.keys("Escape");
    await Promise.all([first.idle(), second.idle()]);
    expect((await first.screen()).match(/never/g)).toHaveLength(1);
  });

  it("[S3] a second terminal says that the first was killed, and goes on with the session", async () => {
    const { open, sessions } = project();
    const first = await open();
    await first.script("say working", "call slow", "say never");
    await first.until("Working slowly");
    const [{ id } = { id: "" }] = await sessions();
    const second = await open({ args: ["--resume", id] });
    await second.until("Working slowly");
    process.kill(first.pid, "SIGKILL");
    await second.until("Interrupted: The process that ran this session ended.");
    await second.idle();
    expect(await second.shown("working")).toMatchInlineSnapshot(`
      "❯ say working
        call slow
        say never

      working

      ? slow
        Interrupted. It is unknown whether it had an effect: check before you run it again.

      Interrupted: The process that ran this session ended.
      Without a result: slow. It is unknown whether it had an effect: check before you run it again.
      ────────────────────────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default · say working"
    `);
    await second.submit("say it goes on");
    await second.until(/^it goes on$/m);
  });

  it("[S2] says that the session was removed, and begins another one", async () => {
    const { open, cli, sessions } = project();
    const chat = await open();
    await chat.submit("say soon gone");
    await chat.idle();
    const [{ id } = { id: "" }] = await sessions();
    expect(await cli(["sessions", "remove", id, "--yes"])).toMatchObject({ code: 0 });
    await chat.until("The session was removed. The next prompt begins a new one.");
    await chat.submit("say something new");
    await chat.until(/^something new$/m);
    await chat.idle();
    expect((await sessions()).map(({ title }) => title)).toEqual(["say something new"]);
  });

  it("[S2] what starts in the terminal is visible over HTTP while it runs", async () => {
    const { open, serve, sessions } = project();
    const client = await serve();
    const chat = await open();
    await chat.script("say seen over HTTP", "sleep 2500", "say last words");
    await chat.until("seen over HTTP");
    const [{ id } = { id: "" }] = await sessions();
    const seen: string[] = [];
    for await (const event of client.sessions.events(id)) {
      seen.push(JSON.stringify(event));
      if (event.event === "completed") break;
    }
    expect(seen.join("\n")).toContain("seen over HTTP");
    expect(seen.join("\n")).toContain("last words");
    expect((await client.sessions.get(id)).status).toBe("idle");
  });

  it("[S2] what starts over HTTP is visible in the terminal while it runs, and its question is answered there", async () => {
    const { open, serve } = project();
    const client = await serve();
    const { id } = await client.sessions.create({
      agent: "demo",
      prompt: 'say begun over HTTP\nsleep 3000\ncall mark {"text":"http"}\nsay ended over HTTP',
    });
    const chat = await open({ args: ["--resume", id] });
    await chat.until(/\n ?begun over HTTP/);
    expect(await chat.screen()).not.toMatch(/\n ?ended over HTTP/);
    await chat.until("Yes, once", { timeout: 30_000 });
    await chat.answer("y");
    await chat.until(/\n ?ended over HTTP/);
    await chat.idle();
    expect((await client.sessions.get(id)).status).toBe("idle");
  });
});
