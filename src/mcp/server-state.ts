import type { ServerCapabilities } from "@modelcontextprotocol/server";
import { notify } from "../core/notify.ts";
import { untilAborted } from "../core/until-aborted.ts";
import type { Toolbox } from "../toolbox/toolbox.ts";
import { OutputResources } from "./output-resources.ts";
import { PendingRequests } from "./pending-requests.ts";
import { Prompts } from "./prompts.ts";
import { Resources } from "./resources.ts";
import type { Served } from "./server-options.ts";

/** Something that clients may want to look at again. */
export type Change = { readonly kind: "tools" } | { readonly kind: "resource"; readonly uri: string };

/** Who wants to know of changes. */
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

/** Sessions that can be under way; clients name them as they like, and beyond this the oldest ends. */
const MOST_SESSIONS = 10_000;
/** How long the first call of a session waits for the files that follow sessions. */
const SESSION_MS = 3_000;

/** What all connections to one toolbox have in common. */
export class ServerState {
  readonly toolbox: Toolbox;
  readonly options: Served;
  readonly changes: Changes = new Changes();
  readonly outputs: OutputResources = new OutputResources();
  readonly pending: PendingRequests = new PendingRequests();
  readonly resources: Resources;
  readonly prompts: Prompts;
  /** Those that have begun, or what waits for their beginning. */
  readonly #sessions = new Map<string, Promise<void> | undefined>();
  readonly #ending = new Set<Promise<void>>();
  readonly #stopListening: () => void;
  #watching: Promise<() => Promise<void>> | undefined;

  constructor(toolbox: Toolbox, options: Served) {
    this.toolbox = toolbox;
    this.options = options;
    this.resources = new Resources(options.resources);
    this.prompts = new Prompts(options.prompts);
    this.#stopListening = toolbox.on("change", () => this.changes.emit({ kind: "tools" }));
  }

  /** From the first list on, whatever is saved is noticed. */
  async watch(): Promise<void> {
    if (!this.options.watches) return;
    // A system that lets nothing be watched still has tools.
    this.#watching ??= this.toolbox.watch().catch(() => async () => {});
    await this.#watching;
  }

  /**
   * Files that follow sessions hear of one when it first calls a tool: before that nothing is run. Answers with what waits
   * for that, unless it is over or has been waited for long enough. A file that is called hears of the session first in
   * any case, in the time of the call.
   */
  beginSession(sessionID: string): Promise<void> | undefined {
    if (this.#sessions.has(sessionID)) return this.#sessions.get(sessionID);
    const tell = (): Promise<void> => this.toolbox.sessions.tell(sessionID, { reason: "start" });
    const begun = untilAborted(AbortSignal.timeout(SESSION_MS), tell).then(() => {
      if (this.#sessions.has(sessionID)) this.#sessions.set(sessionID, undefined);
    });
    this.#sessions.set(sessionID, begun);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) this.endSession(oldest);
    return begun;
  }

  endSession(sessionID: string): void {
    this.outputs.deleteSession(sessionID);
    if (!this.#sessions.delete(sessionID)) return;
    const told = this.toolbox.sessions.tell(sessionID, { reason: "shutdown" });
    this.#ending.add(told);
    void told.finally(() => this.#ending.delete(told));
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.pending.abort();
    const stop = await this.#watching;
    await Promise.all([stop?.(), ...this.#ending]);
  }
}

/** What is declared is answered: prompts and completions only where there are any. */
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

/** What a client tells its model of this server: why tools may be missing. */
export function instructionsFor(toolbox: Toolbox): string | undefined {
  const [blocked] = toolbox.status.blocked;
  if (!blocked) return undefined;
  return `The tools of ${toolbox.project.root} are left out, because the user has not trusted this project yet. To have them, the user runs: ${blocked.fix}`;
}
