/** The entry of a host process: reads messages, runs them in an engine, answers. Started by HostProcess only. */
import { Worker } from "node:worker_threads";
import { messageOf } from "../core/error.ts";
import { Engine } from "./engine.ts";
import type { FileManifest } from "./manifest.ts";
import { abortError, type FromHost, type Met, monotonic, type Need, type ToHost, type UiRequest } from "./protocol.ts";
import { bunTooOld } from "./runtime.ts";
import { type Outlet, Services } from "./services.ts";

const [importMs = "10000", worktree = process.cwd()] = process.argv.slice(2);
serve(Number(importMs), worktree);

function serve(importMs: number, worktree: string): void {
  const { send, isClear } = takeChannel();
  const answers = new Map<number, (value: unknown) => void>();
  let uis = 0;
  const ui = (request: UiRequest, id?: number): Promise<unknown> =>
    new Promise((resolve) => {
      uis += 1;
      answers.set(uis, resolve);
      send({ type: "ui", ui: uis, request, ...(id === undefined ? {} : { id }) });
    });
  const outlet: Outlet = {
    ui: (request) => ui(request),
    act: (sessionID, action) => send({ type: "act", sessionID, action }),
    pending: (sessionID, count) => send({ type: "pending", sessionID, count }),
    log: (text) => void process.stderr.write(text),
  };
  const services = new Services({ cwd: process.cwd(), worktree }, outlet);
  const onChanged = (manifest: FileManifest): void => send({ type: "changed", manifest });
  const engine = new Engine({ importMs, services, outlet, onChanged });
  /** By call, from the moment it is known: a cancel may come before it has begun. */
  const controllers = new Map<number, AbortController>();
  const running = new Set<number>();
  const unmet = new Map<number, (met: Met) => void>();
  let loading: Promise<unknown> = Promise.resolve();
  let needs = 0;

  const need = (id: number, what: Need): Promise<Met> =>
    new Promise((resolve) => {
      needs += 1;
      unmet.set(needs, resolve);
      send({ type: "need", id, need: needs, what });
    });

  /**
   * Begins only once the word of it is out: a tool that blocks or dies at once must not be taken for not begun. That
   * is at once, unless something large is still on its way; to wait in any case would let another tool block first.
   */
  const announced = async (id: number, startBy: number): Promise<boolean> => {
    if (monotonic() > startBy) return false;
    if (isClear()) send({ type: "started", id });
    else await new Promise<void>((resolve) => send({ type: "started", id }, resolve));
    return monotonic() <= startBy;
  };

  const call = async (message: ToHost & { type: "call" }): Promise<void> => {
    const { id } = message;
    const controller = new AbortController();
    controllers.set(id, controller);
    const isOn = message.startBy === undefined || (await announced(id, message.startBy));
    if (!isOn || controller.signal.aborted) {
      controllers.delete(id);
      return send({ type: "late", id });
    }
    running.add(id);
    const port = {
      update: (update: (FromHost & { type: "update" })["update"]) => send({ type: "update", id, update }),
      need: (what: Need) => need(id, what),
      ui: (request: UiRequest) => ui(request, id),
    };
    const result = await engine.run(message.call, controller.signal, port);
    running.delete(id);
    controllers.delete(id);
    const imports = engine.newImportsOf(message.call.file);
    if (imports) send({ type: "depends", file: message.call.file, imports });
    send({ type: "result", id, result });
  };

  const read = async ({ files, ...options }: ToHost & { type: "load" }): Promise<FileManifest[]> => {
    const manifests: FileManifest[] = [];
    // Bun cannot require what another file is importing at that moment; Node can, and is faster so.
    if (process.versions.bun === undefined) return Promise.all(files.map((file) => engine.load(file, options)));
    for (const file of files) manifests.push(await engine.load(file, options));
    return manifests;
  };

  /** Files are read one load after another. Servers are processes of their own, and are asked all at once. */
  const load = (message: ToHost & { type: "load" }): void => {
    const begun = message.files.every(({ server }) => server !== undefined) ? read(message) : undefined;
    loading = loading.then(async () => {
      send({ type: "loading" });
      send({ type: "loaded", manifests: await (begun ?? read(message)) });
    });
  };

  process.on("message", (message: ToHost) => {
    switch (message.type) {
      case "call":
        return void call(message);
      case "load":
        return load(message);
      case "request":
        return void engine.answer(message.request).then((answer) => send({ type: "response", id: message.id, answer }));
      case "surroundings":
        return services.surround(message.surroundings);
      case "forget":
        return services.pending.forget(message.sessionID);
      case "ui-answer":
        answers.get(message.ui)?.(message.value);
        return void answers.delete(message.ui);
      case "abort":
        return controllers.get(message.id)?.abort(abortError(message.reason));
      case "met":
        unmet.get(message.need)?.(message.met);
        return void unmet.delete(message.need);
      case "ping":
        return send({ type: "pong" });
    }
  });

  guard(
    send,
    () => [...running],
    () => engine.shutDown(),
  );
  const tooOld = process.versions.bun === undefined ? undefined : bunTooOld(process.versions.bun);
  if (tooOld === undefined) send({ type: "ready" });
  else send({ type: "ending", reason: tooOld, begun: [] }, () => process.exit(1));
}

