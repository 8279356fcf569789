/**
 * The lifecycle of a host process, as the serving process sees it.
 *
 * A host ends in one of these ways:
 * - **retire**: it takes no new work, and ends once its calls, queries and imports are done and it holds no previews (see `PREVIEWS_FILE`).
 * - **hand back**: it is retired, and the work that it has not started goes to another host.
 * - **close**: it is retired, and its previews and imports are dropped.
 * - **kill**: its process tree is killed at once. Its calls end as "died".
 *
 * Causes:
 * - `RunningCalls`: a call still runs 1 s after its abort → retire; kill 1 s later, or at once if nothing else runs.
 * - `RunningQueries`: a query has no answer 1 s after its abort → kill.
 * - `ImportQueue`: an import exceeds its time limit → kill, or hand back while tools run.
 * - `HangDetector`: while work runs or waits, no message for 500 ms after a ping, or for 3 s during an import → hand back.
 *   Other files have waited 1 s for an import → hand back, or kill if one of several imports blocks the process and no tool runs.
 * - The memory limit, and messages that the host's own code does not send (`Channel`) → kill.
 * - No work for `idleMs`, and no state that a new host would lack: previews, session state, tools registered at run time → retire.
 */

import type { HostsListener, Outcome, QueryOutcome, RunPort } from "../../host/protocol/hosts.ts";
import { type FileManifest, type HostFile, PREVIEWS_FILE } from "../../host/protocol/manifest.ts";
import {
  type FromHost,
  type HostCall,
  type HostQuery,
  type LoadOptions,
  monotonic,
  type QueryKind,
  type ToolboxInfo,
} from "../../host/protocol/messages.ts";
import { InvalidMessage } from "../../host/protocol/validate-message.ts";
import { MEMORY_CHECK_IS_CHEAP } from "../../platform/processes/process-tree.ts";
import { Channel, type HostEnd, type HostProcessOptions, tooMuchMemory } from "./channel.ts";
import { HangDetector } from "./hang-detector.ts";
import { Heartbeat } from "./heartbeat.ts";
import { HostFiles } from "./host-files.ts";
import { HostSessions, sessionOf, type WaitingPreviews } from "./host-sessions.ts";
import { ImportQueue, type LoadOutcome } from "./import-queue.ts";
import { RunningCalls } from "./running-calls.ts";
import { RunningQueries } from "./running-queries.ts";

/** What a host reports to the pool, apart from answers. */
interface HostEvents extends HostsListener {
  ended(host: HostProcess): void;
  /** Whether a new host would load the same files: false after a reload, since the files may have changed on disk. */
  isReplaceable(): boolean;
}

const IMPORT_ONCE: LoadOptions = { verify: false, fresh: false };
const TICK_MS = 100;
/** An idle host that sent a message this recently starts a call at once: it gets no `startBy`, and sends no "started". */
const LISTENING_MS = 2;
const GRACE_MS = 1_000;
const BLOCKED = "importing a file blocked it";
const NOT_NEEDED = "it was no longer needed";

/** One host process. Calls and queries in it never reject. */
export class HostProcess {
  readonly #options: HostProcessOptions;
  readonly #channel: Channel;
  readonly #on: HostEvents;
  readonly #calls: RunningCalls;
  readonly #queries: RunningQueries;
  readonly #imports: ImportQueue;
  readonly #hangs: HangDetector;
  readonly #files: HostFiles;
  readonly #sessions = new HostSessions();
  readonly #ticker: NodeJS.Timeout;
  readonly #startedAt = monotonic();
  readonly #heartbeat = new Heartbeat(TICK_MS, () => this.#channel.processorUse);
  #ticks = 0;
  #retired = false;
  #closing = false;
  #hasRun = false;
  #isCheckingIdle = false;
  #idleCheckedAt = 0;
  #ended: HostEnd | undefined;
  /** Whether the process has sent "ready". */
  ready = false;
  /** Whether it has finished a call or a load. A host that dies before that is not started again at once. */
  hasFinishedWork = false;
  /** Whether it died while it imported a file. */
  endedByImport = false;
  /** Whether it was ended because it had no work. */
  endedIdle = false;

