import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { isRunning } from "../processes.ts";

/** A program to run in a terminal. It gets no other environment variables than these. */
export interface TerminalOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** TERM is xterm-256color and LANG is C.UTF-8, unless set here. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly columns?: number;
  readonly rows?: number;
}

/** What a program can change of a terminal besides the text on its screen. */
export interface TerminalModes {
  readonly title: string;
  readonly alternateScreen: boolean;
  readonly mouse: boolean;
  readonly cursorVisible: boolean;
  readonly insert: boolean;
  readonly origin: boolean;
  readonly wrap: boolean;
  readonly applicationCursorKeys: boolean;
  readonly applicationKeypad: boolean;
  /** Whether BEL was written. */
  readonly bell: boolean;
}

/** Text, a pattern, or a condition of a screen. */
export type Expected = string | RegExp | ((screen: string) => boolean);

/** A program in a terminal of tmux. */
export interface Terminal {
  /** The process id of the program. */
  readonly pid: number;
  /** Sends keys by their names in tmux: Enter, Escape, C-c, Up, BSpace, S-Enter, … */
  keys(...names: readonly string[]): Promise<void>;
  /** Types this text, a line break as Ctrl-J. */
  type(text: string): Promise<void>;
  /** Pastes this text: bracketed, if the program has switched bracketed paste on. */
  paste(text: string): Promise<void>;
  /** The visible lines without trailing spaces; with escape sequences for colors if `colors` is set. */
  screen(options?: { readonly colors?: boolean }): Promise<string>;
  /** Every byte that the program has written to the terminal so far. */
  written(): Buffer;
  /** All lines: those above the screen, and the screen. */
  scrollback(): Promise<string>;
  /** Resolves to the first screen that meets the expectation. Rejects after `timeout` ms, or if the program ends before. */
  until(expected: Expected, options?: { readonly timeout?: number; readonly scrollback?: boolean }): Promise<string>;
  /** Resolves to the screen once it has not changed for `ms`. */
  settled(ms?: number): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  title(): Promise<string>;
  modes(): Promise<TerminalModes>;
  /** Column and row of the cursor, from 0. */
  cursor(): Promise<readonly [column: number, row: number]>;
  /** What programs wrote to the clipboard with OSC 52; empty if they did not. */
  clipboard(): Promise<string>;
  /** The exit code of the program; 128 and more after a signal. Rejects if it runs for longer than `timeout` ms. */
  exited(timeout?: number): Promise<number>;
  /** Ends tmux, and with it the program: it gets SIGHUP. Rejects if the program has to be killed. */
  stop(): Promise<void>;
}

const WAIT_MS = 20_000;
const POLL_MS = 25;
const ESCAPE_MS = 100;
const TARGET = "t:0.0";

const run = promisify(execFile);

/** Starts a program in a tmux server of its own. Call `stop` when done. */
export async function startTerminal(options: TerminalOptions): Promise<Terminal> {
  const { command, args = [], cwd, columns = 80, rows = 24 } = options;
  const folder = mkdtempSync(join(tmpdir(), "toolwright-tmux-"));
  const socket = join(folder, "socket");
  const env = { TERM: "xterm-256color", LANG: "C.UTF-8", ...options.env };
  const tmux = async (...words: readonly string[]): Promise<string> => {
    const { stdout } = await run("tmux", ["-S", socket, "-f", "/dev/null", ...words], {
      env: { PATH: process.env.PATH ?? "", HOME: folder, LANG: "C.UTF-8", TERM: env.TERM },
      maxBuffer: 256 * 1024 * 1024,
    });
    return stdout;
  };
  const [written, code] = [join(folder, "written"), join(folder, "code")];
  // tmux does not always know the exit code, so that a shell notes it. Without -i, the program would see TMUX and other variables.
  const shell = ["sh", "-c", `"$@"; echo $? > ${code}`, "sh"];
  const program = [
    ...shell,
    "env",
    "-i",
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    command,
    ...args,
  ];
  const settings = SETTINGS.flatMap((words) => ["set-option", ...words, ";"]);
  const session = ["new-session", "-d", "-s", "t", "-x", String(columns), "-y", String(rows), "-c", cwd, ...program];
  writeFileSync(written, "");
  await tmux(
    "start-server",
    ";",
    ...settings,
    ...session,
    ";",
    "pipe-pane",
    "-O",
    "-t",
    TARGET,
    `exec cat > ${written}`,
  );
  const [server, shellPid] = (await tmux("display-message", "-p", "-t", TARGET, "#{pid} #{pane_pid}"))
    .split(" ")
    .map(Number);
  if (server === undefined || shellPid === undefined) throw new Error("tmux did not start.");
  const pid = await childOf(shellPid);
  return new TmuxTerminal(tmux, { server, pid, folder, socket, written, code });
}