/** The channel is ours: an author's `process.send("ready")` must not reach the protocol. */
function takeChannel(): { send: Send; isClear: () => boolean } {
  const send = process.send?.bind(process);
  if (!send) throw new Error("This file is the entry of a host process; it is not run by hand.");
  delete process.send;
  let onTheWay = 0;
  const follow = (message: FromHost, sent?: () => void): void => {
    onTheWay += 1;
    send(message, undefined, undefined, () => {
      onTheWay -= 1;
      sent?.();
    });
  };
  return {
    isClear: () => onTheWay === 0,
    send: (message, sent) => {
      try {
        if (sent || isLarge(message)) follow(message, sent);
        else send(message);
      } catch (error) {
        const instead = unsendable(message, messageOf(error));
        if (instead) send(instead);
      }
    },
  };
}

/** What a pipe takes at once, and to spare. */
const SMALL = 16_384;

/** Whether a message may not be out as soon as it has been handed over. */
function isLarge(message: FromHost): boolean {
  if (message.type !== "result") return message.type === "update" || message.type === "loaded";
  const { content, data } = message.result;
  const size = content.reduce((sum, part) => sum + (part.type === "text" ? part.text : (part.data ?? "")).length, 0);
  return data !== undefined || size > SMALL;
}

type Send = (message: FromHost, sent?: () => void) => void;

/** What somebody waits for must come, even if it holds what cannot cross. */
function unsendable(message: FromHost, why: string): FromHost | undefined {
  const words = `What the tool gave cannot be sent: ${why}. Use plain data only.`;
  if (message.type === "response") return { ...message, answer: { kind: "failed", message: words } };
  if (message.type !== "result") return undefined;
  return { ...message, result: { ok: false, code: "invalid_output", message: words, content: [] } };
}

/** How long files may take to put their things away. */
const FAREWELL_MS = 800;

function guard(send: Send, begun: () => number[], shutDown: () => Promise<void>): void {
  const exit = process.exit.bind(process);
  process.on("uncaughtException", (error) => {
    console.error(error);
    send({
      type: "ending",
      reason: `an uncaught error: ${error instanceof Error ? error.message : error}`,
      begun: begun(),
    });
    exit(1);
  });
  process.on("unhandledRejection", (reason) => console.error("Unhandled rejection in a tool:", reason));
  process.on("exit", (code) => {
    send({ type: "ending", reason: `a tool called process.exit(${code})`, begun: begun() });
  });
  process.on("disconnect", () => {
    // Nobody is left who would end what the tools have started. Last of all, so that what they do at the exit is done.
    process.on("exit", () => void (process.platform !== "win32" && process.kill(-process.pid, "SIGKILL")));
    setTimeout(() => exit(0), FAREWELL_MS);
    void shutDown().finally(() => exit(0));
  });
  endWithParent();
}

/**
 * A host that blocks does not notice that its parent is gone; a thread of its own does. It must be there before the
 * first file is imported, since that may block already.
 */
function endWithParent(): void {
  const self = process.platform === "win32" ? "process.pid" : "-process.pid";
  const code = `const parent = process.ppid;
    setInterval(() => { if (process.ppid !== parent) process.kill(${self}, "SIGKILL"); }, 1000);`;
  const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };
  new Worker(code, { eval: true, stdout: true, stderr: true, execArgv: [], env: {}, resourceLimits }).unref();
}
