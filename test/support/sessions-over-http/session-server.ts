import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { CLI } from "../cli.ts";
import type { Sandbox } from "../fixture.ts";

export const TOKEN = "a-token-for-tests-only";

/** An answer of the server. */
export interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly body: T;
}

/** How a server process ended. */
export interface ServerEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface SessionServerOptions {
  /** The name of the machine that the server sees, instead of its own. Only root on Linux can set it. */
  readonly hostname?: string;
  /** The milliseconds by which `jump` moves the clock of the server. */
  readonly clockJump?: number;
}

/** Sets the name of the machine for the program in the other arguments. The process keeps its id. */
const NAMED = ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"'];
const JUMPING_CLOCK = new URL("./jumping-clock.mjs", import.meta.url);

/** `toolwright serve` of `dist/` on one port, started again and again. Call `kill` at the end of a test. */
export class SessionServer {
  readonly url: string;
  /** What all of its processes have printed to stderr. */
  stderr = "";
  readonly #at: Sandbox;
  readonly #port: number;
  readonly #env: Readonly<Record<string, string>>;
  readonly #options: SessionServerOptions;
  #child: ChildProcess | undefined;
  #ended: Promise<ServerEnd> | undefined;

  constructor(
    at: Sandbox,
    port: number,
    env: Readonly<Record<string, string>> = {},
    options: SessionServerOptions = {},
  ) {
    this.#options = options;
    this.#at = at;
    this.#port = port;
    this.#env = env;
    this.url = `http://127.0.0.1:${port}`;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts the process. Resolves to whether it is ready; false if it was killed before. */
  async start(): Promise<boolean> {
    const { hostname, clockJump } = this.#options;
    const named = hostname === undefined ? [] : [...NAMED, hostname];
    const clock = clockJump === undefined ? [] : ["--import", JUMPING_CLOCK.href];
    const serve = [...clock, CLI, "serve", "--trust", "--port", String(this.#port), "--json"];
    const [program = "", ...args] = [...named, process.execPath, ...serve];
    const child = spawn(program, args, {
      cwd: this.#at.project,
      env: {
        ...{ ...this.#at.env, TOOLWRIGHT_TOKEN: TOKEN, ...this.#env },
        ...(clockJump === undefined ? {} : { CLOCK_JUMP: String(clockJump) }),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.#ended = once(child, "exit").then(([code, signal]) => ({ code, signal }));
    const line = once(createInterface({ input: child.stdout }), "line");
    const outcome = await Promise.race([line.then(() => "ready" as const), this.#ended]);
    if (outcome === "ready") return true;
    if (outcome.signal === "SIGKILL") return false;
    throw new Error(`The server ended with ${outcome.code ?? outcome.signal}: ${this.stderr}`);
  }

  /** `kill -9`. Resolves when the process is gone. */
  async kill(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#ended;
  }

  /** Stops the process for some time, as a machine that sleeps does. */
  async pause(ms: number): Promise<void> {
    this.#child?.kill("SIGSTOP");
    await sleep(ms);
    this.#child?.kill("SIGCONT");
  }

  /** Moves the clock of the server, or moves it back. */
  jump(): void {
    this.#child?.kill("SIGUSR2");
  }

  /** Resolves when the process has stopped by itself. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<ServerEnd> {
    this.#child?.kill(signal);
    return this.#ended as Promise<ServerEnd>;
  }

  /** Rejects if the connection breaks: it is then unknown whether the request had an effect. */
  async ask<T = Record<string, unknown>>(path: string, init: RequestInit = {}): Promise<Answer<T>> {
    const headers = { authorization: `Bearer ${TOKEN}`, ...(init.headers as Record<string, string>) };
    const response = await fetch(`${this.url}${path}`, { ...init, headers });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return { status: response.status, body: (isJson ? JSON.parse(text) : text) as T };
  }

  post<T = Record<string, unknown>>(path: string, body: unknown): Promise<Answer<T>> {
    const headers = { "content-type": "application/json" };
    return this.ask<T>(path, { method: "POST", headers, body: JSON.stringify(body) });
  }
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Repeats a check until it is true. Fails with the message after a long time. */
export async function eventually(what: string, check: () => Promise<boolean> | boolean, ms = 60_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`Not within ${ms / 1_000} s: ${what}`);
    await sleep(50);
  }
}