/** The process that the shell has started. NaN if it has ended already. */
async function childOf(shell: number): Promise<number> {
  for (;;) {
    try {
      const [child] = readFileSync(`/proc/${shell}/task/${shell}/children`, "utf8").trim().split(" ").map(Number);
      if (child) return child;
    } catch {
      return Number.NaN;
    }
    await sleep(5);
  }
}

/** The last screen stays after the program has ended; OSC 52 fills a buffer; keys with modifiers are sent if the program asks. */
const SETTINGS: readonly (readonly string[])[] = [
  ["-g", "remain-on-exit", "on"],
  ["-g", "remain-on-exit-format", ""],
  ["-g", "status", "off"],
  ["-g", "history-limit", "100000"],
  ["-s", "set-clipboard", "on"],
  ["-s", "extended-keys", "on"],
  ["-s", "escape-time", "0"],
];

interface Places {
  readonly server: number;
  readonly pid: number;
  readonly folder: string;
  readonly socket: string;
  /** The file with all bytes that the program wrote. */
  readonly written: string;
  /** The file with the exit code, once the program has ended. */
  readonly code: string;
}

const FLAGS = [
  "alternate_on",
  "mouse_any_flag",
  "cursor_flag",
  "insert_flag",
  "origin_flag",
  "wrap_flag",
  "keypad_cursor_flag",
  "keypad_flag",
  "window_bell_flag",
] as const;

class TmuxTerminal implements Terminal {
  readonly pid: number;
  readonly #tmux: (...words: readonly string[]) => Promise<string>;
  readonly #at: Places;

  constructor(tmux: (...words: readonly string[]) => Promise<string>, at: Places) {
    this.#tmux = tmux;
    this.#at = at;
    this.pid = at.pid;
  }

