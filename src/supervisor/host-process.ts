import { CHEAP_TO_WATCH } from "../process/process-tree.ts";
import type { HostsListener, Outcome, QueryOutcome, RunPort } from "../protocol/hosts.ts";
import { type FileManifest, type HostFile, isBroken, PREVIEWS_FILE } from "../protocol/manifest.ts";
import {
  type FromHost,
  type HostCall,
  type HostQuery,
  type LoadOptions,
  monotonic,
  type QueryKind,
  type ToolboxInfo,
} from "../protocol/messages.ts";
import { InvalidMessage } from "../protocol/validate-message.ts";
import { AskedFiles } from "./asked-files.ts";
import { Channel, type End, type HostOptions, tooMuchMemory } from "./channel.ts";
import { Heartbeat } from "./heartbeat.ts";
import { ImportQueue, type LoadOutcome } from "./import-queue.ts";
import { RunningCalls } from "./running-calls.ts";
import { RunningQueries } from "./running-queries.ts";

/** What a host tells its supervisor, apart from answers. */
export interface HostEvents extends HostsListener {
  ended(host: HostProcess): void;
}

const ONCE: LoadOptions = { verify: false, fresh: false };
const NO_PREVIEWS = { count: 0, at: 0 };

const TICK_MS = 100;
/** A host heard of so recently is taken to be listening: only calls in a row are given to it without asking. */
const SURE_MS = 2;
/** How long a host may be silent over an import before it is given nothing more. */
const PATIENCE_MS = 3_000;
/** How long other files wait for one that is being imported before they are imported elsewhere. */
const MOMENT_MS = 1_000;
const GRACE_MS = 1_000;
/** The sessions of one host that are remembered. A host that has been told of more may name any session. */
const MAX_SESSIONS = 10_000;
const BLOCKED = "importing a file blocked it";
const NOT_NEEDED = "it was no longer needed";

/** One host process as the serving process sees it. Calls in it never reject; they come out as an `Outcome`. */
export class HostProcess {
  readonly #options: HostOptions;
  readonly #channel: Channel;
  readonly #on: HostEvents;
  readonly #calls: RunningCalls;
  readonly #queries: RunningQueries;
  /** By session, and when it became more: the newest preview is resolved first, in whichever host it is. */
  readonly #previews = new Map<string, { count: number; at: number }>();
  readonly #imports: ImportQueue;
  readonly #asked: AskedFiles;
  /** The sessions that this host has been told of. */
  readonly #sessions = new Set<string>();
  readonly #loaded = new Map<string, Promise<LoadOutcome>>();
  readonly #held = new Map<string, ReadonlySet<string>>();
  readonly #ticker: NodeJS.Timeout;
  readonly #startedAt = monotonic();
  readonly #heartbeat = new Heartbeat(TICK_MS);
  #ticks = 0;
  #retired = false;
  #closing = false;
  #hasRun = false;
  #ended: End | undefined;
  /** Whether it came up at all. */
  ready = false;
  /** Whether it has finished anything: a host that dies before that is not started again at once. */
  useful = false;
  /** Whether it died of a file that it was importing, which says nothing about hosts. */
  endedByImport = false;