  constructor(options: HostProcessOptions, on: HostEvents) {
    this.#options = options;
    this.#on = on;
    this.#files = new HostFiles(options.cwd);
    this.#channel = new Channel(options, {
      heard: () => this.#heartbeat.heard(),
      message: (message) => this.#receive(message),
      printed: (text, call) => options.log(text, this.#calls.contextOf(call)),
      ended: (end) => this.#finish(end),
    });
    this.#calls = new RunningCalls({
      send: (message) => this.#channel.send(message),
      unresponsive: (tool) => this.#unresponsive(tool),
      ui: (request) => on.ui(request),
      settled: () => this.#release(),
    });
    this.#queries = new RunningQueries(
      (message) => this.#channel.send(message),
      (reason) => this.kill(reason),
    );
    this.#imports = new ImportQueue(options.importMs, {
      runsTools: () => this.#runsTools,
      handBack: () => this.#handBack(),
      kill: () => this.kill(BLOCKED),
      importLasts: () => on.importLasts(),
      use: () => this.#channel.processorUse,
    });
    this.#hangs = new HangDetector(this.#imports, this.#heartbeat);
    this.#ticker = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** The run marker of the programs that its tools start. */
  get mark(): string {
    return this.#channel.mark;
  }

  get age(): number {
    return monotonic() - this.#startedAt;
  }

  /** Whether it takes new work. */
  get open(): boolean {
    return !this.#retired && !this.#ended;
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  /** Whether it has not answered a ping in time. */
  get isSilent(): boolean {
    return !this.ended && this.#heartbeat.isSilent;
  }

  get loadedFiles(): string[] {
    return this.endedIdle ? [] : this.#files.loaded;
  }

  get loadedCount(): number {
    return this.endedIdle ? 0 : this.#files.loadedCount;
  }

  /** The files whose imports delay others or themselves. Files that may wait for others are not among them. */
  get importing(): string[] {
    return this.#imports.delaying;
  }

  hasTool(file: string, tool: string): boolean {
    return this.#files.hasTool(file, tool);
  }

  previewsIn(sessionID: string): WaitingPreviews {
    return this.#sessions.previewsIn(sessionID);
  }

  /** The host answers with "previews" and the count 0. */
  discardPreviews(sessionID: string): void {
    if (this.#sessions.previewsIn(sessionID).count > 0) this.#channel.send({ type: "discard-previews", sessionID });
  }

  setToolboxInfo(toolboxInfo: ToolboxInfo): void {
    this.#channel.send({ type: "toolbox-info", toolboxInfo });
  }

  /** Whether several files can be loaded together. Bun imports one at a time, so one slow file would delay the others. */
  get readsTogether(): boolean {
    return this.#options.runtime.readsOneByOne !== true;
  }

  /** Imports files in order, and returns the outcome of each. A file that was imported before is not imported again. */
  load(files: readonly HostFile[], options: LoadOptions = IMPORT_ONCE): Promise<LoadOutcome>[] {
    const again = options.verify || options.fresh;
    const wanted = files.filter((file) => again || !this.#files.outcomeOf(file.file));
    if (wanted.length > 0) this.#import(wanted, options);
    return files.map(({ file }) => this.#files.outcomeOf(file) as Promise<LoadOutcome>);
  }

  /** Sends a query to a loaded file. The host is killed if it has not answered one second after the abort. */
  async query<K extends QueryKind>(
    query: HostQuery<K>,
    signal: AbortSignal,
    started: () => void,
  ): Promise<QueryOutcome<K>> {
    if (!this.open) return { kind: "not-started" };
    if (this.#isListening) started();
    this.#retain();
    this.#sessions.add(sessionOf(query as HostQuery));
    this.#hasRun ||= query.kind !== "prepare" && query.kind !== "render";
    const reply = await this.#queries.run(query, signal, started);
    this.#release();
    return reply;
  }

  /** Runs a call of a loaded file. If the tool has not stopped one second after the abort, the host ends: see above. */
  run(call: HostCall, port: RunPort, signal: AbortSignal): Promise<Outcome> {
    // A preview can only be resolved in the host that holds it, even if that host is retired.
    const takes = call.file === PREVIEWS_FILE ? !this.#ended : this.open;
    if (!takes || signal.aborted) return Promise.resolve({ kind: "not-started" });
    const startsAtOnce = this.#isListening;
    this.#retain();
    this.#hasRun = true;
    this.#sessions.add(call.context.sessionID);
    return this.#calls.run(call, port, signal, startsAtOnce);
  }

  /** Takes no new work, and ends once its work is done and it holds no previews. */
  retire(): void {
    this.#retired = true;
    this.#release();
  }

  /** Retires, and drops its previews and imports. */
  close(): void {
    this.#closing = true;
    if (!this.#runsTools && !this.#hasRun) this.kill(NOT_NEEDED);
    else this.retire();
  }

  /** Ends at once. Its calls end as "died". */
  kill(reason: string): void {
    this.#retired = true;
    this.#channel.kill(reason);
  }

  get #idle(): boolean {
    return this.#calls.isEmpty && this.#queries.isEmpty && this.#imports.isEmpty;
  }

  /** Whether the host will start work at once if it is sent now. */
  get #isListening(): boolean {
    return this.#idle && this.#heartbeat.wasHeardWithin(LISTENING_MS);
  }

  get #runsTools(): boolean {
    return !this.#calls.isEmpty || !this.#queries.isEmpty;
  }

  /** Keeps this process alive while the host has work. */
  #retain(): void {
    this.#isCheckingIdle = false;
    if (this.#idle) this.#channel.retain();
  }

  /** To be called whenever work has ended. */
  #release(): void {
    if (!this.#idle) return;
    this.#heartbeat.reset();
    const mustStay = this.#sessions.hasPreviews && !this.#closing && !this.#ended;
    if (this.#retired && !mustStay) this.#end();
    this.#channel.release();
  }

  /** A host that has only loaded files has no state to clean up. */
  #end(): void {
    if (this.#hasRun) this.#channel.close();
    else this.#channel.kill(NOT_NEEDED);
  }

  #import(files: readonly HostFile[], options: LoadOptions): void {
    this.#retain();
    const { load, outcomes } = this.#imports.add(files);
    this.#files.add(load, files, outcomes);
    this.#channel.send({ type: "load", load, files, ...options });
    if (this.#ended) this.#imports.ended(this.#ended.reason, false);
  }

  /** A call did not stop. Other work in the host gets a second to end, unless the host does not answer at all. */
  #unresponsive(tool: string): void {
    this.#retired = true;
    const end = (): void => this.kill(`another call in the same process, of "${tool}", did not stop after its abort`);
    if (this.#idle || this.#heartbeat.isSilent) end();
    else setTimeout(end, GRACE_MS);
  }

  /** Throws `InvalidMessage` for a message that the host's own code would not send at this point. */
  #receive(message: FromHost): void {
    const isFirst = message.type === "ready" || message.type === "ending";
    if (this.ready ? message.type === "ready" : !isFirst) throw outOfOrder(message.type);
    switch (message.type) {
      case "ready":
        this.ready = true;
        break;
      case "result":
        this.hasFinishedWork = true;
        this.#calls.receive(message);
        break;
      case "update":
      case "started":
      case "not-started":
      case "request":
      case "cancel-request":
      case "ui-request":
        this.#calls.receive(message);
        break;
      case "loading":
        this.#files.loading(message.load);
        this.#imports.started(message.load);
        break;
      case "loaded":
        this.#settleLoad(message);
        break;
      case "imports-changed":
        this.#files.importsChanged(message.file, message.imports);
        if (this.#isRunning(message.file)) this.#on.importsChanged(message.file, message.imports);
        break;
      case "manifest-changed":
        this.#changeManifest(this.#files.manifestChanged(message.manifest));
        break;
      case "answer":
        this.#queries.answered(message.id, message.answer);
        break;
      case "session-action":
        this.#sessions.check(message);
        this.#on.sessionAction(message.sessionID, message.action);
        break;
      case "previews":
        this.#sessions.check(message);
        this.#sessions.setPreviews(message.sessionID, message.count);
        this.#on.previewsChanged();
        this.#release();
        break;
      case "ending":
        this.#retired = true;
        break;
      case "pong":
        break;
      case "idle":
        this.#endIdle();
        break;
      default:
        message satisfies never;
    }
  }

  /** The manifest of most files changes only during a call, a query or a session event of that file. */
  #changeManifest(manifest: FileManifest): void {
    if (!this.#isRunning(manifest.file) && !this.#files.isAnnouncing(manifest.file)) return;
    this.#files.changeTools(manifest);
    this.#on.manifestChanged(manifest);
  }

  #isRunning(file: string): boolean {
    return this.#calls.includes(file) || this.#queries.includes(file);
  }

  #settleLoad(message: FromHost & { type: "loaded" }): void {
    const manifests = this.#files.loadedFrom(message.load, message.manifests);
    this.hasFinishedWork = true;
    this.#imports.answered(message.load, manifests);
    this.#release();
  }

  #tick(): void {
    this.#ticks += 1;
    this.#heartbeat.tick();
    const seldom = this.#idle || !MEMORY_CHECK_IS_CHEAP;
    if (!seldom || this.#ticks % 10 === 0) this.#checkMemory();
    if (this.ready && (this.#runsTools || this.#hangs.hasWaiting)) this.#checkHeartbeat();
    if (this.ready && this.#mayEndIdle) void this.#checkIdle();
  }

  #checkMemory(): void {
    const { memoryMb } = this.#options;
    if ((this.#channel.resident ?? 0) > memoryMb * 1024 * 1024) this.kill(tooMuchMemory(memoryMb));
  }

  #checkHeartbeat(): void {
    if (this.#heartbeat.startPing()) this.#channel.send({ type: "ping" });
    this.#queries.heardAt(this.#heartbeat.heardAt);
    const verdict = this.#hangs.verdict(this.#runsTools);
    if (verdict === "kill") this.kill(BLOCKED);
    else if (verdict === "hand-back") this.#handBack();
  }

  get #mayEndIdle(): boolean {
    if (!this.open || !this.#idle || this.#heartbeat.wasHeardWithin(this.#options.idleMs)) return false;
    return (
      this.#files.areReplaceable(!this.#sessions.isEmpty) && !this.#sessions.hasPreviews && this.#on.isReplaceable()
    );
  }

  /**
   * Asks the host whether a timer, socket or child process of a tool keeps it alive. If one does, it does not answer. A program
   * that a command has left in the background would end with the host.
   */
  async #checkIdle(): Promise<void> {
    if (performance.now() - this.#idleCheckedAt < this.#options.idleMs) return;
    this.#idleCheckedAt = performance.now();
    if ((await this.#channel.hasProcesses()) || !this.#mayEndIdle) return;
    this.#isCheckingIdle = true;
    this.#channel.send({ type: "check-idle" });
  }

  /** Ignores an answer to "check-idle" if the host has been given work since. */
  #endIdle(): void {
    if (!this.#isCheckingIdle || !this.open || !this.#idle) return;
    this.endedIdle = true;
    this.retire();
  }

  /** Retires, and settles work that has not started, so that another host gets it. */
  #handBack(): void {
    this.#retired = true;
    this.#calls.handBack();
    // A call that has started may block the host too.
    this.#queries.handBack(this.isSilent && this.#calls.isEmpty && !this.#imports.isImporting);
    this.#imports.handBack("it did not answer");
    this.#release();
  }

  #finish(end: HostEnd): void {
    this.#ended = end;
    this.#retired = true;
    clearInterval(this.#ticker);
    this.#calls.ended(end, this.ready);
    this.#queries.settleAll({ kind: "died", reason: end.reason });
    if (this.#sessions.hasPreviews) {
      this.#sessions.clearPreviews();
      this.#on.previewsChanged();
    }
    this.endedByImport = this.ready && this.#imports.isImporting;
    this.#imports.ended(end.reason, this.ready && !this.#closing);
    this.#on.ended(this);
  }
}

function outOfOrder(type: FromHost["type"]): InvalidMessage {
  return new InvalidMessage(`"${type}": ${type === "ready" ? "it has been sent before" : 'it came before "ready"'}`);
}
