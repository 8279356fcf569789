import { setImmediate } from "node:timers/promises";
import type { Update } from "../../core/events.ts";
import type { InnerCallOptions } from "../../core/tool.ts";
import { within } from "../../platform/waiting/within.ts";
import type { CallPort } from "../protocol/hosts.ts";
import type { FileManifest, HostFile } from "../protocol/manifest.ts";
import {
  abortError,
  type FromHost,
  type HostRequest,
  type HostResponse,
  type HostResult,
  monotonic,
  type ToHost,
  type UiRequest,
} from "../protocol/messages.ts";
import { Engine } from "./engine.ts";
import { HostServices, type ServingPort } from "./host-services.ts";
import { runMarked } from "./mark-stdio.ts";
import type { ParentLink } from "./parent-link.ts";

/** A request that the serving process has not answered yet. */
interface OpenRequest {
  settle(response: HostResponse): void;
  readonly onUpdate: InnerCallOptions["onUpdate"];
}

export interface HostOptions {
  readonly importMs: number;
  readonly worktree: string;
  readonly canMoveToBun: boolean;
}

/** How often the finished files of a load are reported while others take long. */
const EVENT_MS = 50;
/** How long an import may delay the next load. */
const OVERLAP_AFTER_MS = 100;

const isBun = process.versions.bun !== undefined;

/** Answers the messages of the serving process: runs calls and queries in an engine, and sends the results. */
export class HostServer {
  readonly #link: ParentLink;
  readonly #engine: Engine;
  readonly #services: HostServices;
  /** Exits: an error of the host's own code would leave the serving process without an answer. */
  readonly #fail: (error: unknown) => void;
  readonly #calls = new Map<number, HostedCall>();
  readonly #requests = new Map<number, OpenRequest>();
  readonly #uiRequests = new Map<number, (value: unknown) => void>();
  #queries = 0;
  #loading: Promise<unknown> = Promise.resolve();
  #lastRequest = 0;
  #lastUiRequest = 0;

  constructor(link: ParentLink, { importMs, worktree, canMoveToBun }: HostOptions, fail: (error: unknown) => void) {
    this.#link = link;
    this.#fail = fail;
    const serving: ServingPort = {
      ui: (request) => this.ui(request),
      sessionAction: (sessionID, action) => this.send({ type: "session-action", sessionID, action }),
      previews: (sessionID, count) => this.send({ type: "previews", sessionID, count }),
      log: (text) => void process.stderr.write(text),
    };
    this.#services = new HostServices({ cwd: process.cwd(), worktree }, serving);
    const onChanged = (manifest: FileManifest): void => this.send({ type: "manifest-changed", manifest });
    this.#engine = new Engine({ importMs, canMoveToBun, services: this.#services, serving, onChanged });
  }

  /** Whether the serving process takes over what tools have left in the background. */
  isRetired = false;

