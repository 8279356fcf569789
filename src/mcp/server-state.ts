import type { ServerCapabilities } from "@modelcontextprotocol/server";
import { notify } from "../core/notify.ts";
import { within } from "../core/within.ts";
import type { Toolbox } from "../toolbox/toolbox.ts";
import { OutputResources } from "./output-resources.ts";
import { PendingRequests } from "./pending-requests.ts";
import { Prompts } from "./prompts.ts";
import { Resources } from "./resources.ts";
import type { ResolvedOptions } from "./server-options.ts";

/** A change that clients are notified of. */
export type Change = { readonly kind: "tools" } | { readonly kind: "resource"; readonly uri: string };

export class Changes {
  readonly #listeners = new Set<(change: Change) => void>();

  emit(change: Change): void {
    for (const listener of [...this.#listeners]) notify(listener, change);
  }

  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** The limit of open sessions, since modern clients can name any number. Beyond it the oldest ends. */
const MAX_SESSIONS = 10_000;
/** The first call of a session waits at most this long for session handlers. */
const SESSION_START_MS = 3_000;

/** The state that all connections of one MCP server share. */
export class ServerState {
  readonly toolbox: Toolbox;
  readonly options: ResolvedOptions;
  readonly changes: Changes = new Changes();
  readonly outputs: OutputResources = new OutputResources();
  readonly pending: PendingRequests = new PendingRequests();
  readonly resources: Resources;
  readonly prompts: Prompts;
  /** Open sessions, with the promise of those whose handlers are still running. */
  readonly #sessions = new Map<string, Promise<void> | undefined>();
  readonly #ending = new Set<Promise<void>>();
  readonly #stopListening: () => void;
  /** When the first lists are sent at the latest. */
  readonly #listBy: number | undefined;
  #watching: Promise<() => Promise<void>> | undefined;

  constructor(toolbox: Toolbox, options: ResolvedOptions) {
    this.toolbox = toolbox;
    this.options = options;
    this.#listBy = options.listMs === undefined ? undefined : performance.now() + options.listMs;
    this.resources = new Resources(options.resources);
    this.prompts = new Prompts(options.prompts);
    this.#stopListening = toolbox.on("change", () => this.changes.emit({ kind: "tools" }));
  }

  /** Resolves when the tools can be listed; undefined if they can be listed now. */
  listable(): Promise<void> | undefined {
    const { toolbox } = this;
    if (this.#listBy === undefined) return toolbox.ready();
    return toolbox.listable(Math.max(0, this.#listBy - performance.now()));
  }

  /** Starts watching the tool files, once. */
  async watch(): Promise<void> {
    if (!this.options.watches) return;
    // Tools are served even if the files cannot be watched.
    this.#watching ??= this.toolbox.watch().catch(() => async () => {});
    await this.#watching;
  }

  /**
   * Runs the session handlers of tool files at the first call of a session, because no author's code runs before that. Returns
   * a promise while the handlers run, for at most `SESSION_START_MS`. The handlers of the file that is called always run
   * before the call.
   */
  beginSession(sessionID: string): Promise<void> | undefined {
    if (this.#sessions.has(sessionID)) return this.#sessions.get(sessionID);
    const telling = this.toolbox.sessions.tell(sessionID, { reason: "start" });
    const started = within(SESSION_START_MS, telling).then(() => {
      if (this.#sessions.has(sessionID)) this.#sessions.set(sessionID, undefined);
    });
    this.#sessions.set(sessionID, started);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.endSession(oldest);
    return started;
  }

  endSession(sessionID: string): void {
    this.outputs.deleteSession(sessionID);
    if (!this.#sessions.delete(sessionID)) return;
    const ended = this.toolbox.sessions.tell(sessionID, { reason: "shutdown" });
    this.#ending.add(ended);
    void ended.finally(() => this.#ending.delete(ended));
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.pending.abort();
    const stop = await this.#watching;
    await Promise.all([stop?.(), ...this.#ending]);
  }
}

/** Prompts and completions are declared only if there are any. */
export function capabilitiesOf({ options }: ServerState): ServerCapabilities {
  const { prompts, resources } = options;
  const completes = [...prompts, ...resources].some((each) => "complete" in each);
  return {
    tools: { listChanged: true },
    resources: resources.length > 0 ? { subscribe: true } : {},
    logging: {},
    ...(prompts.length > 0 ? { prompts: {} } : {}),
    ...(completes ? { completions: {} } : {}),
  };
}
