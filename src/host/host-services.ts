import { AsyncLocalStorage } from "node:async_hooks";
import { type SessionAction, type SessionSnapshot, sessionAfter } from "../core/session.ts";
import type { FormatHost, PendingAction } from "../formats/contributions.ts";
import type { ToolboxInfo, UiRequest } from "../protocol/messages.ts";
import { plainJson } from "../protocol/plain-json.ts";
import { Previews } from "./previews.ts";

/** What is running: a call, or the telling of a session event. */
export interface Occasion {
  /** Grows as tools add to it. */
  session: SessionSnapshot;
  readonly ui: (request: UiRequest) => Promise<unknown>;
}

/** How what files ask for leaves the process they run in. */
export interface Outlet {
  ui(request: UiRequest): Promise<unknown>;
  sessionAction(sessionID: string, action: SessionAction): void;
  previews(sessionID: string, count: number): void;
  log(text: string): void;
}

/** What the files of other systems are given to ask, and to whom their asking belongs. */
export class Services implements FormatHost {
  readonly cwd: string;
  readonly worktree: string;
  readonly previews: Previews;
  readonly #outlet: Outlet;
  readonly #occasions = new AsyncLocalStorage<Occasion>();
  #toolboxInfo: ToolboxInfo = { hasUI: false, tools: [] };

  constructor(at: { cwd: string; worktree: string }, outlet: Outlet) {
    this.cwd = at.cwd;
    this.worktree = at.worktree;
    this.#outlet = outlet;
    this.previews = new Previews((sessionID, count) => outlet.previews(sessionID, count));
  }

  /** Whatever the work asks for belongs to this occasion, also after an await. */
  during<T>(occasion: Occasion, work: () => Promise<T>): Promise<T> {
    return this.#occasions.run(occasion, work);
  }

  setToolboxInfo(toolboxInfo: ToolboxInfo): void {
    this.#toolboxInfo = toolboxInfo;
  }

  get hasUI(): boolean {
    return this.#toolboxInfo.hasUI;
  }

  async ui(method: string, args: readonly unknown[]): Promise<unknown> {
    if (!this.hasUI) return undefined;
    const request = { method, args: plainJson(args) as unknown[] };
    const occasion = this.#occasions.getStore();
    return occasion ? occasion.ui(request) : this.#outlet.ui(request);
  }

  log(level: "debug" | "info" | "warn" | "error", message: string, data?: unknown): void {
    const more = data === undefined ? "" : ` ${asJson(data)}`;
    this.#outlet.log(`${new Date().toISOString()} ${level} ${message}${more}\n`);
  }

  pushPendingAction(action: PendingAction): void {
    const occasion = this.#occasions.getStore();
    if (!occasion) throw new Error("pushPendingAction() can only be called while a tool runs: call it in execute().");
    this.previews.push(occasion.session.id, action);
  }

  act(action: SessionAction): void {
    const occasion = this.#occasions.getStore();
    if (!occasion) return;
    const plain = plainJson(action) as SessionAction;
    occasion.session = sessionAfter(occasion.session, plain);
    this.#outlet.sessionAction(occasion.session.id, plain);
  }

  session(): SessionSnapshot {
    return this.#occasions.getStore()?.session ?? { id: "" };
  }

  allTools(): ToolboxInfo["tools"] {
    return this.#toolboxInfo.tools;
  }
}

function asJson(data: unknown): string {
  try {
    return JSON.stringify(data) ?? String(data);
  } catch {
    return String(data);
  }
}
