import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { type Client, createClient } from "../../../src/surfaces/http/client/index.ts";
import { CLI, type CliOptions, cli, type Ended, ensureBuilt, json } from "../cli.ts";
import { fillProject, type ProjectContents } from "../fill-project.ts";
import { firstLine } from "../first-line.ts";
import { makeSandbox, type Sandbox } from "../fixture.ts";
import { leftProcesses } from "../processes.ts";
import { startTerminal, type Terminal } from "./terminal.ts";

/** How `toolwright chat` is started. */
export interface ChatOptions {
  /** By default `--agent demo`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  /** Arguments of Node before the program. */
  readonly node?: readonly string[];
}

/** `toolwright chat` in a terminal. */
export interface Chat extends Terminal {
  /** Types a line and presses Enter. */
  submit(line: string): Promise<void>;
  /** Sends a script of the agent `demo`: several lines in one prompt. */
  script(...lines: readonly string[]): Promise<void>;
  /** Presses keys that answer a question, after the moment in which the question ignores keys. */
  answer(...keys: readonly string[]): Promise<void>;
  /** The lines of the screen from the first that contains `from` on, with changing numbers replaced: see `normalized`. */
  shown(from: string): Promise<string>;
  /** The text in the input. */
  input(): Promise<string>;
  /** The status line. */
  status(): Promise<string>;
  /** Resolves when no turn runs. */
  idle(): Promise<string>;
}

/** A project whose sessions are on disk, for one test. */
export interface ChatProject {
  readonly at: Sandbox;
  put(path: string, text: string): void;
  /** Starts a chat and waits until it takes input. It ends with the test. */
  open(options?: ChatOptions): Promise<Chat>;
  /** Runs a command of Toolwright to its end. */
  cli(args: readonly string[], options?: CliOptions): Promise<Ended>;
  /** The sessions of the project, newest first. */
  sessions(): Promise<readonly { readonly id: string; readonly title?: string; readonly status: string }[]>;
  /** Starts `toolwright serve` for the same project and home. It ends with the test. */
  serve(): Promise<Client & { readonly url: string; readonly token: string }>;
}

const TOKEN = "token-of-the-chat-tests";

/** Makes a project; processes that are left when the test ends fail it. */
export function chatProject(contents: ProjectContents = {}): ChatProject {
  ensureBuilt();
  const at = makeSandbox();
  const put = fillProject(at, contents);
  onTestFinished(async () => {
    const left = await leftProcesses(at.home);
    at.remove();
    if (left.length > 0) throw new Error(`The chat left processes behind: ${left.join("; ")}`);
  });
  const run = (args: readonly string[], more?: CliOptions): Promise<Ended> => cli(at, [...args, "--trust"], more);
  return {
    at,
    put,
    open: (more) => openChat(at, more),
    cli: run,
    sessions: async () =>
      json<{ sessions: { id: string; status: string }[] }>(await run(["sessions", "--json"])).sessions,
    serve: () => serve(at),
  };
}

async function openChat(at: Sandbox, options: ChatOptions = {}): Promise<Chat> {
  const { args = ["--agent", "demo"], env = {}, node = [], ...size } = options;
  const terminal = await startTerminal({
    command: process.execPath,
    args: [...node, CLI, "chat", "--trust", ...args],
    env: { ...at.env, ...env },
    cwd: at.project,
    ...{ columns: 100, rows: 30 },
    ...size,
  });
  onTestFinished(() => terminal.stop());
  const chat = chatIn(terminal, at);
  await chat.until((screen) => inputOf(screen) !== undefined || /choose/.test(screen));
  return chat;
}

/** Adds the parts of a chat to a terminal that shows one. */
export function chatIn(terminal: Terminal, at: Sandbox): Chat {
  const chat: Chat = Object.assign(terminal, {
    submit: async (line: string) => {
      await terminal.type(line);
      await terminal.until((screen) => squeezed(screen).includes(squeezed(line)));
      await terminal.keys("Enter");
    },
    script: async (...lines: readonly string[]) => {
      await terminal.paste(lines.join("\n"));
      await terminal.until((screen) => (inputOf(screen) ?? "") !== "");
      await terminal.settled(50);
      const typed = await chat.input();
      await terminal.keys("Enter");
      await terminal.until((screen) => inputOf(screen) !== typed);
    },
    answer: async (...keys: readonly string[]) => {
      await sleep(ANSWER_MS);
      await terminal.keys(...keys);
    },
    shown: async (from: string) => {
      const lines = (await stable(async () => normalized(await terminal.screen(), at))).split("\n");
      const first = lines.findIndex((line) => line.includes(from));
      if (first === -1) throw new Error(`The screen does not show ${JSON.stringify(from)}:\n${lines.join("\n")}`);
      return lines.slice(first).join("\n");
    },
    input: async () => inputOf(await terminal.screen()) ?? "",
    status: async () => statusOf(await terminal.screen()),
    idle: () => terminal.until((screen) => inputOf(screen) === "" && !screen.includes("Esc stops")),
  });
  return chat;
}

/** Longer than a new question ignores keys. */
const ANSWER_MS = 400;
const RULE = /^─[─ ↑↓\dmore]*─$/;

/** The text between the two last rules of a screen; undefined if there is no input. A panel has another hint above its last rule. */
export function inputOf(screen: string): string | undefined {
  const lines = screen.split("\n");
  const last = lines.findLastIndex((line) => RULE.test(line));
  const first = lines.findLastIndex((line, index) => index < last && RULE.test(line));
  if (first === -1) return undefined;
  return lines
    .slice(first + 1, last)
    .map((line) => line.trim())
    .join("\n");
}

/** The line below the input that names agent and mode. */
export function statusOf(screen: string): string {
  const lines = screen.split("\n");
  const rule = lines.findLastIndex((line) => RULE.test(line));
  return lines.slice(rule + 1).findLast((line) => line.includes(" · ")) ?? "";
}

/** A screen with the folders of the test, times, ids and spinners replaced. Running cards, which show a time after a second, have none. */
export function normalized(screen: string, at: Sandbox): string {
  return screen
    .replaceAll(at.project, "PROJECT")
    .replaceAll(at.home, "HOME")
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "ID")
    .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s)\b/g, "TIME")
    .replaceAll(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, "⠋")
    .replaceAll(/^(\s*⠋ .*) TIME$/gm, "$1");
}

/** A screen may be read while it is drawn: two equal ones in a row are complete. */
async function stable(read: () => Promise<string>): Promise<string> {
  let last = await read();
  for (let tries = 0; tries < 50; tries++) {
    await sleep(60);
    const now = await read();
    if (now === last) return now;
    last = now;
  }
  return last;
}

/** Without white space: text may be wrapped. */
function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

async function serve(at: Sandbox): Promise<Client & { readonly url: string; readonly token: string }> {
  const child = spawn(process.execPath, [CLI, "serve", "--trust", "--port", "0", "--json"], {
    cwd: at.project,
    env: { ...at.env, TOOLWRIGHT_TOKEN: TOKEN },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  const { url } = JSON.parse(await firstLine(child)) as { url: string };
  return { ...createClient({ url, token: TOKEN }), url, token: TOKEN };
}