  async keys(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      await this.#tmux("send-keys", "-t", TARGET, name);
      // A key directly after Escape would be that key with Alt.
      if (name === "Escape") await sleep(ESCAPE_MS);
    }
  }

  async type(text: string): Promise<void> {
    // tmux ends a command at a word that ends with a semicolon.
    for (const piece of text.match(/[\s\S]{1,4000}/g) ?? [])
      await this.#tmux("send-keys", "-t", TARGET, "-l", "--", piece.replace(/;$/, "\\;"));
  }

  async paste(text: string): Promise<void> {
    const words = ["-S", this.#at.socket, "load-buffer", "-b", "pasted", "-"];
    const loading = spawn("tmux", words, {
      env: { PATH: process.env.PATH ?? "" },
      stdio: ["pipe", "ignore", "inherit"],
    });
    loading.stdin.end(text);
    await once(loading, "close");
    // -r: line breaks are pasted as they are.
    await this.#tmux("paste-buffer", "-d", "-p", "-r", "-b", "pasted", "-t", TARGET);
  }

  async screen({ colors = false }: { readonly colors?: boolean } = {}): Promise<string> {
    return trimmed(await this.#tmux("capture-pane", "-p", ...(colors ? ["-e"] : []), "-t", TARGET));
  }

  written(): Buffer {
    return readFileSync(this.#at.written);
  }

  async scrollback(): Promise<string> {
    return trimmed(await this.#tmux("capture-pane", "-p", "-S", "-", "-E", "-", "-t", TARGET));
  }

  async until(
    expected: Expected,
    { timeout = WAIT_MS, scrollback = false }: { readonly timeout?: number; readonly scrollback?: boolean } = {},
  ): Promise<string> {
    const deadline = performance.now() + timeout;
    for (;;) {
      const hasEnded = this.#code !== undefined;
      const screen = await (scrollback ? this.scrollback() : this.screen());
      if (meets(screen, expected)) return screen;
      if (performance.now() > deadline || hasEnded) throw new Error(this.#failure(screen, expected, timeout));
      await sleep(POLL_MS);
    }
  }

  async settled(ms = 300): Promise<string> {
    let last = await this.screen();
    let since = performance.now();
    while (performance.now() - since < ms) {
      await sleep(POLL_MS);
      const now = await this.screen();
      if (now !== last) since = performance.now();
      last = now;
    }
    return last;
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux("resize-window", "-t", "t:0", "-x", String(columns), "-y", String(rows));
  }

  async title(): Promise<string> {
    return (await this.#value("#{pane_title}")).trimEnd();
  }

  async modes(): Promise<TerminalModes> {
    const [flags = "", title = ""] = (
      await this.#value(`${FLAGS.map((name) => `#{${name}}`).join("")}|#{pane_title}`)
    ).split(/\|([\s\S]*)/);
    const isSet = (name: (typeof FLAGS)[number]): boolean => flags[FLAGS.indexOf(name)] === "1";
    return {
      title: title.trimEnd(),
      alternateScreen: isSet("alternate_on"),
      mouse: isSet("mouse_any_flag"),
      cursorVisible: isSet("cursor_flag"),
      insert: isSet("insert_flag"),
      origin: isSet("origin_flag"),
      wrap: isSet("wrap_flag"),
      applicationCursorKeys: isSet("keypad_cursor_flag"),
      applicationKeypad: isSet("keypad_flag"),
      bell: isSet("window_bell_flag"),
    };
  }

  async cursor(): Promise<readonly [number, number]> {
    const [column = Number.NaN, row = Number.NaN] = (await this.#value("#{cursor_x} #{cursor_y}"))
      .split(" ")
      .map(Number);
    return [column, row];
  }

  async clipboard(): Promise<string> {
    const names = (await this.#tmux("list-buffers", "-F", "#{buffer_name}")).split("\n").filter((name) => name !== "");
    const texts = names.map((name) => this.#tmux("show-buffer", "-b", name));
    return (await Promise.all(texts)).join("\n");
  }

  async exited(timeout = WAIT_MS): Promise<number> {
    const deadline = performance.now() + timeout;
    for (;;) {
      const code = this.#code;
      if (code !== undefined) return code;
      if (performance.now() > deadline) {
        throw new Error(`The program still runs after ${timeout} ms. Its screen:\n${framed(await this.screen())}`);
      }
      await sleep(POLL_MS);
    }
  }

  async stop(): Promise<void> {
    const { server, pid, folder } = this.#at;
    if (isRunning(server)) process.kill(server, "SIGTERM");
    const hasEnded = await ended([server, pid], 10_000);
    for (const each of [pid, server]) if (isRunning(each)) process.kill(each, "SIGKILL");
    rmSync(folder, { recursive: true, force: true });
    if (!hasEnded) throw new Error("The program did not end after its terminal was closed. It was killed.");
  }

  #value(format: string): Promise<string> {
    return this.#tmux("display-message", "-p", "-t", TARGET, format);
  }

  /** Undefined while the program runs. */
  get #code(): number | undefined {
    const text = existsSync(this.#at.code) ? readFileSync(this.#at.code, "utf8") : "";
    return text === "" ? undefined : Number(text);
  }

  #failure(screen: string, expected: Expected, timeout: number): string {
    const wanted = typeof expected === "string" ? JSON.stringify(expected) : String(expected);
    const state = this.#code === undefined ? "The program runs." : `The program has ended with ${this.#code}.`;
    return `The screen did not show ${wanted} within ${timeout} ms. ${state} Its last screen:\n${framed(screen)}`;
  }
}

function meets(screen: string, expected: Expected): boolean {
  if (typeof expected === "string") return screen.includes(expected);
  return typeof expected === "function" ? expected(screen) : expected.test(screen);
}

async function ended(pids: readonly number[], timeout: number): Promise<boolean> {
  const deadline = performance.now() + timeout;
  while (pids.some((pid) => isRunning(pid))) {
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** Lines without trailing spaces, and no empty lines at the end. */
function trimmed(screen: string): string {
  return screen
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd();
}

function framed(screen: string): string {
  return screen
    .split("\n")
    .map((line) => `  | ${line}`)
    .join("\n");
}
