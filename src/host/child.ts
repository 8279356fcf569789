/** The entry point of a host process: reads messages, runs calls and queries in an engine, sends the results. */
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { InnerCallOptions } from "../core/tool.ts";
import type { FileManifest, HostFile } from "../protocol/manifest.ts";
import {
  type HostRequest,
  type HostResponse,
  type HostResult,
  monotonic,
  type ToHost,
  type UiRequest,
} from "../protocol/messages.ts";
import { bunTooOld } from "../protocol/runtime.ts";
import { Engine } from "./engine.ts";
import { HostServices, type ServingPort } from "./host-services.ts";
import { HostedCall } from "./hosted-call.ts";
import { markStdio, runMarked } from "./mark-stdio.ts";
import { type ParentLink, takeParentLink } from "./parent-link.ts";

/** A request that the serving process has not answered yet. */
interface OpenRequest {
  settle(response: HostResponse): void;
  readonly onUpdate: InnerCallOptions["onUpdate"];
}

/** How often the finished files of a load are reported while others take long. */
const EVENT_MS = 50;
/** How long an import may delay the next load. */
const OVERLAP_AFTER_MS = 100;

const isBun = process.versions.bun !== undefined;
const [importMs = "10000", worktree = process.cwd(), printKey = "", canMoveToBun] = process.argv.slice(2);
markStdio(printKey);
serve({ importMs: Number(importMs), worktree, canMoveToBun: canMoveToBun !== undefined });

interface HostArguments {
  readonly importMs: number;
  readonly worktree: string;
  readonly canMoveToBun: boolean;
}

