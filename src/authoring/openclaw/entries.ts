/** The part of OpenClaw's plugin API that these entries use. */
interface EntryApi {
  readonly registrationMode?: string;
  registerChannel(registration: object): void;
  registerProvider(provider: object): void;
}

/** Returns its argument, as in OpenClaw. */
export function definePluginEntry<Entry extends object>(entry: Entry): Entry {
  return entry;
}

interface ChannelEntry {
  readonly plugin?: unknown;
  registerFull?(api: EntryApi): unknown;
}

/** Registers a channel, and with `registerFull` also tools. */
export function defineChannelPluginEntry<Entry extends ChannelEntry>(
  entry: Entry,
): Entry & { register(api: EntryApi): unknown } {
  return {
    ...entry,
    register(api) {
      api.registerChannel({ plugin: entry.plugin });
      return entry.registerFull?.(api);
    },
  };
}

/** The same, with the code of the channel in other modules. They are not loaded. */
export function defineBundledChannelEntry<Entry extends ChannelEntry>(
  entry: Entry,
): Entry & { register(api: EntryApi): unknown } {
  return defineChannelPluginEntry(entry);
}

/** An entry that OpenClaw loads to set a channel up. */
export function defineSetupPluginEntry<Plugin>(plugin: Plugin): { readonly plugin: Plugin } {
  return { plugin };
}

export function defineBundledChannelSetupEntry<Entry extends object>(entry: Entry): Entry {
  return entry;
}

interface ProviderEntry {
  readonly id: string;
  readonly provider?: object;
  register?(api: EntryApi): unknown;
}

/** Registers a provider of models, and with `register` also tools. */
export function defineSingleProviderPluginEntry<Entry extends ProviderEntry>(
  entry: Entry,
): Entry & { register(api: EntryApi): unknown } {
  return {
    ...entry,
    register(api) {
      api.registerProvider({ id: entry.id, ...entry.provider });
      return entry.register?.(api);
    },
  };
}
