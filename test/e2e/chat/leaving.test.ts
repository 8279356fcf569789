import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI } from "../../support/cli.ts";
import { descendants } from "../../support/processes.ts";
import { CHAT_TOOLS, QUIET_SETTINGS } from "../../support/terminal/chat-tools.ts";
import { type Chat, type ChatProject, chatIn, chatProject } from "../../support/terminal/chat-world.ts";
import { startTerminal } from "../../support/terminal/terminal.ts";
import { missing, skipped } from "../../support/terminal/tmux.ts";

const project = () => chatProject({ files: CHAT_TOOLS, settings: QUIET_SETTINGS });

/** Runs the chat in a shell that notes the state of the terminal before and after it, and shows what it gets then. */
const SHELL = 'stty -a > before; "$@"; echo "ended with $?"; stty -a > after; exec cat -v';
const CRASH = 'data:text/javascript,process.on("SIGUSR2",()=>{throw new Error("crashed on purpose")})';

async function inShell({ at }: ChatProject): Promise<{ chat: Chat; pid: number }> {
  const command = [process.execPath, "--import", CRASH, CLI, "chat", "--trust", "--agent", "demo"];
  const terminal = await startTerminal({
    ...{ command: "sh", args: ["-c", SHELL, "sh", ...command], env: at.env, cwd: at.project, columns: 100, rows: 30 },
  });
  onTestFinished(() => terminal.stop());
  const chat = chatIn(terminal, at);
  await chat.until("demo · default");
  const [line = ""] = descendants(terminal.pid).filter((each) => each.includes(" chat --trust"));
  return { chat, pid: Number.parseInt(line, 10) };
}

/** The line settings are as before, the cursor is visible, and keys and pastes arrive plainly. */
async function expectRestored(chat: Chat, { at }: ChatProject): Promise<void> {
  const stty = (name: string): string => readFileSync(join(at.project, name), "utf8");
  await chat.until(() => existsSync(join(at.project, "after")) && stty("after") !== "");
  expect(stty("after")).toBe(stty("before"));
  const { title: _, ...modes } = await chat.modes();
  expect(modes).toEqual({
    ...{ alternateScreen: false, mouse: false, cursorVisible: true, insert: false, origin: false, wrap: true },
    ...{ applicationCursorKeys: false, applicationKeypad: false, bell: false },
  });
  await chat.paste("pasted<end>");
  await chat.keys("Enter");
  await chat.until(/^pasted<end>\npasted<end>$/m);
  await chat.keys("S-Enter");
  await chat.type("plain<end>");
  await chat.keys("Enter");
  expect(await chat.until(/plain<end>\n.*plain<end>$/m)).not.toContain("^[[13;2u");
}

describe.skipIf(missing !== undefined)(`[U2] leaving the chat${skipped}`, () => {
  it("[U2] Esc stops the turn and its call, and the chat goes on", async () => {
    const { at, open } = project();
    const chat = await open();
    await chat.script("call slow", "say never said");
    await chat.until("Working slowly");
    await chat.keys("Escape");
    await chat.idle();
    expect(existsSync(join(at.project, "aborted.txt"))).toBe(true);
    expect(await chat.shown("slow")).toMatchInlineSnapshot(`
      "❯ call slow
        say never said

      ✗ slow TIME
        The call of "slow" was cancelled.
        Done after a minute.

      Stopped.
      ────────────────────────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────────────────────────
      demo · default · call slow"
    `);
    await chat.submit("say on we go");
    await chat.until(/\n ?on we go/);
  });

  it("[U2] one Ctrl-C clears the input and says how to leave; a second one leaves with 0", async () => {
    const chat = await project().open();
    await chat.type("half a thought");
    await chat.until("half a thought");
    await chat.keys("C-c");
    await chat.until((screen) => !screen.includes("half a thought"));
    expect(await chat.screen()).toContain("Press Ctrl-C again to leave.");
    await chat.until((screen) => !screen.includes("Press Ctrl-C again"));
    await chat.type("still here");
    await chat.until("still here");
    await chat.keys("C-c", "C-c");
    expect(await chat.exited()).toBe(0);
  });

  it("[U2] Ctrl-D leaves if the input is empty", async () => {
    const chat = await project().open();
    await chat.type("x");
    await chat.until("x");
    await chat.keys("C-d");
    await chat.keys("BSpace", "C-d");
    expect(await chat.exited()).toBe(0);
  });

  it("[U2] double Ctrl-C during a turn stops it and leaves", async () => {
    const { at, open, sessions } = project();
    const chat = await open();
    await chat.script("call slow", "say never said");
    await chat.until("Working slowly");
    await chat.keys("C-c", "C-c");
    expect(await chat.exited()).toBe(0);
    expect(existsSync(join(at.project, "aborted.txt"))).toBe(true);
    expect((await sessions())[0]).toMatchObject({ status: "idle" });
  });

  it("[U2] restores the terminal when the user leaves", async () => {
    const world = project();
    const { chat } = await inShell(world);
    await chat.submit("say hello");
    await chat.idle();
    await chat.keys("C-c", "C-c");
    await chat.until("ended with 0");
    await expectRestored(chat, world);
    expect(await chat.screen()).toContain("hello");
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
  ] as const)("[U2] restores the terminal after %s, also during a turn", async (signal, code) => {
    const world = project();
    const { chat, pid } = await inShell(world);
    await chat.script("call slow", "say never said");
    await chat.until("Working slowly");
    process.kill(pid, signal);
    await chat.until(`ended with ${code}`);
    await expectRestored(chat, world);
    expect((await world.sessions())[0]).toMatchObject({ status: "idle" });
  });

  it("[U2] restores the terminal after a crash, and shows the error", async () => {
    const world = project();
    const { chat, pid } = await inShell(world);
    await chat.script("say hello", "sleep 100000");
    await chat.until("hello");
    process.kill(pid, "SIGUSR2");
    await chat.until("ended with 1");
    expect(await chat.screen()).toContain("crashed on purpose");
    await expectRestored(chat, world);
  });

  it("[U2] Ctrl-Z suspends the chat; fg shows it again", async () => {
    const { at } = project();
    const terminal = await startTerminal({
      ...{
        command: "bash",
        args: ["--norc", "--noprofile", "-i"],
        env: { ...at.env, PS1: "shell> " },
        cwd: at.project,
      },
      ...{ columns: 100, rows: 30 },
    });
    onTestFinished(() => terminal.stop());
    const chat = chatIn(terminal, at);
    await chat.until("shell>");
    await chat.type(`${process.execPath} ${CLI} chat --trust --agent demo`);
    await chat.keys("Enter");
    await chat.until("demo · default");
    await chat.type("draft");
    await chat.until("draft");
    await chat.keys("C-z");
    await chat.until("Stopped");
    expect(await chat.modes()).toMatchObject({ cursorVisible: true });
    await chat.type("echo in the shell");
    await chat.keys("Enter");
    await chat.until(/\nin the shell/);
    await chat.type("fg");
    await chat.keys("Enter");
    await chat.until((screen) => screen.split("shell> fg").at(-1)?.includes("demo · default") ?? false);
    await chat.type(" goes on");
    await chat.until("draft goes on");
    await chat.keys("C-c", "C-c");
    await chat.until(/shell> $|shell>$/);
    await chat.type("exit");
    await chat.keys("Enter");
    await chat.exited();
  });
});
