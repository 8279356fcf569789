import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { isRunning } from "../../support/processes.ts";
import { temporary } from "../../support/temporary.ts";
import { startTerminal, type Terminal } from "../../support/terminal/terminal.ts";
import { missing, skipped } from "../../support/terminal/tmux.ts";

const PROGRAM = fileURLToPath(new URL("../../support/terminal/key-printer.mjs", import.meta.url));

async function started(): Promise<Terminal> {
  const cwd = temporary();
  const terminal = await startTerminal({ command: process.execPath, args: [PROGRAM], env: { HOME: cwd }, cwd });
  onTestFinished(() => terminal.stop());
  await terminal.until("ready");
  return terminal;
}

describe.skipIf(missing !== undefined)(`the terminal of the tests${skipped}`, () => {
  it("passes the size and only the given variables, types, presses keys, pastes", async () => {
    const terminal = await started();
    expect(await terminal.screen()).toBe("size 80x24\nHOME LANG TERM\nready");
    const printed = async (text: string): Promise<unknown> => terminal.until(JSON.stringify(text));
    await terminal.type("käse;");
    await printed("käse;");
    // Each key is waited for: a program that is slow reads several at once.
    const keys = { Enter: "\r", "C-c": "\x03", "S-Enter": "\x1b[13;2u", Up: "\x1b[A", Escape: "\x1b" };
    for (const [name, text] of Object.entries(keys)) {
      await terminal.keys(name);
      await printed(text);
    }
    await terminal.paste("two\nlines");
    await printed("\x1b[200~two\nlines\x1b[201~");
  });

  it("reports size changes, colors and the lines above the screen", async () => {
    const terminal = await started();
    await terminal.resize(40, 10);
    await terminal.until("size 40x10");
    await terminal.keys("r");
    await terminal.until("red");
    expect(await terminal.screen({ colors: true })).toContain("\x1b[31mred");
    await terminal.keys("m");
    await terminal.until("line 100");
    expect(await terminal.screen()).not.toContain("size");
    expect(await terminal.scrollback()).toMatch(/^size 80x24\n[\s\S]*size 40x10\nred\nline 1\nline 2\n/);
  });

  it("notices a title, a clipboard write, the alternate screen, mouse mode, a hidden cursor and a bell", async () => {
    const terminal = await started();
    const before = await terminal.modes();
    expect(before).toMatchObject({
      alternateScreen: false,
      mouse: false,
      cursorVisible: true,
      wrap: true,
      bell: false,
    });
    expect(await terminal.clipboard()).toBe("");
    await terminal.keys("w");
    await terminal.until("alternate");
    expect(await terminal.modes()).toEqual({
      ...before,
      ...{ title: "changed", alternateScreen: true, mouse: true, cursorVisible: false, bell: true },
    });
    expect(await terminal.title()).toBe("changed");
    expect(await terminal.clipboard()).toBe("stolen");
    expect(terminal.written().toString()).toContain("\x1b]52;c;c3RvbGVu\x07");
    await terminal.keys("s");
    await terminal.until("ready");
    expect(await terminal.modes()).toMatchObject({ alternateScreen: false, mouse: false, cursorVisible: true });
  });

  it("reports the exit code, and shows the screen if an expected text does not appear", async () => {
    const terminal = await started();
    await expect(terminal.until("never", { timeout: 100 })).rejects.toThrow(
      'The screen did not show "never" within 100 ms. The program runs. Its last screen:\n  | size 80x24\n  | HOME LANG TERM\n  | ready',
    );
    await expect(terminal.exited(100)).rejects.toThrow("The program still runs after 100 ms.");
    await terminal.keys("q");
    expect(await terminal.exited()).toBe(7);
    await expect(terminal.until("never")).rejects.toThrow("The program has ended with 7.");
  });

  it("ends the program with the terminal", async () => {
    const terminal = await started();
    expect(isRunning(terminal.pid)).toBe(true);
    await terminal.stop();
    expect(isRunning(terminal.pid)).toBe(false);
  });
});
