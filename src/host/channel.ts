import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { killGroup, killRemains, killTree, residentBytes } from "../process/process-tree.ts";
import { guardReading } from "./guard-reading.ts";
import { mustBeJson } from "./must-be-json.ts";
import { mustMakeSense } from "./must-make-sense.ts";
import type { FromHost, ToHost } from "./protocol.ts";
import type { Runtime } from "./runtime.ts";

/** How a host process is started and where its stray output goes. */
export interface HostOptions {
  readonly runtime: Runtime;
  readonly cwd: string;
  readonly worktree: string;
  readonly env: NodeJS.ProcessEnv;
  readonly importMs: number;
  readonly memoryMb: number;
  /** Whatever tools print: never a protocol's business. */
  readonly log: (text: string) => void;
}

/** Why a host is no more, and which calls it had begun, as far as it could still say so. */
export interface End {
  readonly reason: string;
  readonly begun?: readonly number[];
}

const UNREADABLE = "what it sent could not be read";
const POLITE_MS = 1_000;
/** How long to wait, after a process has gone, for what it had still written. */
const DRAIN_MS = 200;

/** A child process and the messages to and from it. `ended` is called once, after the last message. */
export class Channel {
  readonly #child: ChildProcess;
  readonly #options: HostOptions;
  readonly #on: { message(message: FromHost): void; ended(end: End): void };
  #killedFor: string | undefined;
  #lastWords: End | undefined;
  #errors = "";
  #ended = false;

  constructor(options: HostOptions, on: { message(message: FromHost): void; ended(end: End): void }) {
    this.#options = options;
    this.#on = on;
    // Loaded only now: a list from the cache starts no process, and this module is not a small one.
    const { spawn } = process.getBuiltinModule("node:child_process");
    const { command, args, serialization } = options.runtime;
    this.#child = spawn(command, [...args, String(options.importMs), options.worktree], {
      cwd: options.cwd,
      env: options.env,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      serialization,
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    guardReading(this.#child, () => this.kill(UNREADABLE));
    this.#listen();
    this.release();
  }

  get resident(): number | undefined {
    return this.#child.pid === undefined ? undefined : residentBytes(this.#child.pid);
  }

  /** A message to a process that has gone is lost; `ended` tells. Throws for what cannot cross. */
  send(message: ToHost): void {
    if (this.#options.runtime.serialization === "json") mustBeJson(message);
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  /** Ends the process and all it started, now. */
  kill(reason: string): void {
    if (this.#ended) return;
    this.#killedFor ??= reason;
    if (this.#child.pid !== undefined) killTree(this.#child.pid);
  }

  /** Lets the process end by itself, and ends it if it does not. */
  close(): void {
    if (this.#ended) return;
    this.#killedFor ??= "it was no longer needed";
    if (this.#child.connected) this.#child.disconnect();
    setTimeout(() => this.kill("it was no longer needed"), POLITE_MS).unref();
  }

  /** While held, the process keeps ours alive; released, it does not. */
  hold(): void {
    this.#child.ref();
    this.#child.channel?.ref?.();
  }

  release(): void {
    this.#child.unref();
    this.#child.channel?.unref?.();
    // One that is over would only be made to wait for a connection.
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream?.destroyed === false) (stream as Socket).unref();
    }
  }

  #listen(): void {
    const child = this.#child;
    child.on("message", (message: FromHost) => this.#receive(message));
    child.on("error", (error) => this.#finish(`it could not be started: ${error.message}`));
    child.on("exit", (code, signal) => {
      const finish = (): void => this.#finish(this.#describe(code, signal));
      if (!child.connected) return finish();
      child.once("disconnect", finish);
      setTimeout(finish, DRAIN_MS);
    });
    child.on("disconnect", () => setTimeout(() => this.kill("it closed its connection"), POLITE_MS).unref());
    child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#options.log(text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-4_000);
      this.#options.log(text);
    });
  }

  /** A tool can write to this channel too: what makes no sense ends its process, not ours. */
  #receive(message: FromHost): void {
    try {
      mustMakeSense(message);
      if (message.type === "ending") this.#lastWords ??= message;
      else this.#on.message(message);
    } catch {
      this.kill(UNREADABLE);
    }
  }

  #finish(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#clearUp();
    this.#on.ended({ reason, ...(this.#lastWords?.begun ? { begun: this.#lastWords.begun } : {}) });
  }

  /** What was started to outlive the tools on purpose stays, unless its host has died over it. */
  #clearUp(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    if (this.#killedFor === undefined) killRemains(pid);
    else killGroup(pid);
  }

  #describe(code: number | null, signal: NodeJS.Signals | null): string {
    if (this.#killedFor) return this.#killedFor;
    if (/heap out of memory|heap limit/i.test(this.#errors)) return tooMuchMemory(this.#options.memoryMb);
    if (this.#lastWords) return this.#lastWords.reason;
    return signal ? `it was ended by ${signal}` : `it exited with code ${code}`;
  }
}

export function tooMuchMemory(memoryMb: number): string {
  return `it used more than ${memoryMb} MB of memory, its limit`;
}
