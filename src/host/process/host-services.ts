import { AsyncLocalStorage } from "node:async_hooks";
import { type SessionAction, type SessionSnapshot, sessionAfter } from "../../core/session.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { untilAborted } from "../../platform/waiting/until-aborted.ts";
import type { FormatHost, PendingAction, ShownComponent, ViewComponent } from "../formats/contributions.ts";
import { CLOSE_DIALOG, type ToolboxInfo, type UiRequest } from "../protocol/messages.ts";
import { plainJson } from "../protocol/plain-json.ts";
import { Previews } from "./previews.ts";
import { showComponent } from "./shown-component.ts";

/** The call or session event during which authors' code runs. */
export interface WorkScope {
  /** Replaced when a tool changes the session. */
  session: SessionSnapshot;
  readonly ui: (request: UiRequest) => Promise<unknown>;
  /** Whether dialogs can be answered, also if the toolbox has no user interface. */
  readonly hasUI: boolean;
  /** Whether the user interface of the session shows components. */
  readonly hasViews?: boolean;
}

/** Sends requests of tool files to the serving process. */
export interface ServingPort {
  ui(request: UiRequest): Promise<unknown>;
  sessionAction(sessionID: string, action: SessionAction): void;
  previews(sessionID: string, count: number): void;
  log(text: string): void;
}

/** The services that plugins and extensions may use. Each use belongs to the call or event that is running. */
export class HostServices implements FormatHost {
  readonly cwd: string;
  readonly worktree: string;
  readonly previews: Previews;
  readonly #serving: ServingPort;
  readonly #scopes = new AsyncLocalStorage<WorkScope>();
  #toolboxInfo: ToolboxInfo = { hasUI: false, tools: [] };

  constructor(at: { cwd: string; worktree: string }, serving: ServingPort) {
    this.cwd = at.cwd;
    this.worktree = at.worktree;
    this.#serving = serving;
    this.previews = new Previews((sessionID, count) => serving.previews(sessionID, count));
  }

  /** Runs work in a scope, also after an await. */
  runIn<T>(scope: WorkScope, work: () => Promise<T>): Promise<T> {
    return this.#scopes.run(scope, work);
  }

  setToolboxInfo(toolboxInfo: ToolboxInfo): void {
    this.#toolboxInfo = toolboxInfo;
  }

  get hasUI(): boolean {
    return this.#toolboxInfo.hasUI || (this.#scopes.getStore()?.hasUI ?? false);
  }

  get hasViews(): boolean {
    return this.#toolboxInfo.hasViews === true || this.#scopes.getStore()?.hasViews === true;
  }

  async ui(method: string, args: readonly unknown[], signal?: AbortSignal): Promise<unknown> {
    if (!this.hasUI || signal?.aborted) return undefined;
    const send = this.#sender();
    const request = { method, args: plainJson(args) as unknown[] };
    if (!signal) return send(request);
    const dialogID = crypto.randomUUID();
    const close = (): void => void send({ method: CLOSE_DIALOG, args: [], dialogID });
    signal.addEventListener("abort", close, { once: true });
    return untilAborted(signal, () => send({ ...request, dialogID })).finally(() =>
      signal.removeEventListener("abort", close),
    );
  }

  async show(component: ViewComponent): Promise<ShownComponent | undefined> {
    return this.hasUI ? showComponent(component, this.#sender()) : undefined;
  }

  log(level: "debug" | "info" | "warn" | "error", message: string, data?: unknown): void {
    const more = data === undefined ? "" : ` ${asJson(data)}`;
    this.#serving.log(`${new Date().toISOString()} ${level} ${message}${more}\n`);
  }

  pushPendingAction(action: PendingAction): void {
    const scope = this.#scopes.getStore();
    if (!scope) throw new Error("pushPendingAction() can only be called while a tool runs: call it in execute().");
    this.previews.push(scope.session.id, action);
  }

  act(action: SessionAction): void {
    const scope = this.#scopes.getStore();
    if (!scope) return;
    const plain = plainJson(action) as SessionAction;
    scope.session = sessionAfter(scope.session, plain);
    this.#serving.sessionAction(scope.session.id, plain);
  }

  session(): SessionSnapshot {
    return this.#scopes.getStore()?.session ?? { id: "" };
  }

  allTools(): ToolboxInfo["tools"] {
    return this.#toolboxInfo.tools;
  }

  /** Sends requests for the call or event that is running now, also after its end. */
  #sender(): (request: UiRequest) => Promise<unknown> {
    const scope = this.#scopes.getStore();
    return (request) => (scope ? scope.ui(request) : this.#serving.ui(request));
  }
}

function asJson(data: unknown): string {
  return tryOrUndefined(() => JSON.stringify(data) ?? String(data)) ?? String(data);
}
