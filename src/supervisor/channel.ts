import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { Log } from "../core/log.ts";
import { cancelKillAtExit, killAtExit } from "../process/kill-at-exit.ts";
import { killGroup, killRemains, killTree, residentBytes } from "../process/process-tree.ts";
import type { FromHost, ToHost } from "../protocol/messages.ts";
import { assertJson } from "../protocol/plain-json.ts";
import { MarkedReader } from "../protocol/print-marks.ts";
import type { Runtime } from "../protocol/runtime.ts";
import { InvalidMessage, validateMessage } from "../protocol/validate-message.ts";
import { type Link, openLink } from "./link.ts";

/** How a host process is started and where its stray output goes. */
export interface HostOptions {
  readonly runtime: Runtime;
  readonly cwd: string;
  readonly worktree: string;
  readonly env: NodeJS.ProcessEnv;
  readonly importMs: number;
  readonly memoryMb: number;
  /** A host that has had no work for so long, and holds no state that must survive, is ended. */
  readonly idleMs: number;
  /** Whatever tools print: never a protocol's business. */
  readonly log: Log;
}

/** Why a host is no more, and which calls it had begun, as far as it could still say so. */
export interface HostEnd {
  readonly reason: string;
  readonly started?: readonly number[];
}

/** What is heard of a host process. */
export interface ChannelEvents {
  /** Something came of it, if only a part of a message. */
  heard(): void;
  /** Throws `InvalidMessage` for one that the host could not have sent at this point. */
  message(message: FromHost): void;
  /** It has printed something during that call, 0 for none. */
  printed(text: string, call: number): void;
  ended(end: HostEnd): void;
}

/** What is kept of the reason that a host gives for its end: a model reads it. */
const MAX_REASON = 1_000;
const CLOSE_MS = 1_000;
/** How long to wait, after a process has gone, for what it had still written. */
const DRAIN_MS = 200;

/** A child process and the messages to and from it. `ended` is called once, after the last message. */
export class Channel {
  readonly #child: ChildProcess;
  readonly #link: Link;
  readonly #options: HostOptions;
  readonly #on: ChannelEvents;
  readonly #printKey = crypto.randomUUID().slice(0, 8);
  #killedFor: string | undefined;
  #ending: HostEnd | undefined;
  #errors = "";
  /** Set once the process has gone. */
  #gone: (() => void) | undefined;
  #ended = false;

  constructor(options: HostOptions, on: ChannelEvents) {
    this.#options = options;
    this.#on = on;
    // Loaded only now: a list from the cache starts no process, and this module is not a small one.
    const { spawn } = process.getBuiltinModule("node:child_process");
    const { command, args, carrier } = options.runtime;
    this.#child = spawn(command, [...args, String(options.importMs), options.worktree, this.#printKey], {
      cwd: options.cwd,
      env: options.env,
      stdio: ["ignore", "pipe", "pipe", carrier],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.#link = openLink(this.#child, options.runtime, {
      heard: () => on.heard(),
      message: (message) => this.#receive(message),
      broken: (error) => this.kill(reasonFor(error)),
      closed: () => this.#closed(),
    });
    this.#listen();
    this.release();
    for (const stream of [this.#child.stdout, this.#child.stderr]) (stream as Socket | null)?.unref();
  }

  get resident(): number | undefined {
    return this.#child.pid === undefined ? undefined : residentBytes(this.#child.pid);
  }

  /** A message to a process that has gone is lost; `ended` tells. Throws for what cannot cross. */
  send(message: ToHost): void {
    assertJson(untrustedFieldsOf(message));
    this.#link.send(message);
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
    this.#link.close();
    setTimeout(() => this.kill("it was no longer needed"), CLOSE_MS).unref();
  }

  /** While held, the process keeps ours alive, and is ended if ours exits all the same; released, it goes by itself. */
  retain(): void {
    this.#child.ref();
    this.#link.retain();
    if (this.#child.pid !== undefined && !this.#ended) killAtExit(this.#child.pid);
  }

  release(): void {
    this.#child.unref();
    this.#link.release();
    if (this.#child.pid !== undefined) cancelKillAtExit(this.#child.pid);
  }

  #listen(): void {
    const child = this.#child;
    child.on("error", (error) => this.#finish(`it could not be started: ${error.message}`));
    child.on("exit", (code, signal) => {
      this.#gone = () => this.#finish(this.#describe(code, signal));
      if (this.#link.isOpen) setTimeout(this.#gone, DRAIN_MS);
      else this.#gone();
    });
    const printed = new MarkedReader(this.#printKey, (text, call) => this.#on.printed(text, call));
    child.stdout?.setEncoding("utf8").on("data", (text: string) => printed.add(text));
    const errors = new MarkedReader(this.#printKey, (text, call) => {
      this.#errors = (this.#errors + text).slice(-4_000);
      this.#on.printed(text, call);
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => errors.add(text));
  }

  /** A tool can write to this channel too. What throws here ends the host. */
  #receive(value: unknown): void {
    if (this.#ended || this.#ending) return;
    const message = validateMessage(value);
    this.#on.message(message);
    if (message.type !== "ending") return;
    this.#ending = { reason: message.reason.slice(0, MAX_REASON), started: message.started };
    setTimeout(() => this.kill("it said that it was ending, and did not end"), CLOSE_MS).unref();
  }

  /** What a process had still written has come; one that lives on without a connection is of no use. */
  #closed(): void {
    if (this.#gone) this.#gone();
    else setTimeout(() => this.kill("it closed its connection"), CLOSE_MS).unref();
  }

  #finish(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    // A process that a tool has started may hold the other end.
    this.#link.destroy();
    this.#cleanUp();
    this.#on.ended({ reason, ...(this.#ending?.started ? { started: this.#ending.started } : {}) });
  }

  /** What was started to outlive the tools on purpose stays, unless its host has died over it. */
  #cleanUp(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    cancelKillAtExit(pid);
    if (this.#killedFor === undefined) killRemains(pid);
    else killGroup(pid);
  }

  #describe(code: number | null, signal: NodeJS.Signals | null): string {
    if (this.#killedFor) return this.#killedFor;
    if (/heap out of memory|heap limit/i.test(this.#errors)) return tooMuchMemory(this.#options.memoryMb);
    if (this.#ending) return this.#ending.reason;
    return signal ? `it was ended by ${signal}` : `it exited with code ${code}`;
  }
}

/** Why a host is ended whose messages cannot be used. */
function reasonFor(error: unknown): string {
  const what = error instanceof InvalidMessage ? error.message : (PARSE_ERRORS.get(error?.constructor) ?? UNREADABLE);
  return `${what}, so it was stopped: a tool in it writes to file descriptor 3, which belongs to Toolwright`;
}

const UNREADABLE = "it sent a message that could not be read";
const PARSE_ERRORS = new Map<unknown, string>([
  [SyntaxError, "it sent a line that is not JSON"],
  [RangeError, "it sent a message that is too long"],
]);

export function tooMuchMemory(memoryMb: number): string {
  return `it used more than ${memoryMb} MB of memory, its limit`;
}

/** What others have given: all of a message that may hold anything. */
function untrustedFieldsOf(message: ToHost): unknown {
  if (message.type !== "call") return message;
  const { input, context, session = null } = message.call;
  return [input, context.extra, session];
}
