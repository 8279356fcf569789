import { DEFAULT_COMPACTION_SETTINGS } from "./compaction.ts";

type Values = Readonly<Record<string, unknown>>;

/** The defaults of pi, by the name of their getter. A setting that is not listed is undefined. */
const DEFAULTS: Values = {
  AllModelThinkingLevels: {},
  AutocompleteMaxVisible: 5,
  BlockImages: false,
  BranchSummarySettings: { reserveTokens: 16384, skipPrompt: false },
  BranchSummarySkipPrompt: false,
  CacheWarmingMode: "off",
  ClearOnShrink: false,
  CodeBlockIndent: "  ",
  CollapseChangelog: false,
  CompactionEnabled: DEFAULT_COMPACTION_SETTINGS.enabled,
  CompactionKeepRecentTokens: DEFAULT_COMPACTION_SETTINGS.keepRecentTokens,
  CompactionReserveTokens: DEFAULT_COMPACTION_SETTINGS.reserveTokens,
  CompactionSettings: DEFAULT_COMPACTION_SETTINGS,
  DefaultProjectTrust: "ask",
  DoubleEscapeAction: "tree",
  EditorPaddingX: 0,
  EnableAnalytics: false,
  EnableInstallTelemetry: false,
  EnableSkillCommands: true,
  ExtensionPaths: [],
  ExternalEditorCommand: "vi",
  FollowUpMode: "one-at-a-time",
  FullscreenCopyOnSelect: true,
  GlobalSettings: {},
  HideThinkingBlock: false,
  HttpIdleTimeoutMs: 300_000,
  ImageAutoResize: true,
  ImageWidthCells: 60,
  OutputPad: 1,
  Packages: [],
  ProjectSettings: {},
  PromptTemplatePaths: [],
  ProviderRetrySettings: { maxRetryDelayMs: 60_000 },
  QuietStartup: false,
  RetryEnabled: true,
  RetrySettings: { enabled: true, maxRetries: 3, baseDelayMs: 2000 },
  ShowCacheMissNotices: false,
  ShowHardwareCursor: false,
  ShowImages: true,
  ShowTerminalProgress: false,
  SkillPaths: [],
  SteeringMode: "one-at-a-time",
  TerminalCapabilityOverrides: {},
  ThemePaths: [],
  Transport: "auto",
  TreeFilterMode: "default",
  Warnings: {},
};

/**
 * Settings of pi that live as long as the object. They begin with the defaults of pi: no settings file is read or written.
 * Each setting has `getName()` and `setName(value)`.
 */
export class SettingsManager {
  readonly [member: string]: unknown;

  private constructor(settings: Values) {
    const overrides: Record<string, unknown> = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [name.charAt(0).toUpperCase() + name.slice(1), value]),
    );
    // biome-ignore lint/correctness/noConstructorReturn: the members are those of every version of pi
    return new Proxy(this, {
      get: (target, key) => {
        if (typeof key !== "string" || key in target) return Reflect.get(target, key);
        const [, verb, name = ""] = /^(get|set)([A-Z]\w*)$/.exec(key) ?? [];
        if (verb === "get") return () => structuredClone(name in overrides ? overrides[name] : DEFAULTS[name]);
        if (verb !== "set") return undefined;
        return (value: unknown) => {
          overrides[name] = value;
        };
      },
    });
  }

  static create(): SettingsManager {
    return new SettingsManager({});
  }

  static fromStorage(): SettingsManager {
    return new SettingsManager({});
  }

  static inMemory(settings: Values = {}): SettingsManager {
    return new SettingsManager(settings);
  }

  isProjectTrusted(): boolean {
    return true;
  }

  applyOverrides(overrides: Values): void {
    for (const [name, value] of Object.entries(overrides)) {
      const setter = this[`set${name.charAt(0).toUpperCase()}${name.slice(1)}`];
      if (typeof setter === "function") setter(value);
    }
  }

  drainErrors(): [] {
    return [];
  }

  async reload(): Promise<void> {}

  async flush(): Promise<void> {}
}
