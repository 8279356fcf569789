/** What OpenCode's configuration says about a plugin. */
export interface OpencodePlugin {
  /** The options that its entry passes to it. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The ids of plugins that the configuration turns off. */
  readonly disabled: readonly string[];
  /** The config files that say this. */
  readonly configs: readonly string[];
}
