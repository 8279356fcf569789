import type { ActiveHooks, AskingCall, Call, CallRequest, CallScope, CallSession, HookFile } from "../calls/call.ts";
import type { CodeHooks } from "../calls/code-hooks.ts";
import { type StartOptions, startOptions } from "../catalog/discovery/start-options.ts";
import type { ToolCatalog } from "../catalog/tool-catalog.ts";
import type { DurableEvent } from "../core/session-log.ts";
import type { ContextData, UiRequest } from "../host/protocol/messages.ts";
import type { OwnRuns } from "../platform/processes/own-runs.ts";
import type { LocalSession } from "../sessions/local-session.ts";
import type { SessionFiles } from "../sessions/session-files.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Environment } from "../settings/defaults.ts";
import type { Delegations } from "./sub-agents.ts";
import type { UiRequests } from "./ui-requests.ts";

/** The parts of a toolbox that the scope of a call is collected from. */
interface ScopeParts {
  readonly catalog: ToolCatalog;
  readonly sessions: Sessions;
  readonly sessionFiles: SessionFiles;
  readonly delegations: Delegations;
  readonly ui: UiRequests;
  readonly codeHooks: CodeHooks | undefined;
  readonly env: Environment;
  readonly runs: OwnRuns;
  /** Whether callers have already asked their users, if neither the request nor the session says so. */
  readonly callerIsAsked: boolean;
  readonly hasApprover: boolean;
}

/** Returns a function that collects the scope of a call when it begins. */
export function createCallScopes(parts: ScopeParts): (context: ContextData, request: CallRequest) => CallScope {
  const { catalog, delegations } = parts;
  const hooks = new ToolboxHooks(parts);
  return ({ sessionID, agent }, request) => {
    const session = parts.sessions.get(sessionID);
    const answerable = request.answerable ?? session.answerable;
    return {
      settings: catalog.settings,
      callerIsAsked: request.callerIsAsked ?? session.callerIsAsked ?? parts.callerIsAsked,
      answerable,
      hasUI: answerable || parts.ui.isAttached(sessionID),
      hasViews: parts.ui.showsViews(sessionID),
      agents: delegations.callAgents(session, agent, answerable || parts.hasApprover),
      session: new ScopedSession(session, request.session, parts),
      hooks,
    };
  };
}

class ScopedSession implements CallSession {
  readonly snapshot: CallSession["snapshot"];
  readonly #session: LocalSession;
  readonly #parts: ScopeParts;

  constructor(session: LocalSession, caller: CallRequest["session"], parts: ScopeParts) {
    this.snapshot = session.snapshot(caller ?? (parts.catalog.readsSessions() ? session.agentSnapshot() : undefined));
    this.#session = session;
    this.#parts = parts;
  }

  get id(): string {
    return this.#session.id;
  }

  get(key: string): unknown {
    return this.#session.state.value(key);
  }

  set(key: string, value: unknown): Promise<void> | undefined {
    return this.#parts.sessionFiles.apply(this.id, { type: "state", key, value });
  }

  record(event: DurableEvent): Promise<void> | undefined {
    return this.#session.record(event);
  }

  ui(request: UiRequest, call: Call): Promise<unknown> {
    return this.#parts.ui.call(request, call);
  }

  ask(request: Parameters<CallSession["ask"]>[0], call: AskingCall): ReturnType<CallSession["ask"]> {
    return this.#parts.ui.ask(request, call);
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
    return this.#parts.sessionFiles.hookFiles();
  }

  start<T>(work: (options: StartOptions) => Promise<T>): Promise<T> {
    const { discovered, homes } = this.#parts.catalog.inspected;
    const options = startOptions(this.#parts.env, discovered.project, homes.home);
    return this.#parts.runs.run(() => work(options));
  }
}
