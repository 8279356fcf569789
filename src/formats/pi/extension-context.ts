import type { ExtensionContext } from "../../authoring/pi/extension-types.ts";
import type { SessionSnapshot } from "../../core/session.ts";
import { createUi } from "./extension-ui.ts";
import { noopProxy } from "./noop-proxy.ts";
import type { PiRuntime } from "./pi-runtime.ts";
import { createSessionManager } from "./session-manager.ts";

/** When something of a file runs: a call, an event of a session, or its loading. */
export interface ContextOptions {
  readonly session: SessionSnapshot;
  readonly directory: string;
  readonly signal?: AbortSignal;
  /** While a file is loaded nobody is asked anything: it may be loaded only to be listed. */
  readonly loading?: boolean;
}

/** What tools and handlers are given to know of their session: all that either system gives. */
export function createContext(runtime: PiRuntime, options: ContextOptions): ExtensionContext {
  const { host } = runtime;
  const { session, directory, signal, loading = false } = options;
  // The host's has what the file itself has added since.
  const read = (): SessionSnapshot => {
    const current = host.session();
    return current.id === session.id ? current : session;
  };
  const hasUI = (): boolean => host.hasUI && !loading;
  const queued = (): boolean => session.queuedMessages ?? false;
  const ignored = (what: string) => (): void => runtime.ignored(what);
  return {
    ui: createUi(runtime, hasUI),
    get hasUI() {
      return hasUI();
    },
    get mode() {
      return hasUI() ? ("rpc" as const) : ("print" as const);
    },
    cwd: directory,
    sessionManager: noopProxy(createSessionManager(read, directory), (member) =>
      runtime.ignored(`sessionManager.${member}()`),
    ),
    modelRegistry: modelRegistry(read) as ExtensionContext["modelRegistry"],
    model: session.model,
    scopedModels: [],
    thinkingLevel: session.thinkingLevel,
    signal,
    isIdle: () => session.idle ?? signal === undefined,
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

const NO_KEYS = "Toolwright holds no keys of model providers.";

/** The models that a session tells of, as pi's files look them up. Whatever needs a key finds none. */
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