  /** The calls whose tools may have run. */
  get started(): number[] {
    return [...this.#calls.values()].flatMap(({ id, hasStarted }) => (hasStarted ? [id] : []));
  }

  /** Lets files clean up. */
  shutDown(): Promise<void> {
    return this.#engine.shutDown();
  }

  send(message: FromHost): void {
    this.#link.send(message);
  }

  receive(message: ToHost): void {
    switch (message.type) {
      case "call":
        return void this.#run(message).catch(this.#fail);
      case "load":
        return this.#load(message);
      case "query":
        return void this.#answer(message).catch(this.#fail);
      case "toolbox-info":
        return this.#services.setToolboxInfo(message.toolboxInfo);
      case "discard-previews":
        return this.#services.previews.discard(message.sessionID);
      case "ui-response":
        this.#uiRequests.get(message.requestID)?.(message.value);
        return void this.#uiRequests.delete(message.requestID);
      case "abort":
        return this.#calls.get(message.id)?.abort(message.reason);
      case "response":
        this.#requests.get(message.requestID)?.settle(message.response);
        return void this.#requests.delete(message.requestID);
      case "request-update":
        return this.#requests.get(message.requestID)?.onUpdate?.(message.update);
      case "ping":
        return this.send({ type: "pong" });
      case "retire":
        this.isRetired = true;
        return;
      case "check-idle":
        return checkIdle(this.#link);
    }
  }

  ui(request: UiRequest, id?: number): Promise<unknown> {
    return new Promise((resolve) => {
      this.#lastUiRequest += 1;
      const requestID = this.#lastUiRequest;
      this.#uiRequests.set(requestID, resolve);
      this.send({ type: "ui-request", requestID, request, ...(id === undefined ? {} : { id }) });
    });
  }

  request(id: number, request: HostRequest, { signal, onUpdate }: InnerCallOptions = {}): Promise<HostResponse> {
    return new Promise((resolve) => {
      this.#lastRequest += 1;
      const requestID = this.#lastRequest;
      const cancel = (): void => this.send({ type: "cancel-request", id, requestID });
      const settle = (response: HostResponse): void => {
        signal?.removeEventListener("abort", cancel);
        resolve(response);
      };
      this.#requests.set(requestID, { settle, onUpdate });
      this.send({ type: "request", id, requestID, request });
      if (signal?.aborted) cancel();
      else signal?.addEventListener("abort", cancel, { once: true });
    });
  }

  /** A query runs author's code, which may block. It therefore does not share a turn with other work. */
  async #answer({ id, query }: ToHost & { type: "query" }): Promise<void> {
    this.#queries += 1;
    if (this.#queries + this.#calls.size > 1) await setImmediate();
    const answer = await this.#engine.answer(query);
    this.#queries -= 1;
    this.send({ type: "answer", id, answer });
  }

  async #run({ id, call, startBy }: ToHost & { type: "call" }): Promise<void> {
    const hosted = new HostedCall(id, this);
    this.#calls.set(id, hosted);
    if (this.#queries > 0) await setImmediate();
    // Each call starts in a separate turn: if one blocks, the calls that have not started can go to another host.
    if (await this.#engine.warmUp(call)) await setImmediate();
    const mayStart = startBy === undefined || (await this.#announceStart(id, startBy));
    if (!mayStart || hosted.signal.aborted) {
      this.#calls.delete(id);
      return this.send(startBy === undefined ? { type: "result", id, result: CANCELLED } : { type: "not-started", id });
    }
    hosted.hasStarted = true;
    const result = await runMarked(id, () => this.#engine.run(call, hosted.signal, hosted));
    this.#calls.delete(id);
    const imports = this.#engine.newImportsOf(call.file);
    if (imports) this.send({ type: "imports-changed", file: call.file, imports });
    this.send({ type: "result", id, result });
  }

  /**
   * Reports the start before the tool runs: if the tool blocks or ends the process, the call must not count as not started.
   * Waits only if earlier messages have not been written yet, so that no other tool can block in between.
   */
  async #announceStart(id: number, startBy: number): Promise<boolean> {
    if (monotonic() > startBy) return false;
    this.send({ type: "started", id });
    await this.#link.drained();
    return monotonic() <= startBy;
  }

  /** Loads run one after another, but the next starts if one takes long. MCP servers are connected to concurrently. */
  #load(message: ToHost & { type: "load" }): void {
    const begin = (): Promise<void> => {
      this.send({ type: "loading", load: message.load });
      return this.#read(message).catch(this.#fail);
    };
    if (message.files.every(({ server }) => server !== undefined)) return void begin();
    this.#loading = this.#loading.then(() => (isBun ? begin() : within(OVERLAP_AFTER_MS, begin())));
  }

  /** Reports all files of a load in one message. If some take long, the others are reported before. */
  async #read({ load, files, ...options }: ToHost & { type: "load" }): Promise<void> {
    const done: FileManifest[] = [];
    const report = (): void => {
      if (done.length > 0) this.send({ type: "loaded", load, manifests: done.splice(0) });
    };
    const readOne = async (file: HostFile): Promise<void> => void done.push(await this.#engine.load(file, options));
    const reporting = files.length > 1 ? setInterval(report, EVENT_MS) : undefined;
    // Bun cannot require a module that another file is importing. Node can, and is faster concurrently.
    if (isBun) for (const file of files) await readOne(file);
    else await Promise.all(files.map(readOne));
    clearInterval(reporting);
    report();
  }
}

/** A call in a host, from the moment it is received: an abort may come before its start. */
class HostedCall implements CallPort {
  readonly id: number;
  /** Whether the tool may have run. */
  hasStarted = false;
  readonly #server: HostServer;
  readonly #controller = new AbortController();

  constructor(id: number, server: HostServer) {
    this.id = id;
    this.#server = server;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: "aborted" | "timeout"): void {
    this.#controller.abort(abortError(reason));
  }

  update(update: Update): void {
    this.#server.send({ type: "update", id: this.id, update });
  }

  request(request: HostRequest, options?: InnerCallOptions): Promise<HostResponse> {
    return this.#server.request(this.id, request, options);
  }

  ui(request: UiRequest): Promise<unknown> {
    return this.#server.ui(request, this.id);
  }
}

/** How long to wait for `beforeExit` before the host counts as not idle. */
const CHECK_IDLE_MS = 1_000;

/**
 * Sends "idle" if nothing but the link keeps this process alive. Once the link is released, Node and Bun emit `beforeExit`
 * in that case. Otherwise something keeps the event loop alive, and the timer, which does not, fires.
 */
function checkIdle(link: ParentLink): void {
  const timer = setTimeout(() => {
    process.off("beforeExit", onDrained);
    link.retain();
  }, CHECK_IDLE_MS).unref();
  const onDrained = (): void => {
    clearTimeout(timer);
    link.retain();
    link.send({ type: "idle" });
  };
  process.once("beforeExit", onDrained);
  link.release();
}

/** The result of a call that was aborted before its tool ran. */
const CANCELLED: HostResult = { ok: false, code: "aborted", message: "", content: [] };
