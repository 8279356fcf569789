import { resolveStateDir } from "../../../authoring/openclaw/small-values.ts";
import { unavailable } from "../../../authoring/pi/stand-in.ts";
import type { PluginState } from "./plugin-state.ts";

/** The version of OpenClaw whose API is reproduced. */
const VERSION = "2026.8.0";

export type PluginLogger = Readonly<Record<"debug" | "info" | "warn" | "error", (...parts: unknown[]) => void>>;

export function pluginLogger({ at, settings }: PluginState, name: string = settings.id): PluginLogger {
  const line =
    (level: "debug" | "info" | "warn" | "error") =>
    (...parts: unknown[]): void =>
      at.host.log(level, `${name}: ${parts.map(textOf).join(" ")}`);
  return { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") };
}

function textOf(part: unknown): string {
  if (typeof part === "string") return part;
  if (part instanceof Error) return part.stack ?? part.message;
  try {
    return JSON.stringify(part) ?? String(part);
  } catch {
    return String(part);
  }
}

/** `api.runtime`: what Toolwright has no counterpart for fails when it is called. */
export function pluginRuntime(state: PluginState): object {
  const { config } = state.settings;
  const workspace = (): string => state.at.host.cwd;
  return orUnavailable("api.runtime", {
    version: VERSION,
    config: orUnavailable("api.runtime.config", { loadConfig: () => config, current: () => config }),
    state: orUnavailable("api.runtime.state", { resolveStateDir: () => resolveStateDir() }),
    agent: orUnavailable("api.runtime.agent", {
      resolveAgentWorkspaceDir: workspace,
      resolveAgentDir: workspace,
      resolveAgentIdentity: () => undefined,
    }),
    logging: {
      shouldLogVerbose: () => false,
      getChildLogger: () => pluginLogger(state),
    },
    events: { onAgentEvent: () => () => {}, onSessionTranscriptUpdate: () => () => {} },
  });
}

function orUnavailable(name: string, known: Record<string, unknown>): object {
  return new Proxy(known, {
    get: (target, key) => {
      if (typeof key === "symbol" || key === "then" || key === "toJSON" || key in target) return target[key as string];
      return unavailable(`${name}.${key}`);
    },
  });
}
