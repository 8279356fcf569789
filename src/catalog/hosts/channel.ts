import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { Log } from "../../core/log.ts";
import type { FromHost, ToHost } from "../../host/protocol/messages.ts";
import { assertJson } from "../../host/protocol/plain-json.ts";
import type { RuntimeCommand } from "../../host/protocol/runtime.ts";
import { MarkedReader } from "../../host/protocol/stdio-marks.ts";
import { InvalidMessage, validateMessage } from "../../host/protocol/validate-message.ts";
import { cancelKillAtExit, killAtExit } from "../../platform/processes/kill-at-exit.ts";
import { sharedTable } from "../../platform/processes/process-table.ts";
import {
  killGroup,
  killOrphans,
  killTree,
  type ProcessorUse,
  processorUse,
  residentBytes,
} from "../../platform/processes/process-tree.ts";
import { newMark } from "../../platform/processes/run-marker.ts";
import { type ChildLink, openLink } from "./child-link.ts";

/** How a host process is started, and its limits. */
export interface HostProcessOptions {
  readonly runtime: RuntimeCommand;
  readonly cwd: string;
  readonly worktree: string;
  readonly env: NodeJS.ProcessEnv;
  readonly importMs: number;
  readonly memoryMb: number;
  /** Whether files of this host can move to a host that runs Bun. */
  readonly canMoveToBun: boolean;
  /** How long a replaceable host may be without work before it is ended. */
  readonly idleMs: number;
  /** The run marker of the toolbox. */
  readonly mark: string;
  /** Gets everything that tools print. */
  readonly log: Log;
}

/** Why a host has ended, and which calls it had started, if it could report that. */
export interface HostEnd {
  readonly reason: string;
  readonly started?: readonly number[];
}

/** Events of a host's child process. */
interface ChannelEvents {
  /** Any data came, even part of a message. */
  heard(): void;
  /** Throws `InvalidMessage` for a message that the host could not have sent at this point. */
  message(message: FromHost): void;
  /** A tool printed something during a call; `call` is 0 for output that cannot be attributed to a call. */
  printed(text: string, call: number): void;
  ended(end: HostEnd): void;
}

/** The characters kept of the reason that a host gives for its end: a model reads it. */
const MAX_REASON = 1_000;
const CLOSE_MS = 1_000;
/** How long to wait for the rest of the output after a process has exited. */
const DRAIN_MS = 200;

/** The child process of a `HostProcess`, and the messages over its `ChildLink`. `ended` is called once, after the last message. */
export class Channel {
  readonly #child: ChildProcess;
  readonly #link: ChildLink;
  readonly #options: HostProcessOptions;
  readonly #on: ChannelEvents;
  /** The run marker of the programs that its tools start. */
  readonly mark: string;
  readonly #printKey = crypto.randomUUID().slice(0, 8);
  #killedFor: string | undefined;
  #isRetired = false;
  #ending: HostEnd | undefined;
  #errors = "";
  /** Set once the process has exited. */
  #gone: (() => void) | undefined;
  #ended = false;

  constructor(options: HostProcessOptions, on: ChannelEvents) {
    this.#options = options;
    this.#on = on;
    this.mark = newMark(options.mark);
    // Loaded only now: listing tools from the cache starts no process, and this module takes long to load.
    const { spawn } = process.getBuiltinModule("node:child_process");
    const { command, args, carrier } = options.runtime;
    const { importMs, worktree, canMoveToBun } = options;
    const own = [String(importMs), worktree, this.#printKey, this.mark, ...(canMoveToBun ? ["can-move-to-bun"] : [])];
    this.#child = spawn(command, [...args, ...own], {
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

  get processorUse(): ProcessorUse | undefined {
    return this.#child.pid === undefined ? undefined : processorUse(this.#child.pid);
  }

  /** A message to a process that has exited is lost. Throws if the message cannot be written as JSON. */
  send(message: ToHost): void {
    assertJson(untrustedFieldsOf(message));
    this.#link.send(message);
  }

  /** Whether another process is in its process group, such as a program that a command has left in the background. */
  async hasProcesses(): Promise<boolean> {
    const { pid } = this.#child;
    return [...(await sharedTable()).values()].some((each) => each.group === pid && each.pid !== pid);
  }

  /** Kills the process tree at once. */
  kill(reason: string): void {
    if (this.#ended) return;
    this.#killedFor ??= reason;
    if (this.#child.pid !== undefined) killTree(this.#child.pid, this.mark);
  }

  /** Asks the process to end, and kills it after one second. */
  close(): void {
    if (this.#ended) return;
    this.#killedFor ??= "it was no longer needed";
    this.#isRetired = true;
    this.send({ type: "retire" });
    this.#link.close();
    setTimeout(() => this.kill("it was no longer needed"), CLOSE_MS).unref();
  }

  /** While retained, the host keeps this process alive, and is killed if this process exits anyway. */
  retain(): void {
    this.#child.ref();
    this.#link.retain();
    if (this.#child.pid !== undefined && !this.#ended) killAtExit(this.#child.pid, this.mark);
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

  /** Tools can write to this channel too. If this throws, the host is killed. */
  #receive(value: unknown): void {
    if (this.#ended || this.#ending) return;
    const message = validateMessage(value);
    this.#on.message(message);
    if (message.type !== "ending") return;
    this.#ending = { reason: message.reason.slice(0, MAX_REASON), started: message.started };
    setTimeout(() => this.kill("it said that it was ending, and did not end"), CLOSE_MS).unref();
  }

  /** All output of an exited process has been read. A process that lives on without a connection is killed. */
  #closed(): void {
    if (this.#gone) this.#gone();
    else setTimeout(() => this.kill("it closed its connection"), CLOSE_MS).unref();
  }

  #finish(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    // A process that a tool started may still have the other end open.
    this.#link.destroy();
    this.#cleanUp();
    this.#on.ended({ reason, ...(this.#ending?.started ? { started: this.#ending.started } : {}) });
  }

  /** Processes that have left the group of the host stay if it was retired: see `HostPool`. */
  #cleanUp(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    cancelKillAtExit(pid);
    killGroup(pid);
    if (!this.#isRetired) killOrphans(this.mark);
  }

  #describe(code: number | null, signal: NodeJS.Signals | null): string {
    if (this.#killedFor) return this.#killedFor;
    if (/heap out of memory|heap limit/i.test(this.#errors)) return tooMuchMemory(this.#options.memoryMb);
    if (this.#ending) return this.#ending.reason;
    return signal ? `it was ended by ${signal}` : `it exited with code ${code}`;
  }
}

/** Why a host is killed that sent an unusable message. */
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

/** The fields of a message that hold values of callers, which may not be JSON. */
function untrustedFieldsOf(message: ToHost): unknown {
  if (message.type !== "call") return message;
  const { input, context, session = null } = message.call;
  return [input, context.extra, session];
}
