import type { SessionSnapshot } from "../../core/session.ts";
import { noopProxy } from "./noop-proxy.ts";

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