function serve({ importMs, worktree, canMoveToBun }: HostArguments): void {
  const link = takeParentLink({ message: (message) => receive(message), closed: () => shutDownAndExit() });
  const { send } = link;
  const uiRequests = new Map<number, (value: unknown) => void>();
  let lastUiRequest = 0;
  const ui = (request: UiRequest, id?: number): Promise<unknown> =>
    new Promise((resolve) => {
      lastUiRequest += 1;
      uiRequests.set(lastUiRequest, resolve);
      send({ type: "ui-request", requestID: lastUiRequest, request, ...(id === undefined ? {} : { id }) });
    });
  const serving: ServingPort = {
    ui: (request) => ui(request),
    sessionAction: (sessionID, action) => send({ type: "session-action", sessionID, action }),
    previews: (sessionID, count) => send({ type: "previews", sessionID, count }),
    log: (text) => void process.stderr.write(text),
  };
  const services = new HostServices({ cwd: process.cwd(), worktree }, serving);
  const onChanged = (manifest: FileManifest): void => send({ type: "manifest-changed", manifest });
  const engine = new Engine({ importMs, canMoveToBun, services, serving, onChanged });
  const calls = new Map<number, HostedCall>();
  const requests = new Map<number, OpenRequest>();
  let loading: Promise<unknown> = Promise.resolve();
  let lastRequest = 0;

  const request = (id: number, request: HostRequest, options: InnerCallOptions = {}): Promise<HostResponse> =>
    new Promise((resolve) => {
      lastRequest += 1;
      const requestID = lastRequest;
      const { signal, onUpdate } = options;
      const cancel = (): void => send({ type: "cancel-request", id, requestID });
      const settle = (response: HostResponse): void => {
        signal?.removeEventListener("abort", cancel);
        resolve(response);
      };
      requests.set(requestID, { settle, onUpdate });
      send({ type: "request", id, requestID, request });
      if (signal?.aborted) cancel();
      else signal?.addEventListener("abort", cancel, { once: true });
    });

  /**
   * Reports the start before the tool runs: if the tool blocks or ends the process, the call must not count as not started.
   * Waits only if earlier messages have not been written yet, so that no other tool can block in between.
   */
  const announceStart = async (id: number, startBy: number): Promise<boolean> => {
    if (monotonic() > startBy) return false;
    send({ type: "started", id });
    await link.drained();
    return monotonic() <= startBy;
  };

  const callLink = { send, request, ui };

  const run = async ({ id, call, startBy }: ToHost & { type: "call" }): Promise<void> => {
    const hosted = new HostedCall(id, callLink);
    calls.set(id, hosted);
    // Each call starts in a separate turn: if one blocks, the calls that have not started can go to another host.
    if (await engine.warmUp(call)) await setImmediate();
    const mayStart = startBy === undefined || (await announceStart(id, startBy));
    if (!mayStart || hosted.signal.aborted) {
      calls.delete(id);
      return send(startBy === undefined ? { type: "result", id, result: CANCELLED } : { type: "not-started", id });
    }
    hosted.hasStarted = true;
    const result = await runMarked(id, () => engine.run(call, hosted.signal, hosted));
    calls.delete(id);
    const imports = engine.newImportsOf(call.file);
    if (imports) send({ type: "imports-changed", file: call.file, imports });
    send({ type: "result", id, result });
  };

  /** Reports all files of a load in one message. If some take long, the others are reported before. */
  const read = async ({ load, files, ...options }: ToHost & { type: "load" }): Promise<void> => {
    const done: FileManifest[] = [];
    const report = (): void => {
      if (done.length > 0) send({ type: "loaded", load, manifests: done.splice(0) });
    };
    const readOne = async (file: HostFile): Promise<void> => void done.push(await engine.load(file, options));
    const reporting = files.length > 1 ? setInterval(report, EVENT_MS) : undefined;
    // Bun cannot require a module that another file is importing. Node can, and is faster concurrently.
    if (isBun) for (const file of files) await readOne(file);
    else await Promise.all(files.map(readOne));
    clearInterval(reporting);
    report();
  };

  /** Loads run one after another, but the next starts if one takes long. MCP servers are connected to concurrently. */
  const load = (message: ToHost & { type: "load" }): void => {
    const begin = (): Promise<void> => {
      send({ type: "loading", load: message.load });
      return read(message).catch(fail);
    };
    if (message.files.every(({ server }) => server !== undefined)) return void begin();
    loading = loading.then(() => (isBun ? begin() : atMost(OVERLAP_AFTER_MS, begin())));
  };

  const receive = (message: ToHost): void => {
    switch (message.type) {
      case "call":
        return void run(message).catch(fail);
      case "load":
        return load(message);
      case "query":
        return void engine
          .answer(message.query)
          .then((answer) => send({ type: "answer", id: message.id, answer }))
          .catch(fail);
      case "toolbox-info":
        return services.setToolboxInfo(message.toolboxInfo);
      case "discard-previews":
        return services.previews.discard(message.sessionID);
      case "ui-response":
        uiRequests.get(message.requestID)?.(message.value);
        return void uiRequests.delete(message.requestID);
      case "abort":
        return calls.get(message.id)?.abort(message.reason);
      case "response":
        requests.get(message.requestID)?.settle(message.response);
        return void requests.delete(message.requestID);
      case "request-update":
        return requests.get(message.requestID)?.onUpdate?.(message.update);
      case "ping":
        return send({ type: "pong" });
      case "check-idle":
        return checkIdle(link);
    }
  };

  const { shutDownAndExit, fail } = guard(
    link,
    () => [...calls.values()].flatMap(({ id, hasStarted }) => (hasStarted ? [id] : [])),
    () => engine.shutDown(),
  );
  const tooOld = isBun ? bunTooOld(process.versions.bun ?? "") : undefined;
  if (tooOld === undefined) return send({ type: "ready" });
  send({ type: "ending", reason: tooOld, started: [] });
  void Promise.resolve(link.drained()).then(() => process.exit(1));
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

/** Resolves when the work is done, or after `ms`. */
function atMost(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** How long files may take to clean up. */
const SHUTDOWN_MS = 800;

/**
 * Reports why this process ends, if it still can. `shutDownAndExit` lets files clean up first. `fail` exits at once, for an
 * error of the host's own code: the serving process must not wait for an answer that never comes.
 */
function guard(
  link: ParentLink,
  started: () => number[],
  shutDown: () => Promise<void>,
): { shutDownAndExit(): void; fail(error: unknown): void } {
  const exit = process.exit.bind(process);
  const sendEnding = (reason: string): void => {
    link.send({ type: "ending", reason, started: started() });
    void link.drained();
  };
  const fail = (error: unknown): void => {
    console.error(error);
    sendEnding(`an uncaught error: ${error instanceof Error ? error.message : error}`);
    exit(1);
  };
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", (reason) => console.error("Unhandled rejection in a tool:", reason));
  process.on("exit", (code) => sendEnding(`a tool called process.exit(${code})`));
  endWithParent();
  const shutDownAndExit = (): void => {
    // Kills the processes that tools started. It runs after the exit listeners of tools.
    process.on("exit", () => void (process.platform !== "win32" && process.kill(-process.pid, "SIGKILL")));
    setTimeout(() => exit(0), SHUTDOWN_MS);
    void shutDown().finally(() => exit(0));
  };
  return { shutDownAndExit, fail };
}

/**
 * Ends this process when its parent has exited. A thread checks it, since the main thread may be blocked. It starts before
 * the first import, and gets the id of the parent, which may have exited before the thread runs.
 */
function endWithParent(): void {
  const self = process.platform === "win32" ? "process.pid" : "-process.pid";
  const code = `setInterval(() => { if (process.ppid !== ${process.ppid}) process.kill(${self}, "SIGKILL"); }, 1000);`;
  const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };
  new Worker(code, { eval: true, stdout: true, stderr: true, execArgv: [], env: {}, resourceLimits }).unref();
}
