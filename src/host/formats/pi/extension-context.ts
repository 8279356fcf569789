import type { ExtensionContext } from "../../../authoring/pi/extension-types.ts";
import type { SessionSnapshot } from "../../../core/session.ts";
import { createUi } from "./extension-ui.ts";
import { noopProxy } from "./noop-proxy.ts";
import type { PiRuntime } from "./pi-runtime.ts";
import { createSessionManager } from "./session-manager.ts";

/** The call, session event or load that the code of a file runs in. */
export interface ContextOptions {
  readonly session: SessionSnapshot;
  readonly directory: string;
  readonly signal?: AbortSignal;
  /** While a file loads, there is no user interface: it may be loaded only to list its tools. */
  readonly loading?: boolean;
  /** Whether the agent is idle, if the session does not say so. By default it is, unless there is a signal. */
  readonly isIdle?: boolean;
}

/** The context of tools and handlers, with the members of pi and of oh-my-pi. */
export function createContext(runtime: PiRuntime, options: ContextOptions): ExtensionContext {
  const { host } = runtime;
  const { session, directory, signal, loading = false, isIdle = signal === undefined } = options;
  // The session of the host includes entries that the file added during the call.
  const read = (): SessionSnapshot => {
    const current = host.session();
    return current.id === session.id ? current : session;
  };
  const hasUI = (): boolean => host.hasUI && !loading;
  const queued = (): boolean => session.queuedMessages ?? false;
  const ignored = (what: string) => (): void => runtime.logIgnored(what);
  return {
    ui: createUi(runtime, hasUI),
    get hasUI() {
      return hasUI();
    },
    get mode() {
      if (!hasUI()) return "print" as const;
      return host.hasViews ? ("tui" as const) : ("rpc" as const);
    },
    cwd: directory,
    sessionManager: noopProxy(createSessionManager(read, directory), (member) =>
      runtime.logIgnored(`sessionManager.${member}()`),
    ),
    modelRegistry: modelRegistry(read) as ExtensionContext["modelRegistry"],
    model: session.model,
    scopedModels: [],
    thinkingLevel: session.thinkingLevel,
    signal,
    isIdle: () => session.idle ?? isIdle,
    isProjectTrusted: () => true,
    hasPendingMessages: queued,
    hasQueuedMessages: queued,
    abort: () => host.act({ type: "stop" }),
    shutdown: ignored("ctx.shutdown()"),
    compact: ignored("ctx.compact()"),
    getContextUsage: () => session.contextUsage,
    getSystemPrompt: () => session.systemPrompt ?? "",
  };
}

const NO_KEYS = "Toolwright stores no API keys of model providers.";

/** The models of the session. There are no API keys. */
export function modelRegistry(read: () => SessionSnapshot): object {
  const all = (): Readonly<Record<string, unknown>>[] => {
    const { models, model } = read();
    return models ? [...models] : model ? [model] : [];
  };
  const members = {
    find: (provider: string, id: string) => all().find((model) => model.provider === provider && model.id === id),
    getAll: all,
    getAvailable: all,
    getError: () => undefined,
    refresh: async () => {},
    hasConfiguredAuth: () => false,
    isUsingOAuth: () => false,
    getApiKey: async () => undefined,
    getApiKeyForProvider: async () => undefined,
    getProviderAuth: async () => undefined,
    getApiKeyAndHeaders: async () => ({ ok: false, error: NO_KEYS }),
    getProviderDisplayName: (provider: string) => provider,
    getRegisteredProviderIds: () => [],
    authStorage: noopProxy({}),
  };
  return noopProxy(members);
}
