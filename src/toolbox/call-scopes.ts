import type { Environment } from "../config/defaults.ts";
import { type StartOptions, startOptions } from "../discovery/start-options.ts";
import type { ActiveHooks, Call, CallRequest, CallScope, CallSession, HookFile } from "../pipeline/call.ts";
import type { CodeHooks } from "../pipeline/code-hooks.ts";
import type { ContextData, UiRequest } from "../protocol/messages.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Delegations } from "./sub-agents.ts";
import type { ToolCatalog } from "./tool-catalog.ts";
import type { UiRequests } from "./ui-requests.ts";

/** The parts of a toolbox that the scope of a call is collected from. */
export interface ScopeParts {
  readonly catalog: ToolCatalog;
  readonly sessions: Sessions;
  readonly delegations: Delegations;
  readonly ui: UiRequests;
  readonly codeHooks: CodeHooks | undefined;
  readonly env: Environment;
}

/** Returns a function that collects the scope of a call when it begins. */
export function createCallScopes(
  parts: ScopeParts,
): (context: ContextData, session: CallRequest["session"]) => CallScope {
  const { catalog, delegations } = parts;
  const hooks = new ToolboxHooks(parts);
  return ({ sessionID, agent }, session) => ({
    settings: catalog.settings,
    agents: delegations.callAgents(sessionID, agent),
    session: new ScopedSession(sessionID, session, parts),
    hooks,
  });
}

class ScopedSession implements CallSession {
  readonly id: string;
  readonly snapshot: CallSession["snapshot"];
  readonly #parts: ScopeParts;

  constructor(id: string, session: CallRequest["session"], parts: ScopeParts) {
    this.id = id;
    this.snapshot = parts.sessions.snapshot(id, session);
    this.#parts = parts;
  }

  get(key: string): unknown {
    return this.#parts.sessions.storedValue(this.id, key);
  }

  set(key: string, value: unknown): void {
    this.#parts.sessions.apply(this.id, { type: "state", key, value });
  }

  ui(request: UiRequest, call: Call): Promise<unknown> {
    return this.#parts.ui.call(request, call);
  }

  followDialogs(call: Call): () => void {
    return this.#parts.ui.follow(call.context.callID, call);
  }
}

class ToolboxHooks implements ActiveHooks {
  readonly code: CodeHooks | undefined;
  readonly #parts: ScopeParts;

  constructor(parts: ScopeParts) {
    this.code = parts.codeHooks;
    this.#parts = parts;
  }

  files(): readonly HookFile[] {
    return this.#parts.sessions.hookFiles();
  }

  startOptions(): StartOptions {
    const { discovered, homes } = this.#parts.catalog.inspected;
    return startOptions(this.#parts.env, discovered.project, homes.home);
  }
}