  constructor(options: HostOptions, on: HostEvents) {
    this.#options = options;
    this.#on = on;
    this.#asked = new AskedFiles(options.cwd);
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
      leave: () => this.#giveBack(),
      end: () => this.kill(BLOCKED),
    });
    this.#ticker = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  get age(): number {
    return monotonic() - this.#startedAt;
  }

  /** Whether new calls may be given to it. */
  get open(): boolean {
    return !this.#retired && !this.#ended;
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  get loadedFiles(): string[] {
    return [...this.#loaded.keys()];
  }

  get importing(): string[] {
    return this.#imports.importing;
  }

  /** Whether it has that tool in memory, so that a call can be given to it without more ado. */
  holds(file: string, tool: string): boolean {
    return file === PREVIEWS_FILE || this.#held.get(file)?.has(tool) === true;
  }

  previewsIn(sessionID: string): { readonly count: number; readonly at: number } {
    return this.#previews.get(sessionID) ?? NO_PREVIEWS;
  }

  /** Its answer is that none wait any more. */
  discardPreviews(sessionID: string): void {
    if (this.#previews.has(sessionID)) this.#channel.send({ type: "discard-previews", sessionID });
  }

  setToolboxInfo(toolboxInfo: ToolboxInfo): void {
    this.#channel.send({ type: "toolbox-info", toolboxInfo });
  }

  /** Whether several files can be asked for at once: Bun reads them one by one, so that one would hold up all. */
  get readsTogether(): boolean {
    return this.#options.runtime.readsOneByOne !== true;
  }

  /** Imports files, in order, and answers with what will come of each. What was imported before is not imported again. */
  load(files: readonly HostFile[], options: LoadOptions = ONCE): Promise<LoadOutcome>[] {
    const again = options.verify || options.fresh;
    const wanted = files.filter((file) => again || !this.#loaded.has(file.file));
    if (wanted.length > 0) this.#import(wanted, options);
    return files.map(({ file }) => this.#loaded.get(file) as Promise<LoadOutcome>);
  }

  /** Asks something of a loaded file. Author's code that has not answered a second after the abort ends its process. */
  async query<K extends QueryKind>(
    query: HostQuery<K>,
    signal: AbortSignal,
    started: () => void,
  ): Promise<QueryOutcome<K>> {
    if (!this.open) return { kind: "not-started" };
    if (this.#isListening) started();
    this.#retain();
    this.#knows(sessionOf(query as HostQuery));
    this.#hasRun ||= query.kind !== "prepare" && query.kind !== "render";
    const reply = await this.#queries.run(query, signal, started);
    this.#release();
    return reply;
  }

  /** Runs a call of a loaded file. On abort the tool is told; if it has not stopped a second later, its process ends. */
  run(call: HostCall, port: RunPort, signal: AbortSignal): Promise<Outcome> {
    // A preview is resolved where it waits, also in a host that takes nothing else any more.
    const takes = call.file === PREVIEWS_FILE ? !this.#ended : this.open;
    if (!takes || signal.aborted) return Promise.resolve({ kind: "not-started" });
    const sure = this.#isListening;
    this.#retain();
    this.#hasRun = true;
    this.#knows(call.context.sessionID);
    return this.#calls.run(call, port, signal, sure);
  }

  /** Takes no more calls and ends once those it has are done, and no preview waits in it. */
  retire(): void {
    this.#retired = true;
    this.#release();
  }

  /** The same, and what waits in it, or is only being imported, is given up. */
  close(): void {
    this.#closing = true;
    if (!this.#runsTools && !this.#hasRun) this.kill(NOT_NEEDED);
    else this.retire();
  }

  /** Ends at once; its calls come out as died. */
  kill(reason: string): void {
    this.#retired = true;
    this.#channel.kill(reason);
  }

  get #idle(): boolean {
    return this.#calls.isEmpty && this.#queries.isEmpty && this.#imports.isEmpty;
  }

  /** Whether what is sent now is surely started at once. */
  get #isListening(): boolean {
    return this.#idle && this.#heartbeat.wasHeardWithin(SURE_MS);
  }

  get #runsTools(): boolean {
    return !this.#calls.isEmpty || !this.#queries.isEmpty;
  }

  #retain(): void {
    if (this.#idle) this.#channel.hold();
  }

  #release(): void {
    if (!this.#idle) return;
    this.#heartbeat.rest();
    // Previews live in this process and nowhere else.
    if (this.#retired && !this.#closing && this.#previews.size > 0 && !this.#ended) return this.#channel.release();
    // Whoever has only been asked what is there has nothing to put away.
    if (this.#retired && this.#hasRun) this.#channel.close();
    else if (this.#retired) this.#channel.kill(NOT_NEEDED);
    this.#channel.release();
  }

  #import(files: readonly HostFile[], options: LoadOptions): void {
    this.#retain();
    const { load, outcomes } = this.#imports.add(files);
    this.#asked.ask(load, files);
    this.#channel.send({ type: "load", load, files, ...options });
    if (this.#ended) this.#imports.ended(this.#ended.reason, false);
    for (const [index, { file }] of files.entries()) this.#loaded.set(file, outcomes[index] as Promise<LoadOutcome>);
  }

  /** What else runs in it gets a moment, unless it does not answer at all. */
  #unresponsive(tool: string): void {
    this.#retired = true;
    const end = (): void => this.kill(`another call in it, of "${tool}", had to be stopped and did not`);
    if (this.#idle || this.#heartbeat.isSilent) end();
    else setTimeout(end, GRACE_MS);
  }

  /** Throws `InvalidMessage` for what the host's own code would not say at this point. */
  #receive(message: FromHost): void {
    const isFirst = message.type === "ready" || message.type === "ending";
    if (this.ready ? message.type === "ready" : !isFirst) throw outOfOrder(message.type);
    switch (message.type) {
      case "ready":
        this.ready = true;
        break;
      case "result":
        this.useful = true;
        this.#calls.receive(message);
        break;
      case "update":
      case "started":
      case "not-started":
      case "request":
      case "ui-request":
        this.#calls.receive(message);
        break;
      case "loading":
        this.#asked.began(message.load);
        this.#imports.began(message.load);
        break;
      case "loaded":
        this.#settleLoad(message);
        break;
      case "imports-changed":
        this.#asked.importsChanged(message.file, message.imports);
        if (this.#runs(message.file)) this.#on.importsChanged(message.file, message.imports);
        break;
      case "manifest-changed":
        this.#change(this.#asked.manifestChanged(message.manifest));
        break;
      case "answer":
        this.#queries.answered(message.id, message.answer);
        break;
      case "session-action":
        this.#mustKnow(message);
        this.#on.sessionAction(message.sessionID, message.action);
        break;
      case "previews":
        this.#mustKnow(message);
        this.#waits(message.sessionID, message.count);
        break;
      case "ending":
        this.#retired = true;
        break;
      case "pong":
        break;
      default:
        message satisfies never;
    }
  }

  /** A file says what it holds at the end of a call, a request or a session event of its own, and at no other time. */
  #change(manifest: FileManifest): void {
    if (!this.#runs(manifest.file)) return;
    this.#held.set(manifest.file, namesOf(manifest));
    this.#on.manifestChanged(manifest);
  }

  #runs(file: string): boolean {
    return this.#calls.includes(file) || this.#queries.includes(file);
  }

  #knows(sessionID: string | undefined): void {
    if (sessionID !== undefined && this.#sessions.size < MAX_SESSIONS) this.#sessions.add(sessionID);
  }

  #mustKnow({ type, sessionID }: FromHost & { type: "session-action" | "previews" }): void {
    const isKnown = this.#sessions.has(sessionID) || this.#sessions.size === MAX_SESSIONS;
    if (!isKnown) throw new InvalidMessage(`"${type}": no such session`);
  }

  #waits(sessionID: string, count: number): void {
    const before = this.previewsIn(sessionID);
    if (count === 0) this.#previews.delete(sessionID);
    else this.#previews.set(sessionID, { count, at: count > before.count ? monotonic() : before.at });
    this.#on.previewsChanged();
    this.#release();
  }

  #settleLoad(message: FromHost & { type: "loaded" }): void {
    const manifests = this.#asked.answered(message.load, message.manifests);
    for (const manifest of manifests) {
      // What a file that is broken now held before is still there.
      if (!isBroken(manifest) || !this.#held.has(manifest.file)) this.#held.set(manifest.file, namesOf(manifest));
    }
    this.useful = true;
    this.#imports.answered(message.load, manifests);
    this.#release();
  }

  #tick(): void {
    this.#ticks += 1;
    this.#heartbeat.look();
    const seldom = this.#idle || !CHEAP_TO_WATCH;
    if (!seldom || this.#ticks % 10 === 0) this.#watchMemory();
    if (this.ready && (this.#runsTools || this.#importsWait)) this.#listen();
  }

  /** Whether a file has to wait for something else: another that is imported before it or beside it, or a tool. */
  get #importsWait(): boolean {
    const { isEmpty, isImporting, hasWaiting, importing } = this.#imports;
    return isImporting ? hasWaiting || importing.length > 1 : !isEmpty;
  }

  #watchMemory(): void {
    const { memoryMb } = this.#options;
    if ((this.#channel.resident ?? 0) > memoryMb * 1024 * 1024) this.kill(tooMuchMemory(memoryMb));
  }

  /** A host that does not answer gets nothing more; what it surely has not started goes to another. */
  #listen(): void {
    if (this.#heartbeat.asks()) this.#channel.send({ type: "ping" });
    this.#queries.heardAt(this.#heartbeat.heardAt);
    if (this.#holdsUp) return this.#part();
    if (!this.#heartbeat.isSilent) return;
    // An import may take its time, and has a clock of its own; going elsewhere would only begin it anew.
    if (this.#imports.isImporting && this.#heartbeat.wasHeardWithin(PATIENCE_MS)) return;
    this.#giveBack();
  }

  /** Whether other files wait too long for one that is being imported. */
  get #holdsUp(): boolean {
    const { isImporting, isOfServers, hasWaiting } = this.#imports;
    if (!isImporting || isOfServers || !this.#importsWait) return false;
    return this.#isBlocked || (hasWaiting && !this.#imports.hadNewsWithin(MOMENT_MS));
  }

  get #isBlocked(): boolean {
    return !this.#heartbeat.wasHeardWithin(MOMENT_MS);
  }

  /**
   * The file that holds up others is left alone with this host, and has all its time. Where it may be any of several, they
   * begin anew, each by itself.
   */
  #part(): void {
    const isUnknown = this.#isBlocked && this.#imports.importing.length > 1;
    if (isUnknown && !this.#runsTools) this.kill(BLOCKED);
    else this.#giveBack();
  }

  #giveBack(): void {
    this.#retired = true;
    this.#calls.giveBack();
    this.#queries.settleAll({ kind: "not-started" });
    this.#imports.abandon("it did not answer");
    this.#release();
  }

  #finish(end: End): void {
    this.#ended = end;
    this.#retired = true;
    clearInterval(this.#ticker);
    this.#calls.ended(end, this.ready);
    this.#queries.settleAll({ kind: "died", reason: end.reason });
    if (this.#previews.size > 0) {
      this.#previews.clear();
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

/** The session that a file is told of by a request. */
function sessionOf(query: HostQuery): string | undefined {
  if ("session" in query) return query.session.id;
  return "call" in query ? query.call.session.id : undefined;
}

function namesOf({ tools }: FileManifest): ReadonlySet<string> {
  return new Set(tools.map(({ name }) => name));
}
